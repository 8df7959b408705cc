/**
 * Worktrees of runs: made, and used again.
 * 1. To add one twice is to add it once: what is there and ours is used, what is gone is made again where it began, and what
 *    a killed process left half done is cleared away.
 * 2. A folder or a branch that another run has, which nobody drives now, is left to it: the worktree gets a folder of its
 *    own, with the run's id behind the name, and no branch. One that is driven is in the way, for as long as it has it.
 * 3. Folders of people are never touched, wherever they are: ours have a mark (`own.ts`).
 * 4. A node has one folder in a run. Where another path, branch or base is written by now, what it had is kept as a snapshot,
 *    and the folder is made anew.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quotePath, systemCode } from '../../sys/index.ts';
import { beginning, madeRef, startRef } from './begin.ts';
import {
  type Asked,
  type Claim,
  changeClaim,
  claimOf,
  claimsIn,
  dropClaim,
  freeBranch,
  holdBranch,
  makeClaim,
} from './claim.ts';
import { clearAway, giveUp } from './clear.ts';
import type { AddRequest, TreeContext } from './context.ts';
import { failWith, isFailure } from './failure.ts';
import { gitFailure } from './git.ts';
import { commonFolder, isSameFolder, listTrees, realPath } from './list.ts';
import { folderMark, linkedTree, markTree, ownTree } from './own.ts';
import { setRefs } from './refs.ts';

export interface AddedTree {
  readonly path: string;
  readonly branch?: string;
  readonly commit: string;
  /** Why it is not where, or not on what, it was to be. */
  readonly why?: string;
  /** It was there. */
  readonly isOld?: true;
  /** The branch was made with it. */
  readonly isNew?: true;
}

/** `stop`: it is given up, and nothing of it stays. */
export async function addTree(context: TreeContext, request: AddRequest, stop?: AbortSignal): Promise<AddedTree> {
  const { git, home, run } = context;
  if (request.path.trim() === '' || request.path.includes('\0')) {
    throw failWith({
      message: `"path" is ${JSON.stringify(request.path)}, which is no folder: write the path of a new one`,
    });
  }
  if (/^~(?:$|[/\\])/.test(request.path)) {
    throw failWith({
      message: `"path" is ${quotePath(request.path)}, and "~" is no folder here: write the whole path`,
    });
  }
  const common = await commonFolder(git, home);
  const wanted = realPath(resolve(home, request.path));
  const beside = `${wanted}-${run}`;
  const other = otherClaim(context, common, wanted, request.node);
  if (other === undefined) {
    const path = ownTree(common, claimOf(common, beside)) === undefined ? wanted : beside;
    return settle(context, common, request, path, undefined, stop);
  }
  const why = `${quotePath(wanted)} is the worktree of the run ${other.run} (${other.node})`;
  if (context.isDriven(other)) {
    const message = `${why}, which is at work: wait for its end, or let "path" be another one for each run`;
    throw failWith({ message, retryable: true });
  }
  return settle(context, common, request, beside, why, stop);
}

/** Whoever else has the folder. The iterations of a loop share one, and who had it in an earlier segment has another name now. */
function otherClaim(
  { run, isDriven, isPast }: TreeContext,
  common: string,
  path: string,
  node: string,
): Claim | undefined {
  const claim = claimOf(common, path);
  if (claim === undefined) return undefined;
  if (claim.run !== run) {
    if (existsSync(path) || isDriven(claim)) return claim;
    // Somebody removed the folder.
    dropClaim(common, path);
    return undefined;
  }
  if (pathOf(claim.node) === pathOf(node) || isPast?.(claim.node)) return undefined;
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
  const asked = askedFor(request);
  const claim = claimOf(common, path);
  if (claim?.state === 'ready' && claim.commit !== undefined && ownTree(common, claim) !== undefined) {
    const { branch: had, commit: began, left: _, ...rest } = claim;
    if (isSame(claim.asked, asked)) {
      const { branch, commit } = request.isFresh
        ? await beginAnew(context, common, request, path)
        : { branch: had, commit: began };
      const first = claim.first ?? began;
      changeClaim(common, { ...rest, node, commit, first, owner: me, ...(branch !== undefined && { branch }) });
      return { path, commit, isOld: true, ...(branch !== undefined && { branch }), ...(why !== undefined && { why }) };
    }
    if (claim.left !== undefined) throw leftToPeople(claim, asked);
  }
  const reasons = why === undefined ? [] : [why];
  const olds = claimsIn(common).filter((each) => each.run === run && each.node === node && each.path !== path);
  for (const old of claim === undefined ? olds : [claim, ...olds]) {
    // What was left to people in another place is theirs.
    if (old.left !== undefined && old.path !== path) continue;
    const kept = await giveUp(context, common, old);
    if (kept !== undefined) reasons.push(kept);
  }
  const isListed = await refuseTaken(context, common, path);
  const mine: Claim = { run, node, path, mark: randomUUID(), state: 'adding', asked, owner: me };
  if (!makeClaim(common, mine)) {
    const faster = claimOf(common, path);
    const who = faster === undefined ? 'another run' : `the run ${faster.run}`;
    throw failWith({
      message: `${quotePath(path)} was just taken by ${who}: try again, or name another path`,
      retryable: true,
    });
  }
  try {
    return await make(context, common, request, mine, { isListed, reasons, stop });
  } catch (error) {
    // What was made was tidied up by git; else the claim stays, and says so.
    if (isFailure(error)) dropClaim(common, path);
    throw error;
  }
}

