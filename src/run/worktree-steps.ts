/**
 * The steps that make and remove worktrees, and what is done around every step that works in one.
 * 1. Before a step begins, the files are kept; after it ended well, too. That is no time of the step.
 * 2. A step that is begun again, after a crash or as another attempt, begins with the files as they were: unless others may
 *    work there at the same time, whose work would be lost.
 * 3. In a later segment of the run the first step that is not kept begins where the kept ones ended (`worktree-past.ts`); the
 *    others go on with what is there.
 * 4. A step works only where its run has the folder.
 */
import type { JournalEvent } from '../journal/index.ts';
import type { StepCommand, StepSpec } from '../machine/index.ts';
import type { WorkflowPlan } from '../plan/index.ts';
import { type Clock, quotePath } from '../sys/index.ts';
import type { Execute, StepContext, StepResult } from './execute.ts';
import { claimOf } from './worktree-claim.ts';
import type { AddRequest, TreeContext } from './worktree-context.ts';
import { failureError, failWith, isFailure } from './worktree-failure.ts';
import type { Tree } from './worktree-index.ts';
import { commonFolder } from './worktree-list.ts';
import { readWorktreePast, type WorktreePast } from './worktree-past.ts';
import { copyRefs, listRefs, type RefPart, refOf } from './worktree-refs.ts';
import {
  type KnownSnapshot,
  nameSnapshot,
  readSnapshot,
  restoreSnapshot,
  type Snapshot,
  startSnapshot,
  takeSnapshot,
  treeAt,
} from './worktree-snapshot.ts';
import { addTree, removeTree } from './worktree-tree.ts';

export interface WorktreeStepsOptions extends Omit<TreeContext, 'watch'> {
  readonly plan: WorkflowPlan;
  /** Where the segment begins that is driven. */
  readonly segment: number;
  /** The whole journal. */
  readonly events: () => Iterable<JournalEvent>;
  readonly clock: Clock;
  /** Ends the processes that stay in a folder for the next step. */
  readonly leave: (folder: string) => Promise<void>;
}

export interface WorktreeSteps {
  /** Of steps of the kind `worktree`. */
  readonly execute: Execute;
  /** The same steps, with their files kept where they work in a worktree. */
  readonly within: (execute: Execute) => Execute;
}

/** So long after a step its files are those with which the next one begins. */
const freshMs = 1000;

