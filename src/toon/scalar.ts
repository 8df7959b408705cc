/** Single values: texts, numbers, `true`, `false`, `null`, and what is easily taken for something else. */
import { type Fix, type Span, span } from '../text/index.ts';
import { decodeText, quote, readInnerQuotes, readQuoted } from './quoted.ts';
import { type Reader, report, shown, spoil, textOf } from './reader.ts';
import { closingQuote, skipSpaces, splitCells } from './scan.ts';
import type { ToonString, ToonUnion, ToonValue } from './tree.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** What people write for numbers and TOON reads as text. */
const NUMBER_LIKE = /^[-+]?(?:0x[\da-f]+|\d[\d_]*\.?[\d_]*(?:e[-+]?\d+)?|\.\d+|\.?nan|\.?inf|infinity)$/i;
const LONGEST_NUMBER = 400;

/** The value of a token without blanks around it. A cell is one of several on its line. */
export function readScalar(r: Reader, at: Span, cell = false): ToonValue {
  const first = r.text.charCodeAt(at.start);
  if (at.start < at.end && first === 34) return readString(r, at, cell);
  const written = textOf(r, at);
  if (written === 'true' || written === 'false') return { kind: 'boolean', span: at, value: written === 'true' };
  if (written === 'null') return { kind: 'null', span: at };
  if (((first >= 48 && first <= 57) || first === 45) && NUMBER.test(written)) {
    const value = Number(written);
    if (Number.isFinite(value)) {
      checkPrecision(r, at, written, value);
      return { kind: 'number', span: at, value: value === 0 ? 0 : value };
    }
  }
  checkText(r, at, written, first);
  return { kind: 'string', span: at, text: written, quoted: false };
}

/** The text of the quote at `at.start` that is all there is, as nearly all are; undefined for what needs a closer look. */
export function readWhole(r: Reader, at: Span): ToonString | undefined {
  if (closingQuote(r.text, at.start, at.end) !== at.end - 1) return undefined;
  return { kind: 'string', span: at, text: decodeText(r, at.start + 1, at.end - 1), quoted: true };
}

/** The value after a key, which ends at `keyEnd`, where the profile has unions. */
export function readValue(r: Reader, at: Span, keyEnd: number): ToonValue {
  if (r.text.charCodeAt(at.start) === 34) return readUnion(r, at) ?? readScalar(r, at);
  const value = readScalar(r, at);
  if (value.kind === 'string') checkArray(r, at, keyEnd);
  return value;
}

/** What a union is in plain TOON: one text. */
export function unionText(union: ToonUnion): string {
  return `${union.members.map((member) => quote(member.text)).join(' | ')}${union.optional ? '?' : ''}`;
}

function readString(r: Reader, at: Span, cell = false): ToonString {
  const { span: place, text, closed } = readQuoted(r, at.start, at.end, !cell);
  if (!closed) return { kind: 'string', span: place, text, quoted: true, broken: true };
  if (place.end === at.end) return { kind: 'string', span: place, text, quoted: true };
  const from = skipSpaces(r.text, place.end, at.end);
  const rest = span(from, at.end);
  const comment = r.text[from] === '#';
  // Habits of JSON and JavaScript.
  const mark = rest.end - from === 1 && /[,;]/.test(r.text[from] ?? '');
  const inner = cell || comment || mark ? undefined : readInnerQuotes(r, at, place.end - 1);
  const fix = comment
    ? moveComment(r, place.end, rest)
    : mark
      ? { title: 'take it out', edits: [{ span: span(place.end, rest.end), text: '' }] }
      : inner && { title: 'write \\" for the quotes inside', edits: inner.edits, guess: true as const };
  report(r, 'TOO3023', rest, `${shown(r, rest)} stands after the closing quote`, {
    help: comment
      ? 'TOON has no comments after a value: put it on a line of its own.'
      : mark
        ? 'A value ends with its line.'
        : 'A quote inside a text is written \\".',
    ...(fix && { fix }),
  });
  if (comment || mark) return { kind: 'string', span: place, text, quoted: true };
  spoil(r, at);
  return { kind: 'string', span: inner ? at : place, text: inner?.text ?? text, quoted: true, broken: true };
}

/** `"a" | "b"`, `"a"?`, `"a" | "b"?`; anything else is for `readScalar` to judge. */
function readUnion(r: Reader, at: Span): ToonUnion | undefined {
  const mark = r.text.charCodeAt(at.end - 1) === 63 ? at.end - 1 : at.end;
  const parts = splitCells(r.text, '|', at.start, mark);
  if (parts.length === 1 && mark === at.end) return undefined;
  const isQuoted = (part: Span) =>
    part.end - part.start >= 2 && r.text[part.start] === '"' && closesAt(r.text, part) === part.end;
  if (!parts.every(isQuoted)) return undefined;
  const members = parts.map((part) => readString(r, part));
  const optional = mark < at.end ? { optional: span(mark, at.end) } : {};
  const union: ToonUnion = { kind: 'union', span: at, members, ...optional };
  if (r.profile) r.relaxations.push({ name: 'union', span: at });
  else {
    report(r, 'TOO3024', at, 'plain TOON has no unions', {
      help: 'Write it as one quoted text.',
      fix: { title: 'quote it', edits: [{ span: at, text: quote(unionText(union)) }] },
    });
  }
  return union;
}

/** Where the quoted text at the start of a part ends. */
function closesAt(text: string, part: Span): number {
  for (let at = part.start + 1; at < part.end; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at + 1;
  }
  return -1;
}

