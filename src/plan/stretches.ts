/**
 * Where the parts of a text stand in a file, as a plan keeps it, so that what fails in a run is told with its place.
 * 1. A stretch is a part of one line that the file has as the text has it: escapes and lines of a list begin others.
 * 2. A text has those of its expressions only, and as few as lead to all of them.
 */
import { positionAt } from '../text/index.ts';
import { type CodeEdit, originalOffset } from './code/edits.ts';
import type { DraftText } from './draft.ts';
import type { Place, Stretches, WorkflowNode } from './node.ts';
import type { Site } from './site.ts';

/** Of parts of the text, in order; undefined where it is none of the node's file. */
export function stretchesOf(
  draft: DraftText,
  parts: readonly { readonly start: number; readonly end: number }[],
  site: Site | undefined,
): Stretches | undefined {
  if (draft.isFile) return draft.source.name;
  if (draft.source !== site?.draft.at.source) return undefined;
  const found: number[] = [];
  const { text, place, source } = draft;
  let seen = 0;
  /** The offset in the file less that in the text, in the last stretch. */
  let lead = Number.NaN;
  for (const { start, end } of parts) {
    // Line by line, because places are told in lines.
    for (let at = start, stop: number; at < end; at = stop) {
      // Only the part is looked at: a long line may have very many.
      const newline = text.slice(at, end).indexOf('\n');
      stop = newline === -1 ? end : at + newline + 1;
      if (text.slice(seen, at).includes('\n')) lead = Number.NaN;
      seen = at;
      while (at < stop) {
        if (place(at) - at !== lead) {
          lead = place(at) - at;
          const { line, column } = positionAt(source, lead + at);
          found.push(at, line, column);
        }
        at = endOf(lead, at, stop);
      }
    }
  }
  return found;

  /** Up to where the file is as far ahead: it never falls back. */
  function endOf(ahead: number, start: number, end: number): number {
    if (place(end - 1) - end + 1 === ahead) return end;
    let low = start;
    let high = end - 1;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (place(middle) - middle === ahead) low = middle;
      else high = middle;
    }
    return high;
  }
}

/** The place of an offset in a text of the node; that of the node where it is not known. */
export function placeAt(
  at: Stretches | undefined,
  text: string,
  offset: number,
  node: WorkflowNode,
): Place | undefined {
  if (typeof at === 'string') {
    const before = text.slice(0, offset);
    const start = before.lastIndexOf('\n') + 1;
    return { file: at, line: before.split('\n').length, column: offset - start + 1 };
  }
  if (at === undefined || node.at === undefined) return node.at;
  let low = -1;
  for (let high = at.length / 3 - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if ((at[3 * middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const [start, line, column] = at.slice(3 * low, 3 * low + 3);
  if (low === -1 || start === undefined || line === undefined || column === undefined) return node.at;
  return { file: node.at.file, line, column: column + offset - start };
}

/** From a line and a column of code, as it was written, to the offset. */
export function codeOffset(code: string, edits: readonly CodeEdit[], line: number, column: number): number {
  let start = 0;
  for (let each = 1; each < line; each++) {
    const next = code.indexOf('\n', start);
    if (next === -1) break;
    start = next + 1;
  }
  return originalOffset(edits, start) + column - 1;
}
