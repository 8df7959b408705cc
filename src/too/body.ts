/** Steps through the lines of a body: the lines below a header that are deeper than it. */

import type { Edit } from '../text/index.ts';
import type { Line } from './line.ts';
import { isItemHeader, isNamedHeader, startOf } from './line-kind.ts';
import { currentLine, nextLine, type Reader, report, takeComment, takeTo } from './reader.ts';

/**
 * Moves to the next line of a body, past blank lines and comments; false (and nothing moved) when the body is over.
 * A declaration that stands inside the body is read on the way. A line in the first column that `belongs` knows is read as a line of the body, with a report that says to indent it.
 */
export function toBodyLine(r: Reader, indent: number, belongs: (text: string) => boolean): boolean {
  let index = afterTrivia(r);
  let line = r.lines[index];
  while (line && line.indent > indent && isNamedHeader(r.text, line)) {
    if (!r.readNested(index)) return false;
    index = afterTrivia(r);
    line = r.lines[index];
  }
  if (!line) return false;
  if (line.indent <= indent) {
    // Of an item inside another one, what is not deeper belongs to the outer one.
    if (indent > 0 || isItemHeader(r.text, line) || !belongs(startOf(r.text, line))) return false;
    report(
      r,
      'TOO1103',
      { start: line.text, end: line.end },
      'this line belongs to the item above it and must be indented.',
      {
        fix: {
          title: 'indent it',
          edits: [{ span: { start: line.start, end: line.text }, text: ' '.repeat(indent + 2) }, ...deepen(r, index)],
        },
      },
    );
  }
  while (r.line < index) skipTrivia(r);
  return true;
}

/** Edits that keep the lines below a line deeper than it when it is indented. */
function deepen(r: Reader, index: number): Edit[] {
  const edits: Edit[] = [];
  const own = r.lines[index]?.indent ?? 0;
  for (let i = index + 1; i < r.lines.length; i++) {
    const line = r.lines[i] as Line;
    if (line.text === line.end) continue;
    if (line.indent <= own) break;
    edits.push({ span: { start: line.text, end: line.text }, text: '  ' });
  }
  return edits;
}

/** Index of the next line that is neither blank nor a comment. */
export function afterTrivia(r: Reader): number {
  let index = r.line;
  while (index < r.lines.length && isTrivia(r, r.lines[index] as Line)) index++;
  return index;
}

/** The cursor's line, which is blank or a comment. */
export function skipTrivia(r: Reader): void {
  const line = currentLine(r);
  takeTo(r, 'blank', line.text);
  if (line.text < line.end) takeComment(r);
  nextLine(r);
}

export function isTrivia(r: Reader, line: Line): boolean {
  return line.text === line.end || r.text.charCodeAt(line.text) === 35;
}
