/**
 * Expressions of builder programs. A reference records the path that is read through it and prints as `{draft.text}`, so
 * the texts of a builder program are those of the file that says the same.
 */
import type { Json } from '../../plan/index.ts';

declare const gives: unique symbol;
declare const isText: unique symbol;

/** Something that gives a `T` when the workflow runs. */
export interface Expr<out T> {
  readonly [gives]: T;
}

/** A text with expressions in it, made by the tag `text`. */
export interface Text extends Expr<string> {
  readonly [isText]: true;
}

/** The result of a step, the input, or something in them: each field is a reference again. */
export type Ref<T> = Expr<T> & Members<NonNullable<T>, T>;

type Members<T, Whole> = unknown extends Whole
  ? { readonly [name: string]: Ref<unknown> }
  : T extends readonly unknown[]
    ? { readonly [K in keyof T & `${number}`]: Ref<T[K] | Nothing<Whole>> } & {
        readonly [index: number]: Ref<T[number] | Nothing<Whole>>;
        readonly length: Ref<number | Nothing<Whole>>;
      }
    : T extends object
      ? { readonly [K in keyof T]-?: Ref<T[K] | Nothing<Whole>> }
      : unknown;

/** What a member is where there may be nothing that has it. */
type Nothing<Whole> = [Extract<Whole, null | undefined>] extends [never] ? never : undefined;

/** A text, as in files: `{expressions}` in it are filled in, `{{` and `}}` are braces. */
export type TextLike = string | Expr<unknown>;

/** A value for `T`: written out, or with expressions in its place or in its parts. A string that is not for a string must be one. */
export type Given<T> = unknown extends T
  ? Expr<unknown> | Json
  :
      | Expr<T>
      | (T extends string ? (string extends T ? string : T | `${string}{${string}`) : `${string}{${string}` | Parts<T>);

type Parts<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Given<T[K]> }
    : T;

interface Code {
  readonly code: string;
  /** Of a reference: the name it begins with, and the members read through it. */
  readonly path?: readonly string[];
}

const codes = new WeakMap<object, Code>();
const texts = new WeakMap<object, string>();

/** A reference to what has this name in expressions. */
export function makeRef<T>(name: string): Ref<T> {
  return refTo(name, [name]) as Ref<T>;
}

/** The text of a file that says the same; undefined if the value is none. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  const found = codes.get(value);
  return found ? `{${found.code}}` : texts.get(value);
}

/** What a reference reads: a name, then members. */
export function pathOf(value: unknown): readonly string[] | undefined {
  return isObject(value) ? codes.get(value)?.path : undefined;
}

/**
 * A text: references and expressions in it are read when the workflow runs, everything else is taken as it is. Braces in
 * the text itself are expressions too; those in values are not.
 */
export function text(strings: TemplateStringsArray, ...values: (Expr<unknown> | string | number | boolean)[]): Text {
  const parts = strings.map((each, index) => each + (index < values.length ? asPart(values[index]) : ''));
  return made(texts, parts.join(''), parts.join(''));
}

/** A JavaScript expression; values in it become literals. What it gives is checked when the workflow is planned. */
export function expr<T = never>(strings: TemplateStringsArray, ...values: (Expr<unknown> | Json)[]): Expr<T> {
  const parts = strings.raw.map((each, index) => each + (index < values.length ? asOperand(values[index]) : ''));
  const code = parts.join('').trim();
  return made(codes, { code }, `{${code}}`);
}

function asPart(value: unknown): string {
  const found = typeof value === 'string' ? undefined : textOf(value);
  if (found !== undefined) return found;
  if (isObject(value)) throw new TypeError('a text takes references, expressions, texts, numbers and booleans');
  return String(value).replace(/[{}]/g, '$&$&');
}

function asOperand(value: unknown): string {
  if (isObject(value)) {
    const found = codes.get(value);
    if (found) return found.path ? found.code : `(${found.code})`;
    if (texts.has(value))
      throw new TypeError('an expression takes references, expressions and plain values, not a text');
  }
  const literal = JSON.stringify(value);
  if (literal === undefined) throw new TypeError('an expression takes references, expressions and plain values');
  return isObject(value) ? `(${literal})` : literal;
}

function refTo(code: string, path: readonly string[]): object {
  const print = () => `{${code}}`;
  const ref = new Proxy(Object.freeze({}), {
    get: (_, key) => {
      if (typeof key === 'string') return refTo(code + member(key), [...path, key]);
      return key === Symbol.toPrimitive ? print : undefined;
    },
    has: () => false,
  });
  codes.set(ref, { code, path });
  return ref;
}

function member(name: string): string {
  if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return `.${name}`;
  return /^(?:0|[1-9]\d{0,8})$/.test(name) ? `[${name}]` : `[${JSON.stringify(name)}]`;
}

/** An object that is known by `table`, and prints as `shown` in other texts. */
function made<V, T>(table: WeakMap<object, V>, value: V, shown: string): T {
  const object = Object.freeze({ [Symbol.toPrimitive]: () => shown });
  table.set(object, value);
  return object as T;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
