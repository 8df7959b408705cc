/**
 * Our types as Effect Schemas, and Effect Schemas as our types. Effect itself is an argument: two copies of it in one
 * process do not understand each other, so the one that is used must be the user's own.
 */
import { type SchemaType, typeFromJsonSchema } from './from-json-schema.ts';
import { messageRoles } from './message.ts';
import { jsonType, maxNesting, type Type, type TypeTable } from './type.ts';

/** What is used of `Schema` from `effect` 4; `S` is any schema. */
export interface EffectSchemaApi<S> {
  readonly String: S;
  readonly Number: S;
  readonly Boolean: S;
  readonly Json: S;
  readonly Literal: (value: string) => S;
  readonly Literals: (values: readonly string[]) => S;
  readonly Array: (item: S) => S;
  readonly optional: (schema: S) => S;
  readonly Struct: (fields: Record<string, S>) => S & { readonly annotate: (annotations: object) => S };
  readonly Union: (members: readonly S[]) => S;
  readonly suspend: (schema: () => S) => S;
  readonly toJsonSchemaDocument: (schema: S) => { readonly schema: unknown; readonly definitions: unknown };
}

interface State<S> {
  readonly api: EffectSchemaApi<S>;
  readonly table: TypeTable;
  readonly done: Map<string, S>;
  readonly open: Set<string>;
  readonly recursive: Set<string>;
}

/** Whether a value is an Effect Schema, of whatever copy of Effect; a `Schema.Class` is one too. */
export function isEffectSchema(value: unknown): boolean {
  return isPart(value) && '~effect/Schema/Schema' in value;
}

/** Whether it is a schema of Effect 3 or older, which are made otherwise. */
export function isOldEffectSchema(value: unknown): boolean {
  return isPart(value) && Symbol.for('effect/Schema') in value;
}

/** The right column of the table of field types: `string` is `Schema.String`, an optional field `Schema.optional(…)`, … */
export function effectFromType<S>(type: Type, table: TypeTable, api: EffectSchemaApi<S>): S {
  return build(type, 0, { api, table, done: new Map(), open: new Set(), recursive: new Set() });
}

/** The type of the encoded side: what a workflow or a model writes. Json, and not exact, if Effect cannot describe it. */
export function typeFromEffect<S>(
  schema: S,
  api: Pick<EffectSchemaApi<S>, 'toJsonSchemaDocument'>,
  name?: string,
): SchemaType {
  const document = describe(schema, api);
  if (document === undefined) return { type: jsonType, types: {}, exact: false };
  const names = new Set(Object.keys(document.definitions ?? {}));
  return typeFromJsonSchema(
    { ...(document.schema as object), $defs: document.definitions },
    {
      ...(name !== undefined && { name }),
      // The encoded side of the class `Ticket` is called `TicketEncoded`.
      nameOf: (own) => {
        const plain = own.replace(/(?<=.)Encoded$/, '');
        return names.has(plain) ? own : plain;
      },
    },
  );
}

function describe<S>(schema: S, api: Pick<EffectSchemaApi<S>, 'toJsonSchemaDocument'>) {
  try {
    return api.toJsonSchemaDocument(schema);
  } catch {
    // It has parts that are no JSON; that it became Json is told by `exact`.
    return undefined;
  }
}

function build<S>(type: Type, depth: number, state: State<S>): S {
  if (depth > maxNesting) throw new Error(`a type nests more than ${maxNesting} levels deep`);
  const { api } = state;
  switch (type.kind) {
    case 'text':
      return api.String;
    case 'number':
      return api.Number;
    case 'boolean':
      return api.Boolean;
    case 'json':
      return api.Json;
    case 'message':
      return message(api);
    case 'literal': {
      const [only] = type.values;
      return only !== undefined && type.values.length === 1 ? api.Literal(only) : api.Literals(type.values);
    }
    case 'array':
      return api.Array(build(type.item, depth + 1, state));
    case 'struct': {
      const fields = type.fields.map((field) => {
        const schema = build(field.type, depth + 1, state);
        return [field.name, field.optional ? api.optional(schema) : schema] as const;
      });
      return api.Struct(Object.fromEntries(fields));
    }
    case 'ref':
      return buildNamed(type.name, depth, state);
  }
}

function buildNamed<S>(name: string, depth: number, state: State<S>): S {
  const { api, done, open, recursive } = state;
  const ready = done.get(name);
  if (ready !== undefined) return ready;
  const struct = state.table.get(name);
  if (struct === undefined) throw new Error(`the struct "${name}" is not in the table of types`);
  if (open.has(name)) {
    recursive.add(name);
    return api.suspend(() => buildNamed(name, 0, state));
  }
  open.add(name);
  const plain = build(struct, depth + 1, state);
  open.delete(name);
  // Only with a name can Effect describe what contains itself.
  const schema = recursive.has(name) ? (plain as ReturnType<typeof api.Struct>).annotate({ identifier: name }) : plain;
  done.set(name, schema);
  return schema;
}

/** The value of a Message: see `message.ts`. */
function message<S>(api: EffectSchemaApi<S>): S {
  const text = api.Struct({ type: api.Literal('text'), text: api.String });
  const file = api.Struct({
    type: api.Literal('file'),
    mediaType: api.String,
    url: api.String,
    name: api.optional(api.String),
  });
  const content = api.Union([api.String, api.Array(api.Union([text, file]))]);
  return api.Union([api.String, api.Struct({ role: api.Literals(messageRoles), content })]);
}

function isPart(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
