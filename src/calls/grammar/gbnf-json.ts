/**
 * The rules of JSON bodies: of any JSON, and of what a schema allows. Objects have the properties that their schema
 * declares, in that order, and no others; types, listed values and the number of items are kept. What a grammar cannot
 * say – ranges, patterns, lengths, names that must differ – is left to the check of the arguments.
 */

import { objectForms, partsOf, schemasByName, schemasOf, shapeOf } from '../map/schema.ts';
import { isRecord, type JsonType } from '../map/value.ts';
import { EMOJI } from '../marker.ts';
import type { ToolSchema } from '../tool.ts';
import { jsonStringRule } from './gbnf-free.ts';
import { either, literal, type Rules, ruleName } from './gbnf-text.ts';

/** More items than this are not counted: each repetition is a rule of its own for llama.cpp. */
const mostItems = 64;
/** More properties than this that several parts of a schema declare are taken as any JSON: their sets could be endless. */
const mostMerged = 200;
const space = 'json-space';

/** Gives the rule of a schema; `root` is the schema that its references point into. */
export type JsonRules = (schema: unknown) => string | undefined;

/** The rules for the schemas of one tool. A schema that nothing fits has no rule. */
export function createJsonRules(rules: Rules, root: ToolSchema, prefix: string): JsonRules {
  const names = new Map<unknown, string>();
  const numbers = new Map<unknown, number>();
  const merged = new Map<string, unknown>();

  /** One schema for a value for which all of these hold: the same for the same ones, so that circles end. */
  function mergeOf(schemas: readonly unknown[]): unknown {
    const [first, ...others] = new Set(schemas);
    if (others.length === 0) return first;
    const all = [first, ...others];
    for (const schema of all) if (!numbers.has(schema)) numbers.set(schema, numbers.size);
    const key = all
      .map((schema) => numbers.get(schema) ?? 0)
      .sort((a, b) => a - b)
      .join();
    if (!merged.has(key)) merged.set(key, merged.size < mostMerged ? { allOf: all } : true);
    return merged.get(key);
  }

  function valueRule(schema: unknown): string | undefined {
    if (schema === false) return undefined;
    if (!isRecord(schema)) return anyRule(rules);
    const { types, values } = shapeOf(schema, root);
    if (types.size === 0 || values?.length === 0) return undefined;
    const known = names.get(schema);
    if (known !== undefined) return known;
    if (values !== undefined) return either(values.map((value) => literal(jsonText(value))));
    if (types.size === 7 && Object.keys(schema).every((key) => notes.has(key))) return anyRule(rules);
    if (!types.has('object') && !types.has('array'))
      return either([...types].flatMap((type) => scalarRule(type, types)));
    const name = ruleName(prefix, names.size + 1, '');
    names.set(schema, name);
    return rules.define(name, () => compositeRule(name, schema, types));
  }

  function scalarRule(type: JsonType, types: ReadonlySet<JsonType>): string[] {
    if (type === 'integer' && types.has('number')) return [];
    return [plainRule(rules, type)];
  }

  function compositeRule(name: string, schema: ToolSchema, types: ReadonlySet<JsonType>): string {
    const parts = partsOf(schema, root);
    const union = unionOf(parts);
    if (union !== undefined) {
      const members = union.flatMap((member) => valueRule(member) ?? []);
      if (schema.nullable === true) members.push('"null"');
      if (members.length > 0) return [...new Set(members)].join(' | ');
    }
    return [...types]
      .flatMap((type) => {
        if (type === 'object') {
          const forms = objectForms(parts, root) ?? [parts];
          return forms.map((form, i) => objectRule(forms.length === 1 ? name : `${name}-form-${i + 1}`, form));
        }
        return type === 'array' ? [arrayRule(parts)] : scalarRule(type, types);
      })
      .join(' | ');
  }

  function objectRule(name: string, parts: readonly ToolSchema[]): string {
    const properties = new Map<string, unknown[]>();
    for (const part of parts) {
      for (const [name, schema] of schemasByName(part.properties)) {
        const schemas = properties.get(name);
        if (schemas === undefined) properties.set(name, [schema]);
        else schemas.push(schema);
      }
    }
    const required = new Set(parts.flatMap((part) => schemasOf(part.required)));
    for (const name of required) if (typeof name === 'string' && !properties.has(name)) properties.set(name, [true]);
    if (properties.size === 0) return mapRule(parts);
    const members: Member[] = [];
    for (const [key, schemas] of properties) {
      const value = valueRule(mergeOf(schemas));
      if (value === undefined) continue;
      const pair = `${literal(jsonText(key))} ${space} ":" ${space} ${value}`;
      members.push({ pair, required: required.has(key) });
    }
    return `"{" ${space} ${membersRule(rules, name, members)} ${space} "}"`;
  }

  /** Any names, with values of one kind. */
  function mapRule(parts: readonly ToolSchema[]): string {
    const schema = parts.map(({ additionalProperties }) => additionalProperties).find((item) => item !== undefined);
    if (!isRecord(schema) && schema !== false) return anyObjectRule(rules);
    const value = valueRule(schema);
    if (value === undefined) return `"{" ${space} "}"`;
    const pair = `${jsonStringRule(rules)} ${space} ":" ${space} ${value}`;
    return `"{" ${space} (${listOf(pair, 1, undefined)} ${space})? "}"`;
  }

  function arrayRule(parts: readonly ToolSchema[]): string {
    const part = parts.find(({ items, prefixItems }) => items !== undefined || prefixItems !== undefined) ?? {};
    const tuple = Array.isArray(part.items) ? part.items : schemasOf(part.prefixItems);
    if (tuple.length > 0) {
      const items = tuple.map((item) => valueRule(item) ?? anyRule(rules));
      return `"[" ${space} ${items.join(` ${space} "," ${space} `)} ${space} "]"`;
    }
    const item = valueRule(part.items ?? true);
    const least = boundOf(parts, 'minItems') ?? 0;
    const most = boundOf(parts, 'maxItems');
    if (item === undefined || most === 0) return `"[" ${space} "]"`;
    const list = `${listOf(item, Math.max(1, least), most)} ${space}`;
    return `"[" ${space} ${least === 0 ? `(${list})?` : list} "]"`;
  }

  return (schema) => {
    rules.define(space, () => '(" " | "\\n" [\\x09\\x20]{0,24})?');
    return valueRule(schema);
  };
}

