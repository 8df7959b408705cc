/** Whether the files of a plan are others now, and when that is not known. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { areUnchanged, type FileHashes, hashFiles } from './plan-files.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-plan-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string) => join(dir, name);
const later = () => Date.now() + 60_000;

async function hashed(): Promise<FileHashes> {
  writeFileSync(at('a'), 'a');
  writeFileSync(at('b'), 'b');
  const hashes = await hashFiles([at('a'), at('b'), at('none')], later());
  if (hashes === undefined) throw new Error('they were changed long before');
  expect(await areUnchanged(hashes)).toBe(true);
  return hashes;
}

it('sees a file that was saved, deleted, made, or is none any more', async () => {
  const hashes = await hashed();
  const edits: [() => void, () => void][] = [
    [() => writeFileSync(at('a'), 'A'), () => writeFileSync(at('a'), 'a')],
    [() => rmSync(at('b')), () => writeFileSync(at('b'), 'b')],
    [() => writeFileSync(at('none'), ''), () => rmSync(at('none'))],
    [() => mkdirSync(at('none')), () => rmSync(at('none'), { recursive: true })],
  ];
  for (const [edit, back] of edits) {
    edit();
    expect(await areUnchanged(hashes)).toBe(false);
    back();
    expect(await areUnchanged(hashes)).toBe(true);
  }
});

it('knows nothing where a file was changed since it was read, whatever its own time says', async () => {
  await hashed();
  const since = Date.now() - 1000;
  expect(await hashFiles([at('none')], since)).toEqual({ [at('none')]: 'missing' });
  // An older file is put in its place.
  utimesSync(at('b'), 1, 1);
  renameSync(at('b'), at('a'));
  expect(await hashFiles([at('a')], since)).toBeUndefined();
});
