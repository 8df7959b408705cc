/** What somebody has tampered with, by the built program with real repositories: refused with a clear message, or put back. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSyncHome, leftoversIn, pictureOf, restore, type SyncHome } from './sync-home.ts';

let place: SyncHome;
let before: string;
let lock: string;
let skill: string;
beforeAll(async () => {
  place = createSyncHome();
  before = join(place.hub.top, 'before');
  lock = join(place.home, 'toolang.lock');
  skill = join(place.home, '.toolang/agents/bob/sync/ref/skills/review');
  place.hub.commit('acme/skills', {
    'skills/review/SKILL.md': '---\ndescription: Reviews.\n---\nLook.\n',
    'skills/review/scripts/run.sh': { executable: '#!/bin/sh\n' },
  });
  place.write({ 'agents/bob/agent.too': 'use skill acme/review\n\nthunk go(input: Message) -> Text:\n  user: Go.\n' });
  const { code, said } = await place.sync();
  expect(code, said).toBe(0);
  restore(place.root, before);
});
afterAll(() => place.close());

const edit = (change: (text: string) => string) => writeFileSync(lock, change(readFileSync(lock, 'utf8')));

test.each([
  [
    'a merge conflict',
    () => edit((text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`),
    /toolang\.lock:1:1 .*TOO5402.*merge conflict/,
  ],
  ['a newer version', () => edit((text) => text.replace('"version": 1', '"version": 9')), /TOO5402.*newer toolang/],
  ['a file above', () => edit((text) => text.replace('scripts/run.sh', '../../../run.sh')), /TOO5402.*leads elsewhere/],
  ['a path above', () => edit((text) => text.replace('"skills/review"', '"../review"')), /TOO5402.*leads elsewhere/],
  [
    'another hash',
    () => edit((text) => text.replace(/"SKILL.md": "../, '"SKILL.md": "00')),
    /TOO5401.*"SKILL.md" has another content/,
  ],
  [
    'a file more',
    () => edit((text) => text.replace('"SKILL.md"', `"EXTRA.md": "${'0'.repeat(64)}",\n        "SKILL.md"`)),
    /TOO5401.*"EXTRA.md" is missing/,
  ],
  ['another commit', () => edit((text) => text.replaceAll(/[0-9a-f]{40}(?=")/g, 'd'.repeat(40))), /error TOO5\d+/],
])('a lock with %s is refused, and nothing is changed', async (_what, change, words) => {
  restore(before, place.root);
  change();
  const wanted = pictureOf(place.root);
  const { code, said } = await place.sync();
  expect(said).toMatch(words);
  expect(said).not.toMatch(/bug of ours/);
  expect(code).toBe(2);
  expect(pictureOf(place.root)).toEqual(wanted);
  expect(leftoversIn(place.root)).toEqual([]);
});

test.each([
  [
    'a changed byte',
    () => writeFileSync(join(skill, 'scripts/run.sh'), '#!/bin/sh\nrm -rf /\n'),
    '"scripts/run.sh" was changed',
  ],
  ['a file more', () => writeFileSync(join(skill, 'more.sh'), 'x'), '"more.sh" does not belong there'],
  ['a link', () => symlinkSync('/etc/passwd', join(skill, 'link')), '"link" is neither a file nor a directory'],
  [
    'a link in its place',
    () => {
      rmSync(skill, { recursive: true });
      symlinkSync('/etc', skill);
    },
    'it is a link',
  ],
])('a skill with %s is put back from what was fetched, without the network', async (_what, change, words) => {
  restore(before, place.root);
  const wanted = pictureOf(place.root);
  change();
  place.hub.commands();
  const { code, said } = await place.sync({ args: ['sync', '--frozen', '--offline'] });
  expect(code, said).toBe(0);
  expect(said).toContain(words);
  expect(pictureOf(place.root)).toEqual(wanted);
  expect(place.hub.commands().filter((command) => / (?:ls-remote|fetch) /.test(command))).toEqual([]);
  expect(existsSync('/etc/passwd')).toBe(true);
});
