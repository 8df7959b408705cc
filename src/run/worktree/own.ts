/**
 * Whether a folder is the one that was made for a claim: what a person put into its place, a worktree of their own too, is
 * never ours. A mark tells, in git's own folder of the worktree: it goes with that.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, systemCode } from '../../sys/index.ts';
import type { Claim } from './claim.ts';
import { realPath } from './list.ts';
import type { Tree } from './private-index.ts';
import { treeAt } from './snapshot.ts';

const name = 'toolang';

/** The worktree of a claim, if it is there. */
export function ownTree(common: string, claim: Claim | undefined): Tree | undefined {
  const tree = claim && linkedTree(common, claim.path);
  return tree && markIn(tree) === claim.mark ? tree : undefined;
}

/** A worktree of the repository, whoever made it. */
export function linkedTree(common: string, path: string): Tree | undefined {
  const tree = treeAt(path);
  return tree && isInside(realPath(tree.gitDir), join(common, 'worktrees')) ? tree : undefined;
}

export function markTree({ gitDir }: Tree, mark: string): void {
  writeFileSync(join(gitDir, name), mark);
}

/** Git has not come to its end when it made this one. */
export function isHalfMade({ gitDir }: Tree): boolean {
  const file = join(gitDir, 'locked');
  return existsSync(file) && readFileSync(file, 'utf8').trim() === 'initializing';
}

/** Differs for a folder that was made anew in the same place. */
export function folderMark(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat?.isDirectory() ? `${stat.dev} ${stat.ino} ${stat.birthtimeNs}` : undefined;
}

function markIn({ gitDir }: Tree): string | undefined {
  try {
    return readFileSync(join(gitDir, name), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
