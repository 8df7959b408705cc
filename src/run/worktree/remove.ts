/**
 * A worktree is removed, unless something would be lost with it: files that are not committed, commits that no branch has,
 * those of the repositories inside (`loss.ts`), or another worktree that stands in its folder. What was left so, or because
 * the workflow says so, is people's.
 */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { quotePath } from '../../sys/index.ts';
import { type Claim, changeClaim, claimsIn, dropClaim } from './claim.ts';
import { clearAway } from './clear.ts';
import type { TreeContext } from './context.ts';
import { gitSaid } from './git.ts';
import { claimsInside, treeInside } from './inside.ts';
import { commonFolder } from './list.ts';
import { dropLocks } from './locks.ts';
import { wouldLose } from './loss.ts';
import { ownTree } from './own.ts';
import { dropIndexes, type Tree } from './private-index.ts';

export interface RemovedTree {
  readonly path: string;
  /** Why it is still there. */
  readonly kept?: string;
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
  const claims = claimsIn(common).filter((each) => each.run === run && each.node === node);
  const claim = claims.find((each) => each.left === undefined) ?? claims[0];
  if (claim === undefined) return undefined;
  const { path, state, left } = claim;
  const tree = ownTree(common, claim);
  // It was people's before this process began.
  if (left !== undefined && tree !== undefined) return { path, kept: left };
  if (state === 'ready' && tree !== undefined) {
    dropLocks(tree, claim.branch === undefined ? undefined : `refs/heads/${claim.branch}`);
    for (const inner of claimsInside(context, common, path)) await removeTree(context, inner.node, false, leave);
    const kept = keep ? 'the workflow says so' : await lossOf(context, common, claim, tree);
    if (kept !== undefined) {
      dropIndexes(tree.gitDir);
      changeClaim(common, { ...claim, left: kept });
      return { path, kept };
    }
    // A process that works in a folder keeps it, or is left in one that is gone.
    await leave(path);
    changeClaim(common, { ...claim, state: 'removing' });
    const end = await git.run(['worktree', 'remove', '--force', '--force', path], { cwd: home, watch });
    // A file that a process holds open, where those cannot be removed: it is ours still, and the next one to look clears it.
    if (end.code !== 0 && existsSync(path)) return { path, kept: `git could not remove it: ${gitSaid(end.err)}` };
    await clearAway(context, common, { ...claim, state: 'removing' });
  } else await clearAway(context, common, claim);
  dropClaim(common, path);
  return existsSync(path) ? { path, kept: 'what is there is not what this run has made' } : { path };
}

async function lossOf({ git }: TreeContext, common: string, claim: Claim, tree: Tree): Promise<string | undefined> {
  const inner = await treeInside(git, common, claim.path);
  if (inner !== undefined) return `the worktree ${quotePath(relative(claim.path, inner))} is in it`;
  return wouldLose(git, tree, claim.first ?? claim.commit);
}
