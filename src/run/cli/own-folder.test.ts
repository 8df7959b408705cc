/** Folders of calls: for the user alone, and the same for the same call. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeOwnFolder } from './own-folder.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-own-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('a call that is begun again finds nothing of what it left', async () => {
  const folder = await makeOwnFolder('run/a#1', dir);
  writeFileSync(join(folder, 'instructions.md'), 'secret');
  expect(await makeOwnFolder('run/a#1', dir)).toBe(folder);
  expect(existsSync(join(folder, 'instructions.md'))).toBe(false);
  expect(await makeOwnFolder('run/a#2', dir)).not.toBe(folder);
});

it.skipIf(process.platform === 'win32')('nobody else can enter it, or have made it', async () => {
  const folder = await makeOwnFolder('a', dir);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  rmSync(folder, { recursive: true });
  const elsewhere = join(dir, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'kept'), '');
  symlinkSync(elsewhere, folder);
  const other = await makeOwnFolder('a', dir);
  expect(other).not.toBe(folder);
  expect(existsSync(join(elsewhere, 'kept'))).toBe(true);
});
