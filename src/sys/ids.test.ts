import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRunId, matchRunId, newRunId, shortIds } from './ids.ts';

fc.configureGlobal({ seed: 20 });

const idText = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => newRunId(() => bytes));

test('ids are 12 characters of the alphabet, from the random bytes alone', () => {
  expect(newRunId(() => Uint8Array.from([0, 1, 9, 10, 31, 32, 63, 255, 18, 19, 20, 30]))).toBe('019az0zzjkmy');
  expect(isRunId(newRunId())).toBe(true);
  expect(newRunId()).not.toBe(newRunId());
  fc.assert(fc.property(idText, isRunId));
});

test('any unique prefix is taken, as people write it', () => {
  const ids = ['7f3a00000000', '7f3b00000000', '10aa00000000'];
  expect(matchRunId('7F3A', ids)).toEqual({ kind: 'one', id: '7f3a00000000' });
  expect(matchRunId('lO', ids)).toEqual({ kind: 'one', id: '10aa00000000' });
  expect(matchRunId('7', ids)).toEqual({ kind: 'many', candidates: ['7f3a00000000', '7f3b00000000'] });
  expect(matchRunId('8', ids)).toEqual({ kind: 'none' });
  for (const bad of ['', 'u', '7f-', '7f3a000000000']) expect(matchRunId(bad, ids)).toEqual({ kind: 'malformed' });
});

test('the short form of each id finds it again', () => {
  fc.assert(
    fc.property(fc.array(idText, { maxLength: 50 }), (ids) => {
      for (const [id, short] of shortIds(ids)) {
        expect(short.length).toBeGreaterThanOrEqual(4);
        expect(matchRunId(short, ids)).toEqual({ kind: 'one', id });
      }
    }),
  );
  expect([...shortIds(['7f3a00000000', '7f3a10000000']).values()]).toEqual(['7f3a0', '7f3a1']);
});
