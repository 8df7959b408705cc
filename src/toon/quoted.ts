/** Quoted texts: reading and writing them, and the way from an offset in what they mean back to the file. */
import { type Edit, type Source, type Span, span } from '../text/index.ts';
import { type Reader, report, spoil } from './reader.ts';
import { closingQuote, findIn } from './scan.ts';
import type { ToonString } from './tree.ts';

const simple: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\\', '\\'],
  ['"', '"'],
]);

export interface Quoted {
  /** With its quotes; to the end of the range where it is never closed. */
  readonly span: Span;
  readonly text: string;
  readonly closed: boolean;
}

/** Reads the quoted text that starts at `open`. Where it is `last` on its line, it can be closed at the end. */
export function readQuoted(r: Reader, open: number, end: number, last = false): Quoted {
  const close = closingQuote(r.text, open, end);
  const closed = close !== -1;
  if (!closed) {
    spoil(r, span(open, end));
    const closable = last && end > open + 1 && r.text.charCodeAt(end - 1) !== 92;
    report(r, 'TOO3021', span(open, end), 'the text begins with a quote and never ends', {
      help: 'Close it with a quote on the same line; a line break inside a text is written \\n.',
      ...(closable && { fix: { title: 'close it at the end of the line', edits: [insert(end, '"')], guess: true } }),
    });
  }
  const to = closed ? close : end;
  return { span: span(open, closed ? close + 1 : end), text: decodeText(r, open + 1, to), closed };
}

/**
 * The text from the quote at `at.start` to that at its end, with the quotes in it that lack their backslash; undefined
 * where the first of them closes the text rather than being part of it.
 */
export function readInnerQuotes(r: Reader, at: Span, first: number): { text: string; edits: Edit[] } | undefined {
  const last = at.end - 1;
  if (r.text.charCodeAt(last) !== 34 || first >= last || / |,/.test(r.text[first + 1] ?? '')) return undefined;
  const edits: Edit[] = [];
  for (let quote = first; quote !== -1 && quote < last; quote = closingQuote(r.text, quote, at.end)) {
    edits.push(insert(quote, '\\'));
  }
  return { text: decodeText(r, at.start + 1, last), edits };
}

/** What `value` is between quotes, with them. */
export function quote(value: string): string {
  let out = '"';
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? '';
    const code = value.charCodeAt(at);
    if (character === '"' || character === '\\') out += `\\${character}`;
    else if (code >= 32) out += character;
    else if (character === '\n') out += '\\n';
    else if (character === '\t') out += '\\t';
    else if (character === '\r') out += '\\r';
    else out += `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return `${out}"`;
}

/** From an offset in `node.text` to the offset in the file. */
export function stringMap(source: Source, node: ToonString): (offset: number) => number {
  const { start, end } = node.span;
  if (!node.quoted) return (offset) => Math.min(start + offset, end);
  // After each escape: the offset in the text, and how far the file is ahead of it.
  const places: number[] = [];
  const leads: number[] = [];
  let lead = start + 1;
  for (let at = findIn(source.text, '\\', start, end); at !== -1; ) {
    const length = escapeLength(source.text, at, end);
    if (length > 0) {
      lead += length - 1;
      places.push(at + length - lead);
      leads.push(lead);
    }
    at = findIn(source.text, '\\', at + Math.max(1, length), end);
  }
  const limit = closingQuote(source.text, start, end) === -1 ? end : end - 1;
  return (offset) => {
    let low = -1;
    let high = places.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((places[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.min(offset + (low === -1 ? start + 1 : (leads[low] ?? 0)), limit);
  };
}

/** What the characters of a quoted text mean. */
export function decodeText(r: Reader, start: number, end: number): string {
  const text = r.text.slice(start, end);
  let at = text.indexOf('\\');
  if (at === -1) return text;
  let out = '';
  let from = 0;
  while (at !== -1) {
    const length = escapeLength(text, at, text.length);
    if (length === 0) {
      reportEscape(r, start + at, end);
      at = text.indexOf('\\', at + 1);
      continue;
    }
    out += text.slice(from, at);
    out += length === 2 ? simple.get(text.charAt(at + 1)) : String.fromCharCode(hexAt(text, at + 2));
    from = at + length;
    at = text.indexOf('\\', from);
  }
  return out + text.slice(from);
}

/** How many characters the escape at `at` has; 0 if it is none. */
function escapeLength(text: string, at: number, end: number): number {
  const next = text.charAt(at + 1);
  if (at + 1 >= end) return 0;
  if (simple.has(next)) return 2;
  if (next !== 'u' || at + 6 > end) return 0;
  const code = hexAt(text, at + 2);
  return Number.isNaN(code) || (code >= 0xd800 && code <= 0xdfff) ? 0 : 6;
}

function hexAt(text: string, at: number): number {
  const digits = text.slice(at, at + 4);
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
}

function reportEscape(r: Reader, at: number, end: number): void {
  // Only a text that is never closed ends like this, and that is reported.
  if (at + 1 >= end) return;
  const next = r.text.codePointAt(at + 1) ?? 0;
  if (r.text[at + 1] === 'u') {
    const surrogate = /^[0-9a-f]{4}$/i.test(r.text.slice(at + 2, Math.min(at + 6, end)));
    const place = span(at, Math.min(at + 6, end));
    const message = surrogate
      ? `"${r.text.slice(at, at + 6)}" is half of a character`
      : '"\\u" needs four hexadecimal digits';
    const help = surrogate ? 'Write the character itself.' : 'Write \\u000a, for example; a backslash is written \\\\.';
    report(r, 'TOO3022', place, message, { help, ...(!surrogate && { fix: double(at) }) });
    return;
  }
  const character = String.fromCodePoint(next);
  report(r, 'TOO3022', span(at, at + 1 + character.length), `"\\${character}" is not an escape`, {
    help: 'TOON has \\\\ \\" \\n \\r \\t and \\u with four digits; a backslash is written \\\\.',
    fix: double(at),
  });
}

function double(at: number) {
  return { title: 'write the backslash twice', edits: [insert(at, '\\')], guess: true as const };
}

function insert(at: number, text: string) {
  return { span: span(at, at), text };
}
