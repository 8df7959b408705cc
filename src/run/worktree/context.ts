/** What all that is done with the worktrees of a run needs to know. */
import type { LeaseOwner } from '../../journal/index.ts';
import type { Claim } from './claim.ts';
import type { Git, Watch } from './git.ts';

export interface TreeContext {
  readonly git: Git;
  /** The folder of the workflow's file: paths are relative to it, and the repository is the one around it. */
  readonly home: string;
  readonly run: string;
  /** The run whose past it shares: the branches of that are not its own. */
  readonly forkOf?: string | undefined;
  /** This process. */
  readonly me: LeaseOwner;
  /** Whether somebody works for that run now. */
  readonly isDriven: (claim: Claim) => boolean;
  /** Whether a worktree of this run, by the name of its node, was added in earlier segments and not in this one so far. */
  readonly isPast?: ((node: string) => boolean) | undefined;
  readonly watch?: Watch | undefined;
  /** Ends what may still work in a folder. */
  readonly leave?: ((folder: string) => Promise<void>) | undefined;
}

export interface AddRequest {
  /** The name of the worktree's node in the run. */
  readonly node: string;
  readonly path: string;
  readonly branch?: string;
  readonly base?: string;
  /** The worktree around it: there it begins. */
  readonly cwd?: string;
  /** Where it began before does not count any more: it begins with the base, or with what its branch has. */
  readonly isFresh?: boolean;
}
