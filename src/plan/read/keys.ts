/** Reads a block by the table of its keys: each key has a reader; unknown and missing ones are reported. */
import { closest, type Diagnostic, didYouMean, type Span } from '../../text/index.ts';
import type { ToonEntry, ToonKey, ToonObject } from '../../toon/index.ts';
import { add, guess, headOf, listed, type Read, type Reader, replace, report, shown } from './reader.ts';

export type Keys = Readonly<Record<string, Read<unknown>>>;

/** A block: how messages call it, its keys, and those it cannot be without. */
export interface Shape<K extends Keys> {
  readonly what: string;
  readonly keys: K;
  /** Those of `keys`, to look them up. */
  readonly readers: Readers;
  readonly required: readonly Need[];
}

type Readers = ReadonlyMap<string, Read<unknown>>;

/** A key, or several of which one is needed; the last of them need not be named. */
type Need = string | readonly string[];

/** What was read; a key whose value was of no use is absent, as one that was not written. */
export type Values<K extends Keys> = { readonly [Key in keyof K]?: Exclude<ReturnType<K[Key]>, undefined> };

export interface Block<K extends Keys> extends Written {
  readonly values: Values<K>;
}

/** What was written in a block, and by the keys that were meant those that are none. */
export interface Written {
  readonly entries: readonly ToonEntry[];
  readonly meant: ReadonlyMap<string, ToonKey> | undefined;
}

export function shape<K extends Keys>(
  what: string,
  keys: K,
  ...required: readonly ((keyof K & string) | readonly (keyof K & string)[])[]
): Shape<K> {
  return { what, keys, readers: new Map(Object.entries(keys)), required };
}

/** Where a known key stands, whatever its value was, or what was meant for it. */
export function keyIn({ entries, meant }: Written, name: string): ToonKey | undefined {
  for (const { key } of entries) if (key.text === name) return key;
  return meant?.get(name);
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
  shape: Shape<K>,
  context?: BlockContext,
): Block<K> {
  const { what, readers, required } = shape;
  const { entries } = object;
  const values: Record<string, unknown> = {};
  let isAllKnown = true;
  for (const entry of entries) {
    const name = entry.key.text;
    const read = readers.get(name);
    if (read === undefined) isAllKnown = false;
    else {
      const value = read(r, entry);
      if (value !== undefined) values[name] = value;
    }
  }
  const meant = isAllKnown ? undefined : readUnknown(r, entries, shape, values, context);
  const block = { values: values as Values<K>, entries, meant };
  const has = (key: string) => values[key] !== undefined || keyIn(block, key) !== undefined;
  const isMissing = (need: Need) => (typeof need === 'string' ? !has(need) : !need.some(has));
  if (!object.partial && required.some(isMissing)) {
    reportMissing(r, context?.at ?? headOf(object), what, ...required.filter(isMissing));
  }
  return block;
}

/** Reports the keys that a block does not have; one that is only misspelt is read, and not missing as well. */
function readUnknown(
  r: Reader,
  entries: readonly ToonEntry[],
  { what, readers, required }: Shape<Keys>,
  values: Record<string, unknown>,
  context: BlockContext | undefined,
): Map<string, ToonKey> {
  const found = new Map<string, ToonKey>();
  // A key that is there already was not meant.
  const free = new Set(readers.keys());
  for (const { key } of entries) free.delete(key.text);
  for (const entry of entries) {
    const { key } = entry;
    if (readers.has(key.text)) continue;
    const early = keyBeforeColon(key, readers);
    if (early !== undefined) {
      reportColon(r, key, early);
      found.set(early, key);
      free.delete(early);
      continue;
    }
    const belongs = context?.owner?.(key.text);
    const habit = synonyms.get(key.text.toLowerCase())?.find((other) => free.has(other));
    const meant = habit ?? closest(key.text, free) ?? short(key.text, required, free);
    const near = belongs === undefined ? meant : undefined;
    let fits = true;
    if (near !== undefined) {
      found.set(near, key);
      free.delete(near);
      fits = readMeant(r, entry, near, (inner, meantEntry) => {
        const value = readers.get(near)?.(inner, meantEntry);
        if (value !== undefined) values[near] = value;
      });
      if (!fits) delete values[near];
    }
    reportUnknown(r, key, { what, known: [...readers.keys()], near, belongs, habit: habit !== undefined, fits });
  }
  return found;
}

/** A key of few letters that cannot be missing, and of which one letter is. */
function short(text: string, required: readonly Need[], free: ReadonlySet<string>): string | undefined {
  const lacksOne = (key: string) => [...key].some((_, at) => key.slice(0, at) + key.slice(at + 1) === text);
  return required.flat().find((key) => key.length < 4 && free.has(key) && lacksOne(key));
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
function keyBeforeColon({ text, quoted }: ToonKey, readers: Readers): string | undefined {
  const [word, rest] = quoted ? [] : text.split(' ', 2);
  return word !== undefined && rest !== undefined && readers.has(word) ? word : undefined;
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
