/**
 * Whether the file of a run, or anything that its plan is made of, is another now; and what a run goes on with: as it is
 * stored, or as it is written now. Replies of scripted models stand for the world outside: whatever goes on otherwise
 * takes those that are there now, and a change of them alone is no edit.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashOfPlan } from '../../plan/machine/index.ts';
import type { NewRun, StoredRun } from '../../run/index.ts';
import { displayPath, type ReadResult, readTextFile } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { printObstacles } from '../read-plan.ts';
import { printDiagnostics, printProblems } from '../report.ts';
import { withModels, withNames } from './models.ts';
import { areUnchanged } from './plan-files.ts';
import { type ReadWorkflow, readWorkflow } from './read-workflow.ts';
import { readAnswers } from './refuse.ts';
import { readRunInput } from './run-input.ts';
import type { OpenRuns } from './stores.ts';

export type Edit =
  /** Nothing counts that was changed. */
  | { readonly kind: 'same'; readonly isGone?: boolean; readonly workflow?: ReadWorkflow }
  | { readonly kind: 'edited'; readonly run: NewRun; readonly workflow?: ReadWorkflow }
  /** What is wrong was printed. */
  | { readonly kind: 'wrong'; readonly workflow?: ReadWorkflow };

/**
 * Compares the file of a run with what is stored. Where no file of its plan is another, nothing is planned, unless what it is
 * made of is wanted all the same.
 */
export async function editOf(
  { engine }: OpenRuns,
  root: string,
  args: Args,
  context: Context,
  wants: 'edit' | 'workflow' = 'edit',
): Promise<Edit> {
  const stored = engine.read(root);
  const { row } = stored;
  if (row.file === undefined) return { kind: 'same' };
  const name = printable(displayPath(row.file, context.cwd));
  const file = await readTextFile(row.file);
  // What is there and cannot be read is told below, as every other error of it.
  if (!file.ok && file.problem.kind === 'missing') return { kind: 'same', isGone: true };
  const { script, replay, record, files, models } = stored.started;
  if (wants === 'edit' && files !== undefined && file.ok && (await areUnchanged(files))) return { kind: 'same' };
  const readReplies = keptReplies(stored, engine.store.blob);
  const { activation } = stored.plan;
  if (activation?.thunk !== undefined) return editOfThunk({ stored, readReplies }, args, context);
  const wish = { script, replay, record, readReplies, activation, before: stored.plan };
  const workflow = await readWorkflow(row.file, wish, args, context);
  if (!workflow.ok) {
    printObstacles(workflow.read, context);
    return { kind: 'wrong', workflow };
  }
  const chosen = withNames(models, stored.plan, workflow.workflow.plan);
  const now = { ...workflow.workflow, plan: withModels(workflow.workflow.plan, chosen), models: chosen };
  const { plan } = now;
  if (!isOther(stored, now)) return { kind: 'same', workflow };
  printDiagnostics(workflow.diagnostics, context.stderr);
  const problems = [...workflow.problems];
  if (plan.name !== row.name) {
    problems.push({
      message: `${name} holds the workflow "${plan.name}" now, and the run is one of "${row.name}"`,
      help: 'Give it its name back, or start a new run.',
    });
  }
  const input = await readRunInput([JSON.stringify(stored.input)], plan, async () => ({ ok: false, message: '' }));
  if (!input.ok) problems.push(...misfits(input.problems, name));
  if (problems.length > 0 || !input.ok) {
    printProblems(problems, context);
    return { kind: 'wrong', workflow };
  }
  return { kind: 'edited', run: { ...now, input: input.value as NewRun['input'] }, workflow };
}

