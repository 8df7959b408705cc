import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { coerce, isExact, isNumber } from './coerce.ts';
import type { ParamPlan } from './plan.ts';
import type { JsonType } from './value.ts';

const param = (types: JsonType[], values?: unknown[]): ParamPlan => ({
  name: 'p',
  required: false,
  types,
  ...(values ? { values } : {}),
});

const read = (text: string, types: JsonType[], values?: unknown[]) => coerce(text, false, param(types, values)).value;
const readQuoted = (text: string, types: JsonType[], values?: unknown[]) =>
  coerce(text, true, param(types, values)).value;

describe('a word without quotes', () => {
  it.each<[string, JsonType[], unknown]>([
    ['5', ['string'], '5'],
    ['5', ['integer'], 5],
    ['5', ['string', 'integer'], 5],
    ['5.0', ['integer'], 5],
    ['5.5', ['integer'], '5.5'],
    ['5.5', ['number', 'integer'], 5.5],
    ['-0', ['integer'], 0],
    ['1E+2', ['integer'], 100],
    ['.5', ['number'], '.5'],
    ['5.', ['number'], '5.'],
    ['+5', ['number'], '+5'],
    ['05', ['number'], '05'],
    ['٥', ['number'], '٥'],
    ['NaN', ['number'], 'NaN'],
    ['', ['number'], ''],
    ['true', ['boolean'], true],
    ['tRuE', ['boolean', 'string'], true],
    ['no', ['boolean'], 'no'],
    ['null', ['null', 'string'], null],
    ['NULL', ['null', 'string'], 'NULL'],
    ['null', ['string'], 'null'],
  ])('%j as %j is %j', (text, types, value) => {
    expect(read(text, types)).toBe(value);
  });
});

describe('a quoted word', () => {
  it('is a text where a text may stand', () => {
    expect(readQuoted('5', ['string', 'integer'])).toBe('5');
    expect(readQuoted('null', ['string', 'null'])).toBe('null');
    expect(readQuoted('true', ['string', 'boolean'])).toBe('true');
  });

  it('is a number or a truth where no text may stand, but never null', () => {
    expect(readQuoted('5', ['integer'])).toBe(5);
    expect(readQuoted('False', ['boolean'])).toBe(false);
    expect(readQuoted('null', ['integer', 'null'])).toBe('null');
  });
});

describe('a listed value', () => {
  it('is meant exactly, or in another case if that means one only', () => {
    expect(read('a', ['string'], ['A', 'a'])).toBe('a');
    expect(read('B', ['string'], ['A', 'b'])).toBe('b');
    expect(read('C', ['string'], ['cC', 'c', 'Cc'])).toBe('c');
    expect(read('CC', ['string'], ['cC', 'Cc'])).toBe('CC');
  });

  it('is no string if it can be something else, and a string if it is quoted', () => {
    const values = [5, '5', null, 'null', true, 'true'];
    const types: JsonType[] = ['integer', 'string', 'null', 'boolean'];
    expect(['5', 'null', 'TRUE'].map((text) => read(text, types, values))).toEqual([5, null, true]);
    expect(['5', 'null', 'true'].map((text) => readQuoted(text, types, values))).toEqual(['5', 'null', 'true']);
    expect(readQuoted('5', ['integer'], [5])).toBe(5);
    expect(read('5.0', ['integer'], [5])).toBe(5);
  });

  it('that is none of them stays what it was', () => {
    expect(read('x', ['integer'], [1, 2])).toBe('x');
    expect(read('3', ['integer'], [1, 2])).toBe('3');
  });
});

describe('a number that would not be kept exactly', () => {
  it.each(['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '1e999'])('%s', (text) => {
    expect(coerce(text, false, param(['number', 'integer']))).toMatchObject({
      value: text,
      error: { code: 'precision' },
    });
  });

  it('is a text where a text may stand', () => {
    expect(coerce('9007199254740993', false, param(['integer', 'string']))).toEqual({ value: '9007199254740993' });
  });

  it('is none if it is written as JavaScript writes it, or with all its digits', () => {
    for (const value of [2 ** 53, 2 ** 60, 2 ** 64, 1e20, -(2 ** 70), 0.1, 1e-7]) {
      expect(isExact(String(value), value), String(value)).toBe(true);
    }
    expect(isExact('18446744073709551616', 2 ** 64)).toBe(true);
    for (const text of ['9007199254740993.0', '9007199254740993e0', '12345678901234567890.5', '1e-400', '1.8e999']) {
      expect(isExact(text, Number(text)), text).toBe(false);
    }
    for (const text of ['0e-400', '-0.0', '1e23', '1.50e3', '123456789012345e10', '5e-324', '0.1', '-1E+300']) {
      expect(isExact(text, Number(text)), text).toBe(true);
    }
  });

  it('is no integer with a fraction', () => {
    const n = { name: 'n', required: true, types: ['integer'] } as const;
    for (const text of ['1.0000000000000000001', '4503599627370497.5', '1e-1', '12345678901234567890.5']) {
      expect(coerce(text, false, n).value, text).toBe(text);
    }
    for (const text of ['1.0', '1.5e1', '100e-2', '-0'])
      expect(coerce(text, false, n).value, text).toBe(Number(text) + 0);
  });

  it('costs no time, however long it is', () => {
    const start = cpuMs();
    expect(isNumber('1'.repeat(1_000_000))).toBe(false);
    expect(cpuMs() - start).toBeLessThan(500);
  });
});
