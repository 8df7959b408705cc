/** Every method that can be called on a value, by the kind of the value. */
import { copyingMethods } from './array-copies.ts';
import { lookingMethods } from './arrays.ts';
import { toKey, toText } from './convert.ts';
import { dateMethods } from './dates.ts';
import { fail } from './failure.ts';
import { booleanMethods, type Methods, numberMethods } from './numbers.ts';
import { hasOwn } from './own.ts';
import { regExpFields, regExpMethods } from './regexps.ts';
import { stringMethods } from './strings.ts';
import { type FunctionValue, functionValue, type Invoke, type Kind, kindOf, kindWord } from './value.ts';

export type Receiver = 'string' | 'array' | 'number' | 'boolean' | 'date' | 'regexp';

/** What every value but null and undefined has. */
type AnyName = 'hasOwnProperty' | 'propertyIsEnumerable' | 'toLocaleString' | 'toString' | 'valueOf';

const anyMethods: Methods<unknown, AnyName> = {
  hasOwnProperty: (rt, self, [key]) => hasOwn(self, toKey(rt, key)),
  propertyIsEnumerable: (rt, self, [key]) => {
    const name = toKey(rt, key);
    return hasOwn(self, name) && !(name === 'length' && kindOf(self) !== 'record');
  },
  toLocaleString: (rt, self) => toText(rt, self),
  toString: (rt, self) => toText(rt, self),
  valueOf: (_, self) => self,
};

const own: Readonly<Record<Receiver, Readonly<Record<string, unknown>>>> = {
  string: stringMethods,
  array: { ...lookingMethods, ...copyingMethods },
  number: numberMethods,
  boolean: booleanMethods,
  date: dateMethods,
  regexp: regExpMethods,
};

/** Names of methods, without those that every value has. */
export const methodNames: Readonly<Record<Receiver, readonly string[]>> = {
  string: names('string'),
  array: names('array'),
  number: names('number'),
  boolean: names('boolean'),
  date: names('date'),
  regexp: names('regexp'),
};

export const anyMethodNames: readonly string[] = Object.keys(anyMethods);

/** Fields that are not data: `length` of strings and arrays, and those of regular expressions. */
export const fieldNames: Readonly<Record<Receiver, readonly string[]>> = {
  string: ['length'],
  array: ['length'],
  number: [],
  boolean: [],
  date: [],
  regexp: Object.keys(regExpFields),
};

const tables: Readonly<Record<Kind, ReadonlyMap<string, FunctionValue>>> = {
  undefined: new Map(),
  null: new Map(),
  function: new Map(),
  record: tableOf('record', {}),
  string: tableOf('string', own.string),
  array: tableOf('array', own.array),
  number: tableOf('number', own.number),
  boolean: tableOf('boolean', own.boolean),
  date: tableOf('date', own.date),
  regexp: tableOf('regexp', own.regexp),
};

export function methodOf(kind: Kind, name: string): FunctionValue | undefined {
  return tables[kind].get(name);
}

function names(kind: Receiver): readonly string[] {
  return Object.keys(own[kind]).sort();
}

function tableOf(kind: Kind, methods: Readonly<Record<string, unknown>>): ReadonlyMap<string, FunctionValue> {
  return new Map(
    Object.entries({ ...anyMethods, ...methods }).map(([name, method]) => [
      name,
      functionValue(name, bound(kind, name, method as Invoke)),
    ]),
  );
}

/** A method may stand where a function is expected, but then it has lost its receiver. */
function bound(kind: Kind, name: string, method: Invoke): Invoke {
  return (rt, self, args) => {
    if (kindOf(self) === kind) return method(rt, self, args);
    return fail('TOO6103', `"${name}" must be called on ${kindWord(kind)}`, `Write "x => x.${name}()".`);
  };
}
