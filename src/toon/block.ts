/**
 * Objects and lists: the lines below a line.
 *
 * 1. Each call reads exactly the lines that stand deeper than the column it is given.
 * 2. Every line is taken, and taken once, so that time is linear and no line hides another.
 * 3. Depth is capped (`enter`), so that recursion is.
 */
import { type Span, span } from '../text/index.ts';
import { checkLength, type Header, readHeader, toHeader } from './header.ts';
import { columnOf, reportBlock, reportFlatItems, reportLine } from './indent.ts';
import {
  beginsItem,
  isRepeated,
  isSameLine,
  isShortItem,
  lacksFirstColon,
  lacksFirstHyphen,
  reportHyphen,
  reportStray,
  reportTight,
  reportTwin,
  standsTooDeep,
} from './item-mistakes.ts';
import { addEntry, type Draft, hasKey, newDraft, type ReadKey, readKey, readPlainKey, reportColon } from './key.ts';
import { isItem, isTightItem, type Line } from './line.ts';
import { reportBareList } from './missing-header.ts';
import { takeOpenText } from './open-text.ts';
import { enter, leave, peek, type Reader, report, spoil, take } from './reader.ts';
import { readScalar, readValue, readWhole } from './scalar.ts';
import { findBare, skipSpaces } from './scan.ts';
import { readInline, readKeyed, readTable } from './table.ts';
import type { ToonArray, ToonHeader, ToonKey, ToonObject, ToonValue } from './tree.ts';
import { takeYamlItem, takeYamlText } from './yaml-text.ts';

/** The object of the lines deeper than `parent`; an empty one at `at` if there are none. */
export function readObject(r: Reader, parent: number, at: number): ToonObject {
  const draft = newDraft();
  const start = peek(r)?.text ?? at;
  const first = r.at;
  readFields(r, parent, draft, undefined);
  if (r.at === first) return { kind: 'object', span: span(at, at), entries: [] };
  return toObject(r, start, draft);
}

/** What a header announces. `indent` is the column of its key; an array without a key cannot have items there. */
export function readArray(r: Reader, header: Header, indent: number, flat: boolean): ToonArray | ToonObject {
  const empty = (): ToonArray => ({ kind: 'array', span: header.span, items: [], header: toHeader(header, 'list') });
  if (header.rest.start < header.rest.end) return readInline(r, header);
  if (!enter(r, indent)) return empty();
  let value: ToonArray | ToonObject;
  if (header.unread) {
    dropLines(r, indent);
    value = empty();
  } else if (header.keyed && header.fields) value = readKeyed(r, header, indent);
  else if (header.fields) value = readTable(r, header, indent);
  else {
    const { items, odd, end, twin } = readItems(r, indent, flat, header.length);
    if (!odd && twin && header.length === items.length - 1) {
      reportTwin(r, twin.line);
      items.splice(twin.index, 1);
    } else if (!odd && !isRepeated(r, items)) checkLength(r, header, items.length, 'item');
    value = {
      kind: 'array',
      span: span(header.span.start, Math.max(end, header.span.end)),
      items,
      header: toHeader(header, 'list'),
    };
  }
  leave(r);
  return value;
}

function readFields(r: Reader, parent: number, draft: Draft, known: number | undefined): void {
  let block = known;
  let odd = -1;
  for (let line = peek(r); line && line.indent > parent; line = peek(r)) {
    if (known !== undefined && line.indent <= known) {
      // An item that stands as deep as the fields of the one before it.
      if (isItem(r.text, line)) return;
      if (beginsItem(r, line, draft)) {
        reportHyphen(r, line, parent);
        r.unhyphened = r.at;
        return;
      }
    }
    let right = line.indent;
    if (block === undefined) {
      block = line.indent;
      right = parent + 2;
      if (block !== right) reportBlock(r, line, parent);
    } else if (line.indent === parent + 2) block = line.indent;
    else if (line.indent !== block) {
      right = block;
      if (line.indent !== odd) reportLine(r, line, block);
      odd = line.indent;
    }
    if (isItem(r.text, line)) dropItems(r, line);
    else {
      take(r, line);
      readEntry(r, columnOf(r, line, right), line.text, line.end, draft);
    }
  }
}

