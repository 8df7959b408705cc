/**
 * The header of an array: `[3]`, `[3|]`, `[2]{a,b{c,d}}`, `[2:]{a,b}`, with its key and its colon.
 * What is wrong in it is reported here, and it is read as the header it was meant to be.
 */
import { type Span, span } from '../text/index.ts';
import { missingBracket, type Parts } from './missing-bracket.ts';
import { readQuoted } from './quoted.ts';
import { DEEPEST, type Reader, report, shown, textOf } from './reader.ts';
import { closingBrace, closingQuote, findBare, findIn, trimmed } from './scan.ts';
import type { ToonHeader, ToonKey } from './tree.ts';

export interface Field {
  readonly key: ToonKey;
  /** Named before: its values are read and left out. */
  readonly twice?: true;
  /** Of a nested group. */
  readonly fields?: readonly Field[];
}

export interface Header {
  readonly key: ToonKey | undefined;
  /** From the bracket to before the colon. */
  readonly span: Span;
  /** What stands between the brackets. */
  readonly bracket: Span;
  /** Undefined where it is not a number: the report comes when the items are counted. */
  readonly length: number | undefined;
  readonly lengthSpan: Span;
  readonly delimiter: ',' | '\t' | '|';
  readonly keyed: boolean;
  readonly fields: readonly Field[] | undefined;
  /** False where values stand on the line of a table, so that nothing can be said of their number. */
  readonly open: boolean;
  /** It cannot be said what the lines below it are. */
  readonly unread: boolean;
  /** The columns: the leaves of `fields`. */
  readonly leaves: readonly ToonKey[];
  /** What stands after the colon. */
  readonly rest: Span;
}

/** The header of a line, or undefined if the line has none. */
export function readHeader(r: Reader, start: number, end: number): Header | undefined {
  // Most lines are a key and a value.
  const first = findBare(r.text, '[]{}:', start, end);
  if (first === -1 || r.text.charCodeAt(first) === 58) return undefined;
  const mended = r.profile && !isPlain(r.text, first, end) ? missingBracket(r, start, end) : undefined;
  const parts = mended ?? partsOf(r, start, end);
  if (!parts) return undefined;
  const { text } = r;
  const { keyEnd, open, close, brace, braceEnd, colon } = parts;
  const key = keyEnd > start ? readKeyBefore(r, start, keyEnd) : undefined;
  const hasGap = !mended && (braceEnd !== -1 ? brace > close + 1 || colon > braceEnd + 1 : colon > close + 1);
  const filled = hasGap && reportGap(r, close + 1, braceEnd === -1 ? colon : brace, braceEnd, colon);
  const bracket = readBracket(r, open, close);
  const columns = braceEnd === -1 ? bracket.delimiter : checkDelimiter(r, bracket, brace + 1, braceEnd);
  const fields = braceEnd === -1 ? undefined : readFields(r, brace + 1, braceEnd, columns, 1);
  const rest = trimmed(text, Math.min(colon + 1, end), end);
  const place = span(keyEnd, colon);
  if (bracket.keyed && !fields && !hasGap) {
    const message = 'a keyed table has to name its columns';
    report(r, 'TOO3032', place, message, { help: 'Write them in braces: key[2:]{a,b}:' });
  }
  if (fields && rest.start < rest.end) {
    report(r, 'TOO3032', rest, `${shown(r, rest)} stands on the line of a table's header`, {
      help: 'Rows stand on lines of their own, below the header.',
    });
  }
  return {
    key,
    span: place,
    bracket: bracket.bracket,
    length: bracket.length,
    lengthSpan: bracket.lengthSpan,
    // Where the brackets name no separator, the columns show which one was meant.
    delimiter: bracket.delimiter === ',' ? columns : bracket.delimiter,
    keyed: bracket.keyed,
    fields,
    unread: filled || (bracket.keyed && !fields),
    open: fields === undefined || rest.start === rest.end,
    leaves: fields ? leavesOf(fields, '') : [],
    rest: fields ? span(rest.start, rest.start) : rest,
  };
}

/** `[…]:`, in which no bracket is missing. */
function isPlain(text: string, open: number, end: number): boolean {
  const close = text.charCodeAt(open) === 91 ? findIn(text, ']', open, end) : -1;
  return close !== -1 && text.charCodeAt(close + 1) === 58;
}

