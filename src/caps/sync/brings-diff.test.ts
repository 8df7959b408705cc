/** What has changed in a reference, as a reviewer reads it. */
import { expect, test } from 'vitest';
import { broughtBy } from './brings.ts';
import type { Tree } from './tree.ts';

const target = { ref: 'github://a/b/c@1', url: 'https://github.com/a/b', path: 'c' };

function tree(files: Readonly<Record<string, string | Uint8Array>>): Tree {
  return {
    isDirectory: true,
    files: Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text), isExecutable: false })),
  };
}

function diffOf(before: Parameters<typeof tree>[0], after: Parameters<typeof tree>[0]): string | undefined {
  const offer = { kind: 'skill', name: 'c', ref: 'a/b/c', target, tree: tree(after) } as const;
  return broughtBy({ ...offer, before: { target, tree: tree(before) } }).diff;
}

test('the lines that differ, with the names of the files above them, and nothing else', () => {
  expect(diffOf({ 'SKILL.md': 'a\nb\t\nc\n', same: 'x' }, { 'SKILL.md': 'a\nB\t\nc\n', same: 'x' })).toBe(
    '--- SKILL.md\n+++ SKILL.md\n@@ -1,3 +1,3 @@\n a\n-b\t\n+B\t\n c\n',
  );
});

test('files that come and go, also empty ones', () => {
  expect(diffOf({ old: 'x\n', none: '' }, { new: 'y', empty: '' })).toBe(
    [
      'empty: new, and empty',
      '--- /dev/null',
      '+++ new',
      '@@ -0,0 +1,1 @@',
      '+y',
      '\\ No newline at end of file',
      'none: removed; it was empty',
      '--- old',
      '+++ /dev/null',
      '@@ -1,1 +0,0 @@',
      '-x',
      '',
    ].join('\n'),
  );
});

test('what is not a text', () => {
  expect(diffOf({ image: new Uint8Array([0, 1]) }, { image: new Uint8Array([0, 1, 2]) })).toBe(
    'image: 2 bytes → 3 bytes, not a text\n',
  );
});
