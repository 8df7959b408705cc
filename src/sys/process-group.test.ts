import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { manualClock } from './clock.ts';
import { endGroup, killGroup, spawnGroup } from './process-group.ts';

const posixOnly = test.skipIf(process.platform === 'win32');

/** A child that starts a child of its own, and prints `ready` and both ids when both are deaf or not to SIGTERM. */
async function family(deaf: boolean): Promise<{ child: ChildProcess; pid: number; below: number }> {
  const trap = deaf ? "process.on('SIGTERM', () => {});" : '';
  const inner = `${trap} console.log('up'); setInterval(() => {}, 1000);`;
  const outer = `${trap}
    const c = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 'pipe', 'ignore'] });
    c.stdout.once('data', () => console.log(c.pid));
    setInterval(() => {}, 1000);`;
  const child = spawnGroup(process.execPath, ['-e', outer], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout || child.pid === undefined) throw new Error('the child did not start');
  const [line] = await once(child.stdout, 'data');
  return { child, pid: child.pid, below: Number(String(line)) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

posixOnly('ends a child with everything it started', async () => {
  const { child, pid, below } = await family(false);
  const exit = once(child, 'exit');
  expect(isRunning(below)).toBe(true);
  expect(await endGroup(pid)).toBe('ended');
  expect(await exit).toEqual([null, 'SIGTERM']);
  expect(await endGroup(pid)).toBe('gone');
});

posixOnly('lets a group that is about to be gone be gone', async () => {
  const child = spawnGroup(process.execPath, ['-e', 'setTimeout(() => {}, 150)'], { stdio: 'ignore' });
  expect(await endGroup(child.pid ?? 0, { waitMs: 60_000 })).toBe('gone');
  const { pid } = await family(false);
  expect(await endGroup(pid, { waitMs: 20 })).toBe('ended');
});

posixOnly('kills what does not listen, after the grace it was given', async () => {
  const { child, pid } = await family(true);
  const exit = once(child, 'exit');
  expect(await endGroup(pid, { graceMs: 50 })).toBe('killed');
  expect(await exit).toEqual([null, 'SIGKILL']);
});

posixOnly('ends what is left of a group whose leader is gone', async () => {
  const { child, pid, below } = await family(false);
  const exit = once(child, 'exit');
  process.kill(pid, 'SIGKILL');
  await exit;
  expect(isRunning(below)).toBe(true);
  expect(await endGroup(pid)).toBe('ended');
});

posixOnly('kills a group without waiting', async () => {
  const { child, pid } = await family(true);
  const exit = once(child, 'exit');
  killGroup(pid);
  expect(await exit).toEqual([null, 'SIGKILL']);
  expect(await endGroup(pid)).not.toBe('killed');
  killGroup(pid);
});

test('refuses ids that would reach other processes', async () => {
  for (const pid of [0, 1, -1, Number.NaN, 1.5, process.pid]) {
    expect(() => killGroup(pid)).toThrow('not the id of a process group');
    await expect(endGroup(pid)).rejects.toMatchObject({ kind: 'bad-pid' });
  }
});

test('on Windows asks taskkill, and then forces it', async () => {
  const clock = manualClock();
  const calls: string[] = [];
  let alive = true;
  const ending = endGroup(4242, {
    platform: 'win32',
    clock,
    graceMs: 300,
    kill: (pid) => {
      expect(pid).toBe(4242);
      if (!alive) throw Object.assign(new Error('no'), { code: 'ESRCH' });
    },
    taskkill: async (args) => {
      calls.push(args.join(' '));
      if (args.includes('/F')) alive = false;
    },
  });
  await clock.advance(1000);
  expect(await ending).toBe('killed');
  expect(calls).toEqual(['/PID 4242 /T', '/PID 4242 /T /F']);
});

test('says so when even SIGKILL does not end it', async () => {
  const clock = manualClock();
  const signals: (string | number)[] = [];
  const ending = endGroup(4242, {
    platform: 'linux',
    clock,
    kill: (_, signal) => void (signal && signals.push(signal)),
  });
  const rejected = expect(ending).rejects.toMatchObject({ kind: 'stuck' });
  await clock.advance(10_000);
  await rejected;
  expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
});
