/** A list of runs: one line each, newest first, and what they cost together. */
import type { RunRow } from '../journal/index.ts';
import { displayWidth, type Painter, printable } from '../text/index.ts';
import { costText, elapsedText, whenText } from './elapsed.ts';
import { failuresOf, questionsOf, type RunWord } from './run-status.ts';
import { paintWord } from './run-tree-text.ts';
import { count } from './short-value.ts';
import { oneLine, shorten } from './shorten.ts';

export interface ListedRun {
  readonly row: RunRow;
  readonly status: RunWord;
  /** What commands call it. */
  readonly short: string;
  /** What people call it, where that is more than its name. */
  readonly title?: string;
}

export interface RunTotals {
  readonly runs: number;
  /** In dollars, of those whose price is known. */
  readonly cost: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export function totalsOf(runs: readonly ListedRun[]): RunTotals {
  let cost = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  for (const { row } of runs) {
    // A sub-workflow is counted with its root.
    if (row.parent !== undefined) continue;
    cost += row.cost ?? 0;
    inputTokens += row.inputTokens ?? 0;
    outputTokens += row.outputTokens ?? 0;
  }
  return { runs: runs.length, cost, inputTokens, outputTokens };
}

export function runListText(
  runs: readonly ListedRun[],
  { paint, now, columns }: { readonly paint: Painter; readonly now: number; readonly columns: number },
): string {
  const rows = runs.map(({ row, status, short, title = row.name }) => ({
    cells: [
      short,
      shorten(title, mostName),
      status,
      whenText(row.startedAt, now),
      tookText(row, status, now),
      moneyText(row),
    ],
    about: aboutOf(row, status),
    status,
  }));
  const widths = fittedWidths(
    rows.map(({ cells }) => cells),
    columns,
  );
  const used = widths.reduce((sum, width) => sum + (width > 0 ? width + 2 : 0), 0);
  const lines = rows.map(({ cells, about, status }) => {
    const padded = cells.map((whole, i) => {
      const width = widths[i] ?? 0;
      const cell = displayWidth(whole) > width ? shorten(whole, width) : whole;
      const space = ' '.repeat(Math.max(0, width - displayWidth(cell)));
      if (i === 0) return paint.bold(cell) + space;
      if (i === 2) return paintWord(status, paint) + space;
      return i > 2 ? paint.dim(cell) + space : cell + space;
    });
    const room = columns - used;
    const words = room < leastAbout ? '' : shorten(about, room);
    return [...padded.filter((_, i) => (widths[i] ?? 0) > 0), words].join('  ').trimEnd();
  });
  const totals = totalsOf(runs);
  const money = totals.cost > 0 ? [paint.dim(`${count(totals.runs, 'run')}, ${costText(totals.cost)} in all`)] : [];
  return `${[...lines, ...money].join('\n')}\n`;
}

const mostName = 28;
const leastName = 8;
/** Fewer cells say nothing of what matters now. */
const leastAbout = 12;

/** How wide each column is. Where they do not fit, what it cost, how long it took and when it began are left out; then names are cut. */
function fittedWidths(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [i, cell] of cells.entries()) widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
  }
  const over = () => widths.reduce((sum, width) => sum + (width > 0 ? width + 2 : 0), -2) - columns;
  for (let i = widths.length - 1; i > 2 && over() > 0; i--) widths[i] = 0;
  const name = widths[1] ?? 0;
  if (over() > 0) widths[1] = Math.max(Math.min(name, leastName), name - over());
  return widths;
}

/** Of a run that was left nobody knows how long it took so far. */
function tookText({ startedAt, endedAt }: RunRow, status: RunWord, now: number): string {
  if (endedAt === undefined && status !== 'running') return '';
  return elapsedText((endedAt ?? now) - startedAt);
}

function moneyText({ cost }: RunRow): string {
  return cost === undefined || cost === 0 ? '' : costText(cost);
}

/** What matters of it now. */
function aboutOf(row: RunRow, status: RunWord): string {
  if (status === 'waiting')
    return questionsOf(row)
      .map(({ title }) => printable(oneLine(title)))
      .join('; ');
  if (status !== 'failed' || row.error === undefined) return '';
  const [first, ...more] = failuresOf(row.error);
  const which = first?.node === undefined ? '' : `${first.node}: `;
  return `${which}${oneLine(first?.message ?? '')}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
}
