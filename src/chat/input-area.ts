/** A text that is being written as rows of a terminal, and the cell where the next character goes. */
import { layout } from '../text/index.ts';
import type { Edit } from './edit-buffer.ts';

export interface InputRow {
  /** Safe to show. */
  readonly text: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

export interface InputArea {
  readonly rows: readonly InputRow[];
  readonly row: number;
  readonly column: number;
}

/** Rows of at most `width` cells; at the end of a full one the next character is drawn in the next. */
export function inputArea({ text, at }: Pick<Edit, 'text' | 'at'>, width: number): InputArea {
  const rows: InputRow[] = [];
  let row = 0;
  let column = 0;
  let offset = 0;
  for (const line of text.split('\n')) {
    let drawn = '';
    let start = offset;
    let used = 0;
    for (const cell of layout(line)) {
      if (used > 0 && used + cell.width > width) {
        rows.push({ text: drawn, start, end: offset + cell.start });
        drawn = '';
        start = offset + cell.start;
        used = 0;
      }
      if (at >= offset + cell.start && at < offset + cell.end) [row, column] = [rows.length, used];
      drawn += cell.text;
      used += cell.width;
    }
    offset += line.length;
    if (at === offset) [row, column] = [rows.length, used];
    rows.push({ text: drawn, start, end: offset });
    offset += 1;
  }
  return { rows, row, column };
}

/** One row up or down, in the same column as far as that goes; undefined where there is none. */
export function moveRow(edit: Edit, by: -1 | 1, width: number): Edit | undefined {
  const { rows, row, column } = inputArea(edit, width);
  const target = rows[row + by];
  if (target === undefined) return undefined;
  let at = target.start;
  let used = 0;
  for (const cell of layout(edit.text.slice(target.start, target.end))) {
    if (used + cell.width > column) break;
    used += cell.width;
    at = target.start + cell.end;
  }
  // The end of a row that goes on in the next is the beginning of that.
  const isBroken = rows[row + by + 1]?.start === target.end;
  if (isBroken && at === target.end) at = target.start + lastStart(edit.text.slice(target.start, target.end));
  return { ...edit, at };
}

/** As many rows as there is room for, those around the cursor. */
export function windowOf(count: number, row: number, most: number): { readonly from: number; readonly to: number } {
  const room = Math.max(1, most);
  if (count <= room) return { from: 0, to: count };
  const from = Math.min(Math.max(0, row - Math.floor(room / 2)), count - room);
  return { from, to: from + room };
}

function lastStart(text: string): number {
  return layout(text).at(-1)?.start ?? 0;
}
