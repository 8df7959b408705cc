/** A named text with a line map. Offsets are UTF-16; lines and columns are 1-based. */
import type { Span } from './span.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Source {
  /** What people see: a path, or `<stdin>`. */
  readonly name: string;
  readonly text: string;
  /** Offset of the first character of each line. A line ends at LF; CRLF is one end; a lone CR ends nothing. */
  readonly lineStarts: readonly number[];
}

export function createSource(name: string, text: string): Source {
  let starts: number[] | undefined;
  return {
    name,
    text,
    get lineStarts() {
      starts ??= findLineStarts(text);
      return starts;
    },
  };
}

export function positionAt(source: Source, offset: number): Position {
  const at = Math.max(0, Math.min(offset, source.text.length));
  const line = lineIndexAt(source, at);
  return { line: line + 1, column: Math.max(1, at - (source.lineStarts[line] ?? 0) + 1 - bomWidth(source, line)) };
}

export function rangeOf(source: Source, span: Span): Range {
  return { start: positionAt(source, span.start), end: positionAt(source, span.end) };
}

/** The offset of a 1-based position, clamped to the line it names. */
export function offsetAt(source: Source, position: Position): number {
  const lines = source.lineStarts;
  if (position.line > lines.length) return source.text.length;
  const index = Math.max(0, position.line - 1);
  const start = (lines[index] ?? 0) + bomWidth(source, index);
  return Math.max(start, Math.min(start + position.column - 1, lineEnd(source, index)));
}

/** The text of a 1-based line, without its end and without a leading byte order mark. */
export function lineText(source: Source, line: number): string {
  const index = line - 1;
  const start = (source.lineStarts[index] ?? source.text.length) + bomWidth(source, index);
  return source.text.slice(start, lineEnd(source, index));
}

function lineEnd(source: Source, index: number): number {
  const next = source.lineStarts[index + 1];
  if (next === undefined) return source.text.length;
  return source.text.charCodeAt(next - 2) === 13 ? next - 2 : next - 1;
}

/** The byte order mark is not a column. */
function bomWidth(source: Source, lineIndex: number): number {
  return lineIndex === 0 && source.text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

function lineIndexAt(source: Source, offset: number): number {
  const starts = source.lineStarts;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