function checkPrecision(r: Reader, at: Span, written: string, value: number): void {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !/^-?\d+$/.test(written)) return;
  if (written.length < LONGEST_NUMBER && BigInt(written) === BigInt(value)) return;
  report(r, 'TOO3027', at, `${shown(r, at)} is too large to be read exactly`, {
    help: 'Quote it, if it is a name rather than an amount.',
  });
}

/** Where what may be meant as a comment begins, or -1. */
function hashIn(written: string): number {
  if (written.startsWith('# ')) return 0;
  const blank = written.indexOf(' #');
  return blank === -1 ? -1 : blank + 1;
}

function checkText(r: Reader, at: Span, written: string, first: number): void {
  if (at.start === at.end) return;
  const hash = written.includes('#') ? hashIn(written) : -1;
  if (hash !== -1) {
    const comment = span(at.start + hash, at.end);
    report(r, 'TOO3025', comment, `${shown(r, comment)} is read as part of the text`, {
      help: 'TOON has no comments after a value: put it on a line of its own, or quote the text if it belongs to it.',
      fix: moveComment(r, at.start + hash, comment),
    });
    return;
  }
  if (isForeignQuote(first)) {
    checkQuotes(r, at, written);
    return;
  }
  if (checkLastQuote(r, at, written)) return;
  const numeric = (first >= 43 && first <= 57) || first === 73 || first === 78 || first === 105 || first === 110;
  if (numeric && written.length < LONGEST_NUMBER && NUMBER_LIKE.test(written)) {
    report(r, 'TOO3027', at, `${shown(r, at)} is read as a text, not as a number`, {
      help: 'Numbers look like in JSON: 5, -0.5, 1e3. Quote it, if it is a text.',
      fix: { title: 'quote it', edits: [{ span: at, text: quote(written) }] },
    });
  }
}

/** `'`, and the quotes that word processors put. */
function isForeignQuote(code: number): boolean {
  return code === 39 || (code >= 0x2018 && code <= 0x201f) || code === 0xab || code === 0xbb;
}

/** `text"`, whose first quote is missing. */
function checkLastQuote(r: Reader, at: Span, written: string): boolean {
  if (!written.endsWith('"') || !hasOddQuotes(written)) return false;
  report(r, 'TOO3026', at, `the quote at the end of ${shown(r, at)} is read as part of the text`, {
    help: 'A quoted text begins with a quote too.',
    fix: { title: 'add the first quote', edits: [{ span: span(at.start, at.start), text: '"' }], guess: true },
  });
  return true;
}

/** Those with a backslash before them do not count. */
export function hasOddQuotes(text: string): boolean {
  let odd = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') odd = !odd;
  }
  return odd;
}

function checkQuotes(r: Reader, at: Span, written: string): void {
  const inner = written.slice(1, -1);
  if (written.length < 2 || !isForeignQuote(written.charCodeAt(written.length - 1))) return;
  if (written.startsWith("'") && inner.includes("'")) return;
  report(r, 'TOO3026', at, `the quotes of ${shown(r, at)} are read as part of the text`, {
    help: 'Texts are quoted with the straight double quote.',
    fix: { title: 'use double quotes', edits: [{ span: at, text: quote(inner) }], guess: true },
  });
}

/** `[a, b]` after a key is a text. */
function checkArray(r: Reader, at: Span, keyEnd: number): void {
  if (r.text.charCodeAt(at.start) !== 91 || r.text.charCodeAt(at.end - 1) !== 93) return;
  const inner = skipSpaces(r.text, at.start + 1, at.end - 1);
  const cells = inner === at.end - 1 ? [] : splitCells(r.text, ',', inner, at.end - 1).map((cell) => textOf(r, cell));
  const right = cells.length === 0 ? ': []' : `[${cells.length}]: ${cells.map(toCell).join(',')}`;
  const isPlain = cells.every((cell) => CELL.test(cell));
  report(r, 'TOO3028', at, `${shown(r, at)} is read as a text, not as an array`, {
    help:
      cells.length === 0
        ? 'An empty array is written [] without blanks.'
        : `Write the length after the key: key[${cells.length}]: and then the values.`,
    ...(isPlain && {
      fix: { title: `write ${right}`, edits: [{ span: span(keyEnd, at.end), text: right }], guess: true },
    }),
  });
}

/** A value that can stand in an array as it is, or with other quotes. */
const CELL = /^(?:"[^"\\]*"|'[^'"\\]*'|[^\s"'[\]{}#\\:-][^"'[\]{}#\\:]*)$/;

function toCell(cell: string): string {
  return cell.startsWith("'") ? quote(cell.slice(1, -1)) : cell;
}

/** The comment on a line of its own, above. */
function moveComment(r: Reader, from: number, comment: Span): Fix {
  const line = r.lines[r.at - 1];
  const start = line?.start ?? 0;
  let end = from;
  while (end > start && r.text.charCodeAt(end - 1) === 32) end--;
  const feed = r.text.indexOf('\n');
  const above = `${' '.repeat(line?.indent ?? 0)}${textOf(r, comment)}${r.text[feed - 1] === '\r' ? '\r\n' : '\n'}`;
  const edits = [
    { span: span(start, start), text: above },
    { span: span(end, comment.end), text: '' },
  ];
  return { title: 'put the comment on a line of its own', edits, guess: true };
}

/** A token that ends before the quotes in it are closed takes the rest of its line with it. */
export function isUnclosed(text: string, at: Span): boolean {
  return text.charCodeAt(at.start) === 34 && closesAt(text, at) === -1;
}
