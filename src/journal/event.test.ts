/** Which events hold a result that was not come to now. */
import { expect, it } from 'vitest';
import { isTaken } from './event.ts';

it('a result that was kept or cached is taken, and a handoff, which comes from a thunk, is none', () => {
  expect(isTaken({ kind: 'node.done', output: 1, from: 'kept', of: 3 })).toBe(true);
  expect(isTaken({ kind: 'child.ended', outcome: { ok: 1 }, from: 'cache' })).toBe(true);
  expect(isTaken({ kind: 'node.done', output: 1 })).toBe(false);
  expect(isTaken({ kind: 'handoff', from: 'triage', to: 'refund' })).toBe(false);
});
