/** Syncs that are killed at any change they make: what is there stays usable, and the next sync makes the rest. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capText, readLock, readState, skillDirectory, staleness } from '../../src/caps/index.ts';
import { scopes } from '../../src/caps/scope/scope.ts';
import { createRandom, type Random } from '../generate/random.ts';
import { createSyncHome, leftoversIn, pictureOf, restore, type SyncHome } from './sync-home.ts';

const isDeep = Boolean(process.env.TOOLANG_DEEP);
/** For each of the two beginnings; every sixth of them in the long form. */
const fewKills = 4;
const every = 6;
const seed = Number(process.env.TOOLANG_SEED) || 1;
const killer = pathToFileURL(join(import.meta.dirname, 'killer.mjs')).href;
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

let place: SyncHome;
let before: string;
beforeAll(() => {
  place = createSyncHome();
  before = join(place.hub.top, 'before');
  const skill = (text: string) => `---\ndescription: ${text}\n---\n${text}\n`;
  place.hub.commit('acme/skills', {
    'skills/review/SKILL.md': skill('Reviews.'),
    'skills/review/scripts/run.sh': { executable: '#!/bin/sh\n' },
    'skills/plan/SKILL.md': skill('Plans.'),
    'skills/plan/references/how.md': 'So.\n',
  });
  place.hub.commit('acme/prompts', { 'short.md': 'Be short.\n', 'long.md': 'Be long.\n' });
});
afterAll(() => place.close());

const thunk = 'thunk go(input: Message) -> Text:\n  user: Go.\n';
const first = {
  'config.toml': '[prompts]\nshort = { ref = "acme/short" }\n',
  'services/clock.md': '---\ndescription: Time.\ntransport: stdio\ntarget: clock serve\n---\n',
  'agents/bob/agent.too': `use skill acme/review\nuse prompt acme/short\n\npsyche careful:\n  Be careful.\n\n${thunk}`,
  'agents/bob/extra.too': `use skill acme/plan\n\n${thunk}`,
  'agents/bob/config.toml': '[prompts]\nlong = { ref = "acme/long" }\n',
  'agents/bob/prompts/hello.md': 'Say hello.\n',
  'agents/bob/skills/local/SKILL.md': '---\ndescription: Local.\n---\nLook.\n',
  'agents/bob/skills/local/references/a.md': 'A.\n',
};
const second = {
  'config.toml': '[prompts]\nbrief = { ref = "acme/short" }\n',
  'services/clock.md': null,
  'psyches/calm.md': 'Be calm.\n',
  'agents/bob/agent.too': `use skill acme/plan\n\npsyche careful:\n  Be very careful.\n\npsyche bold:\n  Be bold.\n\n${thunk}`,
  'agents/bob/extra.too': null,
  'agents/bob/config.toml': null,
  'agents/bob/prompts/hello.md': 'Say good morning.\n',
  'agents/bob/skills/local/references/a.md': null,
  'agents/bob/skills/local/references/b.md': 'B.\n',
};

/** A state that says it is fresh tells the truth, and locks can be read. */
async function expectUsable(): Promise<void> {
  const { root, home } = place;
  for (const file of [join(root, 'toolang.lock'), join(home, 'toolang.lock')]) {
    expect(await readLock(file, file)).toMatchObject({ ok: true });
  }
  const state = await readState(join(home, '.toolang/sync/bob.state.json'), version);
  if (state === undefined || staleness(state) !== undefined) return;
  for (const cap of scopes.flatMap((scope) => state.caps[scope])) {
    expect(capText(cap)).not.toBe('');
    if (cap.kind === 'skill') skillDirectory(cap);
  }
}

async function afterEdits(): Promise<void> {
  place.write(first);
  expect(await place.sync()).toMatchObject({ code: 0 });
  place.write(second);
}

/** From here on `before` has what was prepared. Gives what a sync comes to, and how many changes it makes for that. */
async function calm(prepare: () => void | Promise<void>): Promise<{ wanted: Record<string, string>; changes: number }> {
  rmSync(place.root, { recursive: true, force: true });
  await prepare();
  restore(place.root, before);
  const log = join(place.hub.top, 'log');
  const { code, said } = await place.sync({ preload: `${killer}?log=${encodeURIComponent(log)}` });
  expect(code, said).toBe(0);
  expect(leftoversIn(place.root)).toEqual([]);
  const changes = Number(readFileSync(log, 'utf8'));
  expect(changes).toBeGreaterThan(30);
  return { wanted: pictureOf(place.root), changes };
}

/** Every sixth in the long form, so that six seeds one after the other try all of them; else a few all over. */
function placesIn(changes: number, few: number, random: Random): number[] {
  if (isDeep)
    return Array.from(
      { length: Math.floor((changes + every - 1 - (seed % every)) / every) },
      (_, i) => every * i + 1 + (seed % every),
    );
  return Array.from({ length: few }, (_, i) => 1 + Math.floor(((i + random.below(100) / 100) * changes) / few));
}

async function expectMended(wanted: Record<string, string>, after: string): Promise<void> {
  await expectUsable();
  const next = await place.sync();
  expect(next.code, `${after}: ${next.said}`).toBe(0);
  expect(pictureOf(place.root), after).toEqual(wanted);
  // A sync that finds all as it should be does not even look for them.
  if (next.said.includes('up to date')) await place.sync({ args: ['sync', '--yes', '--update'] });
  expect(
    leftoversIn(place.root).filter((name) => !isUntold(name)),
    after,
  ).toEqual([]);
}

/** Nobody can tell whose a turn is that was not written yet: it goes when it is old. */
function isUntold(name: string): boolean {
  return /\.turn\.[0-9a-f]+$/.test(name) && statSync(join(place.root, name)).size < 100;
}

test.each([
  ['the first sync', () => place.write(first)],
  ['a sync after edits', afterEdits],
])('%s, killed anywhere, is made good by the next', async (_name, prepare) => {
  const { wanted, changes } = await calm(prepare);
  const random = createRandom(seed);
  for (const at of placesIn(changes, fewKills, random)) {
    const when = random.pick(['before', 'within', 'after']);
    restore(before, place.root);
    const killed = await place.sync({ preload: `${killer}?at=${at}&when=${when}` });
    expect(killed.signal, `${at} ${when}: ${killed.said}`).toBe('SIGKILL');
    await expectMended(wanted, `after ${at} ${when}`);
  }
});

test('a sync that cannot write says why, and the next one that can makes it good', async () => {
  const { wanted, changes } = await calm(afterEdits);
  const random = createRandom(seed);
  // The last ones give the turns back.
  for (const at of placesIn(changes - 4, fewKills, random)) {
    const [code, words] = random.pick([
      ['ENOSPC', 'the disk is full'],
      ['EACCES', 'permission denied'],
      ['EROFS', 'the file system is read-only'],
    ] as [readonly [string, string], ...(readonly [string, string])[]]);
    restore(before, place.root);
    const failed = await place.sync({ preload: `${killer}?at=${at}&fails=${code}` });
    // Some are not needed: what one does, another does as well.
    if (failed.code !== 0)
      expect(failed, `${at} ${code}`).toMatchObject({ code: 1, said: expect.stringContaining(words) });
    expect(failed.said, `${at} ${code}`).not.toMatch(/bug of ours|^ +at /m);
    await expectMended(wanted, `after ${at} ${code}`);
  }
});
