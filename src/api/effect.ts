/**
 * Types of `.toon` files as Effect Schemas and back, `import { toEffect } from 'toolang/effect'`, with the `effect` 4 of your
 * own project. A null for an optional field means "absent" in workflows, but not to Effect: pass values through
 * `validate` of `toolang` first, which reads them so.
 */
import { Schema } from 'effect';
import { type EffectSchemaApi, effectFromType, type Type, type TypeTable, typeFromEffect } from '../type/index.ts';

export type { Type, TypeTable } from '../type/index.ts';

export interface FromEffect {
  readonly type: Type;
  /** The structs that contain themselves, which the type names. */
  readonly table: TypeTable;
  /** False where parts of the schema have no type of ours, and became Json. */
  readonly exact: boolean;
}

const api = Schema as unknown as EffectSchemaApi<Schema.Codec<unknown>>;

/** `string` is `Schema.String`, `string?` in a struct `Schema.optional(Schema.String)`, a struct `Schema.Struct`, … */
export function toEffect(type: Type, table: TypeTable = new Map()): Schema.Codec<unknown> {
  return effectFromType(type, table, api);
}

/** The type of what the schema decodes, its encoded side. */
export function fromEffect(schema: Schema.Top): FromEffect {
  const { type, types, exact } = typeFromEffect(schema as unknown as Schema.Codec<unknown>, api);
  return { type, table: new Map(Object.entries(types)), exact };
}
