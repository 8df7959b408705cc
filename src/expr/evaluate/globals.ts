/** The names that every expression knows. */

import { spendText } from './budget.ts';
import { isTruthy, toNumber, toPrimitive, toText } from './convert.ts';
import { dateText, parseDate } from './date-text.ts';
import { fail, native } from './failure.ts';
import { makeRegExp } from './matching.ts';
import { mathStatics } from './math.ts';
import {
  arrayStatics,
  dateStatics,
  jsonStatics,
  numberStatics,
  objectStatics,
  parseNumbers,
  type Statics,
  stringStatics,
  utcTime,
} from './statics.ts';
import { type ArrayValue, describe, functionValue, type Invoke, isDate, isRegExp, type Runtime } from './value.ts';

/** `new Date(…)`; every part is in UTC. */
export function newDate(rt: Runtime, args: ArrayValue): Date {
  if (args.length === 0) return new Date(rt.now);
  if (args.length > 1) return new Date(utcTime(rt, args));
  const [value] = args;
  if (isDate(value)) return new Date(value.getTime());
  const primitive = toPrimitive(rt, value, 'default');
  return new Date(typeof primitive === 'string' ? parseDate(primitive) : toNumber(rt, primitive));
}

/** `new RegExp(…)` */
export function newRegExp(rt: Runtime, [pattern, flags]: ArrayValue): unknown {
  const given = isRegExp(pattern) ? pattern : undefined;
  if (given && flags === undefined) return given;
  const source = given?.source ?? (pattern === undefined ? '' : toText(rt, pattern));
  return makeRegExp(rt, source, flags === undefined ? '' : toText(rt, flags));
}

const uriFunctions: Statics = {
  decodeURI: uri('decodeURI', decodeURI),
  decodeURIComponent: uri('decodeURIComponent', decodeURIComponent),
  encodeURI: uri('encodeURI', encodeURI),
  encodeURIComponent: uri('encodeURIComponent', encodeURIComponent),
};

const globalFunctions: Statics = {
  ...parseNumbers,
  ...uriFunctions,
  isFinite: (rt, _, [value]) => Number.isFinite(toNumber(rt, value)),
  isNaN: (rt, _, [value]) => Number.isNaN(toNumber(rt, value)),
};

const constructors: Readonly<Record<string, readonly [Invoke | undefined, Statics]>> = {
  Array: [
    (rt, _, args) => {
      const [length] = args;
      if (args.length !== 1 || typeof length !== 'number') return [...args];
      if (length >>> 0 !== length) return fail('TOO6105', `Array: ${length} is no length`);
      rt.budget.spend(length);
      return Array.from({ length });
    },
    arrayStatics,
  ],
  Boolean: [(_, __, [value]) => isTruthy(value), {}],
  Date: [(rt) => dateText(new Date(rt.now)), dateStatics],
  JSON: [undefined, jsonStatics],
  Math: [undefined, mathStatics],
  Number: [(rt, _, args) => (args.length === 0 ? 0 : toNumber(rt, args[0])), numberStatics],
  Object: [
    (_, __, [value]) => fail('TOO6103', `Object(${describe(value)}) is not there; only its functions are`),
    objectStatics,
  ],
  RegExp: [(rt, _, args) => newRegExp(rt, args), {}],
  String: [(rt, _, args) => (args.length === 0 ? '' : toText(rt, args[0])), stringStatics],
};

/** Everything that can be read behind `Math.` and the others, by the name before the dot. */
export const statics: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(constructors).map(([name, [, members]]) => [name, Object.keys(members).sort()]),
);

const table: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ...staticEntries('', globalFunctions),
  ...Object.entries(constructors).map(
    ([name, [invoke, members]]) =>
      [name, functionValue(name, invoke, new Map(staticEntries(`${name}.`, members)))] as [string, unknown],
  ),
]);

export const globalNames: readonly string[] = [...table.keys()].sort();

export function hasGlobal(name: string): boolean {
  return table.has(name);
}

export function globalValue(name: string): unknown {
  return table.get(name);
}

function staticEntries(prefix: string, members: Statics): [string, unknown][] {
  return Object.entries(members).map(([name, member]) => [
    name,
    typeof member === 'number' ? member : functionValue(prefix + name, member),
  ]);
}

function uri(name: string, convert: (text: string) => string): Invoke {
  return (rt, _, [value]) => {
    const text = toText(rt, value);
    // A character becomes at most nine.
    spendText(rt.budget, name.startsWith('encode') ? text.length * 9 : text.length);
    return native(name, () => convert(text));
  };
}
