/** Reads a workflow with all that a run of it needs: its plan, the hashes of its modules, and who answers for its models. */
import { dirname } from 'node:path';
import type { NewRun } from '../../run/index.ts';
import { displayPath, type ReadResult, readTextFile } from '../../sys/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { type PlanRead, readPlan } from '../read-plan.ts';
import { hashFiles } from './plan-files.ts';
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

export interface WorkflowWish {
  /** `--script`, absolute. */
  readonly script?: string | undefined;
  /** Reads a file with replies, where that is not to be found under its name. */
  readonly readReplies?: (path: string) => Promise<ReadResult>;
}

/** `word` names the file. Nothing is printed, but what is wrong with replies. */
export async function readWorkflow(
  word: string,
  { script, readReplies = readTextFile }: WorkflowWish,
  args: Args,
  context: Context,
): Promise<ReadWorkflow> {
  const since = Date.now();
  const read = await readPlan(word, args, context);
  const { plan, source, file, diagnostics } = read;
  if (plan === undefined || source === undefined) return { ok: false, read, diagnostics, files: read.files };
  const { moduleHashes } = await import('../../run/index.ts');
  const { hashes, files } = await moduleHashes(plan, file.path === undefined ? context.cwd : dirname(file.path));
  const made = [...new Set([...read.files, ...files])];
  const known = file.path === undefined ? undefined : await hashFiles(made, since);
  const show = (name: string) => displayPath(name, context.cwd);
  const answers = await readAnswers(plan, { script, file: file.path, show, read: readReplies }, context);
  return {
    ok: true,
    diagnostics,
    files: [...new Set([...made, ...answers.replies.keys()])],
    workflow: {
      plan,
      source: source.text,
      ...(file.path !== undefined && { file: file.path }),
      ...(script !== undefined && { script }),
      replies: answers.replies,
      modules: hashes,
      ...(known && { files: known }),
    },
    answers,
    problems: answers.problems,
  };
}
