/** Removes what a run that is over has kept in its repository: refs, and worktrees in which nothing would be lost. */
import { existsSync } from 'node:fs';
import { claimsIn } from './worktree-claim.ts';
import type { TreeContext } from './worktree-context.ts';
import { isFailure } from './worktree-failure.ts';
import { commonFolder } from './worktree-list.ts';
import { dropRefs } from './worktree-refs.ts';
import { removeTree } from './worktree-tree.ts';

export async function forgetWorktrees(context: TreeContext): Promise<void> {
  const { git, home, run } = context;
  if (!existsSync(home)) return;
  let common: string;
  try {
    common = await commonFolder(git, home);
  } catch (error) {
    // The repository is gone, with all that was kept in it.
    if (isFailure(error) && !existsSync(`${home}/.git`)) return;
    throw error;
  }
  // One that holds work stays, and is people's from now on.
  for (const { node } of claimsIn(common).filter((claim) => claim.run === run)) await removeTree(context, node, false);
  await dropRefs(git, run, { cwd: home });
}
