/** What is kept for other runs: one line each, the newest first. */
import type { CacheRow } from '../journal/index.ts';
import { displayWidth, type Painter } from '../text/index.ts';
import { whenText } from './elapsed.ts';
import { count } from './short-value.ts';
import { shorten, shortenName } from './shorten.ts';

export interface CacheListOptions {
  readonly paint: Painter;
  readonly now: number;
  readonly columns: number;
  /** What commands call a run; undefined for one that is gone. */
  readonly short: (run: string) => string | undefined;
}

/** Of a name: no more, and where there is no room no less. */
const mostCells = 40;
const leastCells = 8;

export function cacheListText(rows: readonly CacheRow[], { paint, now, columns, short }: CacheListOptions): string {
  const about = rows.map(({ at, size, run }) => {
    const from = short(run);
    return [bytesText(size), whenText(at, now), from === undefined ? 'of a run that is gone' : `of run ${from}`];
  });
  const widthOf = (cells: readonly number[]) => cells.reduce((sum, width) => sum + width + 2, 0);
  const room = (shown: number) => Math.floor((columns - 2 - widthOf(widthsOf(about).slice(0, shown))) / 2);
  // What matters least is left out first.
  const shown = room(3) >= leastCells ? 3 : 2;
  const cells = Math.min(mostCells, Math.max(leastCells, room(shown)));
  const table = rows.map(({ workflow, step }, i) => {
    return [shorten(workflow, cells), shortenName(step, cells), ...(about[i]?.slice(0, shown) ?? [])];
  });
  const widths = widthsOf(table);
  const lines = table.map((row) =>
    row
      .map((cell, i) => {
        const space = i === row.length - 1 ? '' : ' '.repeat((widths[i] ?? 0) - displayWidth(cell));
        return (i > 1 ? paint.dim(cell) : i === 1 ? paint.bold(cell) : cell) + space;
      })
      .join('  '),
  );
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  return `${[...lines, paint.dim(`${count(rows.length, 'result')}, ${bytesText(bytes)}`)].join('\n')}\n`;
}

function widthsOf(table: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of table) {
    for (const [i, cell] of cells.entries()) widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
  }
  return widths;
}

/** `12 bytes`, `3.4 kB`, `120 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  let size = bytes;
  let unit = '';
  for (unit of ['kB', 'MB', 'GB']) {
    size /= 1000;
    if (size < 999.5) break;
  }
  return `${size < 9.95 ? size.toFixed(1) : String(Math.round(size))} ${unit}`;
}
