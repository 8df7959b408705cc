import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typeFromJsonSchema } from './from-json-schema.ts';
import { toJsonSchema } from './json-schema.ts';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  numberType,
  refTo,
  structOf,
  type Type,
  textType,
} from './type.ts';

test.each([
  [{ type: 'string', minLength: 3, format: 'email' }, textType],
  [{ type: 'integer' }, numberType],
  [{ type: 'boolean', description: 'x' }, booleanType],
  [{}, jsonType],
  [true, jsonType],
  [{ description: 'anything' }, jsonType],
  [{ const: 'a' }, literalOf('a')],
  [{ type: 'string', enum: ['a', 'b', 'a'] }, literalOf('a', 'b')],
  [{ enum: [1, 2] }, numberType],
  [{ anyOf: [{ const: 'a' }, { type: 'string', enum: ['b', 'c'] }] }, literalOf('a', 'b', 'c')],
  [{ oneOf: [{ type: 'number' }] }, numberType],
  [{ anyOf: [{ type: 'number' }, { type: 'integer' }] }, numberType],
  [{ anyOf: [{ type: 'number' }, { type: 'string', enum: ['Infinity', '-Infinity', 'NaN'] }] }, numberType],
  [{ type: 'array', items: { type: 'string' } }, arrayOf(textType)],
  [{ type: 'array' }, arrayOf(jsonType)],
  [{ type: 'string', allOf: [{ minLength: 1 }, { pattern: 'x' }] }, textType],
  [{ allOf: [{ $ref: '#/$defs/A' }], description: 'x', $defs: { A: { type: 'number' } } }, numberType],
  [{ type: 'object', additionalProperties: false }, structOf([])],
])('%j is exact', (schema, type) => {
  expect(typeFromJsonSchema(schema)).toEqual({ type, types: {}, exact: true });
});

test.each([
  false,
  null,
  'string',
  { type: 'null' },
  { type: ['string', 'null'] },
  { type: ['string', 'number'] },
  { enum: ['a', 1] },
  { enum: [] },
  { anyOf: [] },
  { anyOf: [{ type: 'string' }, { type: 'number' }] },
  { anyOf: [{ type: 'string' }, { type: 'string', enum: ['NaN'] }, { type: 'number' }] },
  { type: 'object' },
  { type: 'object', additionalProperties: { type: 'number' } },
  { type: 'array', prefixItems: [{}] },
  { not: {} },
  { minimum: 3 },
  { $ref: '#/$defs/None' },
  { $ref: 'https://example.com/schema' },
  { $ref: '#' },
  {
    allOf: [
      { type: 'object', properties: {} },
      { type: 'object', properties: {} },
    ],
  },
])('%j becomes Json', (schema) => {
  expect(typeFromJsonSchema(schema)).toEqual({ type: jsonType, types: {}, exact: false });
});

