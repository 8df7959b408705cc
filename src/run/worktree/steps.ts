/**
 * The steps that make and remove worktrees, and what is done around every step that works in one.
 * 1. Before a step begins, the files are kept; after it ended well, too. That is no time of the step.
 * 2. A step that is begun again, after a crash or as another attempt, begins with the files as they were: unless others may
 *    work there at the same time, whose work would be lost.
 * 3. In a later segment of the run the first step that is not kept begins where the kept ones ended (`past.ts`); the
 *    others go on with what is there. Where all are kept, the files and the branch are those after the last one.
 * 4. A step works only where its run has the folder.
 * 5. Commits of people stay on their branch (`branch.ts`).
 */
import type { JournalEvent } from '../../journal/index.ts';
import type { StepCommand, StepSpec } from '../../machine/index.ts';
import { type Clock, quotePath } from '../../sys/index.ts';
import type { Execute, StepContext, StepResult } from '../execute.ts';
import { branchWay } from './branch.ts';
import { claimOf, claimsIn } from './claim.ts';
import type { AddRequest, TreeContext } from './context.ts';
import { type Failure, failureError, failWith, isFailure } from './failure.ts';
import { commonFolder } from './list.ts';
import { ownTree } from './own.ts';
import { createWorktreePast, type Origin } from './past.ts';
import { askedBy } from './place-segment.ts';
import { lookAt, type Tree } from './private-index.ts';
import { copyRefs, listRefs, type RefPart, refOf, refsOf, setRefs } from './refs.ts';
import { removeTree } from './remove.ts';
import {
  type Aside,
  type KnownSnapshot,
  nameSnapshot,
  readSnapshot,
  restoreSnapshot,
  type Snapshot,
  startSnapshot,
  takeSnapshot,
} from './snapshot.ts';
import { startTree } from './start.ts';

export interface WorktreeStepsOptions extends Omit<TreeContext, 'watch' | 'isPast'> {
  /** Where the segment begins that is driven. */
  readonly segment: number;
  /** The journal, from this event on. */
  readonly events: (from?: number) => Iterable<JournalEvent>;
  readonly clock: Clock;
  /** Ends the processes that stay in a folder for the next step. */
  readonly leave: (folder: string) => Promise<void>;
}

export interface WorktreeSteps {
  /** Of steps of the kind `worktree`. */
  readonly execute: Execute;
  /** The same steps, with their files kept where they work in a worktree. */
  readonly within: (execute: Execute) => Execute;
  /** The run is over. Worktrees of earlier segments to which it has not come again are removed, as at their end. */
  readonly tidy: () => Promise<void>;
}

/** So long after a step its files are those with which the next one begins. */
const freshMs = 1000;