/** The same of a run that is one thunk. */
async function editOfThunk(
  { stored, readReplies }: { readonly stored: StoredRun; readonly readReplies: ReturnType<typeof keptReplies> },
  args: Args,
  context: Context,
): Promise<Edit> {
  const { plan, row, started, input } = stored;
  const { file = '' } = row;
  const { activation = {} } = plan;
  const { thunk = 'default', cwd = dirname(file) } = activation;
  const [{ openAgent }, { thunkRun }, { imagesOf }, { readSettings }] = await Promise.all([
    import('../agents/open-agent.ts'),
    import('../agents/thunk-run.ts'),
    import('../agents/with-images.ts'),
    import('../settings.ts'),
  ]);
  const agent = await openAgent(file, args, context);
  if (agent === undefined) return { kind: 'wrong' };
  if (!agent.program.thunks.has(thunk)) {
    const message = `${printable(displayPath(file, context.cwd))} has no thunk "${thunk}" any more`;
    printProblems([{ message, help: 'Give it its name back, or start a new run.' }], context);
    return { kind: 'wrong' };
  }
  const config = await readSettings(dirname(file), args, context);
  const { script, replay, record } = started;
  const recorded = imagesOf(plan);
  const wish = { thunk, input, activation, config, cwd, script, replay, record, readReplies, recorded };
  const made = await thunkRun(agent, wish, args, context);
  if (!made.ok) {
    printProblems(made.problems, context);
    return { kind: 'wrong' };
  }
  // What was chosen for it when it was forked stays so.
  const run = { ...made.run, plan: withModels(made.run.plan, started.models), models: started.models };
  return isOther(stored, run) ? { kind: 'edited', run } : { kind: 'same' };
}

function misfits(problems: readonly string[], name: string): InputProblem[] {
  return problems.map((message, i) => ({
    message: `what the run was given does not fit ${name} any more: ${message}`,
    ...(i === problems.length - 1 && { help: 'Let it fit, or start a new run.' }),
  }));
}

/** Where a run does not know the modules that it was begun with, they do not count. */
function isOther({ plan, started }: StoredRun, now: Omit<NewRun, 'input'>): boolean {
  if (hashOfPlan(plan) !== hashOfPlan(now.plan)) return true;
  return started.modules !== undefined && !areSame(started.modules, now.modules);
}

function areSame(some: Hashes | undefined = {}, others: Hashes | undefined = {}): boolean {
  const names = new Set([...Object.keys(some), ...Object.keys(others)]);
  return [...names].every((name) => some[name] === others[name]);
}

type Hashes = Readonly<Record<string, string>>;

/** Whether the files with replies are others than those that the run has. */
export function hasOtherReplies({ engine }: OpenRuns, root: string, workflow: ReadWorkflow): boolean {
  if (!workflow.ok) return false;
  const { replies = {} } = engine.read(root).started;
  const { replies: now } = workflow.answers;
  if (Object.keys(replies).length !== now.size) return true;
  return Object.entries(replies).some(([path, hash]) => engine.store.blob(hash) !== now.get(path));
}

/** Files with replies as they are now; those that are gone as the run has them. */
function keptReplies({ started }: StoredRun, blob: (hash: string) => string | undefined) {
  return async (path: string): Promise<ReadResult> => {
    const hash = started.replies && Object.hasOwn(started.replies, path) ? started.replies[path] : undefined;
    const kept = hash === undefined ? undefined : blob(hash);
    const read = await readTextFile(path);
    return !read.ok && kept !== undefined ? { ok: true, text: kept } : read;
  };
}

/**
 * What a run goes on with where its file is not looked at. Modules are loaded when steps run, so they are as they are now.
 * Throws where its replies are wrong now.
 */
export async function asStored({ engine }: OpenRuns, root: string, context: Context): Promise<NewRun> {
  const stored = engine.read(root);
  const { plan, source, input, row, started } = stored;
  const { script, replay, record, replies, models, files } = started;
  const { modulesNow } = await import('../../run/index.ts');
  const modules = await modulesNow(stored, row.file === undefined ? context.cwd : dirname(row.file));
  const run: NewRun = {
    plan,
    source,
    input,
    models,
    ...(row.file !== undefined && { file: row.file }),
    ...(script !== undefined && { script }),
    ...(replay && { replay }),
    ...(record !== undefined && { record }),
    // They tell of the modules too.
    ...(files && areSame(modules, started.modules) && { files }),
    modules,
  };
  if (replies === undefined) return run;
  const read = keptReplies(stored, engine.store.blob);
  const paths = Object.keys(replies);
  const show = (path: string) => displayPath(path, context.cwd);
  if (paths.every((path) => existsSync(path))) {
    const answers = await readAnswers(plan, { script, replay, file: row.file, show, read }, context);
    if (answers.problems.length > 0) {
      printProblems(answers.problems, context);
      throw new UsageError('the replies that answer for its models have errors.', 'Mend them first.');
    }
    return { ...run, replies: answers.replies };
  }
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = await read(path);
    if (text.ok) texts.set(path, text.text);
  }
  return { ...run, replies: texts };
}
