/** A thunk with its arguments as a run that can be created: its plan, its source, and who answers for its models. */
import type { ImageProblem } from '../../agent/index.ts';
import type { Settings } from '../../config/index.ts';
import type { Activation, Json } from '../../plan/index.ts';
import { type NewRun, thunkPlan } from '../../run/index.ts';
import { displayPath, type ReadResult, readTextFile } from '../../sys/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type AnswerWish, recordedModels } from '../runs/recording.ts';
import { type Answers, readAnswers } from '../runs/refuse.ts';
import { agentImage, type ImageWish } from './agent-image.ts';
import type { OpenAgent } from './open-agent.ts';

export interface ThunkRunWish extends AnswerWish {
  readonly thunk: string;
  readonly input: Json;
  readonly activation: Activation;
  readonly config: Settings;
  /** Where it works. */
  readonly cwd: string;
  readonly model?: ImageWish['model'];
  readonly readReplies?: ((path: string) => Promise<ReadResult>) | undefined;
  readonly recorded?: ImageWish['recorded'];
}

export type ThunkRunRead =
  | {
      readonly ok: true;
      readonly run: NewRun;
      readonly answers: Answers;
      readonly chosen?: string;
      /** What it does without. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly ImageProblem[] };

export async function thunkRun(
  agent: OpenAgent,
  wish: ThunkRunWish,
  args: Args,
  context: Context,
): Promise<ThunkRunRead> {
  const { thunk, input, activation, script, replay, record, cwd, readReplies = readTextFile } = wish;
  const replayed = replay && script !== undefined ? await recordedModels(script, readReplies) : undefined;
  const made = await agentImage(agent, { ...wish, replayed, entry: thunk }, args, context);
  if (!made.ok) return made;
  const { file, program } = agent;
  const plan = thunkPlan({
    image: made.image,
    thunk,
    file,
    activation: { ...activation, cwd },
    workflows: made.workflows,
  });
  const show = (name: string) => displayPath(name, context.cwd);
  const answers = await readAnswers(plan, { script, replay, record, file, show, read: readReplies }, context);
  if (answers.problems.length > 0) return { ok: false, problems: answers.problems };
  const run: NewRun = {
    plan,
    source: program.source.text,
    input,
    file,
    ...(script !== undefined && { script }),
    ...(replay && { replay }),
    ...(record !== undefined && { record }),
    replies: answers.replies,
  };
  return { ok: true, run, answers, notes: made.notes, ...(made.chosen !== undefined && { chosen: made.chosen }) };
}
