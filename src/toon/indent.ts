/** Indentation: two blanks a level. A block that stands wrong is reported once and read as if it stood right. */
import { type Edit, type Span, span } from '../text/index.ts';
import { isItem, type Line, type Lines, splitLines } from './line.ts';
import { peek, type Reader, report } from './reader.ts';
import { hasTab, settleTabs } from './tabs.ts';

/** The lines of a text; those of a file that takes another width a level are counted as if it took two. */
export function measure(text: string): Lines & { readonly unit: number } {
  const found = splitLines(text);
  const split = found.tabs.length > 0 ? { ...found, lines: settleTabs(text, found.lines) } : found;
  let unit = Number.POSITIVE_INFINITY;
  for (const line of split.lines) if (line.indent > 0 && line.indent < unit) unit = line.indent;
  const even = unit > 2 && split.lines[0]?.indent === 0 && split.lines.every((line) => line.indent % unit === 0);
  if (!even || unit === Number.POSITIVE_INFINITY) return { ...split, unit: 2 };
  return { ...split, unit, lines: split.lines.map((line) => ({ ...line, indent: (line.indent / unit) * 2 })) };
}

export function reportUnit(r: Reader, unit: number): void {
  const first = r.lines.find((line) => line.indent > 0);
  if (unit === 2 || !first) return;
  const edits = r.lines.flatMap((line) => (line.indent > 0 ? [reindent(line, line.indent)] : []));
  report(r, 'TOO3002', span(first.start, first.text), `lines are indented by ${unit} blanks a level`, {
    help: 'TOON takes two.',
    fix: { title: 'indent by two', edits },
  });
}

/** The block that begins with the next line, below a line at `parent`. */
export function reportBlock(r: Reader, line: Line, parent: number): void {
  // Its tab is reported.
  if (hasTab(r.text, blanksOf(line))) return;
  const right = parent + 2;
  const edits = r.at < r.moved ? [] : moves(r, right - line.indent, right, (other) => other.indent > parent);
  report(r, 'TOO3002', blanksOf(line), `indented by ${blanks(line.indent)}, where ${right} are expected`, {
    help: right === 0 ? 'The first line stands in the first column.' : 'A level is two blanks.',
    ...(edits.length > 0 && { fix: { title: `indent by ${right}`, edits } }),
  });
}

/** A line among others that stand differently. */
export function reportLine(r: Reader, line: Line, right: number): void {
  if (hasTab(r.text, blanksOf(line))) return;
  const deeper = line.indent > right;
  const item = isItem(r.text, line);
  const belongs = (other: Line) =>
    other.indent > line.indent || (other.indent === line.indent && isItem(r.text, other) === item);
  const edits = r.at < r.moved ? [] : moves(r, right - line.indent, right, belongs);
  report(r, 'TOO3002', blanksOf(line), `indented by ${blanks(line.indent)}, where ${right} are expected`, {
    help: deeper
      ? 'The line above it opens no block: only after a colon at the end of a line does one begin.'
      : 'The lines of a block begin in the same column.',
    ...(edits.length > 0 && { fix: { title: `indent by ${right}`, edits, guess: true as const } }),
  });
}

/** The column that a line stands for: that where it should stand, unless what is below it moved with it. Once it is taken. */
export function columnOf(r: Reader, line: Line, right: number): number {
  return line.indent === right || staysBehind(r, line, right, peek(r)) ? right : line.indent;
}

/** Whether the lines below one that stands wrong are where they belong. */
function staysBehind(r: Reader, line: Line, right: number, next: Line | undefined): boolean {
  const opens = r.text.charCodeAt(line.end - 1) === 58 || isItem(r.text, line);
  return opens && next !== undefined && next.indent > right && next.indent !== line.indent + 2;
}

/** Items that stand no deeper than the key they belong to, as YAML allows. */
export function reportFlatItems(r: Reader, first: number, end: number): void {
  const line = r.lines[first];
  if (!line) return;
  const edits = r.lines.slice(first, end).map((other) => reindent(other, other.indent + 2));
  report(r, 'TOO3002', span(line.text, line.text + 1), 'the items of an array stand two blanks deeper than its key', {
    ...(first >= r.moved && { fix: { title: 'indent the items', edits } }),
  });
  r.moved = Math.max(r.moved, end);
}

/** Moves the next line and those that belong to it, up to one that stands right already. */
function moves(r: Reader, by: number, least: number, belongs: (line: Line) => boolean): Edit[] {
  const first = peek(r);
  if (first && staysBehind(r, first, least, r.lines[r.at + 1])) return [reindent(first, least)];
  const edits: Edit[] = [];
  let at = r.at;
  for (let line = peek(r); line && belongs(line); line = r.lines[++at]) {
    if (line.indent === least) break;
    edits.push(reindent(line, Math.max(least, line.indent + by)));
  }
  r.moved = Math.max(r.moved, at);
  return edits;
}

/** Only the difference is written: lines of deep blocks would cost more than they say. */
export function reindent(line: Line, width: number): Edit {
  const by = width - line.indent;
  if (line.text - line.start !== line.indent) return { span: blanksOf(line), text: ' '.repeat(width) };
  if (by >= 0) return { span: span(line.start, line.start), text: ' '.repeat(by) };
  return { span: span(line.start, line.start - by), text: '' };
}

function blanksOf(line: Line): Span {
  return span(line.start, line.text);
}

function blanks(count: number): string {
  return count === 1 ? '1 blank' : `${count} blanks`;
}
