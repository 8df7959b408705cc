/**
 * Worktrees of runs: made, used again, removed.
 * 1. To add one twice is to add it once: what is there and ours is used, what is gone is made again where it began, and what
 *    a killed process left half done is cleared away.
 * 2. A folder or a branch that another run has, which nobody drives now, is left to it: the worktree gets a folder of its
 *    own, with the run's id behind the name, and no branch. One that is driven is in the way, for as long as it has it.
 * 3. Nothing is removed that would be lost: neither files that are not committed, nor commits that no branch has.
 * 4. Folders of people are never touched.
 */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { quotePath } from '../sys/index.ts';
import { beginning, madeRef, startRef } from './worktree-begin.ts';
import { type Claim, changeClaim, claimOf, claimsIn, dropClaim, makeClaim } from './worktree-claim.ts';
import { clearAway } from './worktree-clear.ts';
import type { AddRequest, TreeContext } from './worktree-context.ts';
import { failWith, isFailure } from './worktree-failure.ts';
import { type Git, gitFailure, gitSaid } from './worktree-git.ts';
import { dropIndexes } from './worktree-index.ts';
import { commonFolder, isSameFolder, listTrees, realPath } from './worktree-list.ts';
import { setRefs } from './worktree-refs.ts';
import { treeAt } from './worktree-snapshot.ts';

export interface AddedTree {
  readonly path: string;
  readonly branch?: string;
  readonly commit: string;
  /** Why it is not where, or not on what, it was to be. */
  readonly why?: string;
  /** It was there. */
  readonly isOld?: true;
}

export interface RemovedTree {
  readonly path: string;
  /** Why it is still there. */
  readonly kept?: string;
}

/** `stop`: it is given up, and nothing of it stays. */
export async function addTree(context: TreeContext, request: AddRequest, stop?: AbortSignal): Promise<AddedTree> {
  const { git, home, run } = context;
  if (request.path.trim() === '' || request.path.includes('\0')) {
    throw failWith({
      message: `"path" is ${JSON.stringify(request.path)}, which is no folder: write the path of a new one`,
    });
  }
  const common = await commonFolder(git, home);
  const wanted = realPath(resolve(home, request.path));
  const other = otherClaim(context, common, wanted, request.node);
  if (other === undefined) return settle(context, common, request, wanted, undefined, stop);
  const why = `${quotePath(wanted)} is the worktree of the run ${other.run} (${other.node})`;
  if (context.isDriven(other)) {
    const message = `${why}, which is at work: wait for its end, or let "path" be another one for each run`;
    throw failWith({ message, retryable: true });
  }
  return settle(context, common, request, `${wanted}-${run}`, why, stop);
}

/** Whoever else has the folder. The iterations of a loop share one. */
function otherClaim({ run, isDriven }: TreeContext, common: string, path: string, node: string): Claim | undefined {
  const claim = claimOf(common, path);
  if (claim === undefined) return undefined;
  if (claim.run !== run) {
    if (existsSync(path) || isDriven(claim)) return claim;
    // Somebody removed the folder.
    dropClaim(common, path);
    return undefined;
  }
  if (pathOf(claim.node) === pathOf(node)) return undefined;
  const message = `${quotePath(path)} is the worktree "${claim.node}" of this run: let "path" be another one for each`;
  throw failWith({ message });
}

