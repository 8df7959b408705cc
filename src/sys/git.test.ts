import { expect, test } from 'vitest';
import { isGitFailure, spawnGit } from './git.ts';

const cwd = process.cwd();
const { PATH, HOME } = process.env;
const env = { PATH, HOME };

test('gives what git printed, as bytes, and how it ended', async () => {
  const done = await spawnGit(['hash-object', '--stdin'], { cwd, env, input: 'hi\n' });
  expect(done).toMatchObject({ code: 0, isKilled: false, isLate: false, err: '' });
  expect(done.out.toString('latin1')).toBe('45b983be36b73c0788dc9cbcb76cbb80fc7bb057\n');
  expect(await spawnGit(['no-such-command'], { cwd, env })).toMatchObject({ code: 1, isKilled: false });
});

test('a git that is not there is told as missing', async () => {
  const error = await spawnGit(['--version'], { cwd, env: { PATH: '' } }).catch((thrown: unknown) => thrown);
  expect(isGitFailure(error) && error.kind).toBe('missing');
});

test('what takes too long, or is no longer wanted, is killed', async () => {
  const wait = (options: object) => spawnGit(['-c', 'alias.wait=!exec sleep 1000', 'wait'], { cwd, env, ...options });
  expect(await wait({ limitMs: 50 })).toMatchObject({ isKilled: true, isLate: true });
  expect(await wait({ signal: AbortSignal.abort() })).toMatchObject({ isKilled: true, isLate: false });
});

test('who is told of the process may refuse it: then it is ended, and the refusal is thrown', async () => {
  const pids: number[] = [];
  const refusal = Object.assign(new Error('not mine'), { kind: 'other' });
  const running = spawnGit(['-c', 'alias.wait=!exec sleep 1000', 'wait'], {
    cwd,
    env,
    spawned: (pid) => {
      pids.push(pid);
      throw refusal;
    },
    ended: (pid) => pids.push(pid),
  });
  const error = await running.catch((thrown: unknown) => thrown);
  expect(error).toBe(refusal);
  expect(isGitFailure(error)).toBe(false);
});