/** Undefined where the line has no header; a colon that is missing is reported. */
function partsOf(r: Reader, start: number, end: number): Parts | undefined {
  const { text } = r;
  let open: number;
  if (text.charCodeAt(start) === 34) {
    const close = closingQuote(text, start, end);
    if (close === -1 || text.charCodeAt(close + 1) !== 91 || close + 1 >= end) return undefined;
    open = close + 1;
  } else {
    open = findBare(text, '[:', start, end);
    if (open === -1 || text.charCodeAt(open) !== 91) return undefined;
  }
  const close = findBare(text, ']', open, end);
  if (close === -1) return undefined;
  const brace = findBare(text, '{:', close, end);
  const braced = brace !== -1 && text.charCodeAt(brace) === 123;
  const braceEnd = braced ? closingBrace(text, brace, end) : -1;
  const last = braceEnd === -1 ? close : braceEnd;
  const colon = findBare(text, ':', last, end);
  if (colon !== -1) return { keyEnd: open, open, close, brace, braceEnd, colon };
  if (braced && brace > close + 1 && findBare(text, ':', close, end) !== -1) {
    reportGap(r, close + 1, brace, braceEnd, end);
  }
  // A colon anywhere makes the line one of a key and a value, as odd as they are.
  if (last !== end - 1 || findIn(text, ':', start, end) !== -1) return undefined;
  reportColon(r, start, end);
  return { keyEnd: open, open, close, brace, braceEnd, colon: end };
}

export function toHeader(header: Header, form: ToonHeader['form']): ToonHeader {
  const { length = 0, lengthSpan, delimiter, leaves } = header;
  return { span: header.span, form, length: { value: length, span: lengthSpan }, delimiter, fields: leaves };
}

/** The length of an array against what is there. */
export function checkLength(r: Reader, header: Header, count: number, what: string): void {
  if (header.length === count || !header.open) return;
  const { bracket, lengthSpan, length } = header;
  if (length === undefined) {
    const right = `${count}${header.keyed ? ':' : ''}${header.delimiter === ',' ? '' : header.delimiter}`;
    report(r, 'TOO3032', span(bracket.start - 1, bracket.end + 1), `"[${textOf(r, bracket)}]" is not a length`, {
      help: `Write how many ${what}s there are: [${right}].`,
      fix: { title: `write [${right}]`, edits: [{ span: bracket, text: right }] },
    });
    return;
  }
  report(r, 'TOO3031', lengthSpan, `the header says ${length}, but there ${count === 1 ? 'is' : 'are'} ${count}`, {
    help: `The number in brackets is how many ${what}s the array has.`,
    fix: { title: `write ${count}`, edits: [{ span: lengthSpan, text: String(count) }] },
  });
}

function readKeyBefore(r: Reader, start: number, open: number): ToonKey {
  const place = span(start, start + r.text.slice(start, open).trimEnd().length);
  if (place.end < open) {
    const gap = span(place.end, open);
    report(r, 'TOO3032', gap, 'a blank stands between the key and its bracket', {
      fix: { title: 'remove the blank', edits: [{ span: gap, text: '' }] },
    });
  }
  return readName(r, place);
}

function reportColon(r: Reader, start: number, end: number): void {
  report(r, 'TOO3011', span(start, end), `${shown(r, span(start, end))} has no colon`, {
    help: 'A header ends with a colon.',
    fix: { title: 'add the colon', edits: [{ span: span(end, end), text: ':' }] },
  });
}

/** True if more than blanks stand there. */
function reportGap(r: Reader, from: number, to: number, braceEnd: number, colon: number): boolean {
  const gap = to > from ? span(from, to) : span(braceEnd + 1, colon);
  const blank = textOf(r, gap).trim() === '';
  report(r, 'TOO3032', gap, `${blank ? 'a blank' : shown(r, gap)} stands inside the header of an array`, {
    help: 'A header is written key[3]: or key[3]{a,b}: without anything between its parts.',
    ...(blank && { fix: { title: 'remove the blank', edits: [{ span: gap, text: '' }] } }),
  });
  return !blank;
}

function readBracket(r: Reader, open: number, close: number) {
  const { text } = r;
  const bracket = span(open + 1, close);
  let end = close;
  const last = text[end - 1];
  const delimiter: Header['delimiter'] = end > open + 1 && (last === '\t' || last === '|') ? last : ',';
  if (delimiter !== ',') end--;
  const keyed = end > open + 1 && text[end - 1] === ':';
  if (keyed) end--;
  const digits = text.slice(open + 1, end);
  const valid = /^(?:0|[1-9]\d*)$/.test(digits);
  return {
    bracket,
    lengthSpan: span(open + 1, end),
    delimiter,
    // A colon anywhere in the brackets means a keyed table, in the wrong place or not.
    keyed: keyed || (!valid && findBare(text, ':', open, close) !== -1),
    length: valid ? Number(digits) : undefined,
  };
}

