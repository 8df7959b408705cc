import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitsPattern } from './pattern.ts';

it('fits as the same regular expression does', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab*.'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (pattern, given) => {
      const source = pattern
        .split('*')
        .map((part) => part.replaceAll('.', '\\.'))
        .join('.*');
      expect(fitsPattern(pattern, given)).toBe(new RegExp(`^${source}$`, 's').test(given));
    }),
    { seed: 7, numRuns: 500 },
  );
});
