/** What every part of the reader of workflow files shares: where it reports, how it names and quotes what it found. */
import {
  type Code,
  type Diagnostic,
  type DiagnosticExtra,
  diagnostic,
  type Source,
  type Span,
} from '../../text/index.ts';
import type { ToonEntry, ToonKey, ToonObject, ToonValue } from '../../toon/index.ts';
import type { Mark, Word } from '../draft.ts';

export interface Reader {
  readonly source: Source;
  /** All reports so far, in the order of reading, each by what it says and where: a column of a table is read for every row. */
  readonly found: Map<string, Diagnostic>;
  /** The schemas that this file declares or imports. */
  readonly schemas: ReadonlySet<string>;
  /** The agents that this file declares or imports, and whether each may be a thunk. */
  readonly agents: ReadonlyMap<string, boolean>;
  /** Whether any of them may. */
  readonly thunks: boolean;
  /** Whether the file imports plugins, which may have kinds of their own. */
  readonly plugins: boolean;
  /** Inside a component, where ids may hold `{id}`. */
  readonly component: boolean;
}

/** Reads the value of one key; undefined when there is nothing to use, which has been reported. */
export type Read<T> = (r: Reader, entry: ToonEntry) => T | undefined;

export function report(r: Reader, code: Code, span: Span, message: string, extra?: DiagnosticExtra): undefined {
  add(r, diagnostic(code, r.source, span, message, extra));
}

export function add(r: Reader, d: Diagnostic): void {
  r.found.set(`${d.span.start} ${d.span.end} ${d.code} ${d.message}`, d);
}

export function mark(r: Reader, span: Span): Mark {
  return { source: r.source, span };
}

export function word(r: Reader, text: string, span: Span): Word {
  return { source: r.source, span, text };
}

export function written(r: Reader, span: Span): string {
  return r.source.text.slice(span.start, span.end);
}

/** A fix that puts `text` in the place of `span`. */
export function replace(span: Span, text: string) {
  return { title: `write ${text.includes('\n') ? 'it in a block' : text}`, edits: [{ span, text }] };
}

/** As `replace`, where it decides what was meant. */
export function guess(span: Span, text: string) {
  return { ...replace(span, text), guess: true as const };
}

/** Not longer than a message should be. */
export function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export function shown(text: string): string {
  return `"${cut(text)}"`;
}

/** What a value is, for messages. */
export function describe(value: ToonValue): string {
  switch (value.kind) {
    case 'object':
      return value.entries.length === 0 ? 'nothing' : 'a block of keys';
    case 'array':
      return 'a list';
    case 'string':
      return 'a text';
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

/** A key with nothing behind it. */
export function isNothing(value: ToonValue): boolean {
  return value.kind === 'object' && value.entries.length === 0;
}

/** Where to point for something with no place of its own: blocks span many lines, a key does not. */
export function valueSpan(entry: ToonEntry): Span {
  const { value } = entry;
  return value.kind === 'object' || value.kind === 'array' ? entry.key.span : value.span;
}

export function wrongKind(r: Reader, entry: ToonEntry, expected: string, extra?: DiagnosticExtra): undefined {
  const { key, value } = entry;
  if (isNothing(value) && wasLeftOut(r, key)) return undefined;
  if (isNothing(value)) return report(r, 'TOO4004', key.span, `"${key.text}" is empty; it takes ${expected}`, extra);
  report(r, 'TOO4003', valueSpan(entry), `"${key.text}" takes ${expected}, not ${describe(value)}`, extra);
}

/** Where a node stands: its id or kind, else its first key. */
export function headOf(object: ToonObject): Span {
  const named =
    object.entries.find(({ key }) => key.text === 'id') ?? object.entries.find(({ key }) => key.text === 'kind');
  if (named) return named.value.kind === 'object' || named.value.kind === 'array' ? named.key.span : named.span;
  return object.entries[0]?.key.span ?? object.span;
}

/** A bare value without the comment behind it, which cannot be part of it here. TOON has none there, so it is told. */
export function uncommented(r: Reader, value: ToonValue, from?: number): ToonValue {
  if (value.kind !== 'string' || value.quoted) return value;
  const hash = from ?? value.text.indexOf(' #');
  if (hash === -1) return value;
  const comment = { start: value.span.start + hash + 1, end: value.span.end };
  report(r, 'TOO3025', comment, `${shown(written(r, comment))} is taken for a comment, and left out`, {
    help: 'TOON has no comments after a value: put it on a line of its own.',
  });
  const text = value.text.slice(0, hash).trimEnd();
  const span = { start: value.span.start, end: value.span.start + text.length };
  if (text === 'true' || text === 'false') return { kind: 'boolean', span, value: text === 'true' };
  if (/^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/.test(text)) return { kind: 'number', span, value: Number(text) };
  return { ...value, span, text };
}

/** Whether the decoder left out the block below a key, which nests too deep: then it is not empty. */
export function wasLeftOut(r: Reader, { span }: ToonKey): boolean {
  const { text } = r.source;
  const column = span.start - (text.lastIndexOf('\n', span.start - 1) + 1);
  const below = /\n(?:[^\S\n]*(?:#[^\n]*)?\n)*( *)(?=[^\s])/y;
  below.lastIndex = text.indexOf('\n', span.end);
  return below.lastIndex > 0 && (below.exec(text)?.[1]?.length ?? 0) > column;
}

/** `a`, `a or b`, `a, b or c`. */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** The blanks before a key, so that lines put below it stand right. */
export function indentOf(r: Reader, at: number): string {
  return ' '.repeat(at - (r.source.text.lastIndexOf('\n', at - 1) + 1));
}
