/** What is said of a change where no state says what was there before. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePlace, type Place } from './sync-kit.ts';

let place: Place;
beforeEach(() => {
  place = makePlace(() => ({ program: {}, caps: [], uses: [], diagnostics: [] }));
  place.write('work/.toolang/config.toml', '[prompts]\nshort = { ref = "acme/short" }\n');
  place.write('work/.toolang/prompts/own.md', 'Own.\n');
  place.remote.set('acme/short', { 'short.md': 'Be short.\n' });
});
afterEach(() => place.remove());

test('of a home without agents: added, updated and repaired are told apart', async () => {
  const changes = async (options: Parameters<Place['sync']>[0] = {}) =>
    (await place.sync({ agents: [], ...options })).changes.map(({ what, name }) => `${what} ${name}`);
  expect(await changes()).toEqual(['added own', 'added short']);
  expect(await changes()).toEqual([]);
  place.remote.set('acme/short', { 'short.md': 'Be shorter.\n' });
  place.write('work/.toolang/prompts/own.md', 'Mine.\n');
  expect(await changes({ isUpdated: () => true })).toEqual(['updated own', 'updated short']);
  place.write('work/.toolang/sync/wired/prompts/short.md', 'Be evil.\n');
  expect(await changes()).toEqual(['repaired short']);
});
