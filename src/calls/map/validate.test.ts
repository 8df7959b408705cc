import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import type { ToolSchema } from '../tool.ts';
import { errorKey } from './map-error.ts';
import { copySchema, verifySchema } from './schema.ts';
import { validate } from './validate.ts';

/** The errors of one value `v` against its schema. */
function errorsOf(schema: unknown, value: unknown, more: object = {}): string[] {
  const root = copySchema({ type: 'object', properties: { v: schema }, ...more }) as ToolSchema;
  verifySchema(root);
  return validate({ v: value }, root).map(errorKey);
}

const string = { type: 'string' };
const integer = { type: 'integer' };
/** Not written out: an object with `then` looks like a promise. */
const when = (fits: object, fails: object = {}) =>
  Object.fromEntries([
    ['if', string],
    ['then', fits],
    ['else', fails],
  ]);

describe('a value and its schema', () => {
  it.each<[unknown, unknown, string[]]>([
    [true, 1, []],
    [{}, [null], []],
    [false, 1, ['unknown:v']],
    [string, 'x', []],
    [string, 1, ['type:v']],
    [integer, 1.0, []],
    [integer, 1.5, ['type:v']],
    [{ type: 'number' }, 1, []],
    [{ type: ['integer', 'null'] }, null, []],
    [{ type: ['integer', 'null'] }, 'x', ['type:v']],
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'string', enum: ['a'], nullable: true }, null, []],
    [{ enum: [1, 'a', { b: [1] }] }, { b: [1] }, []],
    [{ enum: [1, 'a', { b: [1] }] }, { b: [2] }, ['enum:v']],
    [{ enum: [] }, 1, ['enum:v']],
    [{ const: null }, null, []],
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, []],
    [{ const: 1 }, '1', ['enum:v']],
    [{ minimum: 1, maximum: 3 }, 0, ['range:v']],
    [{ minimum: 1, maximum: 3 }, 3, []],
    [{ exclusiveMinimum: 1 }, 1, ['range:v']],
    [{ exclusiveMaximum: 3 }, 3, ['range:v']],
    [{ minimum: 1, exclusiveMinimum: true }, 1, ['range:v']],
    [{ maximum: 1, exclusiveMaximum: false }, 1, []],
    [{ multipleOf: 0.1 }, 0.3, []],
    [{ multipleOf: 2 }, 3, ['range:v']],
    [{ minLength: 2 }, '😀', ['length:v']],
    [{ maxLength: 1 }, '😀', []],
    [{ minLength: 2, pattern: 'x' }, 'a', ['length:v']],
    [{ pattern: '^[a-c]+$' }, 'abc', []],
    [{ pattern: 'b' }, 'abc', []],
    [{ pattern: '^b' }, 'abc', ['pattern:v']],
    [{ pattern: '(?i)no' }, 'abc', []],
    [{ pattern: '^\\-$' }, '-', []],
    [{ minItems: 1 }, [], ['length:v']],
    [{ maxItems: 1 }, [1, 2], ['length:v']],
    [{ uniqueItems: true }, [1, 2, 1], ['unique:v']],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['unique:v'],
    ],
    [{ uniqueItems: true }, [1, '1', [1], { 1: 1 }, true, null], []],
    [{ items: integer }, [1, 'a', 2, 'b'], ['type:v/1', 'type:v/3']],
    [{ items: false }, [1], ['unknown:v/0']],
    [{ prefixItems: [integer, string], items: false }, [1, 'a', 2], ['unknown:v/2']],
    [{ prefixItems: [integer] }, ['a', 'b'], ['type:v/0']],
    [{ items: [integer, string], additionalItems: integer }, [1, 2, 'c'], ['type:v/1', 'type:v/2']],
    [{ properties: { a: integer }, required: ['a', 'b'] }, { a: 'x' }, ['missing:v/b', 'type:v/a']],
    [{ required: ['a', 'a'] }, {}, ['missing:v/a']],
    [{ properties: { a: integer }, additionalProperties: false }, { a: 1, c: 2 }, ['unknown:v/c']],
    [{ properties: { a: integer }, additionalProperties: string }, { a: 1, c: 2 }, ['type:v/c']],
    [
      { patternProperties: { '^x': integer }, additionalProperties: false },
      { x1: 1, x2: 'a', y: 1 },
      ['type:v/x2', 'unknown:v/y'],
    ],
    [{ minProperties: 1 }, {}, ['length:v']],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, ['length:v']],
    [{ allOf: [string, { minLength: 2 }, { pattern: '^b' }] }, 'a', ['length:v', 'pattern:v']],
    [{ anyOf: [string, integer] }, true, ['type:v']],
    [{ anyOf: [{ type: 'string', minLength: 3 }, integer] }, 'ab', ['length:v']],
    [{ anyOf: [{ enum: ['a'] }, { const: 'b' }] }, 'c', ['enum:v']],
    [{ anyOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'c', ['match:v']],
    [{ oneOf: [integer, { type: 'number' }] }, 1, ['match:v']],
    [{ oneOf: [integer, { type: 'number' }] }, 1.5, []],
    [{ not: string }, 'a', ['match:v']],
    [{ not: string }, 1, []],
    [when({ minLength: 2 }, { minimum: 2 }), 'a', ['length:v']],
    [when({ minLength: 2 }, { minimum: 2 }), 1, ['range:v']],
    [when({ minLength: 2 }), 1, []],
  ])('%j lets %j through but for %j', (schema, value, errors) => {
    expect(errorsOf(schema, value)).toEqual(errors);
  });

  it('what is inherited is not declared', () => {
    expect(errorsOf({ properties: {}, additionalProperties: false }, { toString: 1 })).toEqual(['unknown:v/toString']);
    expect(errorsOf({ required: ['toString'] }, {})).toEqual(['missing:v/toString']);
  });

  it('the form with the same fixed values is the one that was meant', () => {
    const form = (kind: string, name: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [name]: integer },
      required: ['kind', name],
    });
    const schema = { anyOf: [{ $ref: '#/$defs/a' }, form('b', 'y')] };
    const more = { $defs: { a: form('a', 'x') } };
    expect(errorsOf(schema, { kind: 'a', x: '1' }, more)).toEqual(['type:v/x']);
    expect(errorsOf(schema, { kind: 'b' }, more)).toEqual(['missing:v/y']);
    expect(errorsOf(schema, { kind: 'c' }, more)).toEqual(['match:v']);
  });
});

