import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest, didYouMean, distance } from './closest.ts';

const directives = ['models', 'tools', 'skills', 'services', 'psyches', 'hands', 'handoffs', 'recall'];

describe('closest', () => {
  it.each([
    ['model', 'models'],
    ['toosl', 'tools'],
    ['skill', 'skills'],
    ['psyche', 'psyches'],
    ['handofs', 'handoffs'],
    ['Recall', 'recall'],
    ['temperature', undefined],
    ['x', undefined],
    ['', undefined],
  ])('of %s is %s', (word, expected) => {
    expect(closest(word, directives)).toBe(expected);
  });

  it('is the same as by comparing with each in full', () => {
    // Letters that change their length or their number with case, and words longer than what is compared.
    const unit = fc.constantFrom('a', 'b', 'B', '-', '1', 'İ', 'ß', '😀', 'a'.repeat(60));
    const word = fc.string({ unit, maxLength: 9 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 12 }), (wanted, candidates) => {
        expect(closest(wanted, candidates)).toBe(closestByTable(wanted, candidates));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the earlier of two that are as near', () => {
    expect(closest('bat', ['cat', 'hat'])).toBe('cat');
  });

  it('finds no likeness in a single letter', () => {
    expect(closest('a', ['b', 'c'])).toBeUndefined();
  });

  it('prints as a question, or not at all', () => {
    expect(didYouMean('tools')).toBe(' Did you mean "tools"?');
    expect(didYouMean(undefined)).toBe('');
  });
});

describe('distance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it('is that of the whole table, up to the limit', () => {
    const limit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(word, word, limit, (a, b, most) => {
        expect(distance(a, b, most)).toBe(Math.min(distanceByTable(a, b), most + 1));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same both ways, and nothing only between equals', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(distance(a, b, 20)).toBe(distance(b, a, 20));
        expect(distance(a, b, 20) === 0).toBe(a === b);
      }),
    );
  });

  it('counts two swapped letters as one', () => {
    expect(distance('toosl', 'tools', 5)).toBe(1);
  });

  it('stops counting above the limit', () => {
    expect(distance('abcdefgh', 'zyxwvuts', 2)).toBe(3);
  });
});

/** The rule of `closest`, by whole tables. */
function closestByTable(word: string, candidates: readonly string[]): string | undefined {
  const folded = (text: string) => text.slice(0, 64).toLowerCase();
  let limit = word.length < 2 ? 0 : Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  let best: string | undefined;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) > limit) continue;
    const cost = distanceByTable(folded(word), folded(candidate));
    if (cost < limit || (cost === limit && best === undefined)) [best, limit] = [candidate, cost];
    if (best !== undefined && limit === 0) break;
  }
  return best;
}

function distanceByTable(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  const cell = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const same = a[i - 1] === b[j - 1];
      (table[i] as number[])[j] = Math.min(
        cell(i - 1, j) + 1,
        cell(i, j - 1) + 1,
        cell(i - 1, j - 1) + (same ? 0 : 1),
        swapped ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return cell(a.length, b.length);
}
