import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  maxNesting,
  messageType,
  numberType,
  refTo,
  structOf,
  textType,
} from './type.ts';
import { validate } from './validate.ts';

const finding = structOf(
  [
    field('path', textType),
    field('line', numberType, { optional: true }),
    field('level', literalOf('error', 'warning')),
    field('more', arrayOf(refTo('Finding')), { optional: true }),
  ],
  { name: 'Finding' },
);
const table = new Map([['Finding', finding]]);

function errorsOf(value: unknown, type = arrayOf(refTo('Finding')) as Parameters<typeof validate>[1]) {
  const result = validate(value, type, table);
  return result.ok ? [] : result.errors;
}

describe('validate', () => {
  it('gives every error at once, each with its place', () => {
    const errors = errorsOf([
      { path: 1, line: 'x', level: 'eror', lnie: 2 },
      'text',
      { line: 3, level: null, more: [{ path: 'a', level: 'error', 'a/b~': 1 }] },
    ]);
    expect(errors.map((e) => [e.pointer, e.expected, e.got])).toEqual([
      ['/0/lnie', 'no such field', 'the number 2'],
      ['/0/path', 'Text', 'the number 1'],
      ['/0/line', 'Number', 'the text "x"'],
      ['/0/level', '"error" | "warning"', 'the text "eror"'],
      ['/1', 'Finding', 'the text "text"'],
      ['/2/path', 'Text', 'nothing'],
      ['/2/level', '"error" | "warning"', 'null'],
      ['/2/more/0/a~1b~0', 'no such field', 'the number 1'],
    ]);
    expect(errors[0]?.message).toBe('"/0/lnie" is not a field of "Finding". Did you mean "line"?');
    expect(errors[3]?.message).toBe(
      '"/0/level" must be "error" | "warning", but it is the text "eror". Did you mean "error"?',
    );
    expect(errors[5]?.message).toBe('"/2/path" is missing; it must be Text.');
  });

  it('reads null for an optional field as absent, and only there', () => {
    const value = { path: 'a', line: null, level: 'error', more: undefined };
    expect(validate(value, finding, table)).toEqual({ ok: true, value: { path: 'a', level: 'error' } });
    expect(Object.keys((validate(value, finding, table) as { value: object }).value)).toEqual(['path', 'level']);
    expect(errorsOf([null], arrayOf(textType))).toHaveLength(1);
  });

  it('does not read text as a number', () => {
    expect(errorsOf('1', numberType)).toHaveLength(1);
    expect(errorsOf('true', booleanType)).toHaveLength(1);
  });

  it('refuses what JSON cannot hold', () => {
    const bad = [Number.NaN, Number.POSITIVE_INFINITY, () => 1, 1n, Symbol('x'), new Date(0), new Map(), undefined];
    for (const value of bad) {
      expect(errorsOf({ a: [value] }, jsonType)[0]?.pointer).toBe('/a/0');
      expect(errorsOf(value, structOf([]))).toHaveLength(1);
    }
    expect(errorsOf(Number.NaN, numberType)).toHaveLength(1);
  });

  it('takes instances of classes for what they hold', () => {
    class Point {
      readonly x = 1;
    }
    const result = validate(new Point(), structOf([field('x', numberType)]), table);
    expect(result).toEqual({ ok: true, value: { x: 1 } });
  });

  it('looks at own properties only', () => {
    const type = structOf([field('constructor', textType), field('__proto__', textType, { optional: true })]);
    expect(errorsOf({}, type).map((e) => e.pointer)).toEqual(['/constructor']);
    const value = JSON.parse('{"constructor":"a","__proto__":"b"}') as unknown;
    const result = validate(value, type, table);
    expect(result.ok && JSON.stringify(result.value)).toBe('{"constructor":"a","__proto__":"b"}');
    expect(errorsOf(JSON.parse('{"path":"a","level":"error","__proto__":{"line":1}}'), finding)).toHaveLength(1);
  });

  it('ends on values that contain themselves or are shared many times', () => {
    const self: unknown[] = [];
    self.push(self, self);
    expect(errorsOf(self, jsonType).map((e) => e.pointer)).toEqual(['/0', '/1']);
    let shared: unknown = 1;
    for (let i = 0; i < 40; i++) shared = [shared, shared];
    expect(validate(shared, jsonType, table).ok).toBe(true);
  });

  it('refuses values nested too deeply', () => {
    let deep: unknown = 1;
    for (let i = 0; i < maxNesting; i++) deep = [deep];
    expect(validate(deep, jsonType, table).ok).toBe(true);
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(errorsOf(deep, jsonType)[0]?.message).toContain('levels deep');
  });

  it('checks messages all the way', () => {
    const value = { role: 'usr', content: [{ type: 'text', text: 1 }, { type: 'sound' }, 2], extra: 1 };
    expect(errorsOf([value], arrayOf(messageType)).map((e) => e.pointer)).toEqual([
      '/0/extra',
      '/0/role',
      '/0/content/0/text',
      '/0/content/1/type',
      '/0/content/2',
    ]);
  });

  it('reports a great many errors without running out of stack', () => {
    const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i}`, i]));
    expect(errorsOf(many, structOf([]))).toHaveLength(150_000);
    expect(errorsOf(many, messageType)).toHaveLength(150_002);
  });
});
