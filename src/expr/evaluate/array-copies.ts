/**
 * The methods of arrays that change their array in JavaScript. Here they work on a copy and give what JavaScript gives:
 * `sort`, `reverse`, `fill` and `copyWithin` the changed copy, `push` and `unshift` the new length, `pop` and `shift`
 * the item, `splice` the items taken out. The array itself stays as it is.
 */
import { compareText, toInteger, toNumber, toOffset, toText } from './convert.ts';
import { fail } from './failure.ts';
import type { Methods } from './numbers.ts';
import { type ArrayValue, call, callable, type Runtime } from './value.ts';

export const copyingMethods: Methods<ArrayValue> = {
  copyWithin: (rt, self, [target, start, end]) => {
    const to = toOffset(rt, target, self.length, 0);
    const from = toOffset(rt, start, self.length, 0);
    return copy(rt, self).copyWithin(to, from, toOffset(rt, end, self.length, self.length));
  },
  fill: (rt, self, [value, start, end]) => {
    const from = toOffset(rt, start, self.length, 0);
    return copy(rt, self).fill(value, from, toOffset(rt, end, self.length, self.length));
  },
  pop: (_, self) => self.at(-1),
  push: (_, self, args) => self.length + args.length,
  reverse: (rt, self) => copy(rt, self).reverse(),
  shift: (_, self) => self[0],
  sort: (rt, self, [comparator]) => sorted(rt, self, comparator, 'sort'),
  splice: (rt, self, args) => {
    const [from, count] = cut(rt, self, args);
    rt.budget.spend(count);
    return self.slice(from, from + count);
  },
  toReversed: (rt, self) => copy(rt, self).reverse(),
  toSorted: (rt, self, [comparator]) => sorted(rt, self, comparator, 'toSorted'),
  toSpliced: (rt, self, args) => {
    const [from, count] = cut(rt, self, args);
    rt.budget.spend(self.length + args.length);
    return self.slice(0, from).concat(args.slice(2), self.slice(from + count));
  },
  unshift: (_, self, args) => self.length + args.length,
  with: (rt, self, [index, value]) => {
    const at = toInteger(rt, index);
    const place = at < 0 ? self.length + at : at;
    if (place < 0 || place >= self.length) {
      return fail('TOO6105', `with: ${at} is no index of an array of ${self.length}`);
    }
    const out = copy(rt, self);
    out[place] = value;
    return out;
  },
};

function copy(rt: Runtime, self: ArrayValue): unknown[] {
  rt.budget.spend(1 + self.length);
  return self.slice();
}

/** From where, and how many, `splice` takes out. */
function cut(rt: Runtime, self: ArrayValue, args: ArrayValue): [from: number, count: number] {
  const from = toOffset(rt, args[0], self.length, 0);
  if (args.length === 0) return [0, 0];
  if (args.length === 1) return [from, self.length - from];
  return [from, Math.min(Math.max(toInteger(rt, args[1]), 0), self.length - from)];
}

function sorted(rt: Runtime, self: ArrayValue, comparator: unknown, who: string): unknown[] {
  const items = copy(rt, self);
  if (comparator !== undefined) {
    const fn = callable(comparator, who);
    return items.sort((a, b) => toNumber(rt, call(rt, fn, [a, b])));
  }
  // Each item becomes text once; undefined goes last by itself.
  const keyed = items.map((item) => (item === undefined ? undefined : { item, text: toText(rt, item) }));
  return keyed
    .sort((a, b) => (a === undefined || b === undefined ? 0 : compareText(rt, a.text, b.text)))
    .map((pair) => pair?.item);
}
