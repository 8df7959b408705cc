/** Slots against a plain reference that looks at everybody each time. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generatePlan } from './generate-plan.ts';
import { createHeap } from './heap.ts';
import { createReadyQueue } from './ready-queue.ts';
import { layoutOf, type Spot } from './spot.ts';

it('a heap gives its numbers in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (numbers) => {
      const heap = createHeap();
      for (const number of numbers) heap.push(number);
      const out = numbers.map(() => heap.pop());
      expect(out).toEqual([...numbers].sort((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
    }),
  );
});

it('the first in the document that no limit holds back starts next', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (stream) => {
      const random = () => stream.next().value as number;
      const layout = layoutOf(generatePlan(random, { size: 25, depth: 4, workflows: false }));
      const leaves = layout.spots.filter(({ node }) => node.kind === 'step');
      const queue = createReadyQueue(layout);
      const waiting = new Set<Spot>();
      const open = new Set<Spot>();
      const isFree = (spot: Spot) => {
        for (let at = spot.limited; at; at = at.limited) {
          const inside = [...open].filter((each) => isIn(each, at as Spot)).length;
          if (at.node.kind === 'parallel' && inside >= (at.node.maxConcurrency ?? 0)) return false;
        }
        return true;
      };
      for (let round = 0; round < 60; round++) {
        const leaf = leaves[Math.floor(random() * leaves.length)];
        if (leaf && !waiting.has(leaf) && !open.has(leaf)) {
          waiting.add(leaf);
          queue.add(leaf);
        } else if (leaf && open.delete(leaf)) queue.free(leaf);
        if (random() < 0.5) continue;
        const expected = [...waiting].sort((a, b) => a.number - b.number).find(isFree);
        const taken = queue.take();
        expect(taken?.number).toBe(expected?.number);
        if (taken) {
          waiting.delete(taken);
          open.add(taken);
        }
      }
    }),
    { numRuns: 200 },
  );
});

function isIn(spot: Spot, holder: Spot): boolean {
  for (let at: Spot | undefined = spot; at; at = at.parent) if (at === holder) return true;
  return false;
}
