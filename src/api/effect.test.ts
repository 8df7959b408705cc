import { Schema } from 'effect';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  messageType,
  numberType,
  refTo,
  type StructType,
  structOf,
  type Type,
  textType,
  validate,
} from '../type/index.ts';
import { fromEffect, toEffect } from './effect.ts';

const decode = (schema: Schema.Codec<unknown>, value: unknown) => Schema.decodeUnknownSync(schema)(value);
const encode = (schema: Schema.Codec<unknown>, value: unknown) => Schema.encodeUnknownSync(schema)(value);
const struct = structOf([field('a', textType), field('b', numberType, { optional: true })]);

describe('the table of field types', () => {
  const T = Schema.Struct({ a: Schema.String, b: Schema.optional(Schema.Number) });
  it.each<[string, Type, Schema.Top]>([
    ['string', textType, Schema.String],
    ['number', numberType, Schema.Number],
    ['boolean', booleanType, Schema.Boolean],
    ['"a"', literalOf('a'), Schema.Literal('a')],
    ['"a" | "b"', literalOf('a', 'b'), Schema.Literals(['a', 'b'])],
    ['string[]', arrayOf(textType), Schema.Array(Schema.String)],
    ['number[]', arrayOf(numberType), Schema.Array(Schema.Number)],
    [
      'string?',
      structOf([field('x', textType, { optional: true })]),
      Schema.Struct({ x: Schema.optional(Schema.String) }),
    ],
    ['T?', structOf([field('x', struct, { optional: true })]), Schema.Struct({ x: Schema.optional(T) })],
    ['a nested block', struct, T],
    ['- field: type', arrayOf(struct), Schema.Array(T)],
  ])('%s', (_, type, schema) => {
    expect(toEffect(type).ast).toEqual(schema.ast);
    expect(fromEffect(schema)).toEqual({ type, table: new Map(), exact: true });
  });
});

describe('values', () => {
  it('are decoded and encoded both ways', () => {
    const schema = toEffect(struct);
    expect(decode(schema, { a: 'x', b: 1 })).toEqual({ a: 'x', b: 1 });
    expect(encode(schema, { a: 'x' })).toEqual({ a: 'x' });
    expect(() => decode(schema, { a: 1 })).toThrow();
    expect(() => encode(schema, {})).toThrow();
    expect(() => decode(toEffect(literalOf('a', 'b')), 'c')).toThrow();
  });

  it('have their nulls for optional fields read as absent before Effect sees them', () => {
    const value = { a: 'x', b: null };
    expect(() => decode(toEffect(struct), value)).toThrow();
    const read = validate(value, struct, new Map());
    expect(read).toEqual({ ok: true, value: { a: 'x' } });
    expect(decode(toEffect(struct), read.ok && read.value)).toEqual({ a: 'x' });
  });

  it('of a Message are text or its object', () => {
    const schema = toEffect(messageType);
    for (const value of ['hi', { role: 'user', content: [{ type: 'text', text: 'x' }] }]) {
      expect(decode(schema, value)).toEqual(value);
    }
    expect(() => decode(schema, { role: 'boss', content: 'x' })).toThrow();
  });
});

describe('schemas', () => {
  it('that contain themselves go both ways, with their table', () => {
    const tree: StructType = structOf([field('name', textType), field('below', arrayOf(refTo('Tree')))], {
      name: 'Tree',
    });
    const table = new Map([['Tree', tree]]);
    const schema = toEffect(refTo('Tree'), table);
    const value = { name: 'a', below: [{ name: 'b', below: [] }] };
    expect(decode(schema, value)).toEqual(value);
    expect(() => decode(schema, { name: 'a', below: [{ name: 'b' }] })).toThrow();
    expect(fromEffect(schema)).toEqual({ type: refTo('Tree'), table, exact: true });
  });

  it('that have no type of ours become Json in part, and say so', () => {
    const schema = Schema.Struct({
      a: Schema.NullOr(Schema.String),
      b: Schema.Tuple([Schema.String]),
      c: Schema.Finite,
    });
    expect(fromEffect(schema)).toEqual({
      type: structOf([field('a', jsonType), field('b', jsonType), field('c', numberType)]),
      table: new Map(),
      exact: false,
    });
    expect(fromEffect(Schema.Void)).toEqual({ type: jsonType, table: new Map(), exact: false });
  });

  it('of a name that is not in the table are refused', () => {
    expect(() => toEffect(refTo('None'))).toThrow('the struct "None" is not in the table of types');
  });

  it('nest as deep as values may, and no deeper', () => {
    let type: Type = textType;
    for (let i = 0; i < 3000; i++) type = arrayOf(type);
    expect(() => toEffect(type)).toThrow('nests more than 512 levels deep');
  });
});

const types = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>(textType, numberType, booleanType, jsonType, messageType),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((values) => literalOf(...values)),
    tie('type').map(arrayOf),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('type'), fc.boolean()), { selector: ([name]) => name })
      .map((fields) => structOf(fields.map(([name, type, optional]) => field(name, type, { optional })))),
  ),
})).type;
const values = fc.object({
  key: fc.constantFrom('a', 'b', 'c', 'role', 'content'),
  values: [fc.constantFrom('a', 'b', 'user', '', 1, true, null)],
  withNullPrototype: false,
});
const anything = fc.oneof(values, fc.constantFrom('a', 'x', 1, false, null), fc.array(values));

describe('both judges', () => {
  it('agree: what we accept Effect accepts, unchanged', () => {
    fc.assert(
      fc.property(types, anything, (type, value) => {
        const read = validate(value, type, new Map());
        if (!read.ok) return;
        expect(decode(toEffect(type), read.value)).toEqual(read.value);
        expect(encode(toEffect(type), read.value)).toEqual(read.value);
      }),
    );
  });
});
