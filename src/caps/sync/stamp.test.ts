import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedSince, stampAll, stampOf } from './stamp.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'stamp-'));
  file = path.join(dir, 'a.md');
  writeFileSync(file, 'A');
});
afterEach(() => rmSync(dir, { recursive: true }));

test('nothing has changed where nothing was done', () => {
  const stamps = stampAll([dir, file, path.join(dir, 'none'), path.join(file, 'none')]);
  expect(changedSince(stamps)).toBeUndefined();
  expect(stamps[path.join(dir, 'none')]).toBeNull();
  expect(stamps[path.join(file, 'none')]).toBeNull();
});

test.each([
  ['another content', () => writeFileSync(file, 'AB')],
  ['a time that was set', () => utimesSync(file, 1000, 1000)],
  ['nothing', () => rmSync(file)],
  [
    'a directory',
    () => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
  [
    'a link to the same',
    () => {
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
  ],
  [
    'another file of the same size and time',
    () => {
      utimesSync(file, 1000, 1000);
      const before = stampOf(file);
      writeFileSync(`${file}.new`, 'B');
      utimesSync(`${file}.new`, 1000, 1000);
      renameSync(`${file}.new`, file);
      expect(stampOf(file)).not.toBe(before);
    },
  ],
])('%s in its place is seen', (_what, change) => {
  const stamps = stampAll([file]);
  change();
  expect(changedSince(stamps)).toBe(file);
});

test('what comes into a directory is seen by the directory', () => {
  const stamps = stampAll([dir]);
  writeFileSync(path.join(dir, 'b.md'), 'B');
  expect(changedSince(stamps)).toBe(dir);
});
