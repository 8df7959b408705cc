import { describe, expect, it } from 'vitest';
import type { ToolSchema } from '../tool.ts';
import { copySchema, partsOf, resolveRef, shapeOf, verifySchema } from './schema.ts';

const shape = (schema: unknown, root: ToolSchema = {}) => {
  const { types, values } = shapeOf(schema, root);
  return [[...types].sort(), values];
};

describe('the shape of a schema', () => {
  const every = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
  it.each<[unknown, unknown]>([
    [true, [every, undefined]],
    [{}, [every, undefined]],
    ['odd', [every, undefined]],
    [false, [[], undefined]],
    [{ type: 'number' }, [['integer', 'number'], undefined]],
    [{ type: ['string', 'null'] }, [['null', 'string'], undefined]],
    [{ type: 'string', nullable: true }, [['null', 'string'], undefined]],
    [
      { enum: [1, 'a', 1.5] },
      [
        ['integer', 'number', 'string'],
        [1, 'a', 1.5],
      ],
    ],
    [{ const: null }, [['null'], [null]]],
    [{ type: 'string', const: 1 }, [[], []]],
    [
      { enum: ['a'], nullable: true },
      [
        ['null', 'string'],
        ['a', null],
      ],
    ],
    [{ anyOf: [{ type: 'string' }, { const: 1 }] }, [['integer', 'string'], undefined]],
    [{ oneOf: [{ const: 'a' }, { enum: ['b', 'a'] }] }, [['string'], ['a', 'b']]],
    [{ allOf: [{ enum: [1, 2, 'a'] }, { enum: ['a', 2, 3] }, { type: 'integer' }] }, [['integer'], [2]]],
    [{ type: 'integer', anyOf: [{ minimum: 1 }, { type: 'string' }] }, [['integer'], undefined]],
    [{ anyOf: [] }, [every, undefined]],
  ])('%j is %j', (schema, expected) => {
    expect(shape(schema)).toEqual(expected);
  });

  it('follows references, and what stands beside them counts too', () => {
    const root = { $defs: { a: { enum: ['x', 1] } } };
    expect(shape({ $ref: '#/$defs/a' }, root)).toEqual([
      ['integer', 'string'],
      ['x', 1],
    ]);
    expect(shape({ $ref: '#/$defs/a', type: 'string' }, root)).toEqual([['string'], ['x']]);
  });
});

describe('a reference', () => {
  const root = { $defs: { 'a/b': { c: [{ d: 1 }] }, '~ %': 2, '': 3 } };
  it.each<[string, unknown]>([
    ['#', root],
    ['#/$defs/a~1b/c/0/d', 1],
    ['#/$defs/~0%20%25', 2],
    ['#/$defs/~0 %', 2],
    ['#/$defs/', 3],
  ])('%s leads to its place', (ref, target) => {
    expect(resolveRef(ref, root)).toBe(target);
  });

  it.each(['', '#a', '#/x', '#/$defs/a~1b/c/1', '#/$defs/__proto__', 'other.json#/a', 1])('%s is refused', (ref) => {
    expect(() => resolveRef(ref, root)).toThrow(TypeError);
  });
});

describe('a copy', () => {
  it('is frozen all through, and shares what was shared', () => {
    const part = { type: 'string' };
    const copy = copySchema({ a: part, b: [part], c: undefined }) as { a: object; b: object[] };
    expect(copy).toEqual({ a: part, b: [part] });
    expect(copy.a).toBe(copy.b[0]);
    expect(copy.a).not.toBe(part);
    expect([copy, copy.a, copy.b].every(Object.isFrozen)).toBe(true);
  });

  it('is refused when it is too deep', () => {
    let schema: object = {};
    for (let i = 0; i < 10_000; i++) schema = { not: schema };
    expect(() => copySchema(schema)).toThrow('nested deeper than');
  });
});

describe('verifySchema', () => {
  it('lets a schema contain itself through properties and items', () => {
    const root = { properties: { a: { $ref: '#' }, b: { type: 'array', items: { $ref: '#' } } } };
    expect(verifySchema(root)).toEqual([]);
  });

  it('does not look at what is no schema', () => {
    const data = { $ref: 'nowhere', type: 'float' };
    expect(verifySchema({ default: data, examples: [data], enum: [data], const: data, 'x-more': data })).toEqual([]);
    expect(verifySchema({ properties: { $ref: { type: 'string' }, type: { type: 'integer' } } })).toEqual([]);
  });

  it('refuses a row of too many references', () => {
    const $defs = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]));
    expect(() => verifySchema({ $ref: '#/$defs/d0', $defs })).toThrow('references in a row');
  });
});

it('looks at each part of a schema once, however often it is referred to', () => {
  const $defs: Record<string, unknown> = { last: { type: 'string' } };
  for (let i = 0; i < 60; i++) {
    const next = { $ref: `#/$defs/${i === 59 ? 'last' : i + 1}` };
    $defs[i] = { allOf: [next, { ...next }] };
  }
  const root = { $defs };
  expect(partsOf({ $ref: '#/$defs/0' }, root)).toHaveLength(1 + 60 + 120 + 1);
});
