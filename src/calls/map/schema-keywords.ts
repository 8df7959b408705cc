/** The keywords of JSON Schema: those that nobody here checks, and those that tell a schema from something else. */

import type { ToolSchema } from '../tool.ts';
import { schemasByName, schemasOf } from './schema.ts';
import { isRecord } from './value.ts';

const unchecked = [
  'contains',
  'minContains',
  'maxContains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
];

const isText = (value: unknown) => typeof value === 'string';
const isTable = (value: unknown) => isRecord(value);
const isTableOrTruth = (value: unknown) => isRecord(value) || typeof value === 'boolean';
const isCount = (value: unknown) => typeof value === 'number';
/** What stands in the schema of an object, and what it is there. */
const signs: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...{ type: (value) => isText(value) || Array.isArray(value), properties: isTable, required: Array.isArray },
  ...{ additionalProperties: isTableOrTruth, patternProperties: isTable, propertyNames: isTableOrTruth },
  ...{ unevaluatedProperties: isTableOrTruth, minProperties: isCount, maxProperties: isCount },
  ...{ allOf: Array.isArray, anyOf: Array.isArray, oneOf: Array.isArray, enum: Array.isArray },
  ...{ $ref: isText, $schema: isText, $id: isText, $comment: isText, $defs: isTable, definitions: isTable },
  ...{ title: isText, description: isText, nullable: (value) => typeof value === 'boolean' },
};

/** Whether it has keys, but none that a schema has: `{ path: { type: "string" } }`, its properties alone. */
export function isPropertyTable(schema: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.entries(schema);
  return keys.length > 0 && !keys.some(([key, value]) => Object.hasOwn(signs, key) && signs[key]?.(value));
}

/** Each keyword once, with the parameter it is found in first. */
export function uncheckedKeywords(root: ToolSchema): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const seen = new Set<unknown>();
  const todo: [schema: unknown, param: string | undefined][] = [[root, undefined]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [schema, param] = next;
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.add(schema);
    for (const keyword of unchecked) {
      if (Object.hasOwn(schema, keyword) && !found.has(keyword)) found.set(keyword, param);
    }
    for (const part of partsOf(schema)) todo.push([part, param]);
    const properties = schemasByName(schema.properties);
    // The last is looked at first.
    for (const [name, part] of properties.reverse()) todo.push([part, param ?? name]);
  }
  return found;
}

function partsOf(schema: ToolSchema): unknown[] {
  const tables = [schema.patternProperties, schema.$defs, schema.definitions].flatMap((table) =>
    schemasByName(table).map(([, part]) => part),
  );
  const lists = [schema.allOf, schema.anyOf, schema.oneOf, schema.prefixItems, schema.items].flatMap(schemasOf);
  const { items, additionalProperties, additionalItems, not, if: when, then, else: otherwise } = schema;
  return [...tables, ...lists, items, additionalProperties, additionalItems, not, when, then, otherwise];
}