function pathOf(node: string): string {
  return node.replace(/\[\d+\]/g, '').replace(/#\d+/g, '');
}

async function settle(
  context: TreeContext,
  common: string,
  request: AddRequest,
  path: string,
  why: string | undefined,
  stop: AbortSignal | undefined,
): Promise<AddedTree> {
  const { run, me } = context;
  const { node } = request;
  const claim = claimOf(common, path);
  if (claim?.state === 'ready' && claim.commit !== undefined && treeAt(path) !== undefined) {
    const { branch, commit } = claim;
    changeClaim(common, { ...claim, node, owner: me });
    return { path, commit, isOld: true, ...(branch !== undefined && { branch }), ...(why !== undefined && { why }) };
  }
  const mine: Claim = { run, node, path, state: 'adding', owner: me };
  if (claim !== undefined) {
    await clearAway(context, common, claim);
    changeClaim(common, mine);
  }
  const isListed = await refuseTaken(context, path);
  if (claim === undefined && !makeClaim(common, mine)) {
    const faster = claimOf(common, path);
    const who = faster === undefined ? 'another run' : `the run ${faster.run}`;
    throw failWith({
      message: `${quotePath(path)} was just taken by ${who}: try again, or name another path`,
      retryable: true,
    });
  }
  try {
    return await make(context, common, request, mine, { isListed, why, stop });
  } catch (error) {
    // What was made was tidied up by git; else the claim stays, and says so.
    if (isFailure(error)) dropClaim(common, path);
    throw error;
  }
}

async function make(
  context: TreeContext,
  common: string,
  request: AddRequest,
  claim: Claim,
  {
    isListed,
    why,
    stop,
  }: {
    readonly isListed: boolean;
    readonly why: string | undefined;
    readonly stop: AbortSignal | undefined;
  },
): Promise<AddedTree> {
  const { git, home, run, watch } = context;
  const { path } = claim;
  const begin = await beginning(context, common, request, path);
  const { commit, branch, isNew } = begin;
  const reason = [why, begin.why].filter((each) => each !== undefined).join('; ');
  const refs = new Map([[startRef(run, request), commit]]);
  if (isNew && context.forkOf !== undefined) refs.set(madeRef(run, request), commit);
  await setRefs(git, refs, { cwd: home });
  const how = branch === undefined ? ['--detach', path, commit] : isNew ? ['-b', branch, path, commit] : [path, branch];
  // Forced only where a folder is on git's list, or has the branch, that is gone.
  const force = isListed || begin.isLost ? ['--force', '--force'] : [];
  const args = ['worktree', 'add', '--quiet', ...force, ...how];
  const end = await git.run(args, { cwd: home, watch, signal: stop });
  if (end.isKilled) await clearAway(context, common, claim);
  if (end.code !== 0) throw gitFailure(args, end);
  const named = branch === undefined ? {} : { branch };
  changeClaim(common, { ...claim, ...named, state: 'ready', commit });
  return { path, commit, ...named, ...(reason !== '' && { why: reason }) };
}

/** A folder that somebody else has, or that holds something. True: it is not there, and still on git's list. */
async function refuseTaken({ git, home }: TreeContext, path: string): Promise<boolean> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const isListed = (await listTrees(git, home)).some((each) => isSameFolder(each.path, path));
  if (stat === undefined || (stat.isDirectory() && readdirSync(path).length === 0)) return isListed;
  const what = isListed ? 'is a folder of this repository already' : 'exists, and is not empty';
  throw failWith({ message: `${quotePath(path)} ${what}: remove it, or let "path" name a new folder` });
}

/** The worktree of a node, if it has one; `keep`: it stays. `leave`: ends what may still work there. */
export async function removeTree(
  context: TreeContext,
  node: string,
  keep: boolean,
  leave: (folder: string) => Promise<void> = async () => undefined,
): Promise<RemovedTree | undefined> {
  const { git, home, run, watch } = context;
  const common = await commonFolder(git, home);
  const claim = claimsIn(common).find((each) => each.run === run && each.node === node);
  if (claim === undefined) return undefined;
  const { path, state } = claim;
  const tree = treeAt(path);
  if (state === 'ready' && tree !== undefined) {
    const kept = keep ? 'the workflow says so' : await wouldLose(git, path, claim.commit);
    if (kept !== undefined) {
      dropIndexes(tree.gitDir);
      return { path, kept };
    }
    // A process that works in a folder keeps it, or is left in one that is gone.
    await leave(path);
    changeClaim(common, { ...claim, state: 'removing' });
    const end = await git.run(['worktree', 'remove', '--force', '--force', path], { cwd: home, watch });
    // A file that a process holds open, where those cannot be removed: it is ours still, and the next one to look clears it.
    if (end.code !== 0 && existsSync(path)) return { path, kept: `git could not remove it: ${gitSaid(end.err)}` };
  }
  await clearAway(context, common, { ...claim, state: state === 'ready' ? 'removing' : state });
  dropClaim(common, path);
  return { path };
}

/** What is there and nowhere else. */
async function wouldLose(git: Git, path: string, start: string | undefined): Promise<string | undefined> {
  const status = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=none'];
  const changed = (await git.read(status, { cwd: path })).split('\n').filter((line) => line !== '').length;
  if (changed > 0) return `it holds work that is not committed (${changed === 1 ? 'one path' : `${changed} paths`})`;
  const onBranch = await git.run(['symbolic-ref', '-q', 'HEAD'], { cwd: path });
  if (onBranch.code === 0) return undefined;
  const known = ['--branches', '--tags', '--remotes', ...(start === undefined ? [] : [start])];
  const args = ['rev-list', '--count', 'HEAD', '--not', ...known];
  const alone = Number(await git.read(args, { cwd: path }));
  return alone > 0 ? `it holds commits that no branch has (${alone})` : undefined;
}
