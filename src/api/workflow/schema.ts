/**
 * Schemas of builder programs: Effect Schemas, and whatever follows Standard Schema. No library is imported before one of
 * its schemas is used, and Effect is the copy of the user's project.
 */
import { systemCode } from '../../sys/index.ts';
import {
  type EffectSchemaApi,
  isEffectSchema,
  isOldEffectSchema,
  isStandardSchema,
  type SchemaType,
  typeFromEffect,
  typeFromStandard,
} from '../../type/index.ts';

/** A schema of Effect 4, `Schema.Class` included, or of a library that follows Standard Schema. */
export type AnySchema = EffectSchema | StandardLike;

export interface EffectSchema {
  readonly '~effect/Schema/Schema': string;
  readonly Encoded: unknown;
}

export interface StandardLike {
  readonly '~standard': {
    readonly vendor: string;
    readonly version: number;
    readonly types?: { readonly input: unknown } | undefined;
  };
}

/** What workflows and models write for a schema: its encoded or input side. */
export type ValueOf<S> = S extends { readonly Encoded: infer E }
  ? E
  : S extends { readonly '~standard': { readonly types?: { readonly input: infer I } | undefined } }
    ? I
    : unknown;

export type SchemaAnswer = SchemaType | { readonly problem: string };

/** For structs of other libraries, which have no names of their own. */
const unnamed = 'Type';

/** The type of each schema, or what is wrong with it. */
export async function describeSchemas(schemas: Iterable<unknown>): Promise<ReadonlyMap<unknown, SchemaAnswer>> {
  const found = new Map<unknown, SchemaAnswer>();
  for (const schema of schemas) found.set(schema, await describeSchema(schema));
  return found;
}

async function describeSchema(schema: unknown): Promise<SchemaAnswer> {
  if (isEffectSchema(schema)) {
    const api = await effectApi();
    return api
      ? typeFromEffect(schema, api)
      : { problem: 'is an Effect Schema, but "effect" is not installed beside "toolang"' };
  }
  if (isOldEffectSchema(schema)) return { problem: 'is a schema of Effect 3; schemas of Effect 4 are understood' };
  if (!isStandardSchema(schema)) {
    return { problem: 'is no schema. Give an Effect Schema, or one that follows Standard Schema' };
  }
  if (schema['~standard'].jsonSchema === undefined && !('toJsonSchema' in schema)) {
    return {
      problem: `is a schema of ${schema['~standard'].vendor} that has no JSON Schema, so nothing is known of it`,
    };
  }
  const read = typeFromStandard(schema, unnamed);
  const { type } = read;
  const root = type.kind === 'struct' && type.name === unnamed ? { kind: type.kind, fields: type.fields } : type;
  return { ...read, type: root };
}

async function effectApi(): Promise<EffectSchemaApi<unknown> | undefined> {
  try {
    const { Schema } = await import('effect');
    return Schema as unknown as EffectSchemaApi<unknown>;
  } catch (error) {
    if (systemCode(error) === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
