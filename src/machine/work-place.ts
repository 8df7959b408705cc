/** Where steps work. */

/** Of steps that do not work where the workflow lies. What is inside of a child works where the child does. */
export interface WorkPlace {
  readonly cwd?: string;
  /** The node of the worktree that this is, by its name in the run. */
  readonly worktree?: string;
  /** Others may work there at the same time. */
  readonly shared?: true;
}

/** By hand: spreads are slow, and every step comes here. */
export function workAt(
  command: { -readonly [K in keyof WorkPlace]: WorkPlace[K] },
  { cwd, worktree, shared }: WorkPlace,
): void {
  if (cwd !== undefined) command.cwd = cwd;
  if (worktree !== undefined) command.worktree = worktree;
  if (shared) command.shared = true;
}
