/**
 * The files of the steps in worktrees: kept before a step begins and after it ended, and set back before it begins again.
 * 1. A step that is begun again, after a crash or as another attempt, begins with the files as they were: unless others may
 *    work there at the same time, whose work would be lost.
 * 2. In a later segment of the run the first one begins where the kept ones ended; the others go on with what is there.
 * 3. A step works only where its run has the folder.
 */
import type { StepCommand } from '../../machine/index.ts';
import { quotePath } from '../../sys/index.ts';
import type { StepContext } from '../execute.ts';
import { claimOf } from './claim.ts';
import type { Desk } from './desk.ts';
import { failWith, isFailure } from './failure.ts';
import { ownTree } from './own.ts';
import type { Origin } from './past.ts';
import type { Tree } from './private-index.ts';
import { setRefs } from './refs.ts';
import type { SetBack } from './set-back.ts';
import { nameSnapshot, readSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts';

export interface StepFiles {
  /** Sets the files back where that is due, and keeps them. */
  readonly prepare: (command: StepCommand, context: StepContext, worktree: string) => Promise<void>;
  /** After a step that went well. Its result counts, whatever becomes of this. */
  readonly finish: (command: StepCommand, context: StepContext, worktree: string) => Promise<void>;
  /** After one that did not go well: its commits are known to be its own. */
  readonly rememberEnd: (of: Pick<Origin, 'node' | 'segment'>, cwd: string, context: StepContext) => Promise<void>;
  /** Somebody may have worked in the folder since. */
  readonly stir: (cwd: string) => void;
}

/** So long after a step its files are those with which the next one begins. */
const freshMs = 1000;

export function createStepFiles(
  { git, home, run, segment, clock, knowledge, nameOf }: Desk,
  { restore, beginningOf }: SetBack,
): StepFiles {
  /** Of each folder, while nobody has worked there since. */
  const fresh = new Map<string, { readonly snapshot: Snapshot; readonly at: number }>();

  async function prepare(command: StepCommand, context: StepContext, worktree: string): Promise<void> {
    const { common, refs } = await knowledge();
    const { id, shared, cwd = home } = command;
    const tree = ourTree(common, cwd, worktree);
    const own = nameOf(id, segment, 'before');
    const mark = nameOf(worktree, segment, 'before');
    const last = fresh.get(cwd);
    fresh.delete(cwd);
    if (segment > 1 && !refs.has(mark)) {
      const { to, isOwn } = await beginningOf(id, worktree, tree, refs);
      await restore(tree, to, { id, worktree, isOwn, context });
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
    const { isAhead } = await restore(tree, to, { id, worktree, isOwn: true, context });
    // What people have made is no work of the step.
    if (isAhead) return keep(own, undefined);
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

  async function finish({ id, cwd = home }: StepCommand, context: StepContext, worktree: string): Promise<void> {
    const { common, refs } = await knowledge();
    const ref = nameOf(id, segment, 'after');
    try {
      const tree = ownTree(common, claimOf(common, cwd));
      if (tree === undefined) throw failWith({ message: `the worktree ${quotePath(cwd)} is gone` });
      const snapshot = await kept(tree, ref, worktree, `after ${id}`, context);
      refs.set(ref, snapshot.commit);
      fresh.set(cwd, { snapshot, at: clock.monotonic() });
    } catch (error) {
      if (!isFailure(error)) throw error;
      context.note({ kind: 'worktree.unkept', why: error.message });
    }
  }

  async function rememberEnd(of: Pick<Origin, 'node' | 'segment'>, cwd: string, context: StepContext): Promise<void> {
    const { common, refs } = await knowledge();
    const tree = ownTree(common, claimOf(common, cwd));
    const ref = nameOf(of.node, of.segment, 'failed');
    if (tree === undefined || !refs.has(nameOf(of.node, of.segment, 'before')) || refs.has(ref)) return;
    const head = (await git.run(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { cwd })).out.trim();
    if (head === '') return;
    try {
      await setRefs(git, new Map([[ref, head]]), { cwd });
      refs.set(ref, head);
    } catch (error) {
      if (!isFailure(error)) throw error;
      context.note({ kind: 'worktree.unkept', why: error.message });
    }
  }

  function ourTree(common: string, cwd: string, worktree: string): Tree {
    const claim = claimOf(common, cwd);
    const tree = ownTree(common, claim);
    if (claim?.run === run && tree) return tree;
    const why = claim === undefined || claim.run === run ? 'is gone' : `belongs to the run ${claim.run} by now`;
    const message = `the folder ${quotePath(cwd)} of the worktree "${worktree}" ${why}`;
    throw failWith({ message: `${message}: "toolang retry ${run}" makes it again, with the files as they were kept` });
  }

  return { prepare, finish, rememberEnd, stir: (cwd) => void fresh.delete(cwd) };
}

/** The next calls of a prompt step are no attempts, and neither are those of tools: each goes on with the files of the last. */
function isOtherAttempt({ id, spec }: StepCommand): boolean {
  if (spec.kind === 'tool' || (spec.kind === 'model' && !id.endsWith('/model#1'))) return false;
  return firstOf(id) !== id;
}

function firstOf(id: string): string {
  return id.replace(/#\d+/g, '#1');
}
