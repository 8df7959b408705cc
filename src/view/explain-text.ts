/** Prints how a workflow runs, or one of its steps in full. */
import { displayWidth, type Painter, printable } from '../text/index.ts';
import { durationText } from './duration.ts';
import type { ExplainedStep, ExplainedWorkflow } from './explain.ts';
import { shorten } from './shorten.ts';

const typeCells = 70;

export function explainText(workflow: ExplainedWorkflow, paint: Painter): string {
  const { name, input, result, types, agents, imports, steps } = workflow;
  const out = [paint.bold(`workflow ${printable(name)}`), `  input   ${type(input)}`, `  result  ${type(result)}`];
  const section = (title: string, rows: readonly string[]) => {
    if (rows.length === 0) return;
    out.push('', paint.bold(title));
    // There may be more of them than a call takes as arguments.
    for (const each of rows) out.push(`  ${each}`);
  };
  section(
    'Types',
    table(
      types.map((each) => [each.name, type(each.type)]),
      paint,
    ),
  );
  section(
    'Agents',
    table(
      agents.map((each) => [each.name, each.type, each.model ?? '', each.from === undefined ? '' : `of ${each.from}`]),
      paint,
    ),
  );
  section(
    'Imports',
    table(
      imports.map((each) => [each.name, each.kind, each.from ?? '']),
      paint,
    ),
  );
  section('Order', orderOf(steps, paint));
  const names = namesOf(steps);
  section(
    'Steps',
    steps.filter((step) => step.key).flatMap((step, i) => [...(i === 0 ? [] : ['']), ...block(step, names, paint)]),
  );
  return `${out.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** One step, with its prompt or its code. */
export function explainStepText(step: ExplainedStep, workflow: ExplainedWorkflow, paint: Painter): string {
  const out = block(step, namesOf(workflow.steps), paint, Number.MAX_SAFE_INTEGER);
  if (step.at) out.push(row('written', `${printable(step.at.file)}:${step.at.line}:${step.at.column}`, paint));
  const text = (title: string, body: string | undefined) => {
    if (body !== undefined) out.push('', paint.bold(title), ...body.split('\n').map((line) => `  ${printable(line)}`));
  };
  text('Prompt', step.prompt);
  text('Code', step.code);
  text('Given', step.given === undefined ? undefined : JSON.stringify(step.given, null, 2));
  return `${out.map((line) => line.trimEnd()).join('\n')}\n`;
}

export function stepName({ id, path }: Pick<ExplainedStep, 'id' | 'path'>): string {
  return id ?? path;
}

function orderOf(steps: readonly ExplainedStep[], paint: Painter): string[] {
  const rows = steps.map((step) => {
    const title = step.id ?? '';
    const about = [step.what, ...step.notes].join(', ');
    return [step.number, title, shorten(about, typeCells)];
  });
  const lines = table(rows, paint);
  const places = new Map(steps.map((step, place) => [step.path, { number: step.number, place }]));
  const atOnce = steps.flatMap(({ number, beside, moreBeside }, place) => {
    const later = beside.flatMap((path) => places.get(path) ?? []).filter((other) => other.place > place);
    if (later.length === 0) return [];
    return [
      `${number} may run at the same time as ${later.map((each) => each.number).join(', ')}${andMore(moreBeside)}`,
    ];
  });
  return [...lines, ...atOnce.map((line) => paint.dim(line))];
}

function namesOf(steps: readonly ExplainedStep[]): ReadonlyMap<string, string> {
  return new Map(steps.map((each) => [each.path, stepName(each)]));
}

function andMore(count: number | undefined): string {
  return count === undefined ? '' : ` and ${count} more`;
}

function block(step: ExplainedStep, names: ReadonlyMap<string, string>, paint: Painter, cells = typeCells): string[] {
  const list = (paths: readonly string[]) => paths.map((path) => printable(names.get(path) ?? path)).join(', ');
  const out = [`${paint.bold(printable(stepName(step)))}  ${paint.cyan(shorten(step.what, cells))}`];
  const add = (name: string, value: string) => {
    if (value !== '') out.push(row(name, value, paint));
  };
  for (const note of step.notes) if (!isDetail(note, step)) add('', shorten(note, cells));
  const width = step.reads.reduce((most, read) => Math.max(most, displayWidth(printable(read.name))), 0);
  for (const [i, read] of step.reads.entries()) {
    const padded = printable(read.name).padEnd(width);
    add(
      i === 0 ? 'reads' : '',
      read.type === undefined ? padded : `${padded}  ${paint.dim(shorten(read.type, cells))}`,
    );
  }
  add('needs', list(step.needs));
  add('beside', `${list(step.beside)}${andMore(step.moreBeside)}`);
  add('gives', step.result === undefined ? '' : shorten(step.result, cells));
  if (step.key) add('key', `${step.key.short}  ${paint.dim(`of ${step.key.parts.join(', ')}`)}`);
  if (step.retry) {
    const { maxAttempts, backoff, initialDelayMs } = step.retry;
    add('retry', `${maxAttempts} attempts, ${backoff} from ${durationText(initialDelayMs)}`);
  }
  if (step.timeoutMs !== undefined) add('timeout', durationText(step.timeoutMs));
  if (step.cache) {
    const by =
      step.cache.by.length > 0 ? step.cache.by.map((text) => shorten(text, cells)).join(', ') : 'all that it reads';
    add('cache', `by ${by}, version ${printable(step.cache.version)}`);
  }
  return out;
}

/** What has a row of its own. */
function isDetail(note: string, { retry, timeoutMs, cache }: ExplainedStep): boolean {
  return (
    (retry !== undefined && note.endsWith(' attempts')) ||
    (timeoutMs !== undefined && note.startsWith('within ')) ||
    (cache !== undefined && note === 'with cache')
  );
}

function row(name: string, value: string, paint: Painter): string {
  return `  ${paint.dim(name.padEnd(8))} ${value}`;
}

function type(text: string): string {
  return shorten(text, typeCells);
}

/** Columns as wide as their widest cell; the first is what the row is about. */
function table(rows: readonly (readonly string[])[], paint: Painter): string[] {
  const cells = rows.map((each) => each.map(printable));
  const widths: number[] = [];
  for (const each of cells)
    for (const [i, cell] of each.entries()) widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
  return cells.map((each) =>
    each
      .map((cell, i) => {
        const padded = cell + ' '.repeat((widths[i] ?? 0) - displayWidth(cell));
        return i === 0 ? paint.bold(padded) : padded;
      })
      .join('  '),
  );
}
