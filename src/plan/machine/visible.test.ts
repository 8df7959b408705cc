/** What can be seen from a spot: by name, and all of it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashOf } from '../hash.ts';
import { generatePlan } from './generate-plan.ts';
import { layoutOf } from './spot.ts';
import { visibleStep, visibleSteps } from './visible.ts';

function numbersFrom(seed: number): () => number {
  let count = 0;
  return () => Number.parseInt(hashOf([seed, count++]).slice(0, 8), 16) / 2 ** 32;
}

it('a step that is asked for by name is the one in the list of all that can be seen', () => {
  let found = 0;
  let hidden = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const layout = layoutOf(generatePlan(numbersFrom(seed), { size: 12, depth: 4, failures: true }));
      const ids = new Set(layout.spots.flatMap(({ node }) => node.id ?? []));
      for (const spot of layout.spots.slice(1)) {
        const all = visibleSteps(spot);
        for (const name of [...ids, ...all.keys(), 'nobody']) {
          const seen = visibleStep(spot, name, layout);
          expect(seen, `${name} from ${spot.node.path}`).toBe(all.get(name));
          if (seen) found++;
          else hidden++;
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(found).toBeGreaterThan(1000);
  expect(hidden).toBeGreaterThan(1000);
});
