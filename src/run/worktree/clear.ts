/**
 * Clears away what is left of a worktree that was not made or not removed to the end, or that is to be made anew.
 * 1. Only what was made for the claim goes: whatever else is in that place by now is somebody else's, and stays as it is.
 * 2. What cannot be told from work is kept as a snapshot before.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside, quotePath } from '../../sys/index.ts';
import { type Claim, dropClaim } from './claim.ts';
import type { TreeContext } from './context.ts';
import { failWith } from './failure.ts';
import type { Git } from './git.ts';
import { claimsInside, treeInside } from './inside.ts';
import { realPath } from './list.ts';
import { lossInside } from './loss.ts';
import { folderMark, isHalfMade, linkedTree, ownTree } from './own.ts';
import type { Tree } from './private-index.ts';
import { listRefs, refOf } from './refs.ts';
import { takeSnapshot } from './snapshot.ts';

/** The node has another folder, or this one anew. Says where that is kept which was there. */
export async function giveUp(context: TreeContext, common: string, claim: Claim): Promise<string | undefined> {
  const { path, state } = claim;
  if (state === 'ready') for (const inner of claimsInside(context, common, path)) await giveUp(context, common, inner);
  const left = await clearAway(context, common, claim);
  dropClaim(common, path);
  return left !== undefined && state === 'ready' ? `what was in ${quotePath(path)} is kept as ${left}` : undefined;
}

/** The ref under which is kept what was there, if that was needed. */
export async function clearAway(context: TreeContext, common: string, claim: Claim): Promise<string | undefined> {
  const { path, state } = claim;
  let left: string | undefined;
  const tree = ownTree(common, claim) ?? (state === 'adding' ? await begunTree(context, common, path) : undefined);
  if (tree !== undefined && state !== 'removing') left = await keepLeft(context, claim, tree);
  if (tree !== undefined && state === 'ready' && left !== undefined)
    await refuseLoss(context, common, claim, tree, left);
  if (tree !== undefined || isRest(common, claim)) {
    await context.leave?.(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } else if (isEmptyFolder(path)) rmdirSync(path);
  forget(common, path);
  return left;
}

/** What is in the repositories and worktrees inside is in no snapshot. */
async function refuseLoss(
  { git }: TreeContext,
  common: string,
  { path, commit }: Claim,
  tree: Tree,
  left: string,
): Promise<void> {
  const inner = await treeInside(git, common, path);
  if (inner !== undefined) {
    const message = `${quotePath(path)} is in the way, and the worktree ${quotePath(inner)} is in it`;
    throw failWith({
      message: `${message}: move that with "git worktree move", or remove it with "git worktree remove"`,
    });
  }
  const loss = await lossInside(git, tree, commit, left);
  if (loss === undefined) return;
  const message = `${quotePath(path)} is in the way, and ${loss}`;
  throw failWith({ message: `${message}: commit and push that, or remove it with "git worktree remove --force"` });
}

/** One that git has begun, or has just made, before the mark was set: somebody may have made it who is not us. */
async function begunTree({ git }: TreeContext, common: string, path: string): Promise<Tree | undefined> {
  const tree = linkedTree(common, path);
  return tree && (isHalfMade(tree) || (await isUntouched(git, path))) ? tree : undefined;
}

async function isUntouched(git: Git, path: string): Promise<boolean> {
  const status = ['status', '--porcelain', '--untracked-files=normal', '--ignored', '--ignore-submodules=none'];
  if ((await git.read(status, { cwd: path })) !== '') return false;
  return (await git.read(['rev-list', '--count', 'HEAD', '--not', '--glob=refs/*'], { cwd: path })) === '0';
}

/** What git had not got to, when it was killed as it made or removed the folder. */
function isRest(common: string, { path, state, folder }: Claim): boolean {
  const gitDir = gitDirOf(path, common);
  if (state === 'adding') return gitDir !== undefined && existsSync(gitDir) && !existsSync(join(gitDir, 'HEAD'));
  if (state !== 'removing' || folder === undefined || folderMark(path) !== folder) return false;
  return gitDir !== undefined || !existsSync(join(path, '.git'));
}

/** The first thing that git writes into a new worktree says where the rest is. */
function gitDirOf(path: string, common: string): string | undefined {
  const file = join(path, '.git');
  if (!existsSync(path) || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const written = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(file, 'utf8'))?.[1];
  const gitDir = written === undefined ? undefined : realPath(resolve(path, written));
  return gitDir !== undefined && isInside(gitDir, join(common, 'worktrees')) ? gitDir : undefined;
}

/** Under a name that nothing else is kept by. */
async function keepLeft({ git, run, home }: TreeContext, { node, path }: Claim, tree: Tree): Promise<string> {
  const taken = await listRefs(git, run, { cwd: home });
  const nameOf = (count: number) =>
    refOf({ run, node: count === 1 ? node : `${node} ${count}`, segment: 1, part: 'left' });
  let count = 1;
  while (taken.has(nameOf(count))) count++;
  await takeSnapshot(git, tree, nameOf(count), node, `what was left in ${path}`);
  return nameOf(count);
}

function isEmptyFolder(path: string): boolean {
  if (!existsSync(path)) return false;
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}

/** Takes a folder that is gone off git's list, also one that git had not finished to make. */
function forget(common: string, path: string): void {
  const all = join(common, 'worktrees');
  if (existsSync(path) || !existsSync(all)) return;
  for (const name of readdirSync(all)) {
    const file = join(all, name, 'gitdir');
    if (!existsSync(file)) continue;
    const place = dirname(resolve(join(all, name), readFileSync(file, 'utf8').trim()));
    if (realPath(place) === path) rmSync(join(all, name), { recursive: true, force: true });
  }
  if (readdirSync(all).length === 0) rmdirSync(all);
}
