/** Reads a block by the table of its keys: each key has a reader; unknown and missing ones are reported. */
import { closest, type Diagnostic, didYouMean, type Span } from '../../text/index.ts';
import type { ToonEntry, ToonKey, ToonObject } from '../../toon/index.ts';
import { add, guess, headOf, listed, type Read, type Reader, replace, report, shown } from './reader.ts';

export type Keys = Readonly<Record<string, Read<unknown>>>;

/** A block: how messages call it, its keys, and those it cannot be without. */
export interface Shape<K extends Keys> {
  readonly what: string;
  readonly keys: K;
  readonly required: readonly Need[];
}

/** A key, or several of which one is needed; the last of them need not be named. */
type Need = string | readonly string[];

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
  const read = (name: string, entry: ToonEntry, reader: Reader = r) => {
    at.set(name, entry.key);
    const value = keys[name]?.(reader, entry);
    if (value !== undefined) values[name] = value;
  };
  const unknown = object.entries.filter((entry) => {
    if (!Object.hasOwn(keys, entry.key.text)) return true;
    read(entry.key.text, entry);
    return false;
  });
  for (const entry of unknown) {
    const early = keyBeforeColon(entry.key, keys);
    if (early !== undefined) {
      reportColon(r, entry.key, early);
      at.set(early, entry.key);
      continue;
    }
    const belongs = context.owner?.(entry.key.text);
    // A key that is there already was not meant; one that is only misspelt is read, and not missing as well.
    const free = Object.keys(keys).filter((name) => !at.has(name));
    const habit = synonyms.get(entry.key.text.toLowerCase())?.find((other) => free.includes(other));
    const meant = habit ?? closest(entry.key.text, free) ?? short(entry.key.text, required, free);
    const near = belongs === undefined ? meant : undefined;
    const fits = near === undefined || readMeant(r, entry, near, (inner, meant) => read(near, meant, inner));
    reportUnknown(r, entry.key, { what, known: Object.keys(keys), near, belongs, habit: habit !== undefined, fits });
    if (near !== undefined && !fits) delete values[near];
  }
  const isMissing = (need: Need) => (typeof need === 'string' ? !at.has(need) : !need.some((key) => at.has(key)));
  if (!object.partial) reportMissing(r, context.at ?? headOf(object), what, ...required.filter(isMissing));
  return { values: values as Values<K>, at };
}

/** A key of few letters that cannot be missing, and of which one letter is. */
function short(text: string, required: readonly Need[], free: readonly string[]): string | undefined {
  const lacksOne = (key: string) => [...key].some((_, at) => key.slice(0, at) + key.slice(at + 1) === text);
  return required.flat().find((key) => key.length < 4 && free.includes(key) && lacksOne(key));
}

/** Reads a value as that of the key that may be meant; false where its form shows that it is not. */
function readMeant(
  r: Reader,
  entry: ToonEntry,
  near: string,
  read: (inner: Reader, meant: ToonEntry) => void,
): boolean {
  const { key, value } = entry;
  const inner = { ...r, found: new Map<string, Diagnostic>() };
  read(inner, { ...entry, key: { ...key, text: near } });
  const isOther = ({ code, span }: Diagnostic) =>
    otherForm.has(code) && (span.end === value.span.end || span.start === key.span.start);
  const found = [...inner.found.values()];
  for (const each of found) if (!isOther(each)) add(r, each);
  return !found.some(isOther);
}

const otherForm: ReadonlySet<string> = new Set(['TOO4003', 'TOO4004', 'TOO4005', 'TOO4021', 'TOO4022']);

/** `run return { a: 1 }`: the first colon of the line is not that of its key. */
function keyBeforeColon({ text, quoted }: ToonKey, keys: Keys): string | undefined {
  const [word, rest] = quoted ? [] : text.split(' ', 2);
  return word !== undefined && rest !== undefined && Object.hasOwn(keys, word) ? word : undefined;
}

function reportColon(r: Reader, { span }: ToonKey, word: string): void {
  const place = { start: span.start + word.length, end: span.start + word.length };
  report(r, 'TOO3011', span, `${shown(word)} has no colon`, {
    help: 'A line is written key: value, or key: with lines below it.',
    fix: { title: 'add the colon', edits: [{ span: place, text: ':' }], guess: true },
  });
}

/** One report for all that is missing at one place. */
export function reportMissing(r: Reader, at: Span, what: string, ...missing: readonly Need[]): void {
  if (missing.length === 0) return;
  const oneOf = missing.length > 1 ? 'one of ' : '';
  const names = missing.map((need) => (typeof need === 'string' ? `"${need}"` : oneOf + listed(quoted(need), 'or')));
  const add = missing.map((need) => samples.get([need].flat()[0] ?? '') ?? `"${need}: …"`);
  report(r, 'TOO4002', at, `${what} needs ${listed(names, 'and')}`, { help: `Add ${listed(add, 'and')}.` });
}

function quoted(need: readonly string[]): string[] {
  return need.slice(0, -1).map((key) => `"${key}"`);
}

/** Keys that are written as more than one line. */
const samples: ReadonlyMap<string, string> = new Map([
  ...['steps', 'children', 'then'].map((key) => [key, `"${key}[1]:" and below it "- id: …"`] as const),
  ['request', '"request:" and below it "title: …"'],
  ['prompt', 'what it does: "prompt: …" with "agent: …", "run: …", or "handler: ./file.ts"'],
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
    fits: boolean;
  },
): void {
  const { what, known, near, belongs, habit, fits } = about;
  const message = `unknown key ${shown(key.text)} of ${what}`;
  if (belongs !== undefined) report(r, 'TOO4001', key.span, `${message}; it belongs to ${belongs}`);
  else if (near === undefined) {
    report(r, 'TOO4001', key.span, message, { help: `Its keys are ${listed(known, 'and')}.` });
  } else {
    report(r, 'TOO4001', key.span, `${message}.${didYouMean(near)}`, {
      ...(fits && { fix: (habit ? guess : replace)(key.span, near) }),
    });
  }
}
