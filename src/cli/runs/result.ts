/** What a command that drove a run ends with: the output on standard output, the rest in words, and the exit code. */
import type { LeaseOwner, RunRow } from '../../journal/index.ts';
import type { RunEnd } from '../../run/index.ts';
import { displayWidth, type Painter, painter, printable } from '../../text/index.ts';
import {
  answerCommands,
  elapsedText,
  failureText,
  heldText,
  mostName,
  questionLines,
  questionName,
  questionsOf,
  type RunWord,
  runWord,
  usageText,
} from '../../view/index.ts';
import type { Context, StopSignal } from '../context.ts';
import { type ExitCode, exit, stopCode } from '../exit.ts';
import { jsonText } from '../json.ts';
import { programName, quoteForShell } from '../shell.ts';
import { remarkText } from './remark.ts';
import { lineColumns, shownOn, wrapColumns } from './shown.ts';

/** The shape of `--json` of the commands that drive runs, as in `spec/json/run.schema.json`. */
export interface RunJson {
  version: 1;
  run: string;
  name: string;
  file?: string;
  store: string;
  /** The run that it was forked from. */
  forkOf?: string;
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
  /** When it began to be as it is now; missing where that was when it was started. */
  readonly since?: number;
  /** What stands on standard output already. */
  readonly said?: string;
  /** It was to be recorded, and was not. */
  readonly unrecorded?: boolean;
}

