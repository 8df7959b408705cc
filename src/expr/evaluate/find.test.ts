/** Our search against the machine's. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBudget } from './budget.ts';
import { finder, findLast } from './find.ts';
import type { Runtime } from './value.ts';

const runs = process.env.TOOLANG_DEEP ? 20_000 : 1_000;
const runtime = (): Runtime => ({ now: 0, budget: createBudget(), at: { start: 0, end: 0 }, depth: 0 });

/** Long texts of few letters, so that needles of all lengths are found and almost found. */
const text = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), maxLength: 120 });
const needle = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'a', 'b'), maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('a', 'ab', 'aab'), fc.integer({ min: 5, max: 20 }))
    .map(([unit, count]) => unit.repeat(count)),
);

describe('a text in a text', () => {
  it('is found at every place where it stands, overlapping or not', () => {
    fc.assert(
      fc.property(text, needle, fc.integer({ min: 1, max: 60 }), (hay, word, step) => {
        const find = finder(runtime(), hay, word);
        let from = 0;
        for (let i = 0; i < 200; i++) {
          const found = find(from);
          expect(found).toBe(hay.indexOf(word, from));
          if (found === -1 || found >= hay.length) break;
          from = found + step;
        }
      }),
      { numRuns: runs },
    );
  });

  it('is found from the end', () => {
    fc.assert(
      fc.property(text, needle, fc.integer({ min: 0, max: 130 }), (hay, word, from) => {
        expect(findLast(runtime(), hay, word, from)).toBe(hay.lastIndexOf(word, from));
      }),
      { numRuns: runs },
    );
  });
});
