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