/** The folder stays: whoever works in it first sets its files back. */
async function beginAnew(
  context: TreeContext,
  common: string,
  request: AddRequest,
  path: string,
): Promise<{ readonly branch?: string; readonly commit: string }> {
  const begin = await beginning(context, common, request, path);
  await setRefs(context.git, new Map([[startRef(context.run, request), begin.commit]]), { cwd: context.home });
  return begin;
}

function askedFor({ branch, base }: AddRequest): Asked {
  return { ...(branch !== undefined && { branch }), ...(base !== undefined && { base }) };
}

function isSame(one: Asked | undefined, other: Asked): boolean {
  return one?.branch === other.branch && one?.base === other.base;
}

function leftToPeople({ path, asked, left }: Claim, now: Asked): Error {
  const key = asked?.branch === now.branch ? 'base' : 'branch';
  const said = (value: string | undefined) => (value === undefined ? 'left out' : `"${value}"`);
  const message = `"${key}" is ${said(now[key])} now, and ${quotePath(path)}, made when it was ${said(asked?.[key])}, was left to you (${left})`;
  return failWith({
    message: `${message}: look at it and remove it with "git worktree remove", or let "path" be another one`,
  });
}

async function make(
  context: TreeContext,
  common: string,
  request: AddRequest,
  claim: Claim,
  more: {
    readonly isListed: boolean;
    readonly reasons: readonly string[];
    readonly stop: AbortSignal | undefined;
  },
): Promise<AddedTree> {
  const { branch } = request;
  if (branch === undefined) return makeNow(context, common, request, claim, more);
  const holder = holdBranch(common, branch, claim, (each) => isOver(context, common, each));
  if (holder !== undefined) {
    const message = `the branch "${branch}" is checked out in ${quotePath(holder.path)}, and a branch can be in one folder only`;
    throw failWith({ message: `${message}: let "branch" be another one`, retryable: holder.run !== context.run });
  }
  try {
    return await makeNow(context, common, request, claim, more);
  } finally {
    freeBranch(common, branch);
  }
}

/** Whoever holds a branch was killed before it had come to the end. */
function isOver({ run, me, isDriven }: TreeContext, common: string, holder: Claim): boolean {
  const now = claimOf(common, holder.path);
  if (now?.mark !== holder.mark || now.state !== 'adding') return true;
  return holder.run === run ? JSON.stringify(holder.owner) !== JSON.stringify(me) : !isDriven(holder);
}

async function makeNow(
  context: TreeContext,
  common: string,
  request: AddRequest,
  claim: Claim,
  { isListed, reasons, stop }: Parameters<typeof make>[4],
): Promise<AddedTree> {
  const { git, home, run, watch } = context;
  const { path, mark } = claim;
  const begin = await beginning(context, common, request, path);
  const { commit, branch, isNew } = begin;
  const why = [...reasons, begin.kept, begin.why].filter((each) => each !== undefined).join('; ');
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
  const tree = linkedTree(common, path);
  if (tree === undefined) throw failWith({ message: `the worktree ${quotePath(path)} is gone` });
  markTree(tree, mark);
  const folder = folderMark(path);
  const named = branch === undefined ? {} : { branch };
  changeClaim(common, { ...claim, ...named, state: 'ready', commit, ...(folder !== undefined && { folder }) });
  return { path, commit, ...named, ...(isNew && { isNew }), ...(why !== '' && { why }) };
}

/** A folder that somebody else has, or that holds something. True: it is not there, and still on git's list. */
async function refuseTaken({ git, home }: TreeContext, common: string, path: string): Promise<boolean> {
  const stat = statOf(path);
  const listed = (await listTrees(git, home)).find((each) => isSameFolder(each.path, path));
  if (stat === undefined || (stat.isDirectory() && readdirSync(path).length === 0)) return listed !== undefined;
  const isFolder = listed !== undefined && (listed.isMain || linkedTree(common, path) !== undefined);
  const what = isFolder ? 'is a folder of this repository already' : 'exists, and is not empty';
  throw failWith({ message: `${quotePath(path)} ${what}: remove it, or let "path" name a new folder` });
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) !== 'ENOTDIR') throw error;
    let file = dirname(path);
    while (!existsSync(file)) file = dirname(file);
    const message = `"path" is ${quotePath(path)}, and ${quotePath(file)} is a file: let it name a folder that can be made`;
    throw failWith({ message });
  }
}
