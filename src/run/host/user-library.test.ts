/** Where packages of users' code are found, and where not. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUserLibrary } from './user-library.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-library-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

const manifest = (name: string, more: object = {}) =>
  JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './main.js', ...more });

test('packages are those that the file can reach, the nearest first', async () => {
  write({
    'node_modules/effect/package.json': manifest('effect'),
    'node_modules/effect/main.js': '',
    'inner/node_modules/effect/package.json': manifest('effect'),
    'inner/node_modules/effect/main.js': '',
    'node_modules/@acme/tool/package.json': manifest('@acme/tool'),
    'node_modules/@acme/tool/main.js': '',
  });
  const { resolve } = await createUserLibrary();
  expect(resolve('effect', join(dir, 'flows/a.ts'))).toBe(join(dir, 'node_modules/effect/main.js'));
  expect(resolve('effect', join(dir, 'inner/deep/a.ts'))).toBe(join(dir, 'inner/node_modules/effect/main.js'));
  expect(resolve('@acme/tool', join(dir, 'a.ts'))).toBe(join(dir, 'node_modules/@acme/tool/main.js'));
});

test('what is installed beside ourselves is not there for them', async () => {
  const { resolve } = await createUserLibrary();
  for (const name of ['effect', 'zod', 'jiti', '@biomejs/biome']) {
    expect(resolve(name, join(dir, 'a.ts'))).toBeUndefined();
  }
});

test('a package knows itself by its name, and the files that its manifest names', async () => {
  write({ 'package.json': manifest('mine', { imports: { '#own': './own.js' } }), 'main.js': '', 'own.js': '' });
  const { resolve } = await createUserLibrary();
  expect(resolve('mine', join(dir, 'flows/a.ts'))).toBe(join(dir, 'main.js'));
  expect(resolve('#own', join(dir, 'a.ts'))).toBe(join(dir, 'own.js'));
  expect(resolve('other', join(dir, 'a.ts'))).toBeUndefined();
});