/** `key: value`, `key:` or `key[N]…:`, and what belongs to it. */
function readEntry(r: Reader, indent: number, start: number, end: number, draft: Draft): void {
  const plain = readPlainKey(r, start, end);
  const header = plain ? undefined : readHeader(r, start, end);
  if (header) {
    const value = readArray(r, header, indent, true);
    if (header.key) {
      const whole = span(header.key.span.start, value.span.end);
      addEntry(r, draft, { key: header.key, value, span: whole });
    } else {
      report(r, 'TOO3032', header.span, 'an array among the fields of an object has no key', {
        help: 'Write key[3]: with a key before the bracket.',
      });
    }
    return;
  }
  const read = plain ?? readKey(r, start, end);
  if (!read) {
    draft.partial = true;
    dropLines(r, indent);
    return;
  }
  const value = readAfterColon(r, read, indent);
  const entry = { key: read.key, value, span: span(read.key.span.start, Math.max(value.span.end, read.key.span.end)) };
  if (!read.lacks) {
    addEntry(r, draft, entry);
    return;
  }
  // It is read as if the colon were there, so that nothing below it is missed.
  const length = value.kind === 'array' && read.rest.start === read.rest.end ? `[${value.items.length}]` : '';
  reportColon(r, span(start, end), read.colon, `${length}:`);
  spoil(r, read.key.span);
  if (!hasKey(draft, read.key.text)) addEntry(r, draft, entry);
  dropLines(r, indent);
}

function readAfterColon(r: Reader, read: ReadKey, indent: number): ToonValue {
  const { key, rest } = read;
  if (rest.start === rest.end) return readBelow(r, read, indent);
  if (isEmptyArray(r, rest)) return emptyArray(rest);
  const text = isQuote(r, rest.start)
    ? (readWhole(r, rest) ?? takeOpenText(r, rest, indent))
    : takeYamlText(r, key.span.end, rest, indent);
  return text ?? readValue(r, rest, key.span.end);
}

/** The object or the list below `key:`. */
function readBelow(r: Reader, { key, colon, lacks }: ReadKey, indent: number): ToonValue {
  const after = lacks ? colon : colon + 1;
  const nothing: ToonObject = { kind: 'object', span: span(after, after), entries: [] };
  const line = peek(r);
  const items = line !== undefined && isItem(r.text, line) && line.indent >= indent;
  if (!line || (line.indent <= indent && !items) || !enter(r, indent)) return nothing;
  let value: ToonValue = nothing;
  if (items) {
    const start = line.text;
    const list = readItems(r, indent, true);
    const array: ToonArray = { kind: 'array', span: span(start, list.end), items: list.items };
    if (!lacks) reportBareList(r, key, colon, array);
    // The fix that adds the colon gives it a header too.
    value = lacks ? { ...array, header: headerFor(key, list.items.length) } : array;
  } else value = readObject(r, indent, after);
  leave(r);
  return value;
}

interface Items {
  readonly items: ToonValue[];
  /** There were lines that are no items, so that nothing can be said of their number. */
  readonly odd: boolean;
  readonly end: number;
  /** An item of one line that comes again as the first line of the next one. */
  readonly twin?: { readonly index: number; readonly line: Line };
}

/**
 * The items deeper than `parent`, or, where `flat`, at `parent` itself.
 * `length` is how many there should be, where the header says it.
 */