/** One JSON object of any kind. */
export function anyObjectRule(rules: Rules): string {
  rules.define(space, () => '(" " | "\\n" [\\x09\\x20]{0,24})?');
  return rules.define('json-object', () => {
    const pair = `${jsonStringRule(rules)} ${space} ":" ${space} ${anyRule(rules)}`;
    return `"{" ${space} (${listOf(pair, 1, undefined)} ${space})? "}"`;
  });
}

/** A scalar as JSON writes it; numbers have no more digits than can be kept. */
export function plainRule(rules: Rules, type: JsonType): string {
  switch (type) {
    case 'string':
      return jsonStringRule(rules);
    case 'boolean':
      return rules.define('boolean', () => '"true" | "false"');
    case 'integer':
      return rules.define('integer', () => '"-"? ("0" | [1-9] [0-9]{0,14})');
    case 'number':
      return rules.define(
        'number',
        () =>
          `${plainRule(rules, 'integer')} ("." [0-9]{1,24})? | "-"? [1-9] ("." [0-9]{1,14})? [eE] [\\x2B\\x2D]? [12]? [0-9]{1,2}`,
      );
    default:
      return '"null"';
  }
}

interface Member {
  readonly pair: string;
  readonly required: boolean;
}

/** Words about a schema, which let everything through. */
const notes = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/**
 * The members of an object in their order: commas stand only between those that are there. Where an optional one may come
 * first, the rest is a chain of rules, so that the grammar does not grow with the square of the members.
 */
function membersRule(rules: Rules, name: string, members: readonly Member[]): string {
  const comma = `${space} "," ${space}`;
  const next = ({ pair, required }: Member): string => (required ? `${comma} ${pair}` : `(${comma} ${pair})?`);
  const [head, ...tail] = members;
  if (head === undefined) return '';
  if (head.required) return [head.pair, ...tail.map(next)].join(' ');
  // What may follow each; from the last on, since there may be many.
  const rests: string[] = [''];
  for (const [i, member] of [...members.entries()].slice(1).reverse()) {
    const later = rests.at(-1) ?? '';
    rests.push(rules.define(`${name}-${i}`, () => `${next(member)} ${later}`.trimEnd()));
  }
  rests.reverse();
  const first = members.findIndex(({ required }) => required);
  const heads = first === -1 ? members : members.slice(0, first + 1);
  const all = heads.map(({ pair }, i) => `${pair} ${rests[i] ?? ''}`.trimEnd());
  return `(${all.join(' | ')})${first === -1 ? '?' : ''}`;
}

function listOf(item: string, least: number, most: number | undefined): string {
  const more = `(${space} "," ${space} ${item})`;
  const from = Math.min(least, mostItems) - 1;
  if (most === undefined || most > mostItems) return `${item} ${more}${from === 0 ? '*' : `{${from},}`}`;
  const to = Math.max(most - 1, from);
  return to === 0 ? item : `${item} ${more}{${from},${to}}`;
}

/** `anyOf` or `oneOf`, if that alone says what the value is. */
function unionOf(parts: readonly ToolSchema[]): readonly unknown[] | undefined {
  const unions = parts.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf]).filter((union) => Array.isArray(union));
  const isPlain = parts.every((part) => part.properties === undefined && part.items === undefined);
  return unions.length === 1 && isPlain ? unions[0] : undefined;
}

function boundOf(parts: readonly ToolSchema[], key: 'minItems' | 'maxItems'): number | undefined {
  const bound = parts.map((part) => part[key]).find((value) => typeof value === 'number');
  return typeof bound === 'number' && bound >= 0 ? Math.floor(bound) : undefined;
}

function anyRule(rules: Rules): string {
  return rules.define('json-value', () => {
    const array = `"[" ${space} (json-value (${space} "," ${space} json-value)* ${space})? "]"`;
    const scalars = (['string', 'number', 'boolean', 'null'] as const).map((type) => plainRule(rules, type));
    return [anyObjectRule(rules), array, ...scalars].join(' | ');
  });
}

/** JSON that holds no marker: brackets that would make one are written as escapes. */
function jsonText(value: unknown): string {
  const marker = new RegExp(`(${EMOJI}[\\ufe0e\\ufe0f]?)\\[`, 'g');
  return JSON.stringify(value)
    .replace(marker, '$1\\u005b')
    .replace(/\[(?=\/end\])/gi, '\\u005b');
}
