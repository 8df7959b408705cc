/** Random plans, random deaths: nothing is lost, nothing is done twice. */
import { describe, expect, test } from 'vitest';
import { firstSeed } from '../../../test/seed.ts';
import type { Plant } from './planted.ts';
import { simulate } from './simulate.ts';

const seeds = process.env.TOOLANG_DEEP ? 5000 : 700;
const first = firstSeed(seeds);
const parts = 10;

describe('the simulator', () => {
  test.each(Array.from({ length: parts }, (_, part) => part))('finds nothing, part %i', async (part) => {
    let deaths = 0;
    for (let seed = first + part; seed < first + seeds; seed += parts) deaths += (await simulate(seed)).deaths;
    expect(deaths).toBeGreaterThan(seeds / parts / 4);
  });

  // A step that its owners had died of three times waited for money when the next one left, and was forgotten.
  test.each([7337])('finds nothing any more in seed %i', async (seed) => {
    expect((await simulate(seed)).deaths).toBeGreaterThan(2);
  });

  const plants: readonly Plant[] = [
    'effect before its commit',
    'a slot held while waiting',
    'a slot held while a child waits',
    'a child that goes on without a slot',
    'a signal delivered twice',
    'a step called begun without a place',
    'deaths that nobody counts',
    'money that is counted when it is spent',
  ];
  test.each(plants)('finds a planted mistake: %s', async (plant) => {
    let found = 0;
    for (let seed = 1; seed <= 200 && found < 2; seed++) {
      await simulate(seed, plant).catch(() => found++);
    }
    expect(found).toBeGreaterThan(1);
  });

  test('gives the same for the same seed', async () => {
    for (let seed = 0; seed < 20; seed++) expect(await simulate(seed)).toEqual(await simulate(seed));
  });
});
