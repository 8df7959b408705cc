/** Paths through records: the short way gives what inference gives. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { infer } from './infer-test-kit.ts';

const root = fc.constantFrom('input', 'draft', 'facts', 'lint', 'research-web', 'nobody');
const member = fc.constantFrom(
  'text',
  'repo',
  'tags',
  'since',
  'level',
  'findings',
  'length',
  'meta',
  'score',
  'trim',
  'x',
);

it('a path has the same type the long way', () => {
  fc.assert(
    fc.property(root, fc.array(member, { maxLength: 4 }), (name, members) => {
      const path = [name, ...members].join('.');
      // What decides something is always looked at in full.
      const long = infer(path, { condition: true });
      const short = infer(path);
      expect(short.type).toBe(long.type);
      expect(short.problems).toEqual(long.problems.filter(({ code }) => code !== 'TOO3260'));
    }),
    { numRuns: 2000 },
  );
});
