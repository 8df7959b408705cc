/** A value to show what a schema wants: plain words, small numbers, no more than is needed. It may not fit; who uses it checks. */
import { objectForms, partsOf, schemasByName, schemasOf, shapeOf } from '../map/schema.ts';
import { validate } from '../map/validate.ts';
import { type JsonType, setOwn } from '../map/value.ts';
import type { ToolSchema } from '../tool.ts';

/** What a tool's owner gives as an example is taken only if it is nothing but a plain word or path. */
const plainWord = /^[\w.:/-]{1,40}$/;
const mostNested = 4;
const mostItems = 5;
const longestText = 200;
/** What patterns often ask for. */
const commonTexts = [
  '1',
  'a',
  'A',
  'abc',
  'ABC',
  '123',
  '1234',
  '12345678',
  '2024-01-31',
  '1.2.3',
  '/a',
  'a-b',
  'a@b.cd',
];
/** What limits a text or a number. */
const limits = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

export function sampleValue(name: string, schema: unknown, root: ToolSchema, depth = 0): unknown {
  const { types, values } = shapeOf(schema, root);
  if (values !== undefined) return values[0];
  const parts = partsOf(schema, root);
  if (types.has('string')) return firstFitting(texts(name, parts), parts);
  if (types.has('object')) return sampleObject(schema, root, depth + 1);
  if (types.has('array')) return sampleArray(name, parts, root, depth + 1);
  if (types.has('number') || types.has('integer')) return firstFitting(numbers(types, parts, root), parts);
  return types.has('boolean') ? true : null;
}

/** With what is required, and one more where nothing is. */
export function sampleObject(schema: unknown, root: ToolSchema, depth: number): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  if (depth > mostNested) return sample;
  const all = partsOf(schema, root);
  const parts = objectForms(all, root)?.[0] ?? all;
  const required = new Set(parts.flatMap((part) => schemasOf(part.required)));
  for (const [name, part] of parts.flatMap(({ properties }) => schemasByName(properties))) {
    const isFirst = required.size === 0 && depth === 0 && Object.keys(sample).length === 0;
    if (required.has(name) || isFirst) setOwn(sample, name, sampleValue(name, part, root, depth));
  }
  return sample;
}

function sampleArray(name: string, parts: readonly ToolSchema[], root: ToolSchema, depth: number): unknown[] {
  const part = parts.find(({ items, prefixItems }) => items !== undefined || prefixItems !== undefined);
  if (depth > mostNested || part === undefined) return [];
  const tuple = Array.isArray(part.items) ? part.items : schemasOf(part.prefixItems);
  if (tuple.length > 0) return tuple.map((item) => sampleValue(name, item, root, depth));
  const [least = 1] = numbersOf(parts, 'minItems');
  const length = Math.min(Math.max(1, least), mostItems);
  return Array.from({ length }, () => sampleValue(name, part.items, root, depth));
}

function texts(name: string, parts: readonly ToolSchema[]): string[] {
  const given = parts.flatMap((part) => [...schemasOf(part.examples), part.default]);
  const plain = given.filter((text): text is string => typeof text === 'string' && plainWord.test(text));
  const word = wordFor(name);
  const [least = 0] = numbersOf(parts, 'minLength');
  const [most = longestText] = numbersOf(parts, 'maxLength');
  const long = least < 1 || least > longestText ? [] : ['example'.repeat(Math.ceil(least / 7)).slice(0, least)];
  return [...plain, word, ...long, word.slice(0, Math.max(1, most)), ...commonTexts];
}

function numbers(types: ReadonlySet<JsonType>, parts: readonly ToolSchema[], root: ToolSchema): number[] {
  const members = parts.flatMap((part) => [...schemasOf(part.anyOf), ...schemasOf(part.oneOf)]);
  const all = [...parts, ...members.flatMap((member) => partsOf(member, root))];
  const given = all.flatMap((part) => [part.default, ...schemasOf(part.examples)]);
  const found = [
    ...numbersOf(all, 'minimum'),
    1,
    ...given.filter((value): value is number => typeof value === 'number'),
    ...numbersOf(all, 'exclusiveMinimum').map((least) => least + 1),
    ...numbersOf(all, 'multipleOf'),
    0,
    ...numbersOf(all, 'maximum'),
    ...numbersOf(all, 'exclusiveMaximum').map((most) => most - 1),
  ];
  return types.has('number') ? found : found.filter(Number.isInteger);
}

/** The first that keeps the limits, or the first of all. */
function firstFitting<T>(values: readonly T[], parts: readonly ToolSchema[]): T | undefined {
  const schemas = parts.map((part) => Object.fromEntries(Object.entries(part).filter(([key]) => isLimit(key))));
  const fits = (v: T) => schemas.every((schema) => validate({ v }, { properties: { v: schema } }).length === 0);
  return values.find(fits) ?? values[0];
}

function isLimit(key: string): boolean {
  return key === 'multipleOf' || limits.includes(key);
}

function numbersOf(parts: readonly ToolSchema[], key: string): number[] {
  return parts.map((part) => part[key]).filter((value): value is number => typeof value === 'number');
}

function wordFor(name: string): string {
  const words = name.toLowerCase();
  if (/file|path/.test(words)) return 'notes.txt';
  if (/dir|folder/.test(words)) return 'docs';
  return /ur[il]/.test(words) ? 'https://example.com' : 'example';
}
