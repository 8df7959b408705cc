import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualClock, realClock } from './clock.ts';
import { writeFileAtomic } from './write-atomic.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'toolang-write-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: no`), { code });
}

test('writes a new file and replaces an old one, keeping its mode', async () => {
  const path = join(dir, 'a.toml');
  await writeFileAtomic(path, 'one');
  await chmod(path, 0o640);
  await writeFileAtomic(path, Buffer.from('two'));
  expect(await readFile(path, 'utf8')).toBe('two');
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect(await readdir(dir)).toEqual(['a.toml']);
});

test.skipIf(process.platform === 'win32')('gives a new file the mode asked for', async () => {
  const path = join(dir, 'token');
  await writeFileAtomic(path, 'x', { mode: 0o600 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('writes through links, also to a file that is not there yet', async () => {
  await mkdir(join(dir, 'real'));
  await symlink(join('real', 'b'), join(dir, 'a'));
  await symlink('a', join(dir, 'first'));
  await writeFileAtomic(join(dir, 'first'), 'one');
  await writeFileAtomic(join(dir, 'first'), 'two');
  expect(await readFile(join(dir, 'real', 'b'), 'utf8')).toBe('two');
  expect(await readlink(join(dir, 'first'))).toBe('a');
  await symlink('circle', join(dir, 'circle'));
  await expect(writeFileAtomic(join(dir, 'circle'), 'x')).rejects.toMatchObject({ kind: 'loop' });
});

test('follows no link where it may not, and calls the file as it is told to', async () => {
  await writeFile(join(dir, 'real'), 'old');
  await symlink('real', join(dir, 'a'));
  const options = { follow: false, name: 'notes.md' };
  await expect(writeFileAtomic(join(dir, 'a'), 'new', options)).rejects.toMatchObject({
    kind: 'not-a-file',
    message: expect.stringContaining('"notes.md" is not a file'),
  });
  expect(await readFile(join(dir, 'real'), 'utf8')).toBe('old');
  await writeFileAtomic(join(dir, 'real'), 'new', options);
  await writeFileAtomic(join(dir, 'more'), 'more', options);
  expect(await readFile(join(dir, 'real'), 'utf8')).toBe('new');
  expect((await readdir(dir)).sort()).toEqual(['a', 'more', 'real']);
});

test('refuses what is not a file, and says so', async () => {
  await expect(writeFileAtomic(dir, 'x')).rejects.toMatchObject({ kind: 'directory' });
  await expect(writeFileAtomic(join(dir, 'no', 'a'), 'x')).rejects.toMatchObject({
    kind: 'missing',
    message: expect.stringContaining('its directory does not exist'),
  });
  if (process.platform !== 'win32') {
    await expect(writeFileAtomic('/dev/null', 'x')).rejects.toMatchObject({ kind: 'not-a-file' });
  }
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('leaves a read-only file alone', async () => {
  const path = join(dir, 'a');
  await writeFile(path, 'one', { mode: 0o444 });
  await expect(writeFileAtomic(path, 'two')).rejects.toMatchObject({ kind: 'denied' });
});

test('removes its temporary file when it fails, and keeps the old text', async () => {
  const path = join(dir, 'a');
  await writeFile(path, 'old');
  const rename = () => Promise.reject(systemError('ENOSPC'));
  await expect(writeFileAtomic(path, 'new', { rename })).rejects.toMatchObject({ kind: 'full' });
  expect(await readdir(dir)).toEqual(['a']);
  expect(await readFile(path, 'utf8')).toBe('old');
});

test('tries a rename again while Windows says the file is held, a bounded number of times', async () => {
  const path = join(dir, 'a');
  const clock = { ...realClock, sleep: () => Promise.resolve() };
  let calls = 0;
  const { rename } = await import('node:fs/promises');
  const twice = (from: string, to: string) => (++calls < 3 ? Promise.reject(systemError('EPERM')) : rename(from, to));
  await writeFileAtomic(path, 'x', { rename: twice, platform: 'win32', clock });
  expect(calls).toBe(3);
  calls = 0;
  const never = () => {
    calls++;
    return Promise.reject(systemError('EBUSY'));
  };
  await expect(writeFileAtomic(path, 'y', { rename: never, platform: 'win32', clock })).rejects.toMatchObject({
    kind: 'other',
  });
  expect(calls).toBe(10);
  calls = 0;
  const denied = () => {
    calls++;
    return Promise.reject(systemError('EPERM'));
  };
  const options = { rename: denied, platform: 'linux' as const, clock: manualClock() };
  await expect(writeFileAtomic(path, 'y', options)).rejects.toMatchObject({ kind: 'denied' });
  expect(calls).toBe(1);
});

test('many at once leave one whole text', async () => {
  const path = join(dir, 'a');
  const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(5000));
  await Promise.all(texts.map((text) => writeFileAtomic(path, text)));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(dir)).toEqual(['a']);
});
