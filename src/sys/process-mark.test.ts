import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { endGroup, spawnGroup } from './process-group.ts';
import { markedProcesses, markName, processMark } from './process-mark.ts';
import { bootId } from './process-start.ts';

const linuxOnly = test.skipIf(process.platform !== 'linux');
let started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
});

/** A process that leads a group of its own; ready when it has printed. */
async function marked(mark: string | undefined): Promise<number> {
  const child = spawnGroup(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    env: mark === undefined ? {} : { FIRST: 'x', [markName]: mark, LAST: 'y' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  if (!child.stdout || child.pid === undefined) throw new Error('the child did not start');
  await once(child.stdout, 'data');
  return child.pid;
}

linuxOnly('processes are found by their mark, and by no part of it', async () => {
  const mark = `${processMark(process.pid)}7`;
  const pid = await marked(mark);
  await marked(`${mark}8`);
  await marked(`x ${mark}`);
  expect(markedProcesses(mark)).toEqual([{ pid, group: pid }]);
});

linuxOnly('where the start was not seen, the boot is enough', async () => {
  const mark = processMark(999_999_999, `${bootId()} 123`);
  const pid = await marked(mark);
  expect(markedProcesses(processMark(999_999_999, bootId()) ?? '')).toEqual([{ pid, group: pid }]);
});

linuxOnly('a group is ended with what left it, also when nothing else of it is there', async () => {
  const pid = await marked(undefined);
  const mark = processMark(pid);
  const out = await marked(mark);
  expect(await endGroup(pid, { mark })).toBe('ended');
  expect(markedProcesses(mark ?? '')).toEqual([]);
  expect(out).not.toBe(pid);
  await marked(mark);
  expect(await endGroup(pid, { mark })).toBe('ended');
  expect(await endGroup(pid, { mark })).toBe('gone');
});

linuxOnly('without its mark, what left a group stays', async () => {
  const pid = await marked(undefined);
  const mark = processMark(pid) ?? '';
  const out = await marked(mark);
  expect(await endGroup(pid)).toBe('ended');
  expect(markedProcesses(mark)).toEqual([{ pid: out, group: out }]);
});

test('there are no marks where environments cannot be read', () => {
  expect(processMark(process.pid, undefined, 'darwin')).toBe(undefined);
});
