import { describe, expect, it } from 'vitest';
import { checkJson, keyOf, sameValue, setOwn, showName, showValue } from './value.ts';

describe('sameValue and keyOf', () => {
  const groups: unknown[][] = [
    [1, 1.0],
    [0, -0],
    ['1'],
    [null],
    [[], []],
    [{}, {}],
    [
      [1, 2],
      [1, 2],
    ],
    [[2, 1]],
    [
      { a: 1, b: [null] },
      { b: [null], a: 1 },
    ],
    [{ a: 1 }],
    [{ b: 1 }],
    [{ 0: 1 }],
    [[1]],
    ['[1]'],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ];

  it('tell the same things apart', () => {
    const all = groups.flatMap((values, group) => values.map((value) => ({ value, group })));
    for (const a of all) {
      for (const b of all) {
        const same = a.group === b.group;
        expect(sameValue(a.value, b.value), `${JSON.stringify(a.value)} ${JSON.stringify(b.value)}`).toBe(same);
        expect(keyOf(a.value) === keyOf(b.value)).toBe(same);
      }
    }
  });
});

describe('what a message shows', () => {
  it('is on one line and short', () => {
    expect(showValue('a\nb')).toBe('"a\\nb"');
    expect(showValue('x'.repeat(81))).toBe('a string of 81 characters');
    expect([showValue([1]), showValue({}), showValue(null), showValue(1.5)]).toEqual([
      'an array',
      'an object',
      'null',
      '1.5',
    ]);
    expect(showName('x'.repeat(200)).length).toBeLessThan(90);
    expect(showName('x'.repeat(200))).toMatch(/^"x+\.\.\."$/);
  });
});

describe('checkJson', () => {
  it.each<[string, unknown]>([
    ['"a" must be JSON, but is NaN', { a: Number.NaN }],
    ['"a/0" must be JSON, but is Infinity', { a: [Number.POSITIVE_INFINITY] }],
    ['"a/1" must be JSON, but is undefined', { a: [1, undefined] }],
    ['"a" must be JSON, but is function', { a: () => 1 }],
    ['"a" must be JSON, but is bigint', { a: 1n }],
    ['"a" must be a plain object', { a: new Date(0) }],
    ['"a" must be a plain object', { a: new Map() }],
    ['the arguments must be a plain object', new Map()],
  ])('says %s', (message, value) => {
    expect(() => checkJson(value)).toThrow(TypeError);
    expect(() => checkJson(value)).toThrow(message);
  });

  it('says so for holes, circles and great depth', () => {
    const circle: Record<string, unknown> = {};
    circle.a = circle;
    expect(() => checkJson(circle)).toThrow('nested deeper than 100 levels');
    expect(() => checkJson({ a: new Array(2) })).toThrow('"a/0" must be JSON, but is undefined');
  });

  it('lets JSON through, and what has no prototype', () => {
    const value: Record<string, unknown> = Object.create(null);
    setOwn(value, '__proto__', 1);
    expect(() => checkJson({ a: [1, 'x', null, true, { b: {} }], c: undefined, d: value })).not.toThrow();
  });
});
