/** Values as TOON: a document, or one field of it. What is read of it is the same value. */
import { quote } from './quoted.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A document with these fields. */
export function writeToon(value: { readonly [key: string]: unknown }): string {
  return `${fields(value, 0).join('\n')}\n`;
}

/** The lines of one field, `indent` blanks from the left. */
export function fieldText(key: string, value: unknown, indent: number): string[] {
  const name = `${' '.repeat(indent)}${keyText(key)}`;
  if (Array.isArray(value)) return list(name, value, indent);
  if (isRecord(value)) return [`${name}:`, ...fields(value, indent + 2)];
  return [`${name}: ${scalarText(value)}`];
}

/** The lines of an item of a list. */
export function itemText(value: unknown, indent: number): string[] {
  const hyphen = `${' '.repeat(indent)}- `;
  if (Array.isArray(value)) {
    const [first = '', ...rest] = list('', value, indent);
    return [`${hyphen}${value.length === 0 ? '[]' : first}`, ...rest];
  }
  if (!isRecord(value)) return [`${hyphen}${scalarText(value)}`];
  const [first, ...rest] = fields(value, indent + 2);
  return first === undefined ? [hyphen.trimEnd()] : [`${hyphen}${first.trimStart()}`, ...rest];
}

/** A word or some stand as they are; all else in quotes. */
export function scalarText(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const plain =
    /^(?:\.{1,2}\/)*[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/.test(value) &&
    !/^(?:true|false|null)$/.test(value);
  return plain ? value : quote(value);
}

function keyText(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(key) ? key : quote(key);
}

function fields(value: { readonly [key: string]: unknown }, indent: number): string[] {
  return Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : fieldText(key, each, indent)));
}

function list(name: string, items: readonly unknown[], indent: number): string[] {
  if (items.length === 0) return [`${name}: []`];
  if (items.every((item) => typeof item !== 'object' || item === null)) {
    return [`${name}[${items.length}]: ${items.map(scalarText).join(',')}`];
  }
  return [`${name}[${items.length}]:`, ...items.flatMap((each) => itemText(each, indent + 2))];
}

function isRecord(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
