/** The keywords of JSON Schema that say something about a value, and that nobody here checks. */

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
