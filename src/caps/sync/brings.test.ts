import { expect, test } from 'vitest';
import { broughtBy, type Offer } from './brings.ts';
import type { Tree } from './tree.ts';

const target = { ref: 'github://acme/skills/x@1', url: 'https://github.com/acme/skills', commit: 'a'.repeat(40) };
const tree = (files: Record<string, string | Uint8Array>): Tree => ({
  isDirectory: true,
  files: Object.entries(files).map(([path, content]) => ({
    path,
    bytes: Buffer.from(content),
    isExecutable: path === 'run',
  })),
});
const skill = (files: Record<string, string | Uint8Array>, more: Partial<Offer> = {}) =>
  broughtBy({ kind: 'skill', name: 'x', ref: 'acme/x', target, tree: tree(files), ...more });

test('scripts are known by their mode, their first line or their name', () => {
  const { files } = skill({ 'SKILL.md': 'x', run: 'x', 'a.txt': '#!/bin/sh', 'b.PY': '', 'c.ps1': '', 'd.json': '{}' });
  expect(files.filter(({ isScript }) => isScript).map(({ path }) => path)).toEqual(['run', 'a.txt', 'b.PY', 'c.ps1']);
});

test('a service shows what it starts or whom it calls, and what it is given', () => {
  const base = { kind: 'service', name: 'x', description: 'Does.', env: ['A'], requires: ['A', 'B'] } as const;
  const of = (facts: NonNullable<Offer['facts']>) =>
    broughtBy({ kind: 'service', name: 'x', ref: 'r', target, tree: tree({}), facts });
  expect(of({ ...base, transport: 'stdio', target: 'serve it', argv: ['serve', 'it'] })).toMatchObject({
    description: 'Does.',
    command: ['serve', 'it'],
    variables: ['A', 'B'],
  });
  expect(of({ ...base, transport: 'http', target: 'https://x.org', headers: {} })).toMatchObject({
    address: 'https://x.org',
  });
});

test('tools that a skill asks for are shown', () => {
  expect(skill({}, { extra: { 'allowed-tools': ['Bash', 'Read'] } }).allowedTools).toBe('Bash, Read');
  expect(skill({}, { extra: { 'allowed-tools': 'Bash' } }).allowedTools).toBe('Bash');
  expect(skill({}).allowedTools).toBeUndefined();
});

test('another version shows what has changed, file by file', () => {
  const before = {
    target,
    tree: tree({
      'SKILL.md': 'one\ntwo\n',
      'gone.md': 'bye\n',
      'same.md': 'same\n',
      'pic.png': Uint8Array.of(0xff, 0xfe, 0, 1),
    }),
  };
  const { diff = '' } = skill(
    { 'SKILL.md': 'one\n2\n', 'new.md': 'hi\n', 'same.md': 'same\n', 'pic.png': Uint8Array.of(0xff, 0xfe, 0, 2, 3) },
    { before },
  );
  expect(diff).toContain('--- SKILL.md\n+++ SKILL.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
  expect(diff).toContain('--- gone.md\n+++ /dev/null\n');
  expect(diff).toContain('--- /dev/null\n+++ new.md\n');
  expect(diff).toContain('pic.png: 4 bytes → 5 bytes, not a text\n');
  expect(diff).not.toContain('same.md');
});

test('a change that nobody would read is told in a line', () => {
  const lines = (word: string) => Array.from({ length: 6000 }, (_, i) => `${word} ${i}\n`).join('');
  const { diff } = skill({ 'SKILL.md': lines('b') }, { before: { target, tree: tree({ 'SKILL.md': lines('a') }) } });
  expect(diff).toBe('SKILL.md: changed in more than 5000 lines\n');
});
