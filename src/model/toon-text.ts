/** Plain values as TOON: what is written for people to read, to paste, and to compare. */
import { quote } from '../toon/index.ts';
import { isRecord } from '../type/index.ts';

/** `key: value` and the lines below it, so far from the margin. */
export function field(key: string, value: unknown, indent: number): string[] {
  const name = `${' '.repeat(indent)}${/^[A-Za-z_][A-Za-z0-9_.]*$/.test(key) ? key : quote(key)}`;
  if (Array.isArray(value)) return list(name, value, indent);
  if (isRecord(value)) return [`${name}:`, ...fields(value, indent + 2)];
  return [`${name}: ${scalar(value)}`];
}

function fields(value: Record<string, unknown>, indent: number): string[] {
  return Object.entries(value).flatMap(([key, each]) => field(key, each, indent));
}

function list(name: string, items: readonly unknown[], indent: number): string[] {
  if (items.length === 0) return [`${name}: []`];
  if (items.every((item) => typeof item !== 'object' || item === null)) {
    return [`${name}[${items.length}]: ${items.map(scalar).join(',')}`];
  }
  return [`${name}[${items.length}]:`, ...items.flatMap((each) => item(each, indent + 2))];
}

function item(value: unknown, indent: number): string[] {
  const hyphen = `${' '.repeat(indent)}- `;
  if (Array.isArray(value)) {
    const [first = '', ...rest] = list('', value, indent);
    return [`${hyphen}${value.length === 0 ? '[]' : first}`, ...rest];
  }
  if (!isRecord(value)) return [`${hyphen}${scalar(value)}`];
  const [first, ...rest] = fields(value, indent + 2);
  return first === undefined ? [hyphen.trimEnd()] : [`${hyphen}${first.trimStart()}`, ...rest];
}

/** A word or some stand as they are; all else in quotes. */
export function scalar(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const plain = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/.test(value) && !/^(?:true|false|null)$/.test(value);
  return plain ? value : quote(value);
}
