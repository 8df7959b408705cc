/** `toolang run FILE`: starts a run and drives it. */
import path from 'node:path';
import type { Json, WorkflowPlan } from '../../plan/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { painter, printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { printObstacles, readPlan } from '../read-plan.ts';
import { printDiagnostics, printProblems } from '../report.ts';
import { detach } from '../runs/detach.ts';
import { driveAndTell, headLine } from '../runs/follow.ts';
import { type Answers, readAnswers, unsupportedProblems } from '../runs/refuse.ts';
import { remarkWith } from '../runs/remark.ts';
import { command, printEnd, runJson } from '../runs/result.ts';
import { readRunInput, type TextSource } from '../runs/run-input.ts';
import { openRunsOf } from '../runs/stores.ts';
import { quoteForShell } from '../shell.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = ''] = args.positionals;
  const read = await readPlan(word, args, context);
  const { plan, source, file, diagnostics } = read;
  if (plan === undefined || source === undefined) {
    printObstacles(read, context);
    return exit.usage;
  }
  printDiagnostics(diagnostics, context.stderr);
  const isPiped = args.texts.script === '-';
  if (isPiped && word === '-') {
    throw new UsageError('standard input is the workflow already, and cannot be the script too.', 'Name a file.');
  }
  const named = isPiped ? '<stdin>' : args.texts.script;
  const script = named === undefined ? undefined : path.resolve(context.cwd, named);
  const show = (name: string) => displayPath(name, context.cwd);
  const readReplies = (name: string) => (isPiped && name === script ? context.stdin.read() : readTextFile(name));
  const answers = await readAnswers(plan, { script, file: file.path, show, read: readReplies }, context);
  const problems = [...unsupportedProblems(plan), ...answers.problems];
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
  const runs = await openRunsOf(file.path, args, context);
  try {
    await runs.settings();
    const created = runs.engine.create({
      plan,
      input: input.value as Json,
      source: source.text,
      ...(file.path !== undefined && { file: file.path }),
      ...(script !== undefined && { script }),
      replies: answers.replies,
    });
    const { id, epoch } = created;
    const json = args.switches.json === true;
    const about = modelText(answers, show);
    context.stderr.write(`${headLine(plan.name, runs.short(id), about, context)}\n`);
    const wait = args.switches.wait === true;
    if (args.switches.detach === true) {
      runs.engine.giveUp(created);
      return await detached(id, wait);
    }
    const ended = await driveAndTell({ runs, root: id, context, json, epoch, wait, held: 'refuse' });
    return printEnd(ended, context);

    async function detached(root: string, stays: boolean): Promise<ExitCode> {
      const { log, problem } = await detach(runs, root, runs.places.logs, stays ? ['--wait'] : [], context);
      const row = runs.engine.store.run(root);
      if (row && json)
        context.stdout.write(jsonText(runJson({ row, store: runs.engine.store.name, driven: true, log })));
      const { stderr } = context;
      if (problem !== undefined) {
        stderr.write(`  ${painter(stderr.color).red('not begun')}  ${problem}\n`);
        return exit.failed;
      }
      // A script may keep it for long, and what is short today is not for ever.
      if (!json) context.stdout.write(`${root}\n`);
      stderr.write(remarkWith('it goes on by itself; its log is', printable(show(log)), stderr));
      stderr.write(`      ${command(context, 'watch', runs.short(root))}\n`);
      return exit.done;
    }
  } finally {
    runs.close();
  }
}

/** Files and standard input, for `--input`; `taken`: what standard input is already. */
function textSource(taken: string | undefined, context: Context): TextSource {
  return async (name) => {
    if (name === '-' && taken !== undefined) return { ok: false, message: `standard input is the ${taken} already` };
    const read = name === '-' ? await context.stdin.read() : await readTextFile(path.resolve(context.cwd, name));
    if (read.ok) return read;
    const message = read.problem.message.replace(path.resolve(context.cwd, name), name);
    return { ok: false, message: message.replace(/\.$/, '') };
  };
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

/** Who answers: said at once, and with the file where replies stand in for agents that cannot be asked. */
function modelText({ scripts, isAsked }: Answers, show: (path: string) => string): string {
  if (!isAsked) return '';
  const files = scripts.flatMap(({ path: name, isStandIn }) => (isStandIn ? [printable(show(name))] : []));
  return files.length === 0 ? 'model: scripted' : `model: scripted (${files.join(', ')})`;
}
