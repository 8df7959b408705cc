import { expect, test } from 'vitest';
import { Roster } from './roster.ts';

test('it is a map, whatever comes and goes', () => {
  const roster = new Roster<number>();
  const map = new Map<string, number>();
  for (let i = 0; i < 500; i++) {
    const id = `${(i * 7919) % 37}`;
    if (i % 5 < 3 && i % 100 < 70) {
      roster.set(id, i);
      map.set(id, i);
    } else expect(roster.delete(id)).toBe(map.delete(id));
    expect([...roster]).toEqual([...map]);
    expect([roster.size, roster.has(id), roster.get(id)]).toEqual([map.size, map.has(id), map.get(id)]);
  }
  expect([[...roster.keys()], [...roster.values()]]).toEqual([[...map.keys()], [...map.values()]]);
  roster.clear();
  expect([roster.size, ...roster]).toEqual([0]);
});

test('whoever goes through it may delete what it is at', () => {
  const roster = new Roster<number>();
  for (let i = 0; i < 100; i++) roster.set(`${i}`, i);
  const seen: number[] = [];
  for (const [id, entry] of roster) {
    seen.push(entry);
    expect(roster.delete(id)).toBe(true);
  }
  expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(roster.size).toBe(0);
});
