/** The lines of a part of a source, with a common margin taken off. */
import type { Source, Span } from '../text/index.ts';

export interface Line {
  /** Where the line begins in the source, margin included. */
  readonly lineStart: number;
  /** Where its text begins, after margin and indentation. */
  readonly start: number;
  /** Where its text ends, trailing blanks not counted. */
  readonly end: number;
  /** Where the next line begins. */
  readonly next: number;
  /** Blanks between margin and text. */
  readonly indent: number;
  /** Where the margin ends. */
  readonly margin: number;
  /** The line is indented by a tab. */
  readonly tab: boolean;
  readonly text: string;
}

/** LF or CRLF ends a line; a tab reaches to the next multiple of 8. */
export function splitLines(source: Source, within: Span, margin: number): Line[] {
  const { text } = source;
  const lines: Line[] = [];
  for (let at = within.start; at < within.end; ) {
    const found = text.indexOf('\n', at);
    const next = found === -1 || found >= within.end ? within.end : found + 1;
    let end = found === -1 || found >= within.end ? within.end : found;
    while (end > at && isBlank(text.charCodeAt(end - 1))) end--;
    lines.push(lineAt(text, at, end, next, margin));
    at = next;
  }
  return lines;
}

/** How many columns of indentation the line at `offset` has. */
export function indentAt(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let column = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) column++;
    else if (code === 9) column += 8 - (column % 8);
    else if (code !== 12) break;
  }
  return column;
}

function lineAt(text: string, lineStart: number, end: number, next: number, margin: number): Line {
  let at = lineStart;
  for (let column = 0; at < end && column < margin; at++) {
    const code = text.charCodeAt(at);
    const width = code === 32 ? 1 : code === 9 ? 8 - (column % 8) : 0;
    if (width === 0 || column + width > margin) break;
    column += width;
  }
  let start = at;
  while (start < end && text.charCodeAt(start) === 32) start++;
  const indent = start - at;
  const tab = text.charCodeAt(at) === 9 && start < end;
  return { lineStart, start, end, next, indent, margin: at, tab, text: text.slice(start, end) };
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}
