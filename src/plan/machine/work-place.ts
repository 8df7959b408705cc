/** Where the steps of a node work: in the innermost worktree around it, or where the machine works. */
import type { WorkPlace } from '../../machine/index.ts';
import type { Frame } from './frame.ts';
import { frameOf, type Work } from './work.ts';

export function placeOf({ spot }: Frame, work: Work): WorkPlace {
  const { worktree, shared } = spot;
  if (worktree === undefined) {
    const { init } = work;
    return init.worktree === undefined || init.shared || !shared ? init : { ...placeFrom(init), shared };
  }
  const holder = frameOf(worktree, work);
  const place: { -readonly [K in keyof WorkPlace]: WorkPlace[K] } = { worktree: work.nameOf(holder) };
  if (holder.tree?.cwd !== undefined) place.cwd = holder.tree.cwd;
  if (shared) place.shared = shared;
  return place;
}

function placeFrom({ cwd, worktree }: WorkPlace): WorkPlace {
  return { ...(cwd !== undefined && { cwd }), ...(worktree !== undefined && { worktree }) };
}