function readItems(r: Reader, parent: number, flat: boolean, length = Number.POSITIVE_INFINITY): Items {
  const first = r.at;
  const begin = peek(r);
  const isFlat = flat && begin !== undefined && begin.indent === parent && isItem(r.text, begin);
  const limit = isFlat ? parent - 1 : parent;
  const items: ToonValue[] = [];
  let block = isFlat ? parent : undefined;
  let odd = false;
  let reported = false;
  let last: Draft | undefined;
  let twin: Items['twin'];
  let begun = false;
  const isShort = (line: Line) =>
    begun && flat && !isFlat && items.length < length && line.indent === parent && isShortItem(r, line);
  for (let line = peek(r); line && (line.indent > limit || isShort(line)); line = peek(r)) {
    const tight = isTightItem(r.text, line);
    const item = tight || isItem(r.text, line);
    if (isFlat && !item && line.indent <= parent) break;
    if (r.unhyphened === r.at || (begun === false && lacksFirstHyphen(r, line, parent))) {
      if (block === undefined) block = parent + 2;
      if (r.unhyphened !== r.at) reportHyphen(r, line, block);
      take(r, line);
      if (!begun) r.inside++;
      begun = true;
      const read = readFieldsItem(r, { ...line, indent: block }, span(line.text, line.end));
      // A line of it may be missing rather than the hyphen.
      items.push(read.value.kind === 'object' ? { ...read.value, partial: true } : read.value);
      last = read.draft;
      continue;
    }
    if (!item && items.length === length && standsTooDeep(r, line, parent, last !== undefined)) break;
    let right = line.indent;
    if (block === undefined) {
      block = line.indent;
      right = parent + 2;
      if (block !== right) reportBlock(r, line, parent);
    } else if (!isFlat && line.indent === parent + 2) block = line.indent;
    else if (line.indent !== block && (item || line.indent < block)) {
      right = block;
      reportLine(r, line, block);
    }
    take(r, line);
    if (!begun) r.inside++;
    begun = true;
    if (item) {
      if (tight) reportTight(r, line);
      reported = false;
      const before = r.lines[r.at - 2];
      if (last && before && isSameLine(r, before, line)) twin = { index: items.length - 1, line: before };
      const indent = columnOf(r, line, right);
      const read = readItem(r, indent === line.indent ? line : { ...line, indent });
      items.push(read.value);
      last = read.draft;
      continue;
    }
    odd = true;
    const lacksHyphen = !reported && reportStray(r, line, last, line.indent === block);
    reported = true;
    if (findBare(r.text, ':', line.text, line.end) === -1) {
      dropLines(r, line.indent);
      continue;
    }
    if (lacksHyphen || !last) {
      const read = readFieldsItem(r, line, span(line.text, line.end));
      items.push(read.value);
      last = read.draft;
      continue;
    }
    readEntry(r, columnOf(r, line, block + 2), line.text, line.end, last);
    // It is taken for a field of the item above it, so that nobody misses it there.
    const owner = items.at(-1);
    if (owner) items[items.length - 1] = { ...owner, span: span(owner.span.start, lastEnd(r)) };
  }
  if (begun) r.inside--;
  if (isFlat) reportFlatItems(r, first, r.at);
  const end = begun ? lastEnd(r) : 0;
  return twin ? { items, odd, end, twin } : { items, odd, end };
}

function readItem(r: Reader, line: Line): { value: ToonValue; draft?: Draft } {
  const { text } = r;
  const rest = span(skipSpaces(text, line.text + 1, line.end), line.end);
  if (rest.start === rest.end) return readBareItem(r, line);
  if (isEmptyArray(r, rest)) return { value: emptyArray(rest) };
  const colon = findBare(text, ':', rest.start, rest.end);
  if (text.charCodeAt(rest.start) === 91 && colon !== -1) {
    const header = readHeader(r, rest.start, rest.end);
    if (header) {
      if (header.fields) {
        report(r, 'TOO3032', header.span, 'a table cannot be an item of a list without a key', {
          help: 'Give it a key, or write its rows as items.',
        });
      }
      return { value: readArray(r, header, line.indent, false) };
    }
  }
  if (colon === -1 && !lacksFirstColon(r, line, rest)) {
    const text = isQuote(r, rest.start)
      ? (readWhole(r, rest) ?? takeOpenText(r, rest, line.indent))
      : takeYamlItem(r, rest, line.indent);
    return { value: text ?? readScalar(r, rest) };
  }
  return readFieldsItem(r, line, rest);
}

