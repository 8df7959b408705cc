import { expect, it } from 'vitest';
import { gitFailure, gitSaid } from './git.ts';

it('what git says is one line, without its hints', () => {
  const err = "hint: try it\nfatal: a branch named 'x' already exists\nerror: so it is not made\n";
  expect(gitSaid(err)).toBe("a branch named 'x' already exists; so it is not made");
});

it('a lock is told once, with what to do about it', () => {
  const err = `error: Unable to create '/r/.git/packed-refs.lock': File exists.

Another git process seems to be running in this repository, e.g.
an editor opened by 'git commit'. Please make sure all processes
are terminated then try again. If it still fails, a git process
may have crashed in this repository earlier:
remove the file manually to continue.
`;
  expect(gitFailure(['update-ref', '-z'], { err, code: 128 }).message).toBe(
    `git update-ref failed: Unable to create '/r/.git/packed-refs.lock': File exists. If no git command runs there any more, remove "/r/.git/packed-refs.lock"`,
  );
});