export function createWorktreeSteps(options: WorktreeStepsOptions): WorktreeSteps {
  const { git, home, run, segment, clock } = options;
  let known: Promise<Known> | undefined;
  let past: WorktreePast | undefined;
  /** What is done to the files of a worktree, one after the other. */
  const lines = new Map<string, Promise<unknown>>();
  /** Of each folder, while nobody has worked there since. */
  const fresh = new Map<string, { readonly snapshot: Snapshot; readonly at: number }>();

  /** Asked once, when the first worktree is met. */
  function knowledge(): Promise<Known> {
    known ??= know().catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function know(): Promise<Known> {
    const common = await commonFolder(git, home);
    const cwd = { cwd: home };
    const refs = await listRefs(git, run, cwd);
    if (refs.size > 0 || options.forkOf === undefined) return { common, refs };
    await copyRefs(git, options.forkOf, run, cwd);
    return { common, refs: await listRefs(git, run, cwd) };
  }

  function inLine<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const turn = (lines.get(folder) ?? Promise.resolve()).then(work);
    lines.set(
      folder,
      turn.catch(() => undefined),
    );
    return turn;
  }

  const execute: Execute = async ({ spec, cwd }, stepContext) => {
    const context = { ...options, watch: stepContext };
    try {
      await knowledge();
      if (spec.action === 'add') {
        const { isOld: _, ...added } = await addTree(context, requestOf(spec, cwd), stepContext.signal);
        stepContext.note({ kind: 'worktree.added', ...added });
        return { outcome: { ok: { ...added } } };
      }
      const removed = await removeTree(context, String(spec.node), spec.keep === true, options.leave);
      if (removed) stepContext.note({ kind: 'worktree.removed', ...removed });
      return { outcome: { ok: removed ? { ...removed } : {} } };
    } catch (error) {
      return { outcome: { err: failureError(error, placeIn(spec)) } };
    }
  };

  /** Sets the files back where that is due, and keeps them. */
  async function prepare(command: StepCommand, context: StepContext, worktree: string): Promise<void> {
    const { common, refs } = await knowledge();
    const { id, shared, cwd = home } = command;
    const tree = ourTree(common, cwd, worktree);
    const own = nameOf(id, segment, 'before');
    const mark = nameOf(worktree, segment, 'before');
    const last = fresh.get(cwd);
    fresh.delete(cwd);
    const restore = async (to: KnownSnapshot, isOwn: boolean) => {
      const left = nameOf(id, segment, 'left');
      if (await restoreSnapshot(git, tree, to, { left, worktree, isOwn, watch: context })) {
        context.note({ kind: 'worktree.restored', left });
      }
    };
    if (segment > 1 && !refs.has(mark)) {
      const { to, isOwn } = await beginningOf(command, worktree, tree, refs);
      await restore(to, isOwn);
      await keep(own, undefined);
      const commit = refs.get(own) ?? to.commit;
      await nameSnapshot(git, tree, mark, { commit, index: undefined });
      refs.set(mark, commit);
      return;
    }
    const earlier =
      refs.get(own) ?? (isOtherAttempt(command) ? refs.get(nameOf(firstOf(id), segment, 'before')) : undefined);
    if (earlier === undefined || shared) {
      if (!refs.has(own)) await keep(own, shared ? undefined : last);
      return;
    }
    const to = await readSnapshot(git, cwd, earlier);
    await restore(to, true);
    if (refs.has(own)) return;
    await nameSnapshot(git, tree, own, { commit: earlier, index: to.index });
    refs.set(own, earlier);

    async function keep(ref: string, before: typeof last): Promise<void> {
      if (before && clock.monotonic() - before.at < freshMs) {
        await nameSnapshot(git, tree, ref, before.snapshot);
        refs.set(ref, before.snapshot.commit);
      } else refs.set(ref, (await kept(tree, ref, worktree, `before ${id}`, context)).commit);
    }
  }

  async function kept(
    tree: Tree,
    ref: string,
    worktree: string,
    title: string,
    context: StepContext,
  ): Promise<Snapshot> {
    const snapshot = await takeSnapshot(git, tree, ref, worktree, title);
    if (snapshot.unkept !== undefined) context.note({ kind: 'worktree.unkept', why: snapshot.unkept });
    return snapshot;
  }

  /** Of the first step in this segment. */
  async function beginningOf(
    { id }: StepCommand,
    worktree: string,
    { path, gitDir }: Tree,
    refs: ReadonlyMap<string, string>,
  ): Promise<{ readonly to: KnownSnapshot; readonly isOwn: boolean }> {
    past ??= readWorktreePast(options.events(), options.plan, segment);
    const origin = past.originOf(worktree, id);
    if (origin === undefined) {
      const { commit, branch } = claimOf((await knowledge()).common, path) ?? {};
      if (commit === undefined) throw failWith({ message: `it is not known where ${quotePath(gitDir)} began` });
      return { to: await startSnapshot(git, path, commit, branch), isOwn: true };
    }
    const ref = nameOf(origin.node, origin.segment, origin.part);
    const commit = refs.get(ref);
    if (commit === undefined) {
      const message = `the files with which it has to begin are not kept any more (${ref})`;
      throw failWith({ message: `${message}: let the steps of the worktree be done again` });
    }
    return { to: await readSnapshot(git, path, commit), isOwn: !past.isForeign(origin.segment) };
  }

  /** After a step that went well. Its result counts, whatever becomes of this. */
  async function finish({ id, cwd = home }: StepCommand, context: StepContext, worktree: string): Promise<void> {
    const { refs } = await knowledge();
    const ref = nameOf(id, segment, 'after');
    try {
      const tree = treeAt(cwd);
      if (tree === undefined) throw failWith({ message: `the worktree ${quotePath(cwd)} is gone` });
      const snapshot = await kept(tree, ref, worktree, `after ${id}`, context);
      refs.set(ref, snapshot.commit);
      fresh.set(cwd, { snapshot, at: clock.monotonic() });
    } catch (error) {
      if (!isFailure(error)) throw error;
      context.note({ kind: 'worktree.unkept', why: error.message });
    }
  }

  function ourTree(common: string, cwd: string, worktree: string): Tree {
    const claim = claimOf(common, cwd);
    const tree = treeAt(cwd);
    if (claim?.run === run && tree) return tree;
    const why = claim === undefined || claim.run === run ? 'is gone' : `belongs to the run ${claim.run} by now`;
    const message = `the folder ${quotePath(cwd)} of the worktree "${worktree}" ${why}`;
    throw failWith({ message: `${message}: "toolang retry ${run}" makes it again, with the files as they were kept` });
  }

  function nameOf(node: string, of: number, part: RefPart): string {
    return refOf({ run, node, segment: of, part });
  }

  return {
    execute,
    within: (inner) => (command, context) => {
      const { worktree, cwd = home } = command;
      if (worktree === undefined) return inner(command, context);
      return around(command, context, () => inner(command, context), {
        before: () => inLine(cwd, () => prepare(command, context, worktree)),
        after: () => inLine(cwd, () => finish(command, context, worktree)),
      });
    },
  };
}

interface Known {
  readonly common: string;
  /** What is kept, by refs. */
  readonly refs: Map<string, string>;
}

interface Around {
  readonly before: () => Promise<void>;
  readonly after: () => Promise<void>;
}

async function around(
  { spec }: StepCommand,
  context: StepContext,
  work: () => Promise<StepResult>,
  { before, after }: Around,
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
  if (!('err' in result.outcome)) await untimed(after());
  return result;
}

/** The next calls of a prompt step are no attempts. */
function isOtherAttempt({ id }: StepCommand): boolean {
  return firstOf(id) !== id && !/\/model#(?!1$)\d+$/.test(id);
}

function firstOf(id: string): string {
  return id.replace(/#\d+/g, '#1');
}

function requestOf(spec: StepSpec, cwd: string | undefined): AddRequest {
  const { branch, base } = spec;
  return {
    node: String(spec.node),
    path: String(spec.path),
    ...(typeof branch === 'string' && { branch }),
    ...(typeof base === 'string' && { base }),
    ...(cwd !== undefined && { cwd }),
  };
}

function placeIn({ at }: StepSpec): string | undefined {
  return typeof at === 'string' ? at : undefined;
}