/** An item that is an object, with its first field on the line. */
function readFieldsItem(r: Reader, line: Line, rest: Span): { value: ToonValue; draft?: Draft } {
  if (!enter(r, line.indent)) return emptyItem(rest.start);
  const draft = newDraft();
  readEntry(r, line.indent + 2, rest.start, rest.end, draft);
  readFields(r, line.indent, draft, line.indent + 2);
  leave(r);
  return { value: toObject(r, rest.start, draft), draft };
}

/** `-` alone: an empty object, unless its fields stand below it, which TOON does not have. */
function readBareItem(r: Reader, line: Line): { value: ToonValue; draft?: Draft } {
  const at = span(line.text, line.end);
  const next = peek(r);
  if (!next || next.indent <= line.indent || isItem(r.text, next)) {
    return { value: { kind: 'object', span: at, entries: [] } };
  }
  report(r, 'TOO3035', at, 'the first field of an item stands on the line of its hyphen', {
    fix: { title: 'join the lines', edits: [{ span: span(line.text + 1, next.text), text: ' ' }] },
  });
  if (!enter(r, line.indent)) return emptyItem(line.text);
  const draft = newDraft();
  readFields(r, line.indent, draft, next.indent);
  leave(r);
  return { value: toObject(r, line.text, draft), draft };
}

/** One that nests too deep to be read. */
function emptyItem(at: number): { value: ToonValue } {
  return { value: { kind: 'object', span: span(at, at), entries: [] } };
}

function toObject(r: Reader, start: number, { entries, partial }: Draft): ToonObject {
  const at = span(start, lastEnd(r));
  return partial ? { kind: 'object', span: at, entries, partial: true } : { kind: 'object', span: at, entries };
}

/** `- ` lines where there is no array: read for what is wrong in them, and left out. */
function dropItems(r: Reader, line: Line): void {
  report(r, 'TOO3034', span(line.text, line.text + 1), 'an item stands outside of an array', {
    help: 'Items stand below a key with their number: key[2]:',
  });
  if (!enter(r, line.indent)) {
    if (peek(r) === line) r.at++;
    return;
  }
  for (let next: Line | undefined = line; next; next = peek(r)) {
    if (next.indent !== line.indent || !isItem(r.text, next)) break;
    take(r, next);
    readItem(r, next);
  }
  leave(r);
}

/** What stands below a line that could not be read. */
function dropLines(r: Reader, indent: number): void {
  const line = peek(r);
  if (!line || line.indent <= indent || !enter(r, indent)) return;
  if (isItem(r.text, line)) readItems(r, indent, false);
  else if (findBare(r.text, ':', line.text, line.end) !== -1) readObject(r, indent, line.text);
  // Rows, or a text that went on.
  else for (let next = peek(r); next && next.indent > indent; next = peek(r)) r.at++;
  leave(r);
}

function isQuote(r: Reader, at: number): boolean {
  return r.text.charCodeAt(at) === 34;
}

export function isEmptyArray(r: Reader, at: Span): boolean {
  return at.end - at.start === 2 && r.text.startsWith('[]', at.start);
}

function headerFor(key: ToonKey, count: number): ToonHeader {
  const at = span(key.span.end, key.span.end);
  return { span: at, form: 'list', length: { value: count, span: at }, delimiter: ',', fields: [] };
}

/** `[]` */
export function emptyArray(at: Span): ToonArray {
  const length = { value: 0, span: span(at.start + 1, at.start + 1) };
  return {
    kind: 'array',
    span: at,
    items: [],
    header: { span: at, form: 'inline', length, delimiter: ',', fields: [] },
  };
}

/** The end of the line that was taken last. */
function lastEnd(r: Reader): number {
  return r.lines[r.at - 1]?.end ?? 0;
}
