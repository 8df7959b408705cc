/** Keys of objects: reading one up to its colon, and keeping each only once. */
import { type Span, span } from '../text/index.ts';
import { readQuoted } from './quoted.ts';
import { nameAt, type Reader, report, shown } from './reader.ts';
import { closingQuote, findIn, skipSpaces, trimmed } from './scan.ts';
import type { ToonEntry, ToonKey, ToonValue } from './tree.ts';

/** An object in the making. */
export interface Draft {
  readonly entries: ToonEntry[];
  /** Its keys by name, once it has more than a few. */
  keys: Map<string, ToonKey> | undefined;
  /** A line of it could not be read. */
  partial: boolean;
}

export function newDraft(): Draft {
  return { entries: [], keys: undefined, partial: false };
}

const FEW = 8;

const HYPHEN = 45;
const COLON = 58;
const UNDERSCORE = 95;

const ODD = /["[\]{}]/;

export interface ReadKey {
  readonly key: ToonKey;
  /** Where the colon is, or has to be. */
  readonly colon: number;
  /** What stands behind it on its line. */
  readonly rest: Span;
  /** There is no colon: for `reportColon` once it is known what follows. */
  readonly lacks?: true;
}

/** A word and its colon, as most lines begin; undefined for whatever needs a closer look. */
export function readPlainKey(r: Reader, start: number, end: number): ReadKey | undefined {
  let colon = start;
  while (colon < end && isWordCode(r.text.charCodeAt(colon))) colon++;
  if (colon === start || colon === end || r.text.charCodeAt(colon) !== COLON) return undefined;
  const key: ToonKey = { text: nameAt(r, start, colon), span: span(start, colon), quoted: false };
  return { key, colon, rest: trimmed(r.text, colon + 1, end) };
}

function isWordCode(code: number): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return isLetter || (code >= 48 && code <= 57) || code === HYPHEN || code === UNDERSCORE;
}

/** The key that starts the line; undefined, and reported, where none can be told. */
export function readKey(r: Reader, start: number, end: number): ReadKey | undefined {
  if (r.text.charCodeAt(start) === 34) return readQuotedKey(r, start, end);
  const colon = findIn(r.text, ':', start, end);
  const word = colon === -1 || r.profile ? wordAt(r.text, start, colon, end) : undefined;
  if (word !== undefined) {
    const key: ToonKey = { text: word, span: span(start, start + word.length), quoted: false };
    return { key, colon: key.span.end, rest: trimmed(r.text, key.span.end, end), lacks: true };
  }
  if (colon === -1) {
    reportColon(r, span(start, end));
    return undefined;
  }
  const at = trimmed(r.text, start, colon);
  const text = nameAt(r, at.start, at.end);
  if (ODD.test(text)) {
    report(r, 'TOO3013', at, `the key is read as ${shown(r, at)}`, {
      help: 'Quote the key if it is meant like this.',
    });
  }
  return { key: { text, span: at, quoted: false }, colon, rest: trimmed(r.text, colon + 1, end) };
}

/** A line without its colon; `place` is where it has to stand, and `text` what has to. */
export function reportColon(r: Reader, at: Span, place?: number, text = ':'): void {
  report(r, 'TOO3011', at, `${shown(r, at)} has no colon`, {
    help: 'A line is written key: value, or key: with lines below it.',
    ...(place !== undefined && {
      fix: { title: 'add the colon', edits: [{ span: span(place, place), text }], guess: true },
    }),
  });
}

const WORD = /[\w.-]+/y;

/** The word that begins a line without a colon, or one whose only colon stands in the text behind it. */
function wordAt(text: string, start: number, colon: number, end: number): string | undefined {
  // As in most lines, which have their colon right behind the word.
  if (colon !== -1 && findIn(text, '"', start, colon) === -1) return undefined;
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0] ?? '';
  const next = skipSpaces(text, start + word.length, end);
  if (word === '' || start + word.length > end) return undefined;
  if (colon === -1) return next === end || next > start + word.length ? word : undefined;
  if (next >= colon || text.charCodeAt(next) !== 34) return undefined;
  const close = closingQuote(text, next, end);
  return close === -1 || close > colon ? word : undefined;
}

/** Adds an entry unless there is one of that name. */
export function addEntry(r: Reader, draft: Draft, entry: ToonEntry): void {
  const { entries } = draft;
  const { key } = entry;
  const first = findKey(draft, key.text);
  if (!first) {
    draft.keys?.set(key.text, key);
    entries.push(entry);
    return;
  }
  // Of a line that is there twice the second has what is below it.
  const last = entries.at(-1);
  if (last?.key === first && isEmpty(last.value)) {
    entries[entries.length - 1] = { key: first, value: entry.value, span: span(first.span.start, entry.span.end) };
  }
  report(r, 'TOO3012', key.span, `the key ${shown(r, key.span)} is written twice`, {
    help: 'The first one counts; remove or rename one of them.',
    related: [{ source: r.source, span: first.span, message: 'first here' }],
  });
}

function isEmpty(value: ToonValue): boolean {
  return (
    (value.kind === 'object' && value.entries.length === 0) || (value.kind === 'array' && value.items.length === 0)
  );
}

export function hasKey(draft: Draft, text: string): boolean {
  return findKey(draft, text) !== undefined;
}

function findKey(draft: Draft, text: string): ToonKey | undefined {
  const { entries } = draft;
  if (entries.length > FEW) draft.keys ??= new Map(entries.map(({ key }) => [key.text, key]));
  if (draft.keys) return draft.keys.get(text);
  for (const { key } of entries) if (key.text === text) return key;
  return undefined;
}

function readQuotedKey(r: Reader, start: number, end: number): ReadKey | undefined {
  const quoted = readQuoted(r, start, end);
  if (!quoted.closed) return undefined;
  const key: ToonKey = { text: quoted.text, span: quoted.span, quoted: true };
  const after = quoted.span.end;
  if (r.text.charCodeAt(after) === 58 && after < end)
    return { key, colon: after, rest: trimmed(r.text, after + 1, end) };
  const colon = skipSpaces(r.text, after, end);
  if (colon < end && r.text.charCodeAt(colon) === 58) {
    const gap = span(after, colon);
    report(r, 'TOO3011', gap, 'the colon has to follow the closing quote', {
      fix: { title: 'remove the blank', edits: [{ span: gap, text: '' }] },
    });
    return { key, colon, rest: trimmed(r.text, colon + 1, end) };
  }
  const found = findIn(r.text, ':', after, end);
  if (found !== -1) {
    const rest = span(after, found);
    report(r, 'TOO3011', rest, `the colon has to follow the closing quote, not ${shown(r, rest)}`);
    return { key, colon: found, rest: trimmed(r.text, found + 1, end) };
  }
  return { key, colon: after, rest: trimmed(r.text, after, end), lacks: true };
}
