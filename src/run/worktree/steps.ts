/**
 * The steps that make and remove worktrees, and what is done around every step that works in one.
 * 1. Before a step begins, the files are kept; after it ended well, too (`step-files.ts`). That is no time of the step.
 * 2. Where all steps are kept, the files and the branch are those after the last one when it is removed (`set-back.ts`). Where that
 *    cannot be, it is removed all the same.
 */
import type { StepCommand, StepSpec } from '../../machine/index.ts';
import type { Execute, StepContext, StepResult } from '../execute.ts';
import { claimsIn } from './claim.ts';
import type { AddRequest } from './context.ts';
import { createDesk, type DeskOptions } from './desk.ts';
import { type Failure, failureError, isFailure } from './failure.ts';
import { askedBy } from './place-segment.ts';
import { removeTree } from './remove.ts';
import { createSetBack } from './set-back.ts';
import { startTree } from './start.ts';
import { createStepFiles } from './step-files.ts';

export interface WorktreeSteps {
  /** Of steps of the kind `worktree`. */
  readonly execute: Execute;
  /** The same steps, with their files kept where they work in a worktree. */
  readonly within: (execute: Execute) => Execute;
  /** The run is over. Worktrees of earlier segments to which it has not come again are removed, as at their end. */
  readonly tidy: () => Promise<void>;
}

/** Most runs have none: what it takes is made with the first. */
export function createWorktreeSteps(options: DeskOptions): WorktreeSteps {
  let made: WorktreeSteps | undefined;
  const steps = () => {
    made ??= stepsOf(options);
    return made;
  };
  return {
    execute: (command, context) => steps().execute(command, context),
    within: (inner) => (command, context) =>
      command.worktree === undefined ? inner(command, context) : steps().within(inner)(command, context),
    async tidy() {
      if (made !== undefined || options.segment > 1) await steps().tidy();
    },
  };
}

function stepsOf(options: DeskOptions): WorktreeSteps {
  const { home, run, segment } = options;
  const desk = createDesk(options);
  const { past, knowledge, inLine } = desk;
  const setBack = createSetBack(desk);
  const { settle, isTold } = setBack;
  const { prepare, finish, rememberEnd, stir } = createStepFiles(desk, setBack);
  /** Worktrees that were asked for: in the journal they are when they are there. */
  const adding = new Set<string>();
  const isPast = (node: string) => segment > 1 && !adding.has(node) && !past.isAdded(node);

  const execute: Execute = async (command, stepContext) => {
    const { spec, worktree, cwd = home } = command;
    // What is done in a worktree inside may be done to the files of the one around it.
    stir(cwd);
    const context = { ...options, watch: stepContext, isPast };
    try {
      const { common } = await knowledge();
      const asked = askedBy(command);
      if (asked) {
        adding.add(asked.worktree);
        if (worktree !== undefined) await settle(worktree, command.id, stepContext);
        const start = segment > 1 ? past.startOf(asked) : undefined;
        const begun = await startTree(context, common, requestOf(command), start, stepContext.signal);
        const { isOld, isNew, ...added } = begun;
        // Whoever worked there was killed.
        if (isOld) for (const open of past.openIn(asked.worktree)) await rememberEnd(open, added.path, stepContext);
        const { branch, base } = asked;
        stepContext.note({
          kind: 'worktree.added',
          ...added,
          asked: { ...(branch !== undefined && { branch }), ...(base !== undefined && { base }) },
          ...(worktree !== undefined && { around: worktree }),
          ...(isNew && { made: true }),
        });
        return { outcome: { ok: { ...added } } };
      }
      const node = String(spec.node);
      const unset = await settle(node, command.id, stepContext).then(() => undefined, failureOf);
      for (const open of past.openIn(node)) {
        if (open.segment === segment) await rememberEnd(open, past.folderOf(node) ?? home, stepContext);
      }
      const removed = await removeTree(context, node, spec.keep === true, options.leave);
      if (removed) stepContext.note({ kind: 'worktree.removed', ...removed });
      if (unset && !isTold(node)) throw unset;
      return { outcome: { ok: removed ? { ...removed } : 'there was nothing to remove' } };
    } catch (error) {
      return { outcome: { err: failureError(error, placeIn(spec)) } };
    }
  };

  return {
    execute,
    async tidy() {
      if (!past.hasEarlier()) return;
      try {
        const { common } = await knowledge();
        for (const { run: of, node, left } of claimsIn(common)) {
          if (of === run && left === undefined && isPast(node)) await removeTree(options, node, false, options.leave);
        }
      } catch (error) {
        // The run has its end: what cannot be removed now is tried again, and told, when the run is pruned.
        failureError(error, undefined);
      }
    },
    within: (inner) => (command, context) => {
      const { worktree, cwd = home } = command;
      if (worktree === undefined) return inner(command, context);
      return around(command, context, () => inner(command, context), {
        before: () => inLine(cwd, () => prepare(command, context, worktree)),
        after: () => inLine(cwd, () => finish(command, context, worktree)),
        failed: () => inLine(cwd, () => rememberEnd({ node: command.id, segment }, cwd, context)),
      });
    },
  };
}

interface Around {
  readonly before: () => Promise<void>;
  readonly after: () => Promise<void>;
  readonly failed: () => Promise<void>;
}

async function around(
  { spec }: StepCommand,
  context: StepContext,
  work: () => Promise<StepResult>,
  { before, after, failed }: Around,
): Promise<StepResult> {
  // Neither is time of the step.
  const untimed = (turn: Promise<void>): Promise<void> => {
    context.queued?.(turn.catch(() => undefined));
    return turn;
  };
  try {
    await untimed(before());
  } catch (error) {
    return { outcome: { err: failureError(error, placeIn(spec)) } };
  }
  const result = await work();
  await untimed('err' in result.outcome ? failed() : after());
  return result;
}

function requestOf({ spec, cwd }: StepCommand): AddRequest {
  const { branch, base } = spec;
  return {
    node: String(spec.node),
    path: String(spec.path),
    ...(typeof branch === 'string' && { branch }),
    ...(typeof base === 'string' && { base }),
    ...(cwd !== undefined && { cwd }),
  };
}

function failureOf(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown;
  throw thrown;
}

function placeIn({ at }: StepSpec): string | undefined {
  return typeof at === 'string' ? at : undefined;
}