export function runJson({ row, store, driven, log }: Pick<Ended, 'row' | 'store' | 'driven' | 'log'>): RunJson {
  const { id, name, file, forkOf, startedAt, endedAt, output, error, cost, inputTokens, outputTokens } = row;
  return {
    version: 1,
    run: id,
    name,
    ...(file !== undefined && { file }),
    store,
    ...(forkOf !== undefined && { forkOf }),
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

/** `write`: how JSON is written; where there are several of them, in a line each. */
export function printEnd(ended: Ended, context: Context, write: (value: unknown) => string = jsonText): ExitCode {
  const code = tellEnd(ended, context);
  // Behind what is told: on a terminal nothing stands below it.
  if (ended.json) context.stdout.write(write(runJson(ended)));
  return ended.unrecorded && code === exit.done ? exit.failed : code;
}

function tellEnd(ended: Ended, context: Context): ExitCode {
  const { row, json } = ended;
  const { stderr } = context;
  const paint = painter(stderr.color);
  const say: Say = (word, color, text, next) => {
    stderr.write(remarkText(`${word}  ${text}`, stderr, { word, color }));
    if (next !== undefined) stderr.write(`      ${next}\n`);
  };
  const special = specialEnd(ended, context, say);
  if (special !== undefined) return special;
  const took = elapsedText((row.endedAt ?? row.updatedAt) - (ended.since ?? row.startedAt));
  const spent = usageText(row);
  const after = paint.dim(`${took}${spent === '' ? '' : `, ${spent}`}`);
  switch (row.status) {
    case 'done':
      stderr.write(`  ${paint.green('done')}  ${after}\n`);
      if (!json && row.output !== undefined && row.output !== ended.said)
        context.stdout.write(outputText(row.output, context));
      return exit.done;
    case 'failed':
      stderr.write(`  ${paint.red('failed')}  ${after}\n`);
      if (row.error) stderr.write(failureText(row.error, paint, wrapColumns(stderr)));
      stderr.write(`      ${command(context, 'show', ended.short)}\n`);
      return exit.failed;
    case 'cancelled':
      stderr.write(`  ${paint.yellow('cancelled')}  ${after}\n`);
      return exit.failed;
    default:
      return waits(ended, context, say);
  }
}

/** What it came to, in a word, and what that means; below it a command that goes on. */
type Say = (word: string, color: keyof Painter, text: string, next?: string) => void;

/** Ends that are not the run's own. */
function specialEnd({ end, short, signal, row, driven }: Ended, context: Context, say: Say): ExitCode | undefined {
  switch (end?.kind) {
    case 'stopped':
      if (end.unsaved !== undefined) {
        say(
          'stopped',
          'red',
          `what was done last is not kept: ${printable(end.unsaved)}. To go on:`,
          command(context, 'resume', short),
        );
        return stopCode(signal);
      }
      if (runWord(row, false) === 'waiting' && questionsOf(row).length > 0) {
        say('stopped', 'yellow', 'what is done is kept; the run waits for an answer');
        askAgain(row, short, context);
      } else {
        say('stopped', 'yellow', 'what is done is kept. To go on:', command(context, 'resume', short));
      }
      return stopCode(signal);
    case 'lost':
      say(
        'taken over',
        'red',
        `the run ${short} is driven ${ownerText(end.by)} now; nothing more was done here.`,
        command(context, 'watch', short),
      );
      return exit.failed;
    case 'deadly': {
      say('not begun', 'red', `${heldText(end.nodes)} To try once more:`, command(context, 'resume', short, '--again'));
      return exit.failed;
    }
    case 'held':
      say(
        'held',
        'red',
        `the run ${short} is driven ${ownerText(end.by)}. To see how it goes on:`,
        command(context, 'watch', short),
      );
      return exit.failed;
    default:
      // It was only followed.
      if (signal === undefined || row.endedAt !== undefined || !driven) return undefined;
      say('left', 'yellow', 'the run goes on without this command. To see how:', command(context, 'watch', short));
      return stopCode(signal);
  }
}

function waits({ row, short, driven, end }: Ended, context: Context, say: Say): ExitCode {
  const questions = questionsOf(row);
  if (questions.length === 0) {
    say(runWord(row, driven), 'yellow', 'nobody drives it now. To go on:', command(context, 'resume', short));
    return exit.failed;
  }
  askAgain(row, short, context);
  context.stderr.write(`      ${command(context, 'show', short)}\n`);
  if (end?.kind === 'waiting' && end.held !== undefined) {
    say('not begun', 'red', `${heldText(end.held)} To try once more:`, command(context, 'resume', short, '--again'));
  }
  return questions.every(({ kind }) => kind === 'limit') ? exit.limit : exit.waiting;
}

/** What it asks, with the commands that answer; what stands just above is not said twice. */
function askAgain(row: RunRow, short: string, context: Context): void {
  const { stderr } = context;
  const questions = questionsOf(row);
  const answers = answerCommands(questions);
  const shown = shownOn(stderr);
  if (questions.every(({ node }) => shown.get(node))) return;
  const [only] = questions;
  const isAbove = questions.length === 1 && only !== undefined && shown.has(only.node);
  for (const [i, { node, kind, title }] of questions.slice(0, mostAsked).entries()) {
    const name = questionName(node);
    const request = { node, kind: kind === 'limit' ? kind : ('approval' as const), title, hash: '' };
    const columns = lineColumns(stderr);
    const width = Math.min(mostName(columns), Math.max(10, displayWidth(name)));
    const lines = questionLines(name, request, { paint: painter(stderr.color), now: 0, width, columns });
    for (const line of isAbove ? [] : lines) stderr.write(`  ${line}\n`);
    stderr.write(answerText(answers[i] ?? [], short, context));
  }
  const more = questions.length - mostAsked;
  if (more > 0) stderr.write(`  and ${more} more\n`);
}

/** Whoever has hundreds of questions open looks at them with `show`. */
const mostAsked = 20;

/** Commands that answer one question, below it: in one line where they fit. */
export function answerText(answers: readonly (readonly string[])[], short: string, context: Context): string {
  const all = answers.map(([verb = '', ...rest]) => command(context, verb, short, ...rest.map(quoted)));
  const line = all.join('     ');
  return (displayWidth(line) + 4 <= lineColumns(context.stderr) ? [line] : all)
    .map((each) => `      ${each}\n`)
    .join('');
}

/** A word of a command; flags are ours. */
export function quoted(word: string): string {
  return word.startsWith('-') ? word : quoteForShell(word);
}

/** `by the process 4711 on this machine`. */
export function ownerText(owner: LeaseOwner | undefined): string {
  return owner === undefined ? 'by somebody else' : `by the process ${owner.pid} on ${printable(owner.host)}`;
}

/** A command that can be pasted: about a run it says where that is, as this one was told. */
export function command({ env, places = [] }: Context, ...words: readonly string[]): string {
  const isPlaced = !aboutRuns.has(words[0] ?? '') || words.some((word) => /^--(?:root|home|store)$/.test(word));
  return [programName(env), ...words, ...(isPlaced ? [] : places)].join(' ');
}

const aboutRuns = new Set([
  ...[
    'approve',
    'deny',
    'answer',
    'resume',
    'retry',
    'fork',
    'cancel',
    'steer',
    'show',
    'why',
    'logs',
    'watch',
    'graph',
  ],
]);

/** Text as it is, everything else as JSON. A terminal obeys nothing in it. */
export function outputText(output: unknown, { stdout }: Context): string {
  if (typeof output !== 'string') return jsonText(output);
  const text = stdout.isTTY ? output.split('\n').map(printable).join('\n') : output;
  return text.endsWith('\n') ? text : `${text}\n`;
}
