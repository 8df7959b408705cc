/** Rows: those of tables, of keyed tables, and the values on the line of a header. */
import { type Span, span } from '../text/index.ts';
import { checkLength, type Field, type Header, toHeader } from './header.ts';
import { reportBlock, reportLine } from './indent.ts';
import { addEntry, newDraft, readKey } from './key.ts';
import { isItem, type Line } from './line.ts';
import { quote } from './quoted.ts';
import { peek, type Reader, report, shown, spoil, take, textOf } from './reader.ts';
import { isUnclosed, readScalar } from './scalar.ts';
import { findBare, skipSpaces, splitCells } from './scan.ts';
import type { ToonArray, ToonEntry, ToonObject, ToonValue } from './tree.ts';

/** `[3]: a,b,c` */
export function readInline(r: Reader, header: Header): ToonArray {
  const cells = splitCells(r.text, header.delimiter, header.rest.start, header.rest.end);
  const items = cells.map((cell) => readScalar(r, cell, true));
  if (!cells.some((cell) => isUnclosed(r.text, cell))) checkLength(r, header, items.length, 'value');
  return { kind: 'array', span: span(header.span.start, header.rest.end), items, header: toHeader(header, 'inline') };
}

export function readTable(r: Reader, header: Header, indent: number): ToonArray {
  const items: ToonValue[] = [];
  let end = header.span.end;
  let odd = false;
  const hyphens: Span[] = [];
  readLines(r, indent, (line) => {
    const row = readRow(r, header, line, hyphens);
    if (!row) odd = true;
    else {
      items.push(row);
      end = line.end;
    }
  });
  if (!odd) checkLength(r, header, items.length, 'row');
  reportHyphens(r, hyphens);
  return { kind: 'array', span: span(header.span.start, end), items, header: toHeader(header, 'table') };
}

/** `[2:]{a,b}` and its lines `key: 1,2`: an object of objects. */
export function readKeyed(r: Reader, header: Header, indent: number): ToonObject {
  const draft = newDraft();
  let end = header.span.end;
  let count = 0;
  let odd = false;
  readLines(r, indent, (line) => {
    const read = findBare(r.text, ':', line.text, line.end) === -1 ? undefined : readKey(r, line.text, line.end);
    if (!read) {
      reportStray(r, line, 'a line of a keyed table begins with a key and a colon');
      odd = true;
      return;
    }
    count++;
    const { rest } = read;
    const value = readCells(r, header, rest, rest.start === rest.end ? [] : undefined);
    addEntry(r, draft, { key: read.key, value, span: span(read.key.span.start, line.end) });
    end = line.end;
  });
  if (!odd) checkLength(r, header, count, 'line');
  const object: ToonObject = { kind: 'object', span: span(header.span.start, end), entries: draft.entries };
  r.headers.set(object, toHeader(header, 'keyed'));
  return object;
}

/** Every line below a header, whatever its indentation. */
function readLines(r: Reader, indent: number, read: (line: Line) => void): void {
  let begun = false;
  let block = indent + 2;
  for (let line = peek(r); line && line.indent > indent; line = peek(r)) {
    if (!begun && line.indent !== block) {
      reportBlock(r, line, indent);
      block = line.indent;
    } else if (line.indent === indent + 2) block = line.indent;
    else if (line.indent !== block) reportLine(r, line, block);
    take(r, line);
    if (!begun) r.inside++;
    begun = true;
    read(line);
  }
  if (begun) r.inside--;
}

function readRow(r: Reader, header: Header, line: Line, hyphens: Span[]): ToonObject | undefined {
  const { text } = r;
  if (isItem(text, line)) {
    const from = skipSpaces(text, line.text + 1, line.end);
    hyphens.push(span(line.text, from));
    return readCells(r, header, span(from, line.end));
  }
  const at = span(line.text, line.end);
  const first = findBare(text, `:${header.delimiter}`, line.text, line.end);
  if (first === -1 || text.charCodeAt(first) !== 58) return readCells(r, header, at);
  const cells = splitCells(text, header.delimiter, line.text, line.end);
  const [cell] = cells;
  if (!cell || cells.length !== header.leaves.length) {
    reportStray(r, line, 'a line with a key does not belong in a table');
    return undefined;
  }
  const whole = text.charCodeAt(cell.start) !== 34 && text.charCodeAt(cell.end - 1) !== 34;
  report(r, 'TOO3035', cell, `${shown(r, cell)} has a colon, so the line is not read as a row`, {
    help: 'Quote the first value of a row that has a colon.',
    ...(whole && { fix: { title: 'quote it', edits: [{ span: cell, text: quote(textOf(r, cell)) }] } }),
  });
  return readCells(r, header, at, cells);
}

function reportHyphens(r: Reader, hyphens: readonly Span[]): void {
  const [first] = hyphens;
  if (!first) return;
  const edits = hyphens.map((at) => ({ span: at, text: '' }));
  report(r, 'TOO3034', span(first.start, first.start + 1), 'the rows of a table stand without a hyphen', {
    fix: { title: edits.length > 1 ? 'remove the hyphens' : 'remove the hyphen', edits },
  });
}

function reportStray(r: Reader, line: Line, message: string): void {
  report(r, 'TOO3035', span(line.text, line.end), message);
}

/** The object of one row. Its keys stand in the header, so the span of an entry is that of its value. */
function readCells(
  r: Reader,
  header: Header,
  at: Span,
  cells: readonly Span[] = splitCells(r.text, header.delimiter, at.start, at.end),
): ToonObject {
  const wanted = header.leaves.length;
  const partial = cells.length !== wanted && { partial: true as const };
  // With a separator too few or too many no value is sure to stand in its column.
  if (cells.length !== wanted && wanted > 0) spoil(r, at);
  if (cells.length !== wanted && wanted > 0 && !cells.some((cell) => isUnclosed(r.text, cell))) {
    const extra = cells[wanted];
    const values = cells.length === 1 ? '1 value' : `${cells.length} values`;
    report(r, 'TOO3036', extra ? span(extra.start, at.end) : at, `${values}, but the header names ${wanted} columns`, {
      help: 'An empty value is written "", and a value with the separator in it is quoted.',
    });
  }
  let next = 0;
  const build = (fields: readonly Field[]): ToonObject => {
    const entries: ToonEntry[] = [];
    const from = cells[next]?.start ?? at.end;
    for (const { key, twice, fields: inner } of fields) {
      const cell = cells[next];
      if (!cell) break;
      const value = inner ? build(inner) : readScalar(r, cell, true);
      if (!inner) next++;
      if (!twice) entries.push({ key, value, span: value.span });
    }
    return { kind: 'object', span: span(from, cells[next - 1]?.end ?? from), entries };
  };
  const row = build(header.fields ?? []);
  // What is too much is read for what is wrong in it.
  for (; next < cells.length; next++) readScalar(r, cells[next] ?? at, true);
  return { ...row, ...partial, span: at };
}
