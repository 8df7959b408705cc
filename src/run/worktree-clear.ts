/** Clears away what is left of a worktree that was not made or not removed to the end. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../sys/index.ts';
import type { Claim } from './worktree-claim.ts';
import type { TreeContext } from './worktree-context.ts';
import { realPath } from './worktree-list.ts';
import { refOf } from './worktree-refs.ts';
import { takeSnapshot, treeAt } from './worktree-snapshot.ts';

/** What a process left that was killed in the middle. What cannot be told from work is kept as a snapshot before. */
export async function clearAway(context: TreeContext, common: string, claim: Claim): Promise<void> {
  const { git, run } = context;
  const { path, node, state } = claim;
  const tree = treeAt(path);
  if (tree !== undefined && state !== 'removing' && isInside(realPath(tree.gitDir), join(common, 'worktrees'))) {
    const left = refOf({ run, node, segment: 1, part: 'left' });
    await takeSnapshot(git, tree, left, node, `what was left in ${path}`);
  }
  const isOurs = state === 'removing' || tree !== undefined || pointsInto(path, common);
  if (isOurs) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  else if (isEmptyFolder(path)) rmdirSync(path);
  forget(common, path);
}

/** The first thing that git writes into a new worktree says where the rest is. */
function pointsInto(path: string, common: string): boolean {
  const file = join(path, '.git');
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const gitDir = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(file, 'utf8'))?.[1];
  return gitDir !== undefined && isInside(realPath(resolve(path, gitDir)), join(common, 'worktrees'));
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(path).length === 0;
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