/** The separator of the columns, which is that of the brackets. */
function checkDelimiter(r: Reader, header: Pick<Header, 'delimiter' | 'bracket'>, start: number, end: number) {
  const { delimiter, bracket } = header;
  const others = delimiter === ',' ? '\t|' : delimiter === '|' ? '\t,' : ',|';
  const wrong = findBare(r.text, others, start, end);
  if (wrong === -1) return delimiter;
  const found = r.text[wrong] as Header['delimiter'];
  const sure = findBare(r.text, delimiter, start, end) === -1;
  const edits = [];
  if (delimiter === ',') edits.push({ span: span(bracket.end, bracket.end), text: found });
  else {
    for (let at = wrong; at !== -1; at = findBare(r.text, found, at + 1, end)) {
      edits.push({ span: span(at, at + 1), text: delimiter });
    }
  }
  report(r, 'TOO3032', span(wrong, wrong + 1), `columns of this header are separated by ${nameOf(delimiter)}`, {
    help: 'The brackets say how values are separated: [2] by commas, [2|] by bars, and with a tab in them by tabs.',
    ...(sure && {
      fix: { title: `separate them by ${nameOf(delimiter === ',' ? found : delimiter)}`, edits, guess: true },
    }),
  });
  return sure ? found : delimiter;
}

function nameOf(delimiter: Header['delimiter']): string {
  return delimiter === ',' ? 'commas' : delimiter === '|' ? 'bars' : 'tabs';
}

function readFields(
  r: Reader,
  start: number,
  end: number,
  delimiter: Header['delimiter'],
  depth: number,
): readonly Field[] {
  const fields: Field[] = [];
  const seen = new Map<string, ToonKey>();
  for (const part of splitGroups(r.text, delimiter, start, end)) {
    const field = readField(r, part, delimiter, depth);
    if (!field) continue;
    const first = seen.get(field.key.text);
    if (first) {
      report(r, 'TOO3012', field.key.span, `the column ${shown(r, field.key.span)} is named twice`, {
        related: [{ source: r.source, span: first.span, message: 'first here' }],
      });
    } else seen.set(field.key.text, field.key);
    fields.push(first ? { ...field, twice: true } : field);
  }
  return fields;
}

function readField(r: Reader, part: Span, delimiter: Header['delimiter'], depth: number): Field | undefined {
  const { text } = r;
  const open = findBare(text, '{', part.start, part.end);
  const name = trimmed(text, part.start, open === -1 ? part.end : open);
  if (name.start === name.end) {
    report(r, 'TOO3032', name, 'the name of a column is missing');
    if (open === -1) return undefined;
  }
  const key = readName(r, name);
  if (open === -1) return { key };
  const close = closingBrace(text, open, part.end);
  if (close === -1 || close !== part.end - 1) {
    const place = close === -1 ? span(open, open + 1) : span(close + 1, part.end);
    report(r, 'TOO3032', place, close === -1 ? 'the brace is never closed' : `${shown(r, place)} stands after a group`);
    if (close === -1) return { key };
  }
  if (depth >= DEEPEST) {
    report(r, 'TOO3004', span(open, close + 1), `nested deeper than ${DEEPEST} levels`);
    return { key };
  }
  return { key, fields: readFields(r, open + 1, close, delimiter, depth + 1) };
}

/** A name in quotes or without. */
function readName(r: Reader, at: Span): ToonKey {
  if (r.text.charCodeAt(at.start) !== 34 || at.start === at.end) {
    return { text: textOf(r, at), span: at, quoted: false };
  }
  const quoted = readQuoted(r, at.start, at.end);
  if (quoted.closed && quoted.span.end < at.end) {
    const rest = span(quoted.span.end, at.end);
    report(r, 'TOO3023', rest, `${shown(r, rest)} stands after the closing quote`);
  }
  return { text: quoted.text, span: quoted.span, quoted: true };
}

/** Parts between delimiters that stand in no inner braces. */
function splitGroups(text: string, delimiter: string, start: number, end: number): Span[] {
  const parts: Span[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < end; at++) {
    at = findBare(text, `{}${delimiter}`, at, end);
    if (at === -1) break;
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (depth === 0) {
      parts.push(trimmed(text, from, at));
      from = at + 1;
    }
  }
  parts.push(trimmed(text, from, end));
  return parts;
}

function leavesOf(fields: readonly Field[], path: string): readonly ToonKey[] {
  return fields.flatMap(({ key, fields: inner }) => {
    if (inner) return leavesOf(inner, `${path}${key.text}.`);
    return path === '' ? [key] : [{ ...key, text: path + key.text }];
  });
}
