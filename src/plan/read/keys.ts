/** Reads a block by the table of its keys: each key has a reader; unknown and missing ones are reported. */
import { closest, didYouMean, type Span } from '../../text/index.ts';
import type { ToonEntry, ToonKey, ToonObject } from '../../toon/index.ts';
import { guess, headOf, listed, type Read, type Reader, replace, report, shown } from './reader.ts';

export type Keys = Readonly<Record<string, Read<unknown>>>;

/** A block: how messages call it, its keys, and those it cannot be without. */
export interface Shape<K extends Keys> {
  readonly what: string;
  readonly keys: K;
  readonly required: readonly string[];
}

/** What was read; a key whose value was of no use is absent, as one that was not written. */
export type Values<K extends Keys> = { readonly [Key in keyof K]?: Exclude<ReturnType<K[Key]>, undefined> };

export interface Block<K extends Keys> {
  readonly values: Values<K>;
  /** Every known key that was written, whatever its value was, and those that were meant. */
  readonly at: ReadonlyMap<string, ToonKey>;
}

export function shape<K extends Keys>(what: string, keys: K, ...required: readonly (keyof K & string)[]): Shape<K> {
  return { what, keys, required };
}

/** What other tools call our keys; of several the first that is free. */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ['name', ['id', 'use']],
  ['type', ['kind']],
  ['steps', ['children']],
  ['dependson', ['needs']],
  ['depends_on', ['needs']],
  ['retries', ['maxAttempts']],
  ['script', ['run']],
  ['code', ['run']],
  ['schema', ['output']],
  ['if', ['condition']],
  ['params', ['with']],
  ['import', ['use']],
  ['export', ['use']],
  ['alias', ['as']],
]);

export interface BlockContext {
  /** To whom a key that is unknown here belongs: `until` to `kind: loop`. */
  readonly owner?: (key: string) => string | undefined;
  /** Where the block is said to stand when a key is missing. */
  readonly at?: Span;
}

export function readBlock<K extends Keys>(
  r: Reader,
  object: ToonObject,
  { what, keys, required }: Shape<K>,
  context: BlockContext = {},
): Block<K> {
  const at = new Map<string, ToonKey>();
  const values: Record<string, unknown> = {};
  const read = (name: string, entry: ToonEntry) => {
    at.set(name, entry.key);
    const value = keys[name]?.(r, entry);
    if (value !== undefined) values[name] = value;
  };
  const unknown = object.entries.filter((entry) => {
    if (!Object.hasOwn(keys, entry.key.text)) return true;
    read(entry.key.text, entry);
    return false;
  });
  for (const entry of unknown) {
    const belongs = context.owner?.(entry.key.text);
    // A key that is there already was not meant; one that is only misspelt is read, and not missing as well.
    const free = Object.keys(keys).filter((name) => !at.has(name));
    const habit = synonyms.get(entry.key.text.toLowerCase())?.find((other) => free.includes(other));
    const meant = habit ?? closest(entry.key.text, free);
    const near = belongs === undefined ? meant : undefined;
    reportUnknown(r, entry.key, { what, known: Object.keys(keys), near, belongs, habit: habit !== undefined });
    if (near !== undefined) read(near, entry);
  }
  for (const key of required) if (!at.has(key)) reportMissing(r, context.at ?? headOf(object), what, key);
  return { values: values as Values<K>, at };
}

export function reportMissing(r: Reader, at: Span, what: string, key: string): void {
  report(r, 'TOO4002', at, `${what} needs "${key}"`, { help: `Add ${samples.get(key) ?? `"${key}: …"`}.` });
}

/** Keys that are written as more than one line. */
const samples: ReadonlyMap<string, string> = new Map([
  ...['steps', 'children', 'then'].map((key) => [key, `"${key}[1]:" and below it "- id: …"`] as const),
  ['request', '"request:" and below it "title: …"'],
]);

function reportUnknown(
  r: Reader,
  key: ToonKey,
  about: {
    what: string;
    known: readonly string[];
    near: string | undefined;
    belongs: string | undefined;
    habit: boolean;
  },
): void {
  const { what, known, near, belongs, habit } = about;
  const message = `unknown key ${shown(key.text)} of ${what}`;
  if (belongs !== undefined) report(r, 'TOO4001', key.span, `${message}; it belongs to ${belongs}`);
  else if (near === undefined) {
    report(r, 'TOO4001', key.span, message, { help: `Its keys are ${listed(known, 'and')}.` });
  } else {
    report(r, 'TOO4001', key.span, `${message}.${didYouMean(near)}`, {
      fix: (habit ? guess : replace)(key.span, near),
    });
  }
}
