/** A worktree is added: in a later segment of the run it begins with the commit that it has to begin with by then. */
import { beginning, startRef } from './begin.ts';
import { changeClaim, claimOf } from './claim.ts';
import type { AddRequest, TreeContext } from './context.ts';
import type { Start } from './past.ts';
import { refOf, setRefs } from './refs.ts';
import { type AddedTree, addTree } from './tree.ts';

/** Its files are set to that when the first one works in it, or when it is removed. */
export async function startTree(
  context: TreeContext,
  common: string,
  request: AddRequest,
  start: Start | undefined,
  stop: AbortSignal,
): Promise<AddedTree> {
  const known = start && 'commit' in start ? start.commit : undefined;
  if (known !== undefined) await keepStart(known);
  const isFresh = start !== undefined && known === undefined;
  const added = await addTree(context, isFresh ? { ...request, isFresh } : request, stop);
  const commit = await commitFor(added);
  const claim = claimOf(common, added.path);
  if (commit === added.commit || claim === undefined) return added;
  await keepStart(commit);
  changeClaim(common, { ...claim, commit });
  return { ...added, commit };

  function keepStart(at: string): Promise<void> {
    return setRefs(context.git, new Map([[startRef(context.run, request), at]]), { cwd: context.home });
  }

  async function commitFor({ path, branch, commit: own }: AddedTree): Promise<string> {
    if (start?.kind === 'known') return start.commit;
    if (start?.kind === 'fresh' && start.behind && branch === undefined) {
      const { git, home, run } = context;
      // The first parent is what was checked out.
      const head = `${refOf({ run, ...start.behind, part: 'after' })}^1`;
      const end = await git.run(['rev-parse', '-q', '--verify', head], { cwd: home });
      return end.code === 0 ? end.out.trim() : own;
    }
    if (start?.kind !== 'base') return own;
    const { branch: _, ...rest } = request;
    return (await beginning(context, common, { ...rest, isFresh: true }, path)).commit;
  }
}
