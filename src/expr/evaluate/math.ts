/** `Math`, without `random`: the same expression gives the same value again. */
import { toNumber } from './convert.ts';
import type { Statics } from './statics.ts';
import type { Runtime } from './value.ts';

const unary = [
  'abs acos acosh asin asinh atan atanh ceil cbrt expm1 clz32 cos cosh exp floor fround log log1p log2 log10 round',
  'sign sin sinh sqrt tan tanh trunc',
]
  .join(' ')
  .split(' ') as readonly UnaryName[];

type UnaryName = Exclude<
  { [K in keyof Math]: Math[K] extends (x: number) => number ? K : never }[keyof Math],
  'random' | 'max' | 'min' | 'hypot'
>;

const constants = ['E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2'] as const;

export const mathStatics: Statics = {
  ...Object.fromEntries(constants.map((name) => [name, Math[name]])),
  ...Object.fromEntries(
    unary.map((name) => [name, (rt: Runtime, _: unknown, [x]: readonly unknown[]) => Math[name](toNumber(rt, x))]),
  ),
  atan2: (rt, _, [y, x]) => Math.atan2(toNumber(rt, y), toNumber(rt, x)),
  hypot: (rt, _, args) => inGroups(numbers(rt, args), Math.hypot, 0),
  imul: (rt, _, [a, b]) => Math.imul(toNumber(rt, a), toNumber(rt, b)),
  max: (rt, _, args) => inGroups(numbers(rt, args), Math.max, Number.NEGATIVE_INFINITY),
  min: (rt, _, args) => inGroups(numbers(rt, args), Math.min, Number.POSITIVE_INFINITY),
  pow: (rt, _, [base, exponent]) => toNumber(rt, base) ** toNumber(rt, exponent),
};

function numbers(rt: Runtime, args: readonly unknown[]): number[] {
  rt.budget.spend(args.length);
  return args.map((arg) => toNumber(rt, arg));
}

/** The machine cannot take a hundred thousand arguments at once. */
function inGroups(all: readonly number[], join: (...some: number[]) => number, empty: number): number {
  const size = 10_000;
  if (all.length <= size) return join(...all);
  let result = empty;
  for (let i = 0; i < all.length; i += size) result = join(result, ...all.slice(i, i + size));
  return result;
}
