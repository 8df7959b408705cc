/** Reads a workflow with all that a run of it needs: its plan, the hashes of its modules, and who answers for its models. */
import { dirname, join } from 'node:path';
import type { Activation, WorkflowPlan } from '../../plan/index.ts';
import type { NewRun } from '../../run/index.ts';
import { displayPath, type ReadResult, readTextFile } from '../../sys/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { type PlanRead, readPlan } from '../read-plan.ts';
import { hashFiles } from './plan-files.ts';
import { type AnswerWish, recordedModels } from './recording.ts';
import { type Answers, readAnswers } from './refuse.ts';

export type ReadWorkflow = {
  readonly diagnostics: readonly Diagnostic[];
  /** The files that it is made of, absolute, as far as they are known. */
  readonly files: readonly string[];
} & (
  | { readonly ok: false; readonly read: PlanRead }
  | {
      readonly ok: true;
      /** What a run of it is made from, but for the input. */
      readonly workflow: Omit<NewRun, 'input'>;
      readonly answers: Answers;
      /** What stands in the way of running it. */
      readonly problems: readonly InputProblem[];
    }
);

export interface WorkflowWish extends AnswerWish {
  /** Reads a file with replies, where that is not to be found under its name. */
  readonly readReplies?: (path: string) => Promise<ReadResult>;
  /** How its agents are put to work; as the command line says where nothing is said. */
  readonly activation?: Activation | undefined;
  /** The plan of a run that goes on: what was chosen for it stays so. */
  readonly before?: WorkflowPlan;
}

/** `word` names the file. Nothing is printed, but what is wrong with replies. */
export async function readWorkflow(
  word: string,
  wish: WorkflowWish,
  args: Args,
  context: Context,
): Promise<ReadWorkflow> {
  const since = Date.now();
  const { script, replay, record, readReplies = readTextFile } = wish;
  const read = await readPlan(word, args, context);
  const { source, file, diagnostics } = read;
  if (read.plan === undefined || source === undefined) return { ok: false, read, diagnostics, files: read.files };
  const { plan, problems: ofAgents } = await withAgents(read.plan, file.path, wish, args, context);
  const { moduleHashes } = await import('../../run/index.ts');
  const { hashes, files } = await moduleHashes(plan, file.path === undefined ? context.cwd : dirname(file.path));
  const made = [...new Set([...read.files, ...files])];
  // What agents are made of lies in more places than their files.
  const known = file.path === undefined || hasThunks(plan) ? undefined : await hashFiles(made, since);
  const show = (name: string) => displayPath(name, context.cwd);
  const answers = await readAnswers(
    plan,
    { script, replay, record, file: file.path, show, read: readReplies },
    context,
  );
  return {
    ok: true,
    diagnostics,
    files: [...new Set([...made, ...answers.replies.keys()])],
    workflow: {
      plan,
      source: source.text,
      ...(file.path !== undefined && { file: file.path }),
      ...(script !== undefined && { script }),
      ...(replay && { replay }),
      ...(record !== undefined && { record }),
      replies: answers.replies,
      modules: hashes,
      ...(known && { files: known }),
    },
    answers,
    problems: ofAgents.length > 0 ? ofAgents : answers.problems,
  };
}

/** With its agents of type `too` as they are run here, and none of the others beyond what they may use. */
async function withAgents(
  plan: WorkflowPlan,
  file: string | undefined,
  { script, replay, activation, before, readReplies = readTextFile }: WorkflowWish,
  args: Args,
  context: Context,
): Promise<{ readonly plan: WorkflowPlan; readonly problems: readonly InputProblem[] }> {
  if (!hasThunks(plan) && activation === undefined && !isActivated(args)) return { plan, problems: [] };
  const [{ withImages, imagesOf }, { activationOf }, { readSettings }, { beyondCeiling }] = await Promise.all([
    import('../agents/with-images.ts'),
    import('../agents/agent-image.ts'),
    import('../settings.ts'),
    import('./agent-ceiling.ts'),
  ]);
  const root = file ?? join(context.cwd, 'stdin.toon');
  const config = await readSettings(dirname(root), args, context);
  const how = activation ?? activationOf(args, undefined);
  // A script answers for every model.
  const { models, ...others } = how;
  const beyond = await beyondCeiling(plan, script === undefined ? how : others, config, context);
  const replayed = replay && script !== undefined ? await recordedModels(script, readReplies) : undefined;
  const recorded = before && imagesOf(before);
  const wish = { activation: how, config, cwd: dirname(root), script, recorded, replayed };
  const made = await withImages(plan, root, wish, args, context);
  const problems = [...beyond, ...(made.ok ? [] : made.problems)];
  if (!made.ok || problems.length > 0) return { plan, problems };
  return { plan: Object.keys(how).length === 0 ? made.plan : { ...made.plan, activation: how }, problems };
}

/** Whether the command line says how agents are put to work. */
function isActivated({ lists, switches }: Args): boolean {
  const { models, tools, caps } = lists;
  return [models, tools, caps, switches.shared, switches.global].some((each) => each !== undefined);
}

function hasThunks({ agents, workflows }: WorkflowPlan): boolean {
  return Object.values(agents).some(({ type }) => type === 'too') || Object.values(workflows).some(hasThunks);
}
