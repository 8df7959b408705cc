/** Time at work, whatever overlaps. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkSpan } from './work-span.ts';

test('is every millisecond in which something was done, once', () => {
  const steps = fc.array(fc.record({ length: fc.nat(20), after: fc.nat(8) }), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (all) => {
      const span = createWorkSpan();
      const busy = new Set<number>();
      let ended = 50;
      for (const { length, after } of all) {
        ended += after;
        for (let at = ended - length; at < ended; at++) busy.add(at);
        span.add(ended - length, ended);
        expect(span.ms()).toBe(busy.size);
      }
    }),
  );
});
