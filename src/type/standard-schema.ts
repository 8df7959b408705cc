/**
 * Any Standard Schema (zod, valibot, arktype, …) as a type of ours, through the JSON Schema that its library makes of it.
 * The input side is read: it is what workflows and models write. No library is imported here: what a schema cannot do
 * itself is asked from `convert`, which has the user's own copy of the library.
 */
import { type SchemaType, typeFromJsonSchema } from './from-json-schema.ts';
import { jsonType } from './type.ts';

export interface StandardSchema {
  readonly '~standard': {
    readonly vendor: string;
    readonly version: number;
    /** Standard JSON Schema. */
    readonly jsonSchema?: { readonly input?: (options: object) => unknown };
  };
}

/** Makes a JSON Schema with the library itself. `loose`: parts that JSON Schema does not have may be left open. */
export type SchemaConverter = (schema: StandardSchema, loose: boolean) => unknown;

export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('~standard' in value))
    return false;
  const standard = value['~standard'];
  return (
    typeof standard === 'object' && standard !== null && 'vendor' in standard && typeof standard.vendor === 'string'
  );
}

/** Json, and not exact, where neither the schema nor its library knows JSON Schema. */
export function typeFromStandard(schema: StandardSchema, name: string, convert?: SchemaConverter): SchemaType {
  for (const loose of [false, true]) {
    for (const way of [ownSchema, ownMethod, convert]) {
      const found = way && attempt(() => way(schema, loose));
      if (typeof found !== 'object' || found === null) continue;
      const read = typeFromJsonSchema(found, { name });
      return loose ? { ...read, exact: false } : read;
    }
  }
  return { type: jsonType, types: {}, exact: false };
}

function ownSchema(schema: StandardSchema, loose: boolean): unknown {
  const { jsonSchema } = schema['~standard'];
  const options = { target: 'draft-2020-12', ...(loose && { libraryOptions: { unrepresentable: 'any' } }) };
  return jsonSchema?.input?.(options);
}

/** Some libraries have a method on the schema instead. */
function ownMethod(schema: StandardSchema): unknown {
  return 'toJsonSchema' in schema && typeof schema.toJsonSchema === 'function' ? schema.toJsonSchema() : undefined;
}

/** A schema that has no JSON Schema throws; that it became Json is told by `exact`. */
function attempt(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}
