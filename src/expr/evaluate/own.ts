/** Own properties of values, and nothing else of them: no prototypes, no getters. */
import { fail } from './failure.ts';
import { isArray, kindOf, type Runtime } from './value.ts';

/** Undefined if it is not there; `hasOwn` tells that from a property that is undefined. */
export function getOwn(object: object, key: string): unknown {
  const found = Object.getOwnPropertyDescriptor(object, key);
  return found === undefined ? undefined : dataOf(found, key);
}

/** The value of a property that is there; a getter is never run. */
export function dataOf(property: PropertyDescriptor, key: string): unknown {
  if (property.get === undefined && property.set === undefined) return property.value;
  return fail('TOO6110', `"${key}" is computed by code, so it is not data`);
}

/** Whether a value has a property of its own, as `Object.hasOwn` tells. */
export function hasOwn(value: unknown, key: string): boolean {
  switch (kindOf(value)) {
    case 'string':
      return key === 'length' || indexOfKey(key, (value as string).length) !== undefined;
    case 'array':
    case 'record':
      return Object.hasOwn(value as object, key);
    default:
      return false;
  }
}

/** The keys that a spread copies. */
export function ownKeys(rt: Runtime, value: unknown): string[] {
  const kind = kindOf(value);
  if (kind === 'string') {
    rt.budget.spend((value as string).length);
    return Array.from({ length: (value as string).length }, (_, i) => String(i));
  }
  if (kind !== 'array' && kind !== 'record') return [];
  if (isArray(value)) rt.budget.spend(value.length);
  const keys = Object.keys(value as object);
  // A record costs more memory for each key than an array for each item.
  rt.budget.spend(keys.length * 4);
  return keys;
}

/** What `ownKeys` named. */
export function ownValue(value: unknown, key: string): unknown {
  return typeof value === 'string' ? value[Number(key)] : getOwn(value as object, key);
}

export function copyInto(rt: Runtime, target: Record<string, unknown>, source: unknown): void {
  for (const key of ownKeys(rt, source)) target[key] = ownValue(source, key);
}

/** The items that a spread, a pattern or `Array.from` goes through. */
export function iterate(rt: Runtime, value: unknown, what: string): readonly unknown[] {
  if (isArray(value)) {
    rt.budget.spend(1 + value.length);
    return value;
  }
  if (typeof value === 'string') {
    rt.budget.spend(1 + value.length);
    return Array.from(value);
  }
  return fail('TOO6106', `${what} is not an array`, 'Only arrays and strings can be gone through.');
}

/** A key that names a character of a string of this length. */
export function indexOfKey(key: string, length: number): number | undefined {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key ? index : undefined;
}
