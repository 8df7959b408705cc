/**
 * Objects and lists: the lines below a line.
 *
 * 1. Each call reads exactly the lines that stand deeper than the column it is given.
 * 2. Every line is taken, and taken once, so that time is linear and no line hides another.
 * 3. Depth is capped (`enter`), so that recursion is.
 */
import { type Edit, type Span, span } from '../text/index.ts';
import { checkLength, type Header, readHeader, toHeader } from './header.ts';
import { reindent, reportBlock, reportFlatItems, reportLine } from './indent.ts';
import { addEntry, type Keys, readKey } from './key.ts';
import { isItem, type Line } from './line.ts';
import { reportBareList } from './missing-header.ts';
import { enter, leave, peek, type Reader, report, shown, take } from './reader.ts';
import { readScalar, readValue } from './scalar.ts';
import { findBare, skipSpaces, trimmed } from './scan.ts';
import { readInline, readKeyed, readTable } from './table.ts';
import type { ToonArray, ToonEntry, ToonKey, ToonObject, ToonValue } from './tree.ts';
import { takeYamlText } from './yaml-text.ts';

/** An object in the making. */
interface Draft {
  readonly entries: ToonEntry[];
  readonly keys: Keys;
}

/** The object of the lines deeper than `parent`; an empty one at `at` if there are none. */
export function readObject(r: Reader, parent: number, at: number): ToonObject {
  const draft: Draft = { entries: [], keys: {} };
  const start = peek(r)?.text ?? at;
  const first = r.at;
  readFields(r, parent, draft, undefined);
  if (r.at === first) return { kind: 'object', span: span(at, at), entries: [] };
  return { kind: 'object', span: span(start, lastEnd(r)), entries: draft.entries };
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
    const { items, odd, end } = readItems(r, indent, flat);
    if (!odd) checkLength(r, header, items.length, 'item');
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
    if (block === undefined) {
      block = line.indent;
      if (block !== parent + 2) reportBlock(r, line, parent);
    } else if (line.indent === parent + 2) block = line.indent;
    else if (line.indent !== block && line.indent !== odd) {
      odd = line.indent;
      reportLine(r, line, block);
    }
    if (isItem(r.text, line)) dropItems(r, line);
    else {
      take(r, line);
      readEntry(r, line.indent, line.text, line.end, draft);
    }
  }
}

/** `key: value`, `key:` or `key[N]…:`, and what belongs to it. */
function readEntry(r: Reader, indent: number, start: number, end: number, draft: Draft): void {
  const header = readHeader(r, start, end);
  if (header) {
    const value = readArray(r, header, indent, true);
    if (header.key) {
      const whole = span(header.key.span.start, value.span.end);
      addEntry(r, draft.entries, draft.keys, { key: header.key, value, span: whole });
    } else {
      report(r, 'TOO3032', header.span, 'an array among the fields of an object has no key', {
        help: 'Write key[3]: with a key before the bracket.',
      });
    }
    return;
  }
  const read = readKey(r, start, end);
  if (!read) {
    dropLines(r, indent);
    return;
  }
  const rest = trimmed(r.text, read.colon + 1, end);
  const value = readAfterColon(r, read.key, read.colon, rest, indent);
  const whole = span(read.key.span.start, value.span.end);
  addEntry(r, draft.entries, draft.keys, { key: read.key, value, span: whole });
}

function readAfterColon(r: Reader, key: ToonKey, colon: number, rest: Span, indent: number): ToonValue {
  if (rest.start === rest.end) return readBelow(r, key, colon, indent);
  if (isEmptyArray(r, rest)) return emptyArray(rest);
  return takeYamlText(r, rest, indent) ?? readValue(r, rest, key.span.end);
}

/** The object or the list below `key:`. */
function readBelow(r: Reader, key: ToonKey, colon: number, indent: number): ToonValue {
  const nothing: ToonObject = { kind: 'object', span: span(colon + 1, colon + 1), entries: [] };
  const line = peek(r);
  const items = line !== undefined && isItem(r.text, line) && line.indent >= indent;
  if (!line || (line.indent <= indent && !items) || !enter(r, indent)) return nothing;
  let value: ToonValue = nothing;
  if (items) {
    const start = line.text;
    const list = readItems(r, indent, true);
    const array: ToonArray = { kind: 'array', span: span(start, list.end), items: list.items };
    reportBareList(r, key, colon, array);
    value = array;
  } else value = readObject(r, indent, colon + 1);
  leave(r);
  return value;
}

/**
 * The items deeper than `parent`, or, where `flat`, at `parent` itself.
 * `odd`: there were lines that are no items, so that nothing can be said of their number.
 */
