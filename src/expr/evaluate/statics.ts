/** What stands behind `Object.`, `Array.`, `String.`, `Number.`, `Date.`, `Math.` and `JSON.`. */
import { spendText } from './budget.ts';
import { sameValueZero, toKey, toNumber, toText } from './convert.ts';
import { parseDate } from './date-text.ts';
import { fail } from './failure.ts';
import { parse, stringify } from './json.ts';
import { copyInto, getOwn, hasOwn, iterate, ownKeys, ownValue } from './own.ts';
import {
  call,
  callable,
  describe,
  type Invoke,
  isArray,
  isFunction,
  isRecordValue,
  newRecord,
  type Runtime,
} from './value.ts';

/** Functions by their name, and constants. */
export type Statics = Readonly<Record<string, Invoke | number>>;

export const objectStatics: Statics = {
  /** Gives a copy of the target; the target itself stays as it is. */
  assign: (rt, _, [target, ...sources]) => {
    if (!isRecordValue(target)) return fail('TOO6105', `Object.assign needs an object, not ${describe(target)}`);
    const out = newRecord();
    for (const source of [target, ...sources]) copyInto(rt, out, source);
    return out;
  },
  entries: (rt, _, [value]) => ownKeys(rt, something(value, 'entries')).map((key) => [key, ownValue(value, key)]),
  fromEntries: (rt, _, [pairs]) => {
    const out = newRecord();
    for (const pair of iterate(rt, pairs, describe(pairs))) {
      if (!isArray(pair) && !isRecordValue(pair)) {
        return fail('TOO6105', `Object.fromEntries needs pairs of a key and a value, not ${describe(pair)}`);
      }
      rt.budget.spend(4);
      out[toKey(rt, getOwn(pair, '0'))] = getOwn(pair, '1');
    }
    return out;
  },
  groupBy: (rt, _, [items, by]) => {
    const fn = callable(by, 'Object.groupBy');
    const groups = newRecord() as Record<string, unknown[]>;
    iterate(rt, items, describe(items)).forEach((item, i) => {
      const key = toKey(rt, call(rt, fn, [item, i]));
      const group = groups[key];
      if (group) group.push(item);
      else groups[key] = [item];
    });
    return groups;
  },
  hasOwn: (rt, _, [value, key]) => hasOwn(something(value, 'hasOwn'), toKey(rt, key)),
  is: (rt, _, [a, b]) => sameValueZero(rt, a, b) && Object.is(a, b),
  keys: (rt, _, [value]) => ownKeys(rt, something(value, 'keys')),
  values: (rt, _, [value]) => ownKeys(rt, something(value, 'values')).map((key) => ownValue(value, key)),
};

export const arrayStatics: Statics = {
  from: (rt, _, [source, map]) => {
    const fn = map === undefined ? undefined : callable(map, 'Array.from');
    const items = listed(rt, source);
    return fn ? items.map((item, i) => call(rt, fn, [item, i])) : items.slice();
  },
  isArray: (_, __, [value]) => isArray(value),
  of: (rt, _, args) => {
    rt.budget.spend(args.length);
    return args.slice();
  },
};

export const stringStatics: Statics = {
  fromCharCode: (rt, _, codes) => characters(rt, codes, (code) => String.fromCharCode(code)),
  fromCodePoint: (rt, _, codes) =>
    characters(rt, codes, (code) => {
      if (Number.isInteger(code) && code >= 0 && code <= 0x10ffff) return String.fromCodePoint(code);
      return fail('TOO6105', `String.fromCodePoint: ${code} is no character`);
    }),
};

export const parseNumbers: Statics = {
  parseFloat: (rt, _, [text]) => Number.parseFloat(read(rt, text)),
  parseInt: (rt, _, [text, radix]) => Number.parseInt(read(rt, text), toNumber(rt, radix)),
};

export const numberStatics: Statics = {
  ...parseNumbers,
  EPSILON: Number.EPSILON,
  MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
  MAX_VALUE: Number.MAX_VALUE,
  MIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
  MIN_VALUE: Number.MIN_VALUE,
  NaN: Number.NaN,
  NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
  POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
  isFinite: (_, __, [value]) => Number.isFinite(value),
  isInteger: (_, __, [value]) => Number.isInteger(value),
  isNaN: (_, __, [value]) => Number.isNaN(value),
  isSafeInteger: (_, __, [value]) => Number.isSafeInteger(value),
};

export const dateStatics: Statics = {
  UTC: (rt, _, args) => utcTime(rt, args),
  now: (rt) => rt.now,
  parse: (rt, _, [text]) => parseDate(toText(rt, text)),
};

export const jsonStatics: Statics = {
  parse: (rt, _, [text, reviver]) => parse(rt, text, reviver),
  stringify: (rt, _, [value, replacer, space]) => stringify(rt, value, replacer, space),
};

/** The year, month, day, hours, minutes, seconds and milliseconds of a call as a time. */
export function utcTime(rt: Runtime, args: readonly unknown[]): number {
  const [year = Number.NaN, ...rest] = args.slice(0, 7).map((arg) => toNumber(rt, arg));
  return (Date.UTC as (...numbers: number[]) => number)(year, ...rest);
}

/** What `Array.from` takes: something to go through, or an object with a length. */
function listed(rt: Runtime, source: unknown): readonly unknown[] {
  if (isArray(source) || typeof source === 'string') return iterate(rt, source, '');
  if (isFunction(something(source, 'from', 'Array')))
    return fail('TOO6105', 'Array.from needs an array, not a function');
  if (!isRecordValue(source)) return [];
  const length = Math.max(0, Math.trunc(toNumber(rt, getOwn(source, 'length'))) || 0);
  rt.budget.spend(1 + length);
  return Array.from({ length }, (_, i) => getOwn(source, String(i)));
}

function something(value: unknown, method: string, of = 'Object'): unknown {
  if (value !== undefined && value !== null) return value;
  return fail('TOO6105', `${of}.${method} needs a value, not ${describe(value)}`);
}

function characters(rt: Runtime, codes: readonly unknown[], make: (code: number) => string): string {
  spendText(rt.budget, codes.length * 8);
  return codes.map((code) => make(toNumber(rt, code))).join('');
}

function read(rt: Runtime, value: unknown): string {
  const text = toText(rt, value);
  rt.budget.spend(1 + text.length / 16);
  return text;
}
