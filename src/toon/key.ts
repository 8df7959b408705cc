/** Keys of objects: reading one up to its colon, and keeping each only once. */
import { span } from '../text/index.ts';
import { readQuoted } from './quoted.ts';
import { type Reader, report, shown } from './reader.ts';
import { findIn, skipSpaces, trimmed } from './scan.ts';
import type { ToonEntry, ToonKey } from './tree.ts';

/** The keys of an object by name, once it has more than a few. */
export interface Keys {
  map?: Map<string, ToonKey>;
}

const FEW = 8;

const ODD = /["[\]{}]/;

/** The key that starts the line and where its colon is; undefined, and reported, if there is no colon. */
export function readKey(r: Reader, start: number, end: number): { key: ToonKey; colon: number } | undefined {
  if (r.text.charCodeAt(start) === 34) return readQuotedKey(r, start, end);
  const colon = findIn(r.text, ':', start, end);
  if (colon === -1) {
    reportColon(r, start, end);
    return undefined;
  }
  const at = trimmed(r.text, start, colon);
  const text = r.text.slice(at.start, at.end);
  if (ODD.test(text)) {
    report(r, 'TOO3013', at, `the key is read as ${shown(r, at)}`, {
      help: 'Quote the key if it is meant like this.',
    });
  }
  return { key: { text, span: at, quoted: false }, colon };
}

/** Adds an entry unless there is one of that name. */
export function addEntry(r: Reader, entries: ToonEntry[], keys: Keys, entry: ToonEntry): void {
  const { key } = entry;
  const first = findKey(entries, keys, key.text);
  if (!first) {
    keys.map?.set(key.text, key);
    entries.push(entry);
    return;
  }
  report(r, 'TOO3012', key.span, `the key ${shown(r, key.span)} is written twice`, {
    help: 'The first one counts; remove or rename one of them.',
    related: [{ source: r.source, span: first.span, message: 'first here' }],
  });
}

function findKey(entries: readonly ToonEntry[], keys: Keys, text: string): ToonKey | undefined {
  if (entries.length > FEW) keys.map ??= new Map(entries.map(({ key }) => [key.text, key]));
  if (keys.map) return keys.map.get(text);
  return entries.find(({ key }) => key.text === text)?.key;
}

function readQuotedKey(r: Reader, start: number, end: number) {
  const quoted = readQuoted(r, start, end);
  if (!quoted.closed) return undefined;
  const key: ToonKey = { text: quoted.text, span: quoted.span, quoted: true };
  const after = quoted.span.end;
  if (r.text.charCodeAt(after) === 58 && after < end) return { key, colon: after };
  const colon = skipSpaces(r.text, after, end);
  if (colon < end && r.text.charCodeAt(colon) === 58) {
    const gap = span(after, colon);
    report(r, 'TOO3011', gap, 'the colon has to follow the closing quote', {
      fix: { title: 'remove the blank', edits: [{ span: gap, text: '' }] },
    });
    return { key, colon };
  }
  const found = findIn(r.text, ':', after, end);
  if (found !== -1) {
    const rest = span(after, found);
    report(r, 'TOO3011', rest, `the colon has to follow the closing quote, not ${shown(r, rest)}`);
    return { key, colon: found };
  }
  reportColon(r, start, end);
  return undefined;
}

function reportColon(r: Reader, start: number, end: number): void {
  const at = span(start, end);
  const word = /^[\w.-]+(?= )/.exec(r.text.slice(start, Math.min(end, start + 100)))?.[0];
  const place = word === undefined ? end : start + word.length;
  const sure = word !== undefined || /^[\w.-]+$/.test(r.text.slice(start, Math.min(end, start + 100)));
  report(r, 'TOO3011', at, `${shown(r, at)} has no colon`, {
    help: 'A line is written key: value, or key: with lines below it.',
    ...(sure && { fix: { title: 'add the colon', edits: [{ span: span(place, place), text: ':' }], guess: true } }),
  });
}
