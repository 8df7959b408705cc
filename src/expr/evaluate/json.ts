/** `JSON.stringify` and `JSON.parse`, counted. A `toJSON` in the data is data; only dates have one of their own. */
import { maxDepth, spendText, tooDeep } from './budget.ts';
import { toInteger, toText } from './convert.ts';
import { clip, fail } from './failure.ts';
import { getOwn, ownKeys } from './own.ts';
import {
  call,
  type FunctionValue,
  isArray,
  isDate,
  isFunction,
  isRecordValue,
  newRecord,
  type Runtime,
} from './value.ts';

interface Writer {
  readonly rt: Runtime;
  readonly replacer: FunctionValue | undefined;
  readonly keys: readonly string[] | undefined;
  readonly gap: string;
  readonly parts: string[];
  length: number;
}

/** Undefined for what has no JSON: undefined itself and functions. */
export function stringify(rt: Runtime, value: unknown, replacer?: unknown, space?: unknown): string | undefined {
  const writer: Writer = {
    rt,
    replacer: isFunction(replacer) ? replacer : undefined,
    keys: isArray(replacer) ? allowedKeys(rt, replacer) : undefined,
    gap: gapOf(rt, space),
    parts: [],
    length: 0,
  };
  const top = replaced(writer, '', value);
  if (!isWritable(top)) return undefined;
  write(writer, top, '');
  spendText(rt.budget, writer.length);
  return writer.parts.join('');
}

export function parse(rt: Runtime, source: unknown, reviver: unknown): unknown {
  const text = toText(rt, source);
  // Two characters can make a value.
  rt.budget.spend(1 + text.length / 2);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const place = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const where = place === undefined ? 'at its end' : `at character ${Number(place) + 1}`;
    return fail('TOO6105', `JSON.parse: ${JSON.stringify(clip(text, 40))} is not JSON ${where}`);
  }
  return isFunction(reviver) ? revive(rt, reviver, '', value) : value;
}

function revive(rt: Runtime, reviver: FunctionValue, key: string, value: unknown): unknown {
  if (++rt.depth > maxDepth) tooDeep('the JSON nests');
  let made = value;
  if (isArray(value)) made = value.map((item, i) => revive(rt, reviver, String(i), item));
  else if (isRecordValue(value)) {
    const record = newRecord();
    for (const name of ownKeys(rt, value)) {
      const item = revive(rt, reviver, name, getOwn(value, name));
      if (item !== undefined) record[name] = item;
    }
    made = record;
  }
  rt.depth--;
  return call(rt, reviver, [key, made]);
}

function write(writer: Writer, value: unknown, indent: string): void {
  const { rt } = writer;
  rt.budget.spend(1);
  if (++rt.depth > maxDepth) tooDeep('the value nests');
  if (typeof value === 'string') {
    spendText(rt.budget, value.length);
    add(writer, JSON.stringify(value));
  } else if (typeof value === 'number') add(writer, Number.isFinite(value) ? String(value) : 'null');
  else if (isArray(value)) writeArray(writer, value, indent);
  else if (typeof value === 'object' && value !== null) writeRecord(writer, value, indent);
  else add(writer, String(value));
  rt.depth--;
}

function writeArray(writer: Writer, items: readonly unknown[], indent: string): void {
  const inner = indent + writer.gap;
  add(writer, '[');
  for (let i = 0; i < items.length; i++) {
    if (i > 0) add(writer, ',');
    newLine(writer, inner);
    const item = replaced(writer, String(i), items[i]);
    write(writer, isWritable(item) ? item : null, inner);
  }
  if (items.length > 0) newLine(writer, indent);
  add(writer, ']');
}

function writeRecord(writer: Writer, value: object, indent: string): void {
  const inner = indent + writer.gap;
  const keys = writer.keys?.filter((key) => Object.hasOwn(value, key)) ?? ownKeys(writer.rt, value);
  writer.rt.budget.spend(keys.length);
  let first = true;
  add(writer, '{');
  for (const key of keys) {
    const item = replaced(writer, key, getOwn(value, key));
    if (!isWritable(item)) continue;
    if (!first) add(writer, ',');
    first = false;
    newLine(writer, inner);
    spendText(writer.rt.budget, key.length);
    add(writer, JSON.stringify(key) + (writer.gap === '' ? ':' : ': '));
    write(writer, item, inner);
  }
  if (!first) newLine(writer, indent);
  add(writer, '}');
}

function replaced(writer: Writer, key: string, value: unknown): unknown {
  const plain = isDate(value) ? (Number.isNaN(value.getTime()) ? null : value.toISOString()) : value;
  return writer.replacer ? call(writer.rt, writer.replacer, [key, plain]) : plain;
}

function isWritable(value: unknown): boolean {
  return value !== undefined && !isFunction(value);
}

function newLine(writer: Writer, indent: string): void {
  if (writer.gap !== '') add(writer, `\n${indent}`);
}

function add(writer: Writer, part: string): void {
  writer.length += part.length;
  spendText(writer.rt.budget, part.length);
  writer.parts.push(part);
}

function gapOf(rt: Runtime, space: unknown): string {
  if (typeof space === 'number') return ' '.repeat(Math.min(10, Math.max(0, toInteger(rt, space))));
  return typeof space === 'string' ? space.slice(0, 10) : '';
}

function allowedKeys(rt: Runtime, replacer: readonly unknown[]): string[] {
  rt.budget.spend(replacer.length);
  const names = replacer.filter((key) => typeof key === 'string' || typeof key === 'number').map(String);
  return [...new Set(names)];
}
