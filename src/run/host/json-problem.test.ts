import { statSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonProblem } from './json-problem.ts';

test('JSON has no problem', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonProblem(value)).toBe(undefined);
    }),
  );
});

test('what JSON writes in its own way is taken so, and undefined fields are left out', () => {
  class Point {
    x = 1;
  }
  const shared = { a: 1 };
  const value = {
    at: new Date(0),
    url: new URL('http://x.y'),
    none: undefined,
    point: new Point(),
    twice: [shared, shared],
    bare: Object.create(null),
    empty: {},
    far: runInNewContext('({ none: {}, list: [{}] })'),
    word: new String('x'),
    stats: statSync('.'),
  };
  expect(jsonProblem(value)).toBe(undefined);
});

class Hidden {
  #secret = 1;
  get value() {
    return this.#secret;
  }
}

const problems: [unknown, string][] = [
  [undefined, 'output is undefined'],
  [() => 1, 'output is a function'],
  [{ items: [1, { fn() {} }] }, 'output.items[1].fn is a function'],
  [{ 'a-b': 1n }, 'output["a-b"] is a bigint, which JSON cannot hold'],
  [[Number.NaN], 'output[0] is NaN, which JSON cannot hold'],
  [{ n: Number.POSITIVE_INFINITY }, 'output.n is Infinity, which JSON cannot hold'],
  [[1, undefined], 'output[1] is undefined'],
  [new Array(2), 'output[0] is undefined'],
  [{ s: Symbol('x') }, 'output.s is a symbol, which JSON cannot hold'],
  [{ m: new Map() }, 'output.m is a Map; return Object.fromEntries(map)'],
  [{ s: new Set() }, 'output.s is a Set; return [...set]'],
  [{ p: Promise.resolve(1) }, 'output.p is a promise; write "await" before it'],
  [{ e: new Error('x') }, 'output.e is an Error; throw it, or return its message'],
  [{ b: new Uint8Array(2) }, 'output.b holds bytes; return them as text'],
  [
    { h: new Headers({ a: 'b' }) },
    'output.h is made by Headers, and has no fields that JSON could keep; return what it holds, as [...value]',
  ],
  [
    (function* () {})(),
    'output is made by Generator, and has no fields that JSON could keep; return what it holds, as [...value]',
  ],
  [
    [[1, 2].values()],
    'output[0] is made by Array Iterator, and has no fields that JSON could keep; return what it holds, as [...value]',
  ],
  [new Blob(['x']), 'output is made by Blob, and has no fields that JSON could keep'],
  [new Intl.NumberFormat(), 'output is made by Intl.NumberFormat, and has no fields that JSON could keep'],
  [
    new URLSearchParams('a=1'),
    'output is made by URLSearchParams, and has no fields that JSON could keep; return what it holds, as [...value]',
  ],
  [new Hidden(), 'output is made by Hidden, and has no fields that JSON could keep'],
  [{ n: new Number(Number.NaN) }, 'output.n is NaN, which JSON cannot hold'],
  [{ d: new Date(Number.NaN) }, 'output.d is an invalid date'],
  [{ toJSON: () => ({ f() {} }) }, 'output.f is a function'],
  [
    {
      get x() {
        throw new Error('no');
      },
    },
    'output.x threw when it was read: no',
  ],
];

test('what JSON would lose or change is named by its path', () => {
  for (const [value, problem] of problems) expect(jsonProblem(value)).toBe(problem);
});

test('circles and depths without an end are found', () => {
  const circle: Record<string, unknown> = {};
  circle.self = { list: [circle] };
  expect(jsonProblem(circle)).toBe('output.self.list[0] is a part of itself');
  const again = { toJSON: () => ({ again }) };
  expect(jsonProblem(again)).toBe('output.again is a part of itself');
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(jsonProblem(deep)).toBe('output is nested more than 500 deep');
});
