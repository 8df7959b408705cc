import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { activeCaps, capText, skillDirectory } from './read-synced.ts';
import type { SyncState } from './state.ts';
import type { SyncedCap } from './synced.ts';
import { sha256 } from './tree.ts';

let dir: string;
let skill: SyncedCap;
let prompt: SyncedCap;
const written = { scope: 'here', form: 'ref', file: 'agent.too', line: 1, column: 1 } as const;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'read-synced-'));
  mkdirSync(path.join(dir, 'review/scripts'), { recursive: true });
  writeFileSync(path.join(dir, 'review/SKILL.md'), 'Look.');
  writeFileSync(path.join(dir, 'review/scripts/run.sh'), 'run');
  writeFileSync(path.join(dir, 'short.md'), 'Short.');
  skill = {
    ...written,
    kind: 'skill',
    name: 'review',
    path: path.join(dir, 'review'),
    files: { 'SKILL.md': sha256('Look.'), 'scripts/run.sh': sha256('run') },
    facts: { kind: 'skill', name: 'review', description: 'd', extra: {} },
  };
  prompt = {
    ...written,
    kind: 'prompt',
    name: 'short',
    path: path.join(dir, 'short.md'),
    files: { 'short.md': sha256('Short.') },
    facts: { kind: 'prompt', name: 'short', properties: {} },
  };
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('what was synced', () => {
  test('is read as it was', () => {
    expect(capText(skill)).toBe('Look.');
    expect(capText(prompt)).toBe('Short.');
    expect(skillDirectory(skill)).toBe(skill.path);
  });

  test.each([
    ['changed', () => writeFileSync(path.join(dir, 'short.md'), 'Long.'), '"short.md" was changed'],
    ['gone', () => rmSync(path.join(dir, 'short.md')), 'it cannot be read'],
    [
      'a directory',
      () => {
        rmSync(path.join(dir, 'short.md'));
        mkdirSync(path.join(dir, 'short.md'));
      },
      'it cannot be read',
    ],
  ])('is refused as a text where it is %s', (_what, change, words) => {
    change();
    expect(() => capText(prompt)).toThrow(
      expect.objectContaining({ code: 'TOO5405', message: expect.stringContaining(words) }),
    );
  });

  test.each([
    [
      'a changed script',
      () => writeFileSync(path.join(dir, 'review/scripts/run.sh'), 'rm'),
      '"scripts/run.sh" was changed',
    ],
    ['a file more', () => writeFileSync(path.join(dir, 'review/more.sh'), 'x'), '"more.sh" does not belong there'],
    ['a file less', () => rmSync(path.join(dir, 'review/scripts/run.sh')), '"scripts/run.sh" is missing'],
    [
      'a link',
      () => symlinkSync('/etc/passwd', path.join(dir, 'review/link')),
      '"link" is neither a file nor a directory',
    ],
    ['nothing', () => rmSync(path.join(dir, 'review'), { recursive: true }), 'it is not there'],
  ])('is refused as a skill with %s', (_what, change, words) => {
    change();
    expect(() => skillDirectory(skill)).toThrow(words);
    expect(() => skillDirectory(skill)).toThrow('Run "toolang sync", which puts it back.');
  });
});

test('one activation sees the nearest of each name, in the scopes that are on', () => {
  const wide: SyncedCap = { ...prompt, scope: 'root', form: 'file' };
  const only: SyncedCap = { ...prompt, name: 'other', scope: 'root', form: 'file' };
  const state: SyncState = {
    version: 1,
    toolang: '0',
    agent: 'a',
    source: 'a.too',
    root: 'r',
    stamps: {},
    program: undefined,
    caps: { here: [prompt, skill], home: [], root: [wide, only] },
  };
  const names = (global: boolean) =>
    activeCaps(state, { shared: true, global }).caps.map(({ name, scope }) => `${scope} ${name}`);
  expect(names(false)).toEqual(['here short', 'here review']);
  expect(names(true)).toEqual(['here short', 'here review', 'root other']);
});