describe('the check ends', () => {
  const node = (part: object) => ({ $defs: { node: part } });

  it('when a schema refers to itself twice at every level', () => {
    let value: unknown = {};
    for (let i = 0; i < 90; i++) value = { next: value };
    const twice = { properties: { next: { $ref: '#/$defs/node' } } };
    const start = cpuMs();
    for (const word of ['anyOf', 'allOf']) {
      expect(errorsOf({ $ref: '#/$defs/node' }, value, node({ [word]: [twice, { ...twice }] }))).toEqual([]);
    }
    const needy = node({ anyOf: [{ ...twice, required: ['x'] }, string] });
    expect(errorsOf({ $ref: '#/$defs/node' }, value, needy)).toHaveLength(91);
    expect(cpuMs() - start).toBeLessThan(2000);
  });

  it('when a schema grows as it is followed', () => {
    const defs: Record<string, unknown> = { d0: string };
    for (let i = 1; i <= 40; i++)
      defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    const start = cpuMs();
    expect(errorsOf({ $ref: '#/$defs/d40' }, 'x', { $defs: defs })).toEqual(['schema']);
    expect(cpuMs() - start).toBeLessThan(10_000);
  });

  it('at the most depth that JSON may have, through many schemas each', () => {
    let value: unknown = 1;
    for (let i = 0; i < 99; i++) value = [value];
    const deep = { anyOf: [{ allOf: [{ items: { $ref: '#/$defs/node' } }] }, integer] };
    expect(errorsOf({ $ref: '#/$defs/node' }, value, node(deep))).toEqual([]);
    const deeper = { allOf: [{ allOf: [{ allOf: [{ allOf: [{ allOf: [{ items: { $ref: '#/$defs/node' } }] }] }] }] }] };
    expect(errorsOf({ $ref: '#/$defs/node' }, value, node(deeper))).toEqual(['schema']);
  });

  it('in time for patterns that take exponential or quadratic time', () => {
    const start = cpuMs();
    expect(errorsOf({ pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)).toEqual(['pattern:v']);
    expect(errorsOf({ pattern: '^(a?a?)*$' }, `${'a'.repeat(4000)}!`)).toEqual(['pattern:v']);
    expect(errorsOf({ pattern: '^.*,.*,.*,.*,.*;$' }, ','.repeat(4000))).toEqual(['pattern:v']);
    expect(errorsOf({ pattern: '\\s+$' }, `${' '.repeat(100_000)}!`)).toEqual(['pattern:v']);
    expect(cpuMs() - start).toBeLessThan(2000);
  });

  it('with an error where texts are too long for a large pattern', () => {
    const large = { type: 'array', items: { pattern: '(.{1,3000}x)y' } };
    expect(errorsOf(large, ['a'.repeat(10)])).toEqual(['pattern:v/0']);
    expect(errorsOf(large, ['a'.repeat(100_000), 'a', 'b'])).toContain('schema');
  });

  it('with at most a hundred errors', () => {
    const many = Array.from({ length: 100_000 }, () => 'x');
    expect(errorsOf({ items: integer }, many)).toHaveLength(100);
    expect(errorsOf({ items: { anyOf: [integer, { const: true }] } }, many)).toHaveLength(100);
    const names = Object.fromEntries(many.map((_, i) => [`n${i}`, 1]));
    expect(errorsOf({ properties: { a: string }, additionalProperties: false }, names)).toHaveLength(100);
  });

  it('in linear time for long arrays and objects', () => {
    const start = cpuMs();
    const items = Array.from({ length: 100_000 }, (_, i) => ({ id: i, tag: `t${i}` }));
    const item = {
      type: 'object',
      properties: { id: integer, tag: string },
      required: ['id'],
      additionalProperties: false,
    };
    expect(errorsOf({ type: 'array', items: item, uniqueItems: true }, items)).toEqual([]);
    expect(cpuMs() - start).toBeLessThan(5000);
  });
});
