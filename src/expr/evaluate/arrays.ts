/**
 * The methods of arrays that only look. Those that change their array in JavaScript stand in `array-copies.ts`.
 * Callbacks get the item, its index and the array, as in JavaScript; a `thisArg` has no meaning, because no function
 * here has a `this`.
 */
import { maxDepth, tooDeep } from './budget.ts';
import { isTruthy, joinItems, sameValueZero, strictEquals, toInteger, toOffset, toText } from './convert.ts';
import { fail } from './failure.ts';
import { localDateText, numberText } from './locale.ts';
import type { Methods } from './numbers.ts';
import { type ArrayValue, call, callable, isArray, isDate, type Runtime } from './value.ts';

export const lookingMethods: Methods<ArrayValue, 'toString' | 'toLocaleString' | 'valueOf'> = {
  at: (rt, self, [index]) => self.at(toInteger(rt, index)),
  concat: (rt, self, args) => {
    const out: unknown[] = [];
    for (const part of [self, ...args]) append(rt, out, isArray(part) ? part : [part]);
    return out;
  },
  entries: (rt, self) => mapped(rt, self, (item, i) => [i, item]),
  every: (rt, self, [test]) => scan(rt, self, test, 'every', false) === -1,
  filter: (rt, self, [test]) => {
    const keep = callable(test, 'filter');
    rt.budget.spend(self.length);
    return self.filter((item, i) => isTruthy(call(rt, keep, [item, i, self])));
  },
  find: (rt, self, [test]) => self[scan(rt, self, test, 'find', true)],
  findIndex: (rt, self, [test]) => scan(rt, self, test, 'findIndex', true),
  findLast: (rt, self, [test]) => self[scanBack(rt, self, test, 'findLast')],
  findLastIndex: (rt, self, [test]) => scanBack(rt, self, test, 'findLastIndex'),
  flat: (rt, self, [depth]) => {
    const out: unknown[] = [];
    flatten(rt, self, depth === undefined ? 1 : toInteger(rt, depth), out);
    return out;
  },
  flatMap: (rt, self, [map]) => {
    const fn = callable(map, 'flatMap');
    const out: unknown[] = [];
    self.forEach((item, i) => {
      const made = call(rt, fn, [item, i, self]);
      append(rt, out, isArray(made) ? made : [made]);
    });
    return out;
  },
  forEach: (rt, self, [each]) => {
    const fn = callable(each, 'forEach');
    for (let i = 0; i < self.length; i++) call(rt, fn, [self[i], i, self]);
    return undefined;
  },
  includes: (rt, self, [item, from]) => {
    for (let i = toOffset(rt, from, self.length, 0); i < self.length; i++) {
      rt.budget.spend(1);
      if (sameValueZero(rt, self[i], item)) return true;
    }
    return false;
  },
  indexOf: (rt, self, [item, from]) => {
    for (let i = toOffset(rt, from, self.length, 0); i < self.length; i++) {
      rt.budget.spend(1);
      if (strictEquals(rt, self[i], item)) return i;
    }
    return -1;
  },
  join: (rt, self, [separator]) => joinItems(rt, self, separator === undefined ? ',' : toText(rt, separator)),
  keys: (rt, self) => mapped(rt, self, (_, i) => i),
  lastIndexOf: (rt, self, args) => {
    const from = args.length > 1 ? toInteger(rt, args[1]) : self.length - 1;
    for (let i = from < 0 ? self.length + from : Math.min(from, self.length - 1); i >= 0; i--) {
      rt.budget.spend(1);
      if (strictEquals(rt, self[i], args[0])) return i;
    }
    return -1;
  },
  map: (rt, self, [map]) => {
    const fn = callable(map, 'map');
    return mapped(rt, self, (item, i) => call(rt, fn, [item, i, self]));
  },
  reduce: (rt, self, args) => {
    const fn = callable(args[0], 'reduce');
    if (self.length === 0 && args.length < 2) return noStart('reduce');
    let result = args.length < 2 ? self[0] : args[1];
    for (let i = args.length < 2 ? 1 : 0; i < self.length; i++) result = call(rt, fn, [result, self[i], i, self]);
    return result;
  },
  reduceRight: (rt, self, args) => {
    const fn = callable(args[0], 'reduceRight');
    if (self.length === 0 && args.length < 2) return noStart('reduceRight');
    const last = self.length - 1;
    let result = args.length < 2 ? self[last] : args[1];
    for (let i = args.length < 2 ? last - 1 : last; i >= 0; i--) result = call(rt, fn, [result, self[i], i, self]);
    return result;
  },
  slice: (rt, self, [start, end]) => {
    const from = toOffset(rt, start, self.length, 0);
    const to = toOffset(rt, end, self.length, self.length);
    rt.budget.spend(Math.max(0, to - from));
    return self.slice(from, to);
  },
  some: (rt, self, [test]) => scan(rt, self, test, 'some', true) !== -1,
  toLocaleString: (rt, self, [locales, options]) =>
    joinItems(rt, self, ',', (inner, item) => localeText(inner, item, locales, options)),
  toString: (rt, self) => joinItems(rt, self, ','),
  valueOf: (_, self) => self,
  values: (rt, self) => mapped(rt, self, (item) => item),
};

/** Without spreading one array into the arguments of a call, which overflows for large ones. */
function append(rt: Runtime, out: unknown[], items: ArrayValue): void {
  rt.budget.spend(items.length);
  for (const item of items) out.push(item);
}

function mapped(rt: Runtime, self: ArrayValue, make: (item: unknown, index: number) => unknown): unknown[] {
  rt.budget.spend(self.length);
  return Array.from(self, make);
}

/** The first index for which the test gives what is wanted, or -1. */
function scan(rt: Runtime, self: ArrayValue, test: unknown, who: string, wanted: boolean): number {
  const fn = callable(test, who);
  return self.findIndex((item, i) => isTruthy(call(rt, fn, [item, i, self])) === wanted);
}

function scanBack(rt: Runtime, self: ArrayValue, test: unknown, who: string): number {
  const fn = callable(test, who);
  return self.findLastIndex((item, i) => isTruthy(call(rt, fn, [item, i, self])));
}

function flatten(rt: Runtime, items: ArrayValue, depth: number, out: unknown[]): void {
  if (++rt.depth > maxDepth) tooDeep('arrays nest');
  rt.budget.spend(1 + items.length);
  for (const item of items) {
    if (depth > 0 && isArray(item)) flatten(rt, item, depth - 1, out);
    else out.push(item);
  }
  rt.depth--;
}

function localeText(rt: Runtime, item: unknown, locales: unknown, options: unknown): string {
  if (typeof item === 'number') return numberText(rt, item, locales, options);
  if (isDate(item)) return localDateText(rt, item, 'toLocaleString', locales, options);
  if (isArray(item)) return joinItems(rt, item, ',', (inner, value) => localeText(inner, value, locales, options));
  return toText(rt, item);
}

function noStart(who: string): never {
  return fail('TOO6105', `${who} of an empty array needs a value to begin with`);
}
