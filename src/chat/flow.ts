/**
 * What a model says, as rows of a terminal, while it says it.
 * 1. Rows that are done never change: they can be printed above what is drawn again and again. The last row is not done before
 *    its line is, or the next row begins.
 * 2. Prose is broken at blanks, and goes on below where it began, also in lists. Lines of code are left whole: a terminal breaks
 *    them, and who copies them copies what was written.
 * 3. A terminal obeys nothing in it. Tabs are blanks.
 */
import { type Cell, layout } from '../text/index.ts';

export interface Flow {
  /** Gives the rows that are done now. */
  readonly add: (text: string) => readonly string[];
  /** What is shown of the row that is not. */
  readonly pending: () => readonly string[];
  /** The last line is done, whether it has an end or not. */
  readonly end: () => readonly string[];
}

/** Rows of code that one line may have before it is broken. */
const mostCodeRows = 20;

/** `width`: of rows, asked again for each. */
export function createFlow(width: () => number): Flow {
  /** What was said and stands in no row that is done: of one line. */
  let rest = '';
  /** Blanks before the rows of a line behind its first; undefined in the first. */
  let hanging: number | undefined;
  let isFenced = false;

  function rowsOf(line: string, isWhole: boolean): string[] {
    if (isFenced || isFence(line)) {
      if (isWhole) return [drawn(layout(line))];
      if (line.length <= width() * mostCodeRows) return [];
    }
    const rows: string[] = [];
    const cells = layout(line);
    let from = 0;
    for (;;) {
      const indent = hanging ?? 0;
      const cut = breakAt(cells, from, Math.max(4, width() - indent));
      if (cut === undefined) break;
      rows.push(blanks(indent) + drawn(cells.slice(from, cut.end)));
      hanging ??= hangingOf(line, width());
      from = cut.next;
    }
    if (isWhole) {
      rows.push(blanks(hanging ?? 0) + drawn(cells.slice(from)));
      hanging = undefined;
    } else rest = line.slice(cells[from]?.start ?? line.length);
    return rows;
  }

  function closeLine(line: string): string[] {
    const isMark = isFence(line) && hanging === undefined;
    const rows = rowsOf(line, true);
    if (isMark) isFenced = !isFenced;
    hanging = undefined;
    return rows;
  }

  return {
    add(text) {
      const rows: string[] = [];
      const parts = (rest + text).split('\n');
      const last = parts.pop() ?? '';
      rest = '';
      for (const line of parts) rows.push(...closeLine(line.replace(/\r$/, '')));
      rest = last;
      // Half of a character, or of a line end, may come with the next piece.
      const half = /[\ud800-\udbff\r]$/.exec(last)?.[0] ?? '';
      rows.push(...rowsOf(last.slice(0, last.length - half.length), false));
      if (half !== '' && !rest.endsWith(half)) rest += half;
      return rows;
    },
    pending() {
      if (rest === '') return [];
      const cells = layout(rest.replace(/\r$/, ''));
      const indent = hanging ?? 0;
      return chopped(cells, Math.max(4, width() - indent)).map((row) => blanks(indent) + row);
    },
    end() {
      if (rest === '') {
        hanging = undefined;
        isFenced = false;
        return [];
      }
      const line = rest;
      rest = '';
      const rows = closeLine(line.replace(/\r$/, ''));
      isFenced = false;
      return rows;
    },
  };
}

function isFence(line: string): boolean {
  return /^ {0,3}(?:```|~~~)/.test(line);
}

/** Below the words of a list's item, or as far in as the line itself. */
function hangingOf(line: string, width: number): number {
  const lead = /^\s*(?:[-*+•] +|\d{1,3}[.)] +)?/.exec(line)?.[0] ?? '';
  const cells = layout(lead);
  const last = cells.at(-1);
  const used = last === undefined ? 0 : last.column + last.width;
  return used * 2 <= width ? used : 0;
}

/** Where the row that begins at a cell ends, and which cell the next begins with; undefined where all fits. */
function breakAt(
  cells: readonly Cell[],
  from: number,
  width: number,
): { readonly end: number; readonly next: number } | undefined {
  let used = 0;
  /** The first of the last blanks that something stands before. */
  let blank: number | undefined;
  let hasWord = false;
  for (let i = from; i < cells.length; i++) {
    const isBlank = isBlankAt(cells, i);
    if (isBlank && hasWord && !isBlankAt(cells, i - 1)) blank = i;
    hasWord ||= !isBlank;
    used += cells[i]?.width ?? 0;
    // Blanks at the end of a row stand in no row.
    if (used <= width || (isBlank && hasWord)) continue;
    if (blank === undefined) return { end: Math.max(from + 1, i), next: Math.max(from + 1, i) };
    let next = blank;
    while (isBlankAt(cells, next)) next++;
    return { end: blank, next };
  }
  return undefined;
}

function isBlankAt(cells: readonly Cell[], at: number): boolean {
  return cells[at]?.text.trim() === '';
}

/** As a terminal would break it. */
function chopped(cells: readonly Cell[], width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const cell of cells) {
    if (used > 0 && used + cell.width > width) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += cell.text;
    used += cell.width;
  }
  return [...rows, row];
}

function drawn(cells: readonly Cell[]): string {
  return cells
    .map((cell) => cell.text)
    .join('')
    .trimEnd();
}

function blanks(count: number): string {
  return ' '.repeat(count);
}
