/** Locks that a git has left which was killed in a worktree: on its index, its HEAD, and the branch that it is on. */
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Tree } from './private-index.ts';

/** Nobody works there any more. `branch`: the full name of the run's own, which no other folder can be on. */
export function dropLocks({ gitDir }: Tree, branch?: string): void {
  for (const name of ['index', 'HEAD']) rmSync(join(gitDir, `${name}.lock`), { force: true });
  if (branch === undefined) return;
  const common = resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim());
  rmSync(join(common, `${branch}.lock`), { force: true });
}
