import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moduleFiles, resolveLocal } from './module-files.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-files-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

async function filesOf(entry: string): Promise<string[]> {
  const { files } = await moduleFiles(join(dir, entry));
  return files.map(({ file, hash }) => `${relative(dir, file)}${hash === 'missing' ? ' missing' : ''}`);
}

test('follows every form of a local import, through JavaScript and TypeScript, once each', async () => {
  write({
    'a.ts': `import { b, type B } from './b'; export * from "./c.js"; import type { D } from './types.ts';
      const e = await import(\`./e.mjs\`); import data from './data.json'; import 'effect'; import fs from 'node:fs';
      export const x: number = 1; enum Level { Low }; console.log(b, data, e, fs, Level);`,
    'b/index.ts': "export { a } from '../a.ts'; export type B = string; export const b = require('../f.cjs');",
    'c.ts': "// import './not.ts'\nexport const s = \"import './not.ts'\";",
    'e.mjs': "export { x } from './a.ts';",
    'f.cjs': '#!/usr/bin/env node\nreturn;',
    'types.ts': '',
    'not.ts': '',
    'data.json': '{}',
  });
  expect(await filesOf('a.ts')).toEqual(['a.ts', 'b/index.ts', 'c.ts', 'e.mjs', 'data.json', 'f.cjs']);
});

test('hashes the bytes of each file', async () => {
  write({ 'a.ts': 'export const é = 1;\r\n' });
  const hash = createHash('sha256').update('export const é = 1;\r\n').digest('hex');
  expect((await moduleFiles(join(dir, 'a.ts'))).files).toEqual([{ file: join(dir, 'a.ts'), hash }]);
});

test('notes files that are not there', async () => {
  write({ 'a.ts': "import './gone.ts';" });
  expect(await filesOf('a.ts')).toEqual(['a.ts', 'gone.ts missing']);
  const { missing } = await moduleFiles(join(dir, 'a.ts'));
  expect(missing).toEqual([{ from: join(dir, 'a.ts'), specifier: './gone.ts' }]);
  expect(await filesOf('none.ts')).toEqual(['none.ts missing']);
});

test('finds the files of a text that it cannot parse, and says where it stopped', async () => {
  write({
    'decorated.ts': "import { dec } from './dec.ts';\n@dec class A {}",
    'broken.mjs': "import './dec.ts';\nconst = 1;",
    'dec.ts': '',
  });
  expect(await filesOf('decorated.ts')).toEqual(['decorated.ts', 'dec.ts']);
  expect(await filesOf('broken.mjs')).toEqual(['broken.mjs', 'dec.ts']);
  expect((await moduleFiles(join(dir, 'broken.mjs'))).syntax).toMatchObject({ line: 2, column: 7 });
});

test('does not look into packages', async () => {
  write({
    'a.ts': "import './node_modules/p/x.js';",
    'node_modules/p/package.json': '{}',
    'node_modules/p/x.js': "import './y.js';",
    'node_modules/p/y.js': '',
  });
  expect(await filesOf('a.ts')).toEqual(['a.ts']);
  expect(await filesOf('node_modules/p/x.js')).toEqual(['node_modules/p/x.js', 'node_modules/p/package.json']);
});

test('long chains and deep nesting are no problem', async () => {
  const files: Record<string, string> = { 'deep.mjs': `import './f0.mjs'; ${'['.repeat(50_000)}` };
  for (let i = 0; i < 500; i++) files[`f${i}.mjs`] = i < 499 ? `import './f${i + 1}.mjs';` : "import './f0.mjs';";
  write(files);
  expect(await filesOf('f0.mjs')).toHaveLength(500);
  expect(await filesOf('deep.mjs')).toHaveLength(501);
});

test('a path is resolved as TypeScript does it', () => {
  write({ 'a.ts': '', 'b.js': '', 'b.ts': '', 'c/index.mts': '', 'd.tsx': '' });
  const found = (specifier: string) => {
    const file = resolveLocal(specifier, dir);
    return file && relative(dir, file);
  };
  expect(['./a', './a.js', './a.ts?x', './b.js', './b', './c', './d.js', './c/', './e'].map(found)).toEqual([
    'a.ts',
    'a.ts',
    'a.ts',
    'b.js',
    'b.js',
    join('c', 'index.mts'),
    'd.tsx',
    join('c', 'index.mts'),
    undefined,
  ]);
});
