/** `toolang run FILE`: starts a run of a workflow and drives it. `toolang run AGENT`: an agent answers here, line by line. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Json, WorkflowPlan } from '../../plan/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printObstacles } from '../read-plan.ts';
import { printDiagnostics, printProblems } from '../report.ts';
import { tellDetached } from '../runs/detach.ts';
import { driveAndTell, headLine } from '../runs/follow.ts';
import { readProviders } from '../runs/providers.ts';
import { readWorkflow } from '../runs/read-workflow.ts';
import { answerWish } from '../runs/recording.ts';
import type { Answers } from '../runs/refuse.ts';
import { remarkText } from '../runs/remark.ts';
import { command, printEnd } from '../runs/result.ts';
import { readRunInput } from '../runs/run-input.ts';
import { runWatch } from '../runs/run-watch.ts';
import { openRunsOf } from '../runs/stores.ts';
import { textSource } from '../runs/text-source.ts';
import { quoteForShell } from '../shell.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = ''] = args.positionals;
  if (word !== '-' && !/\.toon$/i.test(word)) {
    refuseMistaken(word, context);
    return (await import('../agents/session.ts')).runAgent(word, args, context, 'run');
  }
  refuseWatch(word, args);
  if (args.texts.thread !== undefined) {
    throw new UsageError('--thread is for agents: a workflow is no conversation.', 'Leave it out.');
  }
  const since = Date.now();
  const isPiped = args.texts.script === '-';
  if (isPiped && word === '-') {
    throw new UsageError('standard input is the workflow already, and cannot be the script too.', 'Name a file.');
  }
  const wish = await answerWish(args, word === '-' ? undefined : path.resolve(context.cwd, word), context);
  const { script } = wish;
  const readReplies = (name: string) => (isPiped && name === script ? context.stdin.read() : readTextFile(name));
  const read = await readWorkflow(word, { ...wish, readReplies }, args, context);
  if (!read.ok) {
    printObstacles(read.read, context);
    return exit.usage;
  }
  printDiagnostics(read.diagnostics, context.stderr);
  const { answers, workflow } = read;
  const { plan, file } = workflow;
  const show = (name: string) => displayPath(name, context.cwd);
  const problems = [...read.problems];
  const taken = word === '-' ? 'workflow' : isPiped ? 'script' : undefined;
  const input = await readRunInput(args.lists.input ?? [], plan, textSource(taken, context));
  if (!input.ok) {
    const shown = word === '-' ? word : quoteForShell(word);
    const help = `${command(context, 'run', shown)}${sampleInput(plan)}`;
    problems.push(
      ...input.problems.map((message, i) => ({
        message,
        ...(!input.isUnread && i === input.problems.length - 1 && { help }),
      })),
    );
  }
  if (problems.length > 0 || !input.ok) {
    printProblems(problems, context);
    return exit.usage;
  }
  const runs = await openRunsOf(file, args, context);
  try {
    const settings = await runs.settings();
    const asked = await readProviders(plan, answers, settings, context);
    if (asked.problems.length > 0) {
      printProblems(asked.problems, context);
      return exit.usage;
    }
    const created = runs.engine.create({ ...workflow, input: input.value as Json });
    const { id, epoch } = created;
    const json = args.switches.json === true;
    const about = modelText(answers, asked.refs, settings.limit, show, wish.replay);
    context.stderr.write(`${headLine(plan.name, runs.short(id), about, context)}\n`);
    for (const note of asked.notes) context.stderr.write(remarkText(note, context.stderr));
    const wait = args.switches.wait === true;
    if (args.switches.detach === true) {
      runs.engine.giveUp(created);
      return await tellDetached(runs, id, { flags: wait ? ['--wait'] : [], json }, context);
    }
    if (args.switches.watch === true && file !== undefined) {
      return await runWatch({ runs, created, file, files: read.files, since }, args, context);
    }
    const ended = await driveAndTell({ runs, root: id, context, json, epoch, wait, held: 'refuse' });
    return printEnd(ended, context);
  } finally {
    runs.close();
  }
}

/** A workflow whose name was not written to its end. */
function refuseMistaken(word: string, { cwd }: Context): void {
  const file = `${word}.toon`;
  if (/\.too$/i.test(word) || existsSync(path.resolve(cwd, word)) || !existsSync(path.resolve(cwd, file))) return;
  throw new UsageError(`"${word}" does not exist. (TOO5001)`, `Did you mean "${file}"?`);
}

function refuseWatch(word: string, { switches, texts }: Args): void {
  if (switches.watch !== true) return;
  if (word === '-' || texts.script === '-')
    throw new UsageError('standard input is not saved: it cannot be watched.', 'Name a file.');
  if (switches.detach === true) {
    throw new UsageError('--watch and --detach exclude each other.', 'Watching shows what happens here.');
  }
}

/** The fields that must be given. */
function sampleInput({ input, types }: WorkflowPlan): string {
  const type = input.kind === 'ref' ? types[input.name] : input;
  if (type?.kind !== 'struct') return ' --input VALUE';
  return type.fields
    .filter(({ optional }) => !optional)
    .map(({ name }) => ` --input ${name}=…`)
    .join('');
}

/**
 * Who answers: said at once, with the file where replies stand in for agents, and with what the models of providers may
 * cost.
 */
function modelText(
  { scripts, isAsked, asked, programs }: Answers,
  refs: readonly string[],
  limit: number | undefined,
  show: (path: string) => string,
  replay: true | undefined,
): string {
  if (!isAsked) return '';
  const files = scripts.flatMap(({ path: name, isStandIn }) => (isStandIn ? [printable(show(name))] : []));
  const word = replay ? 'replayed' : 'scripted';
  const scripted = files.length === 0 ? word : `${word} (${files.join(', ')})`;
  if (asked.length + programs.length === 0) return `model: ${scripted}`;
  const called = new Set(programs.map(({ agent: { type, fields } }) => [type, fields.model].filter(Boolean).join('/')));
  const all = [...refs, ...called, ...(scripts.length > 0 ? [scripted] : [])].map(printable).join(', ');
  return `model: ${all}${limit === undefined || asked.length === 0 ? '' : `, at most $${limit.toFixed(2)}`}`;
}
