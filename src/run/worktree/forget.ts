/**
 * Removes what a run that is over has kept in its repository: refs, claims, and worktrees that were not left to people and in
 * which nothing would be lost.
 * 1. What its forks share with it is theirs too, before it goes.
 * 2. A repository that was moved has the refs still: where nothing is found, the one around the store is looked at.
 */
import { existsSync } from 'node:fs';
import { claimsIn, dropClaim } from './claim.ts';
import type { TreeContext } from './context.ts';
import { commonFolder, findCommonFolder } from './list.ts';
import { copyRefs, dropRefs } from './refs.ts';
import { removeTree } from './remove.ts';

export interface ForgetContext extends TreeContext {
  /** Where the run itself begins, of one that is a fork: the `seq` of its first segment. */
  readonly forkedAt?: number | undefined;
  /** The runs that were made from it, with the same of each. */
  readonly forks?: readonly { readonly id: string; readonly forkedAt: number }[];
  /** The folder of the store. */
  readonly around?: string;
}

export async function forgetWorktrees(context: ForgetContext): Promise<void> {
  const { home, around = home } = context;
  if ((await forgetIn(context, home)) === 0 && around !== home) await forgetIn(context, around);
}

/** How many refs there were. */
async function forgetIn(context: ForgetContext, home: string): Promise<number> {
  const { git, run, forkOf, forkedAt, forks = [] } = context;
  if (!existsSync(home)) return 0;
  // Where it is gone, all is gone that was kept in it.
  const isThere = (await findCommonFolder(git, home)) !== undefined || existsSync(`${home}/.git`);
  if (!isThere) return 0;
  const common = await commonFolder(git, home);
  const cwd = { cwd: home };
  if (forkOf !== undefined && forks.length > 0) await copyRefs(git, forkOf, run, cwd, forkedAt);
  for (const fork of forks) await copyRefs(git, run, fork.id, cwd, fork.forkedAt);
  for (const { node, path } of claimsIn(common).filter((claim) => claim.run === run)) {
    await removeTree({ ...context, home }, node, false);
    dropClaim(common, path);
  }
  return dropRefs(git, run, cwd);
}
