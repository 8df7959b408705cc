/** What a lock says of a target in a repository, checked: somebody may have edited it. */

import { fullCommit } from '../git/revision.ts';
import { revisionProblem } from '../github-ref.ts';
import { oddPath } from './content.ts';
import { type Found, refuse } from './problem.ts';
import type { Target } from './target.ts';

export interface Lock {
  readonly owner: string;
  readonly repo: string;
  readonly commit: string;
  readonly path: string;
}

export function readLock({ ref, commit, path }: Target): Found<Lock> {
  const found = /^github:\/\/([\w.-]+)\/([\w.-]+)(?:[/@]|$)/.exec(ref);
  const [, owner = '', repo = ''] = found ?? [];
  const full = fullCommit(commit);
  const isSound =
    full !== undefined &&
    path !== undefined &&
    (path === '' || oddPath(path) === undefined) &&
    [owner, repo].every((name) => name !== '' && name !== '..' && name !== '.' && revisionProblem(name) === undefined);
  if (isSound) return { ok: true, value: { owner, repo, commit: full, path } };
  return refuse(
    'TOO5320',
    `the lock says ${JSON.stringify(ref)}, which is no target.`,
    'Remove its entry from the lock.',
  );
}
