/** Reads blocks of a script, or of another file of ours, by the table of their keys; what the readers of its parts share. */
import { type Code, closest, type DiagnosticExtra, didYouMean, type Source, type Span } from '../text/index.ts';
import type { ToonEntry, ToonObject, ToonValue } from '../toon/index.ts';

export interface ScriptReader {
  readonly source: Source;
  readonly report: (code: Code, span: Span, message: string, extra?: DiagnosticExtra) => void;
  /** Of another kind of file: what it calls keys that it does not have, and values that a key does not take. */
  readonly codes?: { readonly unknown: Code; readonly kind: Code };
}

/** How the value of each key is read. */
export type Keys = Readonly<Record<string, (r: ScriptReader, entry: ToonEntry) => void>>;

/** Reads a block by its keys, and reports those it does not have; gives every known one that was written. */
export function readKeys(
  r: ScriptReader,
  object: ToonObject,
  what: string,
  keys: Keys,
): ReadonlyMap<string, ToonEntry> {
  const at = new Map<string, ToonEntry>();
  const unknown: ToonEntry[] = [];
  for (const entry of object.entries) {
    const { key } = entry;
    const read = Object.hasOwn(keys, key.text) ? keys[key.text] : undefined;
    if (read) {
      at.set(key.text, entry);
      read(r, entry);
    } else unknown.push(entry);
  }
  for (const entry of unknown) {
    const { key } = entry;
    const known = Object.keys(keys);
    const near = closest(
      key.text,
      known.filter((each) => !at.has(each)),
    );
    const shown = key.text.length > 60 ? `${key.text.slice(0, 60)}…` : key.text;
    r.report(
      r.codes?.unknown ?? 'TOO7001',
      key.span,
      `unknown key "${shown}" of ${what}${near === undefined ? '' : `.${didYouMean(near)}`}`,
      {
        ...(near === undefined
          ? { help: known.length === 1 ? `Its only key is ${known[0]}.` : `Its keys are ${known.join(', ')}.` }
          : { fix: { title: `write ${near}`, edits: [{ span: key.span, text: near }] } }),
      },
    );
    // The one that was meant is not missing too.
    if (near !== undefined) at.set(near, entry);
  }
  return at;
}

/** A key with a value that it does not take. */
export function wrongKind(r: ScriptReader, entry: ToonEntry, expected: string, extra?: DiagnosticExtra): undefined {
  const { key, value } = entry;
  const block = value.kind === 'object' || value.kind === 'array';
  const at = block ? key.span : value.span;
  r.report(r.codes?.kind ?? 'TOO7003', at, `"${key.text}" takes ${expected}, not ${describe(value)}`, extra);
}

export function describe(value: ToonValue): string {
  switch (value.kind) {
    case 'object':
      return value.entries.length === 0 ? 'nothing' : 'a block of keys';
    case 'array':
      return 'a list';
    case 'string':
      return value.text === '' ? 'an empty text' : 'a text';
    case 'number':
      return `the number ${value.value}`;
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
    case 'union':
      return 'a choice of texts';
  }
}

/** The first line of what may span many. */
export function lineOf(r: ScriptReader, { start, end }: Span): Span {
  const stop = r.source.text.indexOf('\n', start);
  return { start, end: stop === -1 ? end : Math.max(start, Math.min(end, stop)) };
}
