/** `toolang sync --check`: it tells what a sync would do, and does nothing. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkProgram } from '../../program/index.ts';
import { parse } from '../../too/index.ts';
import type { SyncReport } from './sync.ts';
import { makePlace, type Place } from './sync-kit.ts';

let place: Place;
beforeEach(() => {
  place = makePlace((source) => {
    const { program, diagnostics } = checkProgram(parse(source), {});
    return { program: {}, caps: program.caps, uses: program.uses, diagnostics };
  });
  place.remote.set('acme/review', { 'SKILL.md': '---\ndescription: Reviews.\n---\nLook.\n' });
  place.remote.set('acme/short', { 'short.md': 'Short.\n' });
  place.write('work/agent.too', 'use skill acme/review\n\npsyche calm:\n  Be calm.\n');
  place.write('work/.toolang/prompts/hello.md', 'Hello.\n');
});
afterEach(() => place.remove());

/** Looks, and finds that looking has changed nothing and asked nobody. */
async function check(): Promise<SyncReport> {
  const picture = () =>
    place.list('.').map((file) => [file, statSync(path.join(place.dir, file), { bigint: true }).ctimeNs]);
  const before = picture();
  place.asked.length = 0;
  const report = await place.sync({ check: true });
  expect(picture()).toEqual(before);
  expect(place.asked).toEqual([]);
  return report;
}

test('a home that was never synced has everything to do', async () => {
  expect(await check()).toMatchObject({
    ok: false,
    unlocked: [{ kind: 'skill', ref: 'acme/review' }],
    changes: [
      { what: 'added', name: 'hello' },
      { what: 'added', name: 'calm' },
    ],
  });
});

test('a home that is up to date has nothing to do, though its state is gone', async () => {
  await place.sync();
  expect(await check()).toMatchObject({ ok: true, isFresh: true, changes: [] });
  rmSync(path.join(place.dir, 'work/.toolang/sync/agent.state.json'));
  expect(await check()).toMatchObject({ ok: true, changes: [], unlocked: [] });
});

test.each([
  [
    'a local cap that was edited',
    () => place.write('work/.toolang/prompts/hello.md', 'Bye.\n'),
    { what: 'updated', name: 'hello' },
  ],
  [
    'a local cap that is gone',
    () => rmSync(path.join(place.dir, 'work/.toolang/prompts/hello.md')),
    { what: 'removed', kind: 'prompt' },
  ],
  [
    'a skill that was tampered with',
    () => writeFileSync(path.join(place.dir, 'work/.toolang/agents/agent/sync/ref/skills/review/SKILL.md'), 'X'),
    { what: 'repaired', name: 'review', ref: 'acme/review' },
  ],
])('%s is told', async (_what, change, wanted) => {
  await place.sync();
  change();
  const { ok, changes } = await check();
  expect(ok).toBe(false);
  expect(changes).toMatchObject([wanted]);
});

test('a reference that came is told as not locked, one that went as a lock that would change', async () => {
  await place.sync();
  place.write('work/agent.too', 'use skill acme/review\nuse prompt acme/short\n\npsyche calm:\n  Be calm.\n');
  expect(await check()).toMatchObject({ ok: false, changes: [], unlocked: [{ ref: 'acme/short' }] });
  await place.sync();
  const lock = place.read('work/toolang.lock');
  place.write('work/agent.too', 'use skill acme/review\n\npsyche calm:\n  Be calm.\n');
  await place.sync();
  place.write('work/toolang.lock', lock);
  expect(await check()).toMatchObject({ ok: false, changes: [] });
});

test('what is wrong is told as by a sync', async () => {
  place.write('work/.toolang/prompts/bad.md', '---\nnever closed\n');
  expect(await check()).toMatchObject({ ok: false, diagnostics: [{ code: 'TOO5208' }] });
});
