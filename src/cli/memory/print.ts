/** Memories as people and programs read them. */
import { existsSync } from 'node:fs';
import type { Remembered } from '../../run/index.ts';
import { realClock } from '../../sys/index.ts';
import { displayWidth, type Painter, painter, printable } from '../../text/index.ts';
import { oneLine, shorten, whenText } from '../../view/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import type { MemoryHere } from './here.ts';

/** `none`: what is said where there are none. */
export function printMemories(
  memories: readonly Remembered[],
  here: MemoryHere | undefined,
  none: string,
  args: Args,
  { stdout, stderr }: Context,
): ExitCode {
  if (args.switches.json === true) {
    const file = here && existsSync(here.file) ? { file: here.file } : {};
    stdout.write(jsonText({ version: 1, ...file, memories }));
  } else if (memories.length === 0) stderr.write(`${none}\n`);
  else {
    const columns = stdout.isTTY ? stdout.columns : undefined;
    stdout.write(memoryListText(memories, { paint: painter(stdout.color), now: realClock.now(), columns }));
  }
  return exit.done;
}

export interface MemoryListOptions {
  readonly paint: Painter;
  readonly now: number;
  /** Undefined: nothing is cut. */
  readonly columns: number | undefined;
}

const mostAgent = 24;
const leastText = 20;

export function memoryListText(memories: readonly Remembered[], { paint, now, columns }: MemoryListOptions): string {
  const rows = memories.map(({ id, agent, at, text }) => ({
    cells: [String(id), columns === undefined ? printable(agent) : shorten(agent, mostAgent), whenText(at, now)],
    text,
  }));
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map(({ cells }) => displayWidth(cells[i] ?? ''))));
  const before = widths.reduce((sum, width) => sum + width + 2, 0);
  return rows
    .map(({ cells, text }) => {
      const [id = '', agent = '', when = ''] = cells.map(
        (cell, i) => cell + ' '.repeat((widths[i] ?? 0) - displayWidth(cell)),
      );
      const words =
        columns === undefined ? printable(oneLine(text)) : shorten(text, Math.max(leastText, columns - before));
      return `${paint.bold(id)}  ${agent}  ${paint.dim(when)}  ${words}\n`;
    })
    .join('');
}
