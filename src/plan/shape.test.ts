/** The shapes of types: what counts for keys. */
import { expect, it } from 'vitest';
import { field, numberType, refTo, type StructType, structOf, type Type, textType } from '../type/index.ts';
import { shapeOf } from './shape.ts';

/** `n` structs, each with the next one in it; the last holds the first, or nothing. */
function chain(n: number, prefix: string, isRing: boolean): Record<string, StructType> {
  const next = (i: number): Type => (i < n - 1 ? refTo(`${prefix}${i + 1}`) : isRing ? refTo(`${prefix}0`) : textType);
  return Object.fromEntries(
    Array.from({ length: n }, (_, i) => [
      `${prefix}${i}`,
      structOf([field('next', next(i)), field(`f${i}`, textType)]),
    ]),
  );
}

it.each([1, 2, 60])('names of %i structs do not matter, whether they contain each other or not', (n) => {
  for (const isRing of [true, false]) {
    const [a, b] = [chain(n, 'A', isRing), chain(n, 'B', isRing)];
    for (let i = 0; i < n; i++) expect(shapeOf(refTo(`A${i}`), a)).toBe(shapeOf(refTo(`B${i}`), b));
    const shapes = new Set(Object.keys(a).map((name) => shapeOf(refTo(name), a)));
    expect(shapes.size).toBe(n);
  }
});

it('a struct without a name is the same as one with it', () => {
  const inner = structOf([field('a', numberType)]);
  const types = { Inner: inner, Outer: structOf([field('in', refTo('Inner'))]) };
  expect(shapeOf(refTo('Outer'), types)).toBe(shapeOf(structOf([field('in', inner)]), {}));
  expect(shapeOf(structOf([field('in', refTo('Inner'))]), types)).toBe(shapeOf(refTo('Outer'), types));
});

it('changes with what is deep inside', () => {
  const types = chain(50, 'A', true);
  const other = { ...types, A49: structOf([field('next', refTo('A0')), field('f49', numberType)]) };
  for (const name of Object.keys(types)) {
    expect(shapeOf(refTo(name), types)).not.toBe(shapeOf(refTo(name), other));
  }
});

it.each([true, false])('of thousands of structs comes to an end (a ring: %s)', (isRing) => {
  const types = chain(5000, 'A', isRing);
  expect(new Set(Object.keys(types).map((name) => shapeOf(refTo(name), types))).size).toBe(5000);
});
