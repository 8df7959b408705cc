/** One line for all who want a place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlaces, type Visitor } from './places.ts';

/** Visitors that write down whose bell rang. */
function visitors(count: number): { readonly all: readonly Visitor[]; readonly rung: () => readonly number[] } {
  let rung: number[] = [];
  const all = Array.from({ length: count }, (_, at) => () => void rung.push(at));
  return {
    all,
    rung() {
      const said = rung;
      rung = [];
      return said;
    },
  };
}

describe('places', () => {
  it('are given in the order in which they were wanted, whoever asks first when one is free', () => {
    const places = createPlaces(['run'], 1);
    const { all, rung } = visitors(3);
    const [a, b, c] = all as [Visitor, Visitor, Visitor];
    expect([places.take(a), places.take(b), places.take(c)]).toEqual([true, false, false]);
    places.give(a);
    expect(rung()).toEqual([1]);
    expect(places.take(c)).toBe(false);
    expect(places.take(a)).toBe(false);
    expect(places.take(b)).toBe(true);
    places.give(b);
    expect(rung()).toEqual([2]);
  });

  it('go round: who has much to do waits behind who has little', () => {
    const places = createPlaces(['run'], 2);
    const { all } = visitors(2);
    const [much, little] = all as [Visitor, Visitor];
    expect([places.take(much), places.take(much), places.take(much)]).toEqual([true, true, false]);
    expect(places.take(little)).toBe(false);
    places.give(much);
    expect(places.take(much)).toBe(true);
    expect(places.take(much)).toBe(false);
    places.give(much);
    expect([places.take(much), places.take(little), places.take(much)]).toEqual([false, true, false]);
  });

  it('are not kept for who wants none any more: the next one is rung', () => {
    const places = createPlaces(['run'], 1);
    const { all, rung } = visitors(3);
    const [a, b, c] = all as [Visitor, Visitor, Visitor];
    for (const who of [a, b, c]) places.take(who);
    places.give(a);
    expect(rung()).toEqual([1]);
    places.quit(b);
    expect(rung()).toEqual([2]);
    expect(places.take(c)).toBe(true);
    places.quit(b);
    expect(rung()).toEqual([]);
  });

  it('are never too many, and whoever waits while there is one was rung', () => {
    const act = fc.tuple(fc.constantFrom('want', 'look', 'give', 'quit'), fc.nat(4));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 60 }), (most, acts) => {
        const places = createPlaces(['run'], most);
        const bells = new Set<number>();
        const all = Array.from({ length: 5 }, (_, at) => () => void bells.add(at));
        const taken = all.map(() => 0);
        const waiting: number[] = [];
        const sum = () => taken.reduce((a, b) => a + b, 0);
        const take = (at: number) => {
          const free = most - sum();
          const place = waiting.includes(at) ? waiting.indexOf(at) : waiting.length;
          const isTaken = places.take(all[at] as Visitor);
          expect(isTaken).toBe(place < free);
          if (waiting.includes(at)) waiting.splice(waiting.indexOf(at), 1);
          if (isTaken) taken[at] = (taken[at] ?? 0) + 1;
          else waiting.splice(place, 0, at);
          bells.delete(at);
        };
        for (const [what, at] of acts) {
          const who = all[at] as Visitor;
          if (what === 'want' || (what === 'look' && waiting.includes(at))) take(at);
          else if (what === 'quit') {
            places.quit(who);
            if (waiting.includes(at)) waiting.splice(waiting.indexOf(at), 1);
          } else if (what === 'give' && (taken[at] ?? 0) > 0) {
            taken[at] = (taken[at] ?? 0) - 1;
            places.give(who);
            // It looks by itself.
            if (waiting.includes(at)) take(at);
          }
          expect(sum()).toBeLessThanOrEqual(most);
          for (const next of waiting.slice(0, most - sum())) expect(bells).toContain(next);
        }
      }),
    );
  });
});
