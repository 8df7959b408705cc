/** Plain JSON values: what they are, whether two are the same, and how a message names them. */

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** How deep arguments may be nested: far more than any tool needs, and little enough for every stack. */
export const maxDepth = 100;

/** The most units of a value that a message repeats. */
const mostShown = 80;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own property, whatever its name: plain assignment would lose `__proto__`. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else target[name] = value;
}

/** The own property of that name; what objects inherit (`constructor`) is none. */
export function getOwn(source: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(source, name) ? source[name] : undefined;
}

/** The narrowest type of a value. */
export function typeOf(value: unknown): JsonType | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  const type = typeof value;
  return type === 'string' || type === 'boolean' || type === 'object' ? type : undefined;
}

/** Whether two JSON values are the same; the order of keys means nothing, and 0 is -0. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(b, name) && sameValue((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
  );
}

/** A text that is the same for the same value only. */
export function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value === 0 ? 0 : value) ?? 'undefined';
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`).join()}}`;
}

/** A value in a message: on one line, and never a long one. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isRecord(value)) return 'an object';
  if (typeof value === 'string') {
    if (value.length <= mostShown) return JSON.stringify(value);
    return `a string of ${value.length} characters`;
  }
  return String(value);
}

/** What kind of value it is, for those that a message must not repeat. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'number') return 'a number';
  return typeof value === 'boolean' ? 'a boolean' : showValue(value);
}

/** A name in a message: in quotes, on one line, cut when it is long. */
export function showName(name: string): string {
  if (name.length <= mostShown) return JSON.stringify(name);
  return `${JSON.stringify(name.slice(0, mostShown - 3)).slice(0, -1)}..."`;
}

/** Throws a TypeError for what JSON cannot carry. Properties that are `undefined` are left out, as JSON does. */
export function checkJson(value: unknown): void {
  const way: string[] = [];
  function fail(words: string): never {
    throw new TypeError(`${way.length === 0 ? 'the arguments' : showName(way.join('/'))} ${words}`);
  }
  function check(inner: unknown): void {
    const type = typeOf(inner);
    if (type === undefined || (type === 'number' && !Number.isFinite(inner))) {
      fail(`must be JSON, but is ${typeof inner === 'number' ? String(inner) : typeof inner}`);
    }
    if (typeof inner !== 'object' || inner === null) return;
    if (way.length >= maxDepth) fail(`is nested deeper than ${maxDepth} levels`);
    if (!Array.isArray(inner) && !isPlain(inner))
      fail('must be a plain object: others are not the same when read back');
    // Not Object.entries: what is missing in an array would be missed.
    const names = Array.isArray(inner) ? inner.keys() : Object.keys(inner);
    for (const name of names) {
      const item: unknown = (inner as Record<string, unknown>)[name];
      if (item === undefined && !Array.isArray(inner)) continue;
      way.push(String(name));
      check(item);
      way.pop();
    }
  }
  check(value);
}

/** An object without a class, of whatever realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
