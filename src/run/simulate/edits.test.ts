/** Edited runs, simulated. */
import { expect, it } from 'vitest';
import { firstSeed } from '../../../test/seed.ts';
import { simulateEdits } from './edits.ts';

const seeds = process.env.TOOLANG_DEEP ? 900 : 40;
const first = firstSeed(seeds);

it('runs that are edited while they run come to what a new run comes to, and do nothing twice', async () => {
  const sum = { kept: 0, steps: 0, deaths: 0 };
  for (let seed = first; seed < first + seeds; seed++) {
    const { kept, steps, deaths } = await simulateEdits(seed);
    sum.kept += kept;
    sum.steps += steps;
    sum.deaths += deaths;
  }
  expect(sum.kept).toBeGreaterThan(2 * seeds);
  expect(sum.steps).toBeGreaterThan(2 * seeds);
  expect(sum.deaths).toBeGreaterThan(seeds / 2);
});

// Keys of calls were others for whoever went on: what was done was done again.
it.each([46, 49, 97, 169])('finds nothing any more in seed %i, with tools', async (seed) => {
  expect((await simulateEdits(seed)).steps).toBeGreaterThan(0);
});

// A loop that was not come to has more rounds than the first.
it.each([879])('finds nothing any more in seed %i', async (seed) => {
  expect((await simulateEdits(seed)).deaths).toBeGreaterThan(0);
});
