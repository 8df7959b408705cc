/** Worktrees that stand in the folder of another one: whatever removes that would take them along. */
import { isInside } from '../../sys/index.ts';
import { type Claim, claimsIn } from './claim.ts';
import type { TreeContext } from './context.ts';
import type { Git } from './git.ts';
import { listTrees, realPath } from './list.ts';
import { linkedTree } from './own.ts';

/** Those that the run has made there before, and that were not left to people; the innermost first. */
export function claimsInside({ run, isPast }: TreeContext, common: string, path: string): Claim[] {
  const inner = claimsIn(common).filter(
    (each) => each.run === run && each.left === undefined && isPast?.(each.node) !== false && isBelow(each.path, path),
  );
  return inner.sort((a, b) => b.path.length - a.path.length);
}

/** One that is there, whoever has made it. */
export async function treeInside(git: Git, common: string, path: string): Promise<string | undefined> {
  const inner = (await listTrees(git, path)).filter((each) => isBelow(realPath(each.path), path));
  const found = inner.find((each) => linkedTree(common, each.path) !== undefined);
  return found && realPath(found.path);
}

function isBelow(inner: string, path: string): boolean {
  return inner !== path && isInside(inner, path);
}