function readItems(r: Reader, parent: number, flat: boolean): { items: ToonValue[]; odd: boolean; end: number } {
  const first = r.at;
  const begin = peek(r);
  const isFlat = flat && begin !== undefined && begin.indent === parent && isItem(r.text, begin);
  const limit = isFlat ? parent - 1 : parent;
  const items: ToonValue[] = [];
  let block = isFlat ? parent : undefined;
  let odd = false;
  let reported = false;
  let last: Draft | undefined;
  let begun = false;
  for (let line = peek(r); line && line.indent > limit; line = peek(r)) {
    const item = isItem(r.text, line);
    if (isFlat && !item && line.indent <= parent) break;
    if (block === undefined) {
      block = line.indent;
      if (block !== parent + 2) reportBlock(r, line, parent);
    } else if (!isFlat && line.indent === parent + 2) block = line.indent;
    else if (line.indent !== block && (item || line.indent < block)) reportLine(r, line, block);
    take(r, line);
    if (!begun) r.inside++;
    begun = true;
    if (item) {
      reported = false;
      const read = readItem(r, line);
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
    readEntry(r, line.indent, line.text, line.end, last);
    // It is taken for a field of the item above it, so that nobody misses it there.
    const owner = items.at(-1);
    if (owner) items[items.length - 1] = { ...owner, span: span(owner.span.start, lastEnd(r)) };
  }
  if (begun) r.inside--;
  if (isFlat) reportFlatItems(r, first, r.at);
  return { items, odd, end: begun ? lastEnd(r) : 0 };
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
  if (colon === -1) return { value: readScalar(r, rest) };
  return readFieldsItem(r, line, rest);
}

/** An item that is an object, with its first field on the line. */
function readFieldsItem(r: Reader, line: Line, rest: Span): { value: ToonValue; draft?: Draft } {
  return readObjectItem(r, line, rest.start, (draft) => {
    readEntry(r, line.indent + 2, rest.start, rest.end, draft);
    readFields(r, line.indent, draft, line.indent + 2);
  });
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
  return readObjectItem(r, line, line.text, (draft) => readFields(r, line.indent, draft, next.indent));
}

function readObjectItem(
  r: Reader,
  line: Line,
  start: number,
  read: (draft: Draft) => void,
): { value: ToonValue; draft?: Draft } {
  if (!enter(r, line.indent)) return { value: { kind: 'object', span: span(start, start), entries: [] } };
  const draft: Draft = { entries: [], keys: {} };
  read(draft);
  leave(r);
  return { value: { kind: 'object', span: span(start, lastEnd(r)), entries: draft.entries }, draft };
}

/** One report for all such lines up to the next item; true if the line seems to lack its hyphen. */
function reportStray(r: Reader, line: Line, last: Draft | undefined, aligned: boolean): boolean {
  const at = span(line.text, line.end);
  const opens = (one: Line) => r.text.charCodeAt(one.end - 1) === 58;
  const below = r.lines[r.at];
  // A key that the item above has already shows that the line begins another one and lacks its hyphen.
  const hyphen = !last || last.entries.some(({ key }) => isKeyAt(r.text, key, line));
  const edits: Edit[] = hyphen ? [{ span: span(line.text, line.text), text: '- ' }] : [reindent(line, line.indent + 2)];
  let index = r.at;
  let open = opens(line);
  // Lines that an earlier report moves are not moved again: each line is looked at once.
  const free = aligned && index > r.moved;
  for (let next = below; free && next && next.indent >= line.indent; next = r.lines[++index]) {
    const deeper = next.indent > line.indent;
    if (deeper ? !open : isItem(r.text, next)) break;
    if (!deeper) open = opens(next);
    edits.push(reindent(next, next.indent + 2));
  }
  if (free) r.moved = index;
  report(r, 'TOO3035', at, `${shown(r, at)} is neither an item nor a field of one`, {
    help: 'An item begins with "- "; its other fields stand two blanks deeper than the hyphen.',
    // Without a colon it is no field, wherever it stands.
    ...(free &&
      findBare(r.text, ':', at.start, at.end) !== -1 && {
        fix: { title: hyphen ? 'add the hyphen' : 'indent it', edits, guess: true },
      }),
  });
  return hyphen;
}

function isKeyAt(text: string, key: ToonKey, line: Line): boolean {
  return !key.quoted && text.startsWith(key.text, line.text) && text.charCodeAt(line.text + key.text.length) === 58;
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

export function isEmptyArray(r: Reader, at: Span): boolean {
  return at.end - at.start === 2 && r.text.startsWith('[]', at.start);
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
