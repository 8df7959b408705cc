/** The commit and the branch that a worktree begins with, and why that may be no good. */
import { existsSync } from 'node:fs';
import { quotePath } from '../../sys/index.ts';
import { claimsIn } from './claim.ts';
import { giveUp } from './clear.ts';
import type { AddRequest, TreeContext } from './context.ts';
import { failWith } from './failure.ts';
import type { Git } from './git.ts';
import { isSameFolder, listTrees } from './list.ts';
import { linkedTree } from './own.ts';
import { refOf } from './refs.ts';

export interface Beginning {
  readonly commit: string;
  readonly branch?: string;
  readonly isNew?: true;
  /** A folder that is gone had the branch. */
  readonly isLost?: boolean;
  readonly why?: string;
  /** What was done away with to have the branch, and where it is kept. */
  readonly kept?: string;
}

/** Where it is kept with what a worktree began: made again, it begins so, unless something else is written by now. */
export function startRef(run: string, { node, base }: AddRequest): string {
  return refOf({ run, node: base === undefined ? node : `${node} ${base}`, segment: 1, part: 'before' });
}

/** There if a fork has made the branch itself. */
export function madeRef(run: string, { node }: AddRequest): string {
  return refOf({ run, node, segment: 1, part: 'made' });
}

/** The commit and the branch that it begins with. */
export async function beginning(
  context: TreeContext,
  common: string,
  request: AddRequest,
  path: string,
): Promise<Beginning> {
  const { git, home, run } = context;
  const { branch } = request;
  if (branch !== undefined) {
    await refuseName(git, home, branch);
    const commit = await commitAt(git, home, `refs/heads/${branch}`);
    if (commit !== undefined) {
      if (context.forkOf !== undefined && (await commitAt(git, home, madeRef(run, request))) === undefined) {
        const start = await commitAt(git, home, startRef(run, request));
        return {
          commit: start ?? commit,
          why: `the branch "${branch}" is left to the run ${context.forkOf}, so it is on none`,
        };
      }
      const taken = await branchTaken(context, common, request, path);
      return 'why' in taken ? { commit, ...taken } : { commit, branch, ...taken };
    }
  }
  const known = request.isFresh ? undefined : await commitAt(git, home, startRef(run, request));
  const commit = known ?? (await baseOf(git, request.cwd ?? home, request.base));
  return branch === undefined ? { commit } : { commit, branch, isNew: true };
}

/** `why`: the branch cannot be had, and it is a run that has it which nobody drives. */
async function branchTaken(
  context: TreeContext,
  common: string,
  { node, branch }: AddRequest,
  path: string,
): Promise<{ readonly why: string } | { readonly isLost: boolean; readonly kept?: string }> {
  const { git, home, run, isDriven, isPast } = context;
  const places = (await listTrees(git, home)).filter((each) => each.branch === `refs/heads/${branch}`);
  // One that is gone, or in whose place is something else, has nothing checked out any more.
  const place = places.find(({ path: at, isMain }) => (isMain ? existsSync(at) : linkedTree(common, at) !== undefined));
  if (place === undefined || isSameFolder(place.path, path)) return { isLost: places.length > 0 };
  const taken = `the branch "${branch}" is checked out in ${quotePath(place.path)}`;
  const claim = claimsIn(common).find((each) => isSameFolder(each.path, place.path));
  if (claim?.run === run && claim.node !== node && claim.left === undefined && isPast?.(claim.node)) {
    // An earlier segment of the run was there when it ended.
    const kept = await giveUp(context, common, claim);
    return { isLost: existsSync(place.path), ...(kept !== undefined && { kept }) };
  }
  const isBusy = claim !== undefined && claim.run !== run && isDriven(claim);
  if (claim !== undefined && claim.run !== run && !isBusy) {
    return { why: `${taken}, by the run ${claim.run}, so it is on none` };
  }
  const who = isBusy ? `, by the run ${claim.run}, which is at work` : '';
  const isLeft = claim?.left !== undefined && claim.run === run;
  const also = isLeft ? `which was left to you: remove that with "git worktree remove", or ` : '';
  const message = `${taken}${who}, ${isLeft ? '' : 'and a branch can be in one folder only: '}${also}let "branch" be another one`;
  throw failWith({ message, retryable: isBusy });
}

/** Git would read what begins with a dash as an option. */
async function refuseName(git: Git, cwd: string, branch: string): Promise<void> {
  const isGood = !/^-|^HEAD$|^refs\/|\0/.test(branch);
  if (isGood && (await git.run(['check-ref-format', `refs/heads/${branch}`], { cwd })).code === 0) return;
  throw failWith({ message: `git takes no branch with the name "${branch}": write one like fix/login` });
}

async function baseOf(git: Git, cwd: string, base: string | undefined): Promise<string> {
  const commit = await commitAt(git, cwd, base ?? 'HEAD');
  if (commit === undefined) {
    if ((await commitAt(git, cwd, 'HEAD')) === undefined) {
      throw failWith({
        message: `the repository of ${quotePath(cwd)} has no commit yet, so a worktree would have no files: commit something first`,
      });
    }
    const message = `"base" is "${base}", and git knows no such commit: write a branch, a tag or the id of a commit`;
    throw failWith({ message });
  }
  if (base === undefined) await refuseDirty(git, cwd);
  return commit;
}

/** Nobody said from where: then people think of the files that they see. A repository that is bare has none. */
async function refuseDirty(git: Git, cwd: string): Promise<void> {
  if ((await git.read(['rev-parse', '--is-inside-work-tree'], { cwd })) === 'false') return;
  const args = ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'];
  const changed = (await git.read(args, { cwd })).split('\n').filter((line) => line !== '');
  if (changed.length === 0) return;
  const names = changed.slice(0, 3).map((line) => line.slice(3));
  const more = changed.length > names.length ? ` and ${changed.length - names.length} more` : '';
  const message = `a worktree begins with what is committed, and here are changes that are not (${names.join(', ')}${more})`;
  throw failWith({ message: `${message}: commit them, or write "base: HEAD" to begin without them` });
}

async function commitAt(git: Git, cwd: string, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, out } = await git.run(args, { cwd });
  return code === 0 ? out.trim() : undefined;
}
