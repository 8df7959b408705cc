/** JavaScript's conversions and comparisons, on our values and counted. Nothing of the data is ever called. */
import { maxDepth, spendConcat, spendLook, spendText, tooDeep } from './budget.ts';
import { dateText } from './date-text.ts';
import { fail } from './failure.ts';
import { hasOwn } from './own.ts';
import { type ArrayValue, describe, isFunction, kindOf, type RegExpValue, type Runtime } from './value.ts';

type Primitive = undefined | null | boolean | number | string;

export function toPrimitive(rt: Runtime, value: unknown, hint: 'text' | 'number' | 'default'): Primitive {
  switch (kindOf(value)) {
    case 'array':
      return joinItems(rt, value as ArrayValue, ',');
    case 'date':
      return hint === 'number' ? (value as Date).getTime() : dateText(value as Date);
    case 'regexp':
      return regExpText(value as RegExpValue);
    case 'function':
      return fail('TOO6106', 'a function has no text and no number');
    case 'record':
      return recordText(value as object);
    default:
      return value as Primitive;
  }
}

export function toText(rt: Runtime, value: unknown): string {
  return typeof value === 'string' ? value : String(toPrimitive(rt, value, 'text'));
}

export function toNumber(rt: Runtime, value: unknown): number {
  if (typeof value === 'number') return value;
  const primitive = toPrimitive(rt, value, 'number');
  if (typeof primitive === 'string') spendLook(rt.budget, primitive.length);
  return Number(primitive);
}

/** ToIntegerOrInfinity: what a position or a count is. */
export function toInteger(rt: Runtime, value: unknown): number {
  const number = Math.trunc(toNumber(rt, value));
  return Number.isNaN(number) ? 0 : number + 0;
}

/** The name of a property. */
export function toKey(rt: Runtime, value: unknown): string {
  const key = typeof value === 'string' ? value : toText(rt, value);
  spendLook(rt.budget, key.length);
  return key;
}

/** A position that may count from the end. */
export function toOffset(rt: Runtime, value: unknown, length: number, missing: number): number {
  if (value === undefined) return missing;
  const at = toInteger(rt, value);
  return at < 0 ? Math.max(length + at, 0) : Math.min(at, length);
}

/** `Array.prototype.join`; null and undefined are empty. */
export function joinItems(rt: Runtime, items: ArrayValue, separator: string, text: Texts = toText): string {
  if (++rt.depth > maxDepth) tooDeep('arrays nest');
  rt.budget.spend(1 + items.length);
  const pieces: string[] = [];
  let length = separator.length * Math.max(items.length - 1, 0);
  for (const item of items) {
    const piece = item === undefined || item === null ? '' : text(rt, item);
    length += piece.length;
    // Before all pieces are there: an item may stand in the array many times.
    if (length > 0) rt.budget.spend(piece.length / 8);
    pieces.push(piece);
  }
  spendText(rt.budget, length);
  rt.depth--;
  return pieces.join(separator);
}

type Texts = (rt: Runtime, value: unknown) => string;

export function concat(rt: Runtime, left: string, right: string): string {
  spendConcat(rt.budget, left.length, right.length);
  return left + right;
}

export function strictEquals(rt: Runtime, a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) spendLook(rt.budget, a.length);
  return a === b;
}

/** As `includes` compares: NaN is NaN. */
export function sameValueZero(rt: Runtime, a: unknown, b: unknown): boolean {
  return strictEquals(rt, a, b) || (Number.isNaN(a) && Number.isNaN(b));
}

export function looseEquals(rt: Runtime, a: unknown, b: unknown): boolean {
  if (a === null || a === undefined) return b === null || b === undefined;
  if (b === null || b === undefined) return false;
  if (typeof a === typeof b) return strictEquals(rt, a, b);
  // Two values of different types, neither of them nothing. A function equals only itself.
  if (isFunction(a) || isFunction(b)) return false;
  if (typeof a === 'object') return looseEquals(rt, toPrimitive(rt, a, 'default'), b);
  if (typeof b === 'object') return looseEquals(rt, a, toPrimitive(rt, b, 'default'));
  return toNumber(rt, a) === toNumber(rt, b);
}

/** -1, 0, 1, or NaN where neither is less. */
export function compare(rt: Runtime, left: unknown, right: unknown): number {
  const a = toPrimitive(rt, left, 'number');
  const b = toPrimitive(rt, right, 'number');
  if (typeof a === 'string' && typeof b === 'string') return compareText(rt, a, b);
  const x = toNumber(rt, a);
  const y = toNumber(rt, b);
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
}

export function compareText(rt: Runtime, a: string, b: string): number {
  spendLook(rt.budget, Math.min(a.length, b.length));
  return a < b ? -1 : a > b ? 1 : 0;
}

export function regExpText(value: RegExpValue): string {
  return `/${value.source}/${value.flags}`;
}

export function isTruthy(value: unknown): boolean {
  return Boolean(value);
}

/** What `Object.prototype.toString` says, as a record becomes text. */
function recordText(record: object): string {
  // JavaScript would call what stands there, or fail because it is not a function.
  for (const key of ['toString', 'valueOf']) {
    if (!hasOwn(record, key)) continue;
    const own = Object.getOwnPropertyDescriptor(record, key)?.value;
    if (key === 'toString' || isFunction(own)) {
      fail('TOO6106', `an object with its own "${key}" (${describe(own)}) cannot become text or a number`);
    }
  }
  return '[object Object]';
}
