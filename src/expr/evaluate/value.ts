/**
 * What an expression computes with: undefined, null, booleans, numbers, strings, arrays, records, dates, and our own
 * regular expressions and functions.
 * 1. Values never change: a method that changes its receiver in JavaScript works on a copy here.
 * 2. Arrays have no holes; what is a hole in JavaScript is undefined here. Iterators are arrays.
 * 3. Records that we make have no prototype, so that `__proto__` is a key like any other. Of a record only own data
 *    properties are read, whoever made it.
 * 4. Functions and regular expressions carry a symbol that no data can carry; only those are ever called.
 */
import type { CompiledRegExp } from '../regexp/index.ts';
import type { Budget } from './budget.ts';
import { clip, fail } from './failure.ts';

const brand = Symbol('kind');

export type Kind =
  | 'undefined'
  | 'null'
  | 'boolean'
  | 'number'
  | 'string'
  | 'array'
  | 'record'
  | 'date'
  | 'regexp'
  | 'function';

export type ArrayValue = readonly unknown[];
export type RecordValue = Readonly<Record<string, unknown>>;

export interface FunctionValue {
  readonly [brand]: 'function';
  readonly name: string;
  /** Absent for `Math` and others that only hold statics. */
  readonly invoke?: Invoke;
  readonly statics?: ReadonlyMap<string, unknown>;
}

/** Its `lastIndex` is always 0, because values never change. */
export interface RegExpValue {
  readonly [brand]: 'regexp';
  readonly source: string;
  readonly flags: string;
  readonly compiled: CompiledRegExp;
}

export type Invoke = (rt: Runtime, self: unknown, args: ArrayValue) => unknown;

/** One evaluation. */
export interface Runtime {
  /** What `Date.now()` gives. */
  readonly now: number;
  readonly budget: Budget;
  /** The part of the expression to blame if something fails now. */
  at: { readonly start: number; readonly end: number };
  depth: number;
}

export function functionValue(name: string, invoke?: Invoke, statics?: ReadonlyMap<string, unknown>): FunctionValue {
  return Object.freeze({ [brand]: 'function' as const, name, ...(invoke && { invoke }), ...(statics && { statics }) });
}

export function regExpValue(compiled: CompiledRegExp): RegExpValue {
  const { source, flags } = compiled;
  return Object.freeze({ [brand]: 'regexp' as const, source, flags, compiled });
}

export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      return value === undefined ? 'undefined' : (typeof value as Kind);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'array';
      if (value instanceof Date) return 'date';
      return (value as Partial<FunctionValue | RegExpValue>)[brand] ?? 'record';
    default:
      return fail('TOO6110', `a ${typeof value} is not a value that an expression can use`);
  }
}

export function isArray(value: unknown): value is ArrayValue {
  return Array.isArray(value);
}

export function isRecordValue(value: unknown): value is RecordValue {
  return kindOf(value) === 'record';
}

export function isRegExp(value: unknown): value is RegExpValue {
  return typeof value === 'object' && kindOf(value) === 'regexp';
}

export function isFunction(value: unknown): value is FunctionValue {
  return typeof value === 'object' && kindOf(value) === 'function';
}

export function isDate(value: unknown): value is Date {
  return value instanceof Date;
}

export function newRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

const words: Readonly<Record<Kind, string>> = {
  undefined: 'undefined',
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  record: 'an object',
  date: 'a date',
  regexp: 'a regular expression',
  function: 'a function',
};

export function kindWord(kind: Kind): string {
  return words[kind];
}

/** A value in a message: short ones as they are, others by their kind. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(clip(value, 30));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return words[kindOf(value)];
}

/** Calls what a built-in was given, and blames the call again afterwards. */
export function call(rt: Runtime, fn: FunctionValue, args: ArrayValue): unknown {
  const { at } = rt;
  rt.budget.spend(1);
  if (fn.invoke === undefined) return fail('TOO6103', `${fn.name} is not a function`);
  const result = fn.invoke(rt, undefined, args);
  rt.at = at;
  return result;
}

export function callable(value: unknown, who: string): FunctionValue {
  if (isFunction(value) && value.invoke) return value;
  return fail('TOO6105', `${who} needs a function, not ${describe(value)}`);
}
