/** What a command that drove a run ends with: the output on standard output, the rest in words, and the exit code. */
import type { LeaseOwner, RunRow } from '../../journal/index.ts';
import type { RunEnd } from '../../run/index.ts';
import { type Painter, painter, printable } from '../../text/index.ts';
import { elapsedText, failureText, questionsOf, type RunWord, runWord, usageText } from '../../view/index.ts';
import type { Context, StopSignal } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { programName, quoteForShell } from '../shell.ts';

/** The shape of `--json` of the commands that drive runs, as in `spec/json/run.schema.json`. */
export interface RunJson {
  version: 1;
  run: string;
  name: string;
  file?: string;
  store: string;
  status: RunWord;
  startedAt: number;
  endedAt?: number;
  output?: unknown;
  error?: RunRow['error'];
  waiting: { node: string; kind: string; title: string; since: number; until?: number }[];
  cost?: number;
  inputTokens?: number;
  outputTokens?: number;
  /** Where a detached run writes. */
  log?: string;
}

export interface Ended {
  readonly row: RunRow;
  readonly short: string;
  readonly store: string;
  /** Missing when somebody else drove it. */
  readonly end?: RunEnd;
  readonly driven: boolean;
  readonly signal?: StopSignal;
  readonly json: boolean;
  readonly log?: string;
}

export function runJson({ row, store, driven, log }: Pick<Ended, 'row' | 'store' | 'driven' | 'log'>): RunJson {
  const { id, name, file, startedAt, endedAt, output, error, cost, inputTokens, outputTokens } = row;
  return {
    version: 1,
    run: id,
    name,
    ...(file !== undefined && { file }),
    store,
    status: runWord(row, driven),
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(output !== undefined && { output }),
    ...(error && { error }),
    waiting: (row.waiting ?? []).map(({ node, kind, title, since, until }) => ({
      node,
      kind,
      title,
      since,
      ...(until !== undefined && { until }),
    })),
    ...(cost !== undefined && { cost }),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(log !== undefined && { log }),
  };
}

export function printEnd(ended: Ended, context: Context): ExitCode {
  const { row, json } = ended;
  if (json) context.stdout.write(jsonText(runJson(ended)));
  const { stderr } = context;
  const paint = painter(stderr.color);
  const say = (line: string) => stderr.write(`${line}\n`);
  const special = specialEnd(ended, context, paint, say);
  if (special !== undefined) return special;
  const took = elapsedText((row.endedAt ?? row.updatedAt) - row.startedAt);
  const spent = usageText(row);
  const after = paint.dim(`${took}${spent === '' ? '' : `, ${spent}`}`);
  switch (row.status) {
    case 'done':
      say(`  ${paint.green('done')}  ${after}`);
      if (!json && row.output !== undefined) context.stdout.write(outputText(row.output, context));
      return exit.done;
    case 'failed':
      say(`  ${paint.red('failed')}  ${after}`);
      if (row.error) stderr.write(failureText(row.error, paint));
      say(`      ${command(context, 'show', ended.short)}`);
      return row.error?.code === 'limit' ? exit.limit : exit.failed;
    case 'cancelled':
      say(`  ${paint.yellow('cancelled')}  ${after}`);
      return exit.failed;
    default:
      return waits(ended, context, paint, say);
  }
}

/** Ends that are not the run's own. */
function specialEnd(
  { end, short, signal, row }: Ended,
  context: Context,
  paint: Painter,
  say: (line: string) => void,
): ExitCode | undefined {
  switch (end?.kind) {
    case 'stopped':
      say(`  ${paint.yellow('stopped')}  what is done is kept. To go on:`);
      say(`      ${command(context, 'resume', short)}`);
      return signal === 'SIGTERM' ? exit.terminated : exit.interrupted;
    case 'lost':
      say(
        `  ${paint.red('taken over')}  the run ${short} is driven ${ownerText(end.by)} now; nothing more was done here.`,
      );
      say(`      ${command(context, 'watch', short)}`);
      return exit.failed;
    case 'deadly': {
      const names = end.nodes.map(printable).join(', ');
      say(
        `  ${paint.red('not begun')}  ${names} was running each of the last times that the process of this run died.`,
      );
      say('      To try once more:');
      say(`      ${command(context, 'resume', short, '--again')}`);
      return exit.failed;
    }
    case 'held':
      say(`  ${paint.red('held')}  the run ${short} is driven ${ownerText(end.by)}.`);
      return exit.failed;
    default:
      return row === undefined ? exit.failed : undefined;
  }
}

function waits({ row, short, driven }: Ended, context: Context, paint: Painter, say: (line: string) => void): ExitCode {
  const questions = questionsOf(row);
  if (questions.length === 0) {
    say(`  ${paint.yellow(runWord(row, driven))}  nobody drives it now. To go on:`);
    say(`      ${command(context, 'resume', short)}`);
    return exit.failed;
  }
  const isOne = questions.length === 1;
  for (const { node, kind, title } of questions) {
    const which = isOne ? [] : [quoteForShell(node)];
    if (!isOne) say(`  ${paint.yellow('⏸')} ${printable(node)}  ${printable(title)}`);
    const words = kind === 'limit' ? ['answer'] : ['approve', 'deny'];
    say(`      ${words.map((word) => command(context, word, short, ...which)).join('     ')}`);
  }
  say(`      ${command(context, 'show', short)}`);
  return questions.every(({ kind }) => kind === 'limit') ? exit.limit : exit.waiting;
}

/** `by the process 4711 on this machine`. */
export function ownerText(owner: LeaseOwner | undefined): string {
  return owner === undefined ? 'by somebody else' : `by the process ${owner.pid} on ${printable(owner.host)}`;
}

/** A command that can be pasted. */
export function command({ env }: Context, ...words: readonly string[]): string {
  return [programName(env), ...words].join(' ');
}

/** Text as it is, everything else as JSON. A terminal obeys nothing in it. */
export function outputText(output: unknown, { stdout }: Context): string {
  if (typeof output !== 'string') return jsonText(output);
  const text = stdout.isTTY ? output.split('\n').map(printable).join('\n') : output;
  return text.endsWith('\n') ? text : `${text}\n`;
}
