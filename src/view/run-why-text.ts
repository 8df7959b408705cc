/** Why a run is as it is, for a terminal: a line for each step, or all that is known of one. */
import { displayWidth, type Painter, printable, wrap } from '../text/index.ts';
import { linePair } from './line-pair.ts';
import { markOf, mostName } from './run-line.ts';
import type { RunWhy, StepWhy } from './run-why.ts';
import { oneLine, shorten, shortenName } from './shorten.ts';
import type { WhyPart } from './why-part.ts';

export interface WhyTextOptions {
  readonly paint: Painter;
  readonly columns: number;
  /** A command that can be pasted: a verb, and what stands behind the id of the run. */
  readonly command: (words: readonly string[]) => string;
  /** Lines that were changed are not cut. */
  readonly whole?: boolean;
}

/** One line each; below those that wait, who can end that. */
export function whyText(
  { steps, waiting }: Pick<RunWhy, 'steps' | 'waiting'>,
  { paint, columns, command }: WhyTextOptions,
): string {
  const most = mostName(columns - 2);
  // That a hand was called for the first time tells nothing.
  const told = steps.filter(({ hand, verdict, answers }) => !hand || verdict !== 'first' || answers.length > 0);
  const width = told.reduce((wide, { name }) => Math.max(wide, Math.min(most, displayWidth(printable(name)))), 1);
  const lines: string[] = [];
  for (const step of told) {
    const name = shortenName(step.name, width);
    const padded = name + ' '.repeat(width - displayWidth(name));
    const words = shorten(step.text, Math.max(10, columns - width - 6));
    lines.push(`  ${markOf(step, paint)} ${padded}  ${words}`);
    for (const answer of step.answers) lines.push(`      ${command(answer)}`);
  }
  for (const { title, answers } of waiting) {
    const words = wrap(`the run waits: ${printable(oneLine(title))}`, columns - 4);
    lines.push(...words.map((line, i) => (i === 0 ? `  ${paint.yellow('⏸')} ${line}` : `    ${line}`)));
    for (const answer of answers) lines.push(`      ${command(answer)}`);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** All of one step: what was changed, as it was and as it is. */
export function stepWhyText(step: StepWhy, options: WhyTextOptions): string {
  const { paint, columns, command } = options;
  const { name, text, at, parts, answers } = step;
  const where = at === undefined ? '' : `at ${printable(at)}`;
  const isOne = displayWidth(printable(name)) + displayWidth(where) + 4 <= columns;
  const lines = [
    `${markOf(step, paint)} ${paint.bold(printable(name))}${isOne ? `  ${paint.dim(where)}` : ''}`.trimEnd(),
  ];
  if (!isOne) lines.push(`  ${paint.dim(where)}`);
  lines.push(...wrap(printable(oneLine(text)), columns - 2).map((line) => `  ${line}`));
  for (const part of parts) lines.push(...partLines(part, options));
  for (const answer of answers) lines.push(`      ${command(answer)}`);
  return `${lines.join('\n')}\n`;
}

/** As files call it. */
function wordOf(part: WhyPart['part']): string {
  return part === 'values' ? 'with' : part;
}

function partLines({ part, step, module, old, new: now, at, wasAt }: WhyPart, options: WhyTextOptions): string[] {
  const { paint, columns, whole = false } = options;
  const isValue = part === 'values' && step !== undefined;
  const title = isValue ? `${step}${old === undefined ? '' : ' was, and is'}` : wordOf(part);
  const lines = [`    ${paint.dim(printable(title))}`];
  const place = (where: string | undefined) => (where === undefined ? '' : `${printable(where)}  `);
  const cells = (where: string | undefined) =>
    whole ? Number.POSITIVE_INFINITY : Math.max(20, columns - 8 - displayWidth(place(where)));
  if (old === undefined || now === undefined) {
    const words = module === undefined ? at : `${module}, or a file that it imports`;
    if (words !== undefined) lines.push(`      ${printable(words)}`);
    return lines;
  }
  if (module !== undefined) lines.push(`      ${printable(module)}`);
  const [was, is] = linePair(old, now, { old: cells(wasAt), now: cells(at) });
  lines.push(`    ${paint.red('-')} ${paint.dim(place(wasAt))}${was}`);
  lines.push(`    ${paint.green('+')} ${paint.dim(place(at))}${is}`);
  return lines;
}