test('fields: absent, nullable, documented', () => {
  const schema = {
    type: 'object',
    description: 'A ticket',
    properties: {
      id: { type: 'string', description: 'Its number' },
      note: { type: ['string', 'null'] },
      level: { anyOf: [{ enum: ['a', null] }, { type: 'null' }] },
      must: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['id', 'must'],
  };
  expect(typeFromJsonSchema(schema, { name: 'Ticket' })).toEqual({
    type: structOf(
      [
        field('id', textType, { doc: 'Its number' }),
        field('note', textType, { optional: true }),
        field('level', literalOf('a'), { optional: true }),
        field('must', jsonType),
      ],
      { name: 'Ticket', doc: 'A ticket' },
    ),
    types: {},
    exact: false,
  });
});

test('what contains itself is named; what does not is written in place', () => {
  const leaf = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const tree = {
    type: 'object',
    properties: {
      leaf: { $ref: '#/definitions/Leaf' },
      below: { type: 'array', items: { $ref: '#/definitions/a~1b%25' } },
    },
    required: ['leaf', 'below'],
  };
  const schema = { $ref: '#/definitions/a~1b%25', definitions: { Leaf: leaf, 'a/b%': tree } };
  const inPlace = structOf([field('a', textType)], { name: 'Leaf' });
  expect(typeFromJsonSchema(schema)).toEqual({
    type: refTo('a/b%'),
    types: { 'a/b%': structOf([field('leaf', inPlace), field('below', arrayOf(refTo('a/b%')))], { name: 'a/b%' }) },
    exact: true,
  });
});

test('the root may contain itself, and names that libraries number are told apart by its name', () => {
  const schema = {
    type: 'object',
    properties: { self: { $ref: '#' }, other: { $ref: '#/$defs/__schema0' } },
    $defs: { __schema0: { type: 'object', properties: { again: { $ref: '#/$defs/__schema0' } } } },
  };
  const { type, types } = typeFromJsonSchema(schema, { name: 'Cat' });
  expect(type).toEqual(refTo('Cat'));
  expect(Object.keys(types).sort()).toEqual(['Cat', 'Cat__schema0']);
});

test('a list that contains itself is no type of ours', () => {
  const schema = { $ref: '#/$defs/L', $defs: { L: { type: 'array', items: { $ref: '#/$defs/L' } } } };
  expect(typeFromJsonSchema(schema)).toEqual({ type: arrayOf(jsonType), types: {}, exact: false });
});

test('a definition used often is named, not repeated', () => {
  const $defs: Record<string, unknown> = { L0: { type: 'object', properties: { x: { type: 'string' } } } };
  for (let i = 1; i < 40; i++) {
    const part = { $ref: `#/$defs/L${i - 1}` };
    $defs[`L${i}`] = { type: 'object', properties: { a: part, b: part } };
  }
  const { types, exact } = typeFromJsonSchema({ $ref: '#/$defs/L39', $defs });
  expect(exact).toBe(true);
  expect(Object.keys(types)).toHaveLength(40);
});

test('deep nesting and many parts are read in linear time', () => {
  let deep: unknown = { type: 'string' };
  for (let i = 0; i < 3000; i++) deep = { type: 'array', items: deep };
  expect(typeFromJsonSchema(deep).exact).toBe(false);
  const wide: Record<string, unknown> = {};
  for (let i = 0; i < 20_000; i++) wide[`f${i}`] = { enum: [`v${i}`] };
  const { type, exact } = typeFromJsonSchema({ type: 'object', properties: wide });
  expect(exact).toBe(true);
  expect(type.kind === 'struct' && type.fields.length).toBe(20_000);
});

/** Types without docs, refs and messages. */
const types = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Type>(textType, numberType, booleanType, jsonType),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }).map((values) => literalOf(...values)),
    tie('type').map(arrayOf),
    fc
      .uniqueArray(fc.tuple(fc.string({ maxLength: 5 }), tie('type'), fc.boolean()), {
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map((fields) => structOf(fields.map(([name, type, optional]) => field(name, type, { optional })))),
  ),
})).type;

test('what our own types become is read back as they were', () => {
  fc.assert(
    fc.property(types, (type) => {
      // Keys that look like numbers come first in JavaScript objects.
      const ordered = (value: unknown) => JSON.stringify(value);
      expect(ordered(typeFromJsonSchema(toJsonSchema(type, new Map())))).toBe(
        ordered({ type: sorted(type), types: {}, exact: true }),
      );
    }),
  );
});

test('anything at all is read without an error', () => {
  const keys = [
    'type',
    'properties',
    'required',
    'items',
    'enum',
    'const',
    'anyOf',
    'allOf',
    '$ref',
    '$defs',
    'additionalProperties',
  ];
  const values = fc.constantFrom('object', 'string', 'array', '#', '#/$defs/a', '#/properties/a', 'a', null, true, 1);
  const schema = fc.object({ key: fc.constantFrom(...keys, 'a'), values: [values], maxDepth: 5 });
  fc.assert(fc.property(schema, (each) => void typeFromJsonSchema(each)));
});

/** The order in which an object keeps its keys. */
function sorted(type: Type): Type {
  if (type.kind === 'array') return arrayOf(sorted(type.item));
  if (type.kind !== 'struct') return type;
  const byName = new Map(type.fields.map((each) => [each.name, each]));
  const names = Object.keys(Object.fromEntries([...byName.keys()].map((name) => [name, 0])));
  return structOf(
    names.flatMap((name) => byName.get(name) ?? []).map((each) => ({ ...each, type: sorted(each.type) })),
  );
}
