/**
 * The files of a worktree are set back to those with which a step begins, or which the kept steps have left. In a later segment of
 * the run the first step that is not kept begins where the kept ones ended (`past.ts`). Commits of people stay on their branch
 * (`branch.ts`).
 */
import { quotePath } from '../../sys/index.ts';
import type { StepContext } from '../execute.ts';
import { branchWay } from './branch.ts';
import { claimOf } from './claim.ts';
import type { Desk } from './desk.ts';
import { failWith } from './failure.ts';
import { ownTree } from './own.ts';
import { lookAt, type Tree } from './private-index.ts';
import { refsOf } from './refs.ts';
import { type Aside, type KnownSnapshot, readSnapshot, restoreSnapshot, startSnapshot } from './snapshot.ts';

export interface SetBack {
  readonly restore: (tree: Tree, to: KnownSnapshot, wishes: RestoreWishes) => Promise<{ readonly isAhead: boolean }>;
  /** With what the first step in this segment begins; without one: where all was kept. */
  readonly beginningOf: (
    id: string | undefined,
    worktree: string,
    tree: Tree,
    refs: ReadonlyMap<string, string>,
  ) => Promise<{ readonly to: KnownSnapshot; readonly isOwn: boolean }>;
  /** In a later segment, where nobody has worked in it so far: the files are those after what was kept. */
  readonly settle: (worktree: string, id: string, context: StepContext) => Promise<void>;
  /** Whether a step has said of a worktree that its files are gone. */
  readonly isTold: (worktree: string) => boolean;
}

export interface RestoreWishes {
  /** Of the command for which it is done. */
  readonly id: string;
  readonly worktree: string;
  readonly isOwn: boolean;
  /** Nothing is begun. */
  readonly isOnlyKept?: true;
  readonly context: StepContext;
}

export function createSetBack({ git, run, segment, past, knowledge, inLine, nameOf }: Desk): SetBack {
  const told = new Set<string>();

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
      if (id !== undefined) told.add(worktree);
      const message = `the files that "${last.node}" has left are not there (${nameOf(last.node, last.segment, 'after')})`;
      const step = last.node.replace(/#\d+/g, '').replace(/\/(?:model|tool|granted)$/, '');
      throw failWith({ message: `${message}: "toolang fork ${run} --from ${step}" does it again` });
    }
    const { commit, branch } = claimOf((await knowledge()).common, path) ?? {};
    if (commit === undefined) throw failWith({ message: `it is not known where ${quotePath(gitDir)} began` });
    return { to: await startSnapshot(git, path, commit, branch), isOwn: true };
  }

  return { restore, beginningOf, settle, isTold: (worktree) => told.has(worktree) };
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
