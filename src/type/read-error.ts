/** What is wrong with a value: where in it, what was expected, what is there. */
import { printTypeShort, type TypeLanguage } from './print.ts';
import type { Type } from './type.ts';

export interface ReadError {
  /** RFC 6901: `` is the whole value, `/findings/0/line` a part of it. */
  readonly pointer: string;
  /** One sentence that names the place, made for people and for the model that has to mend it. */
  readonly message: string;
  readonly expected: string;
  readonly got: string;
}

export type ReadResult =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly errors: readonly ReadError[] };

/** The pointer of a member. */
export function pointTo(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}/${key}`;
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function wrongType(
  pointer: string,
  expected: Type | string,
  value: unknown,
  hint = '',
  language: TypeLanguage = 'too',
): ReadError {
  const wanted = typeof expected === 'string' ? expected : printTypeShort(expected, language);
  const got = describe(value);
  return {
    pointer,
    message: `${placeOf(pointer)} must be ${wanted}, but it is ${got}.${hint}`,
    expected: wanted,
    got,
  };
}

export function missing(pointer: string, expected: Type, language: TypeLanguage = 'too'): ReadError {
  const wanted = printTypeShort(expected, language);
  return {
    pointer,
    message: `${placeOf(pointer)} is missing; it must be ${wanted}.`,
    expected: wanted,
    got: 'nothing',
  };
}

export function placeOf(pointer: string): string {
  return pointer === '' ? 'the value' : `"${pointer}"`;
}

/** A value in a few words. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${quoteShort(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== 'Object') return `a ${tag}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, 4).map((key) => quoteShort(key, 30));
  return `an object with ${shown.join(', ')}${keys.length > 4 ? ', …' : ''}`;
}

export function quoteShort(text: string, limit = 60): string {
  return JSON.stringify(text.length <= limit ? text : `${text.slice(0, limit)}…`);
}
