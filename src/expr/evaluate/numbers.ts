/** The methods of numbers and booleans. */
import { toInteger } from './convert.ts';
import { native } from './failure.ts';
import { numberText } from './locale.ts';
import type { ArrayValue, Runtime } from './value.ts';

export type Method<T> = (rt: Runtime, self: T, args: ArrayValue) => unknown;

/** Methods by name. `Own` are those that every object has: TypeScript would take their types from there. */
export type Methods<T, Own extends string = never> = Readonly<Record<string, Method<T>> & Record<Own, Method<T>>>;

export const numberMethods: Methods<number, 'toString' | 'toLocaleString' | 'valueOf'> = {
  toExponential: (rt, self, [digits]) =>
    native('toExponential', () => self.toExponential(digits === undefined ? undefined : toInteger(rt, digits))),
  toFixed: (rt, self, [digits]) => native('toFixed', () => self.toFixed(toInteger(rt, digits))),
  toLocaleString: (rt, self, [locales, options]) => numberText(rt, self, locales, options),
  toPrecision: (rt, self, [digits]) =>
    native('toPrecision', () => self.toPrecision(digits === undefined ? undefined : toInteger(rt, digits))),
  toString: (rt, self, [radix]) =>
    native('toString', () => self.toString(radix === undefined ? undefined : toInteger(rt, radix))),
  valueOf: (_, self) => self,
};

export const booleanMethods: Methods<boolean, 'toString' | 'valueOf'> = {
  toString: (_, self) => String(self),
  valueOf: (_, self) => self,
};
