import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bootId } from './process-start.ts';
import { inTurn } from './turn.ts';

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'turn-'));
  made.push(dir);
  return dir;
}

/** So many want a turn at once: the most that had one at the same time. */
async function mostInside(file: string, count: number): Promise<number> {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await Promise.resolve();
    inside--;
  };
  await Promise.all(Array.from({ length: count }, () => inTurn(file, work)));
  return most;
}

test('whoever has a turn is alone, and all get one', async () => {
  const dir = folder();
  const file = join(dir, 'lock');
  expect(await mostInside(file, 20)).toBe(1);
  expect(readdirSync(dir)).toEqual([]);
});

test('what a dead process left behind is taken away, by many at once', async () => {
  const dir = folder();
  const file = join(dir, 'lock');
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.once('exit', resolve));
  writeFileSync(file, JSON.stringify({ pid: child.pid, host: hostname(), turn: 'ab', boot: bootId(), started: 'x' }));
  expect(await mostInside(file, 10)).toBe(1);
  expect(readdirSync(dir)).toEqual([]);
});

test('what processes left that died while they asked is taken away by whoever has a turn', async () => {
  const dir = folder();
  const file = join(dir, 'lock');
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.once('exit', resolve));
  const asker = { host: hostname(), turn: 'ab', boot: bootId() };
  writeFileSync(`${file}.ab`, JSON.stringify({ ...asker, pid: child.pid, started: 'x' }));
  writeFileSync(`${file}.cd`, JSON.stringify({ ...asker, pid: process.pid, started: '' }));
  for (const name of ['.ef', '.ef.left', '.12']) writeFileSync(file + name, '');
  for (const name of ['.ef', '.ef.left']) utimesSync(file + name, 1000, 1000);
  writeFileSync(join(dir, 'lock.json'), 'of somebody else');
  await inTurn(file, async () => {});
  expect(readdirSync(dir).sort()).toEqual(['lock.12', 'lock.cd', 'lock.json']);
});

test('one that was held before the machine was started again is taken away', async () => {
  const file = join(folder(), 'lock');
  const before = { pid: process.pid, host: hostname(), turn: 'cd', boot: 'before', started: 'x' };
  writeFileSync(file, JSON.stringify(before));
  expect(await inTurn(file, async () => 'done')).toBe('done');
});

test('a living process, and one of another machine, are waited for, which is told once', async () => {
  const file = join(folder(), 'lock');
  writeFileSync(file, JSON.stringify({ pid: 1, host: 'elsewhere', turn: 'ef', boot: 'b', started: 'x' }));
  const told: string[] = [];
  const stop = new AbortController();
  const waits = inTurn(file, async () => 'never', {
    signal: stop.signal,
    waiting: ({ host }) => {
      told.push(host);
      setImmediate(() => stop.abort(new Error('enough')));
    },
  });
  await expect(waits).rejects.toThrow('enough');
  expect(told).toEqual(['elsewhere']);
  expect(JSON.parse(readFileSync(file, 'utf8')).host).toBe('elsewhere');
});

test('a turn is given back when the work fails', async () => {
  const dir = folder();
  const file = join(dir, 'lock');
  await expect(inTurn(file, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(readdirSync(dir)).toEqual([]);
});
