/**
 * Why a value cannot be kept as JSON: the first thing in it that would be lost or changed. What JSON writes in its own way
 * (`toJSON`: dates, URLs) is taken as it writes it, and fields that are undefined are left out.
 */
import { messageOf } from './thrown.ts';

/** More is nested by mistake, and readers of JSON may run out of stack. */
const deepest = 500;

/** `output.items[3].fn is a function`; undefined when nothing is wrong. */
export function jsonProblem(value: unknown, name = 'output'): string | undefined {
  const path: (string | number)[] = [];
  const open = new Set<object>();
  const problem = search(value);
  return problem === undefined ? undefined : `${name}${path.map(shown).join('')} ${problem}`;

  /** Leaves the way to the problem in `path`. */
  function search(given: unknown): string | undefined {
    switch (typeof given) {
      case 'string':
      case 'boolean':
        return undefined;
      case 'number':
        return Number.isFinite(given) ? undefined : `is ${given}, which JSON cannot hold`;
      case 'object':
        return given === null ? undefined : inside(given);
      case 'function':
        return 'is a function';
      default:
        return typeof given === 'undefined' ? 'is undefined' : `is a ${typeof given}, which JSON cannot hold`;
    }
  }

  function inside(given: object): string | undefined {
    if (path.length > deepest) {
      path.length = 0;
      return `is nested more than ${deepest} deep`;
    }
    if (open.has(given)) return 'is a part of itself';
    const own = Reflect.get(given, 'toJSON');
    if (typeof own === 'function') {
      if (given instanceof Date && Number.isNaN(given.getTime())) return 'is an invalid date';
      const written: unknown = own.call(given, String(path.at(-1) ?? ''));
      if (written === given) return 'is written by its toJSON as itself';
      open.add(given);
      const problem = search(written);
      open.delete(given);
      return problem;
    }
    open.add(given);
    const problem = Array.isArray(given) ? inList(given) : (foreign(given) ?? boxed(given) ?? inFields(given));
    open.delete(given);
    return problem;
  }

  function inList(list: readonly unknown[]): string | undefined {
    for (let at = 0; at < list.length; at++) {
      path.push(at);
      const problem = search(list[at]);
      if (problem !== undefined) return problem;
      path.pop();
    }
    return undefined;
  }

  function inFields(given: object): string | undefined {
    for (const key of Object.keys(given)) {
      path.push(key);
      let field: unknown;
      try {
        field = Reflect.get(given, key);
      } catch (error) {
        return `threw when it was read: ${messageOf(error)}`;
      }
      const problem = field === undefined ? undefined : search(field);
      if (problem !== undefined) return problem;
      path.pop();
    }
    return undefined;
  }
}

/** `new Number(NaN)`, which JSON writes as null. */
function boxed(given: object): string | undefined {
  return given instanceof Number && !Number.isFinite(given.valueOf())
    ? `is ${given}, which JSON cannot hold`
    : undefined;
}

/** Objects whose content JSON does not see. */
function foreign(value: object): string | undefined {
  if (value instanceof Map) return 'is a Map; return Object.fromEntries(map)';
  if (value instanceof Set) return 'is a Set; return [...set]';
  if (value instanceof Promise) return 'is a promise; write "await" before it';
  if (value instanceof Error) return 'is an Error; throw it, or return its message';
  if (value instanceof RegExp || value instanceof WeakMap || value instanceof WeakSet) return 'is no plain object';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'holds bytes; return them as text';
  return isPlain(value) || Object.keys(value).length > 0 ? undefined : hollow(value);
}

/** Of what is made by a class JSON sees the fields; where there are none, what it holds is elsewhere: a generator, a Blob. */
function hollow(value: object): string | undefined {
  if (value instanceof String || value instanceof Boolean || value instanceof Number) return undefined;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const name = tag === 'Object' ? className(value) : tag;
  const help = Symbol.iterator in value ? '; return what it holds, as [...value]' : '';
  return `is made by ${name}, and has no fields that JSON could keep${help}`;
}

function className(value: object): string {
  const made: unknown = Reflect.get(value, 'constructor');
  return typeof made === 'function' && made.name !== '' ? made.name : 'a class';
}

/** Its prototype is nothing, or has none itself: that of plain objects, here or in another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== 'object' || prototype === null) return true;
  if (Object.getPrototypeOf(prototype) !== null) return false;
  // `Math` and `arguments` have that prototype too.
  return Object.prototype.toString.call(value) === '[object Object]';
}

function shown(part: string | number): string {
  if (typeof part === 'number') return `[${part}]`;
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
}
