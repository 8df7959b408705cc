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
  const rows = runs.map(({ row, status, short }) => ({
    cells: [short, shorten(row.name, 28), status, whenText(row.startedAt, now), tookText(row, now), moneyText(row)],
    about: aboutOf(row, status),
    status,
  }));
  const widths: number[] = [];
  for (const { cells } of rows) {
    for (const [i, cell] of cells.entries()) widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
  }
  const used = widths.reduce((sum, width) => sum + width + 2, 0);
  const lines = rows.map(({ cells, about, status }) => {
    const padded = cells.map((cell, i) => {
      const space = ' '.repeat((widths[i] ?? 0) - displayWidth(cell));
      if (i === 0) return paint.bold(cell) + space;
      if (i === 2) return paintWord(status, paint) + space;
      return i > 2 ? paint.dim(cell) + space : cell + space;
    });
    const room = Math.max(20, columns - used);
    return [...padded.filter((_, i) => (widths[i] ?? 0) > 0), shorten(about, room)].join('  ').trimEnd();
  });
  const totals = totalsOf(runs);
  const money = totals.cost > 0 ? [paint.dim(`${count(totals.runs, 'run')}, ${costText(totals.cost)} in all`)] : [];
  return `${[...lines, ...money].join('\n')}\n`;
}

function tookText({ startedAt, endedAt, status }: RunRow, now: number): string {
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
