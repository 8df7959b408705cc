import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { differenceAt, hashesOf, pathsOf, placeTree, type Tree } from './tree.ts';

let dir: string;
let at: string;
let scratch: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'tree-'));
  at = path.join(dir, 'place');
  scratch = path.join(dir, '.new');
});
afterEach(() => rmSync(dir, { recursive: true }));

const tree = (files: Record<string, string>, isDirectory = true): Tree => ({
  isDirectory,
  files: Object.entries(files).map(([name, text]) => ({
    path: name,
    bytes: Buffer.from(text),
    isExecutable: name.endsWith('.sh'),
  })),
});

describe('a tree that is placed', () => {
  test.each([
    ['nothing', () => {}],
    ['a file', () => writeFileSync(at, 'x')],
    ['an empty directory', () => mkdirSync(at)],
    [
      'a full directory',
      () => {
        mkdirSync(path.join(at, 'a/b'), { recursive: true });
        writeFileSync(path.join(at, 'a/b/c'), 'x');
      },
    ],
    ['a link', () => symlinkSync(dir, at)],
    ['a link that leads nowhere', () => symlinkSync('none', at)],
  ])('takes the place of %s', async (_what, before) => {
    for (const [wanted, name] of [
      [tree({ 'SKILL.md': 'A', 'x/run.sh': 'B' }), 'SKILL.md'],
      [tree({ place: 'A' }, false), ''],
    ] as const) {
      rmSync(at, { recursive: true, force: true });
      before();
      await placeTree(at, wanted, scratch);
      expect(differenceAt(at, hashesOf(wanted), wanted.isDirectory)).toBeUndefined();
      expect(readFileSync(path.join(at, name), 'utf8')).toBe('A');
      expect(readdirSync(scratch)).toEqual([]);
    }
  });

  test('keeps what can be run', async () => {
    await placeTree(at, tree({ 'a.md': '', 'run.sh': '' }), scratch);
    expect(statSync(path.join(at, 'run.sh')).mode & 0o111).not.toBe(0);
    expect(statSync(path.join(at, 'a.md')).mode & 0o111).toBe(0);
  });

  test('leaves what was there, and nothing of its own, where it cannot be written', async () => {
    await placeTree(at, tree({ 'a.md': 'A' }), scratch);
    // A name that is a file and a directory at once.
    await expect(placeTree(at, tree({ x: '1', 'x/y': '2' }), scratch)).rejects.toThrow();
    expect(readFileSync(path.join(at, 'a.md'), 'utf8')).toBe('A');
    expect(readdirSync(scratch)).toEqual([]);
    expect(existsSync(path.join(at, 'x'))).toBe(false);
  });
});

describe('the paths of a tree', () => {
  test('are those of its directories and files, its links and what they lead to', () => {
    mkdirSync(path.join(at, 'a'), { recursive: true });
    mkdirSync(path.join(dir, 'other/deep'), { recursive: true });
    writeFileSync(path.join(dir, 'other/deep/x'), '');
    symlinkSync(path.join(dir, 'other'), path.join(at, 'link'));
    symlinkSync('none', path.join(at, 'broken'));
    const names = (paths: string[]) => paths.map((each) => path.relative(dir, each)).sort();
    expect(names(pathsOf(at))).toEqual(['other', 'place', 'place/a', 'place/broken', 'place/link']);
    expect(names(pathsOf(at, () => true))).toEqual([
      'other',
      'other/deep',
      'other/deep/x',
      'place',
      'place/a',
      'place/broken',
      'place/link',
    ]);
  });

  test('end where links lead in a circle', () => {
    mkdirSync(at);
    symlinkSync(dir, path.join(at, 'up'));
    expect(pathsOf(at, () => true).length).toBeLessThan(10);
  });
});