export function createWorktreeSteps(options: WorktreeStepsOptions): WorktreeSteps {
  const { git, home, run, segment, clock } = options;
  let known: Promise<Known> | undefined;
  const past = createWorktreePast(options.events);
  /** What is done to the files of a worktree, one after the other. */
  const lines = new Map<string, Promise<unknown>>();
  /** Of each folder, while nobody has worked there since. */
  const fresh = new Map<string, { readonly snapshot: Snapshot; readonly at: number }>();

  /** Worktrees of which a step has said that its files are gone. */
  const isTold = new Set<string>();

  /** Worktrees that were asked for: in the journal they are when they are there. */
  const adding = new Set<string>();
  const isPast = (node: string) => segment > 1 && !adding.has(node) && !past.isAdded(node);

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
    const { forkOf } = options;
    if (forkOf === undefined) return { common, refs: await listRefs(git, run, cwd) };
    return { common, refs: await copyRefs(git, forkOf, run, cwd, past.forkedAt()) };
  }

  function inLine<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const turn = (lines.get(folder) ?? Promise.resolve()).then(work);
    lines.set(
      folder,
      turn.catch(() => undefined),
    );
    return turn;
  }

  const execute: Execute = async (command, stepContext) => {
    const { spec, worktree, cwd = home } = command;
    // What is done in a worktree inside may be done to the files of the one around it.
    fresh.delete(cwd);
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
      if (unset && !isTold.has(node)) throw unset;
      return { outcome: { ok: removed ? { ...removed } : {} } };
    } catch (error) {
      return { outcome: { err: failureError(error, placeIn(spec)) } };
    }
  };

  /** In a later segment, where nobody has worked in it so far: the files are those after what was kept. */
  async function settle(worktree: string, id: string, context: StepContext): Promise<void> {
    const path = segment > 1 && !past.isCancelled() ? past.folderOf(worktree) : undefined;
    if (path === undefined) return;
    const { common, refs } = await knowledge();
    await inLine(path, async () => {
      const tree = ownTree(common, claimOf(common, path));
      if (tree === undefined || refs.has(nameOf(worktree, segment, 'before')) || (await isPeoples(tree))) return;
      const { to, isOwn } = await beginningOf(undefined, worktree, tree, refs);
      await restore(tree, to, { id, worktree, isOwn, isOnlyKept: true, context });
    });
  }

  /** What is there no step has left so. */
  async function isPeoples(tree: Tree): Promise<boolean> {
    const cwd = { cwd: tree.path };
    const { tree: now } = await lookAt(git, tree);
    if (now === (await git.run(['rev-parse', '-q', '--verify', 'HEAD^{tree}'], cwd)).out.trim()) return false;
    const trees = await git.read(['for-each-ref', '--format=%(tree)', `${refsOf(run)}/`], cwd);
    return !trees.split('\n').includes(now);
  }

  async function restore(
    tree: Tree,
    to: KnownSnapshot,
    { id, worktree, isOwn, isOnlyKept, context }: RestoreWishes,
  ): Promise<{ readonly isAhead: boolean }> {
    const { branch, head } = to;
    const move = isOwn && branch && head ? { branch, to: head, bases: past.bases() } : undefined;
    const way = move && (await branchWay(git, run, tree, move));
    const isAhead = way?.kind === 'ahead';
    if (branch && head && way?.kind === 'astray') {
      // Nobody works in it: it may stay as it is.
      if (isOnlyKept) return { isAhead };
      throw failWith({ message: astray(shortName(branch), way.count, head) });
    }
    const begin = branch && isAhead ? await startSnapshot(git, tree.path, way.commit, shortName(branch)) : to;
    const left = nameOf(id, segment, 'left');
    const { isSet, aside } = await restoreSnapshot(git, tree, begin, { left, worktree, isOwn, watch: context });
    const ahead =
      branch && isAhead && !isOnlyKept
        ? `it begins with ${commitsOf(way.count)} on "${shortName(branch)}" that no step of this run has made`
        : undefined;
    if (aside.length > 0) context.note({ kind: 'worktree.unkept', why: asideWords(aside) });
    if (isSet || ahead) context.note({ kind: 'worktree.restored', ...(isSet && { left }), ...(ahead && { ahead }) });
    return { isAhead };
  }

  function astray(branch: string, count: number, to: string): string {
    const short = to.slice(0, 12);
    return `the branch "${branch}" has ${commitsOf(count)} that no step of this run has made, and it has to go to ${short}: keep ${count === 1 ? 'it' : 'them'} with "git branch NAME ${branch}", then "git branch -f ${branch} ${short}" and "toolang retry ${run}"`;
  }

  /** Sets the files back where that is due, and keeps them. */
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

  /** Of the first step in this segment; without one: where all was kept. */
  async function beginningOf(
    id: string | undefined,
    worktree: string,
    { path, gitDir }: Tree,
    refs: ReadonlyMap<string, string>,
  ): Promise<{ readonly to: KnownSnapshot; readonly isOwn: boolean }> {
    const origins = past.originsOf(worktree, id);
    for (const { node, segment: of, part } of origins) {
      const commit = refs.get(nameOf(node, of, part));
      if (commit !== undefined) return { to: await readSnapshot(git, path, commit), isOwn: !past.isForeign(of) };
    }
    const last = origins.at(-1);
    if (last?.part === 'after') {
      if (id !== undefined) isTold.add(worktree);
      const message = `the files that "${last.node}" has left are not there (${nameOf(last.node, last.segment, 'after')})`;
      const step = last.node.replace(/#\d+/g, '').replace(/\/model$/, '');
      throw failWith({ message: `${message}: "toolang fork ${run} --from ${step}" does it again` });
    }
    const { commit, branch } = claimOf((await knowledge()).common, path) ?? {};
    if (commit === undefined) throw failWith({ message: `it is not known where ${quotePath(gitDir)} began` });
    return { to: await startSnapshot(git, path, commit, branch), isOwn: true };
  }

  /** After a step that went well. Its result counts, whatever becomes of this. */
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

  /** After one that did not go well: its commits are known to be its own. */
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

  function nameOf(node: string, of: number, part: RefPart): string {
    return refOf({ run, node, segment: of, part });
  }

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

interface Known {
  readonly common: string;
  /** What is kept, by refs. */
  readonly refs: Map<string, string>;
}

interface RestoreWishes {
  /** Of the command for which it is done. */
  readonly id: string;
  readonly worktree: string;
  readonly isOwn: boolean;
  /** Nothing is begun. */
  readonly isOnlyKept?: true;
  readonly context: StepContext;
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

/** The next calls of a prompt step are no attempts. */
function isOtherAttempt({ id }: StepCommand): boolean {
  return firstOf(id) !== id && !/\/model#(?!1$)\d+$/.test(id);
}

function firstOf(id: string): string {
  return id.replace(/#\d+/g, '#1');
}

function shortName(branch: string): string {
  return branch.replace(/^refs\/heads\//, '');
}

function commitsOf(count: number): string {
  return count === 1 ? 'a commit' : `${count} commits`;
}

function asideWords(aside: readonly Aside[]): string {
  return aside.map(({ path, to }) => `the repository "${path}" is in ${quotePath(to)} now`).join('; ');
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
