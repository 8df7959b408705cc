/**
 * Types to JSON Schema, draft 2020-12 (no `$schema` line: schemas are put into other documents).
 * A named struct that leads to a recursion goes to `$defs`; any other is written in place, because several providers
 * do not follow `$ref`. Where that would make the schema big, every named struct goes to `$defs` instead, so the size
 * stays linear. The root is always written in place: providers want to see an object there.
 */
import { messageRoles } from './message.ts';
import { type FieldType, refTo, resolve, type StructType, type Type, type TypeTable } from './type.ts';

/** The part of JSON Schema we write. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  enum?: string[];
  anyOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

export interface ProviderSchema {
  readonly schema: JsonSchema;
  /** The value is the field `value` of an object: see `unwrap`, and `wrapped` of `readJson`. */
  readonly wrapped: boolean;
}

/** Schemas with more parts than this name their structs instead of repeating them. */
const partsInPlace = 1000;

interface State {
  readonly table: TypeTable;
  /** The structs that may not be written in place. */
  readonly byName: (name: string) => boolean;
  readonly todo: { readonly type: Type; readonly into: JsonSchema; readonly doc?: string }[];
  readonly defs: Map<string, JsonSchema>;
  parts: number;
}

export function toJsonSchema(type: Type, table: TypeTable, options: { readonly wrap?: boolean } = {}): JsonSchema {
  const root = options.wrap && resolve(type, table).kind !== 'struct' ? wrapper(type) : resolve(type, table);
  const recursive = leadingToRecursion(table);
  return build(root, table, (name) => recursive.has(name), partsInPlace) ?? buildNamed(root, table);
}

/** Some providers take only an object: other types become the field `value` of one, which nobody sees. */
export function wrapForProvider(type: Type, table: TypeTable): ProviderSchema {
  const wrapped = resolve(type, table).kind !== 'struct';
  return { schema: toJsonSchema(type, table, { wrap: wrapped }), wrapped };
}

/** Takes a value out of the object that `wrapForProvider` asked for. A model that answered without it is understood. */
export function unwrap(value: unknown): unknown {
  return isWrapper(value) ? value.value : value;
}

export function isWrapper(value: unknown): value is { readonly value: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === 'value';
}

function wrapper(type: Type): StructType {
  return { kind: 'struct', fields: [{ name: 'value', type, optional: false }] };
}

function buildNamed(root: Type, table: TypeTable): JsonSchema {
  return build(root, table, () => true, Number.POSITIVE_INFINITY) ?? {};
}

/** Fills schemas from the root down, so that no nesting is too deep; undefined when it takes too many parts. */
function build(root: Type, table: TypeTable, byName: (name: string) => boolean, limit: number): JsonSchema | undefined {
  const schema: JsonSchema = {};
  const state: State = { table, byName, todo: [{ type: root, into: schema }], defs: new Map(), parts: 0 };
  for (let next = state.todo.pop(); next !== undefined; next = state.todo.pop()) {
    fill(next.type, next.into, next.doc, state);
    state.parts++;
    if (state.parts > limit) return undefined;
  }
  if (state.defs.size > 0) schema.$defs = Object.fromEntries(state.defs);
  return schema;
}

function fill(type: Type, into: JsonSchema, doc: string | undefined, state: State): void {
  switch (type.kind) {
    case 'text':
    case 'number':
    case 'boolean':
      into.type = type.kind === 'text' ? 'string' : type.kind;
      break;
    case 'literal':
      into.type = 'string';
      into.enum = [...type.values];
      break;
    case 'json':
      break;
    case 'message':
      into.anyOf = messageSchemas();
      break;
    case 'array':
      into.type = 'array';
      into.items = {};
      state.todo.push({ type: type.item, into: into.items });
      break;
    case 'struct':
      fillStruct(type, into, state);
      if (doc === undefined && type.doc !== undefined) into.description = type.doc;
      break;
    case 'ref':
      if (!state.byName(type.name)) {
        fill(resolve(type, state.table), into, doc, state);
        return;
      }
      // Some providers refuse a `$ref` with anything beside it.
      if (doc === undefined) into.$ref = define(type.name, state);
      else into.anyOf = [{ $ref: define(type.name, state) }];
  }
  if (doc !== undefined) into.description = doc;
}

function fillStruct(type: StructType, into: JsonSchema, state: State): void {
  into.type = 'object';
  const properties: [string, JsonSchema][] = [];
  for (const field of type.fields) {
    const schema: JsonSchema = {};
    properties.push([field.name, schema]);
    fillField(field, schema, state);
  }
  into.properties = Object.fromEntries(properties);
  into.required = type.fields.filter((field) => !field.optional).map((field) => field.name);
  into.additionalProperties = false;
}

/** An optional field may be absent, and may be null: models that must fill every field write null for "absent". */
function fillField(field: FieldType, into: JsonSchema, state: State): void {
  const { type, doc } = field;
  if (!field.optional || type.kind === 'json') {
    state.todo.push({ type, into, ...(doc !== undefined && { doc }) });
    return;
  }
  if (type.kind === 'text' || type.kind === 'number' || type.kind === 'boolean') {
    into.type = [type.kind === 'text' ? 'string' : type.kind, 'null'];
  } else {
    const present: JsonSchema = {};
    into.anyOf = [present, { type: 'null' }];
    state.todo.push({ type, into: present });
  }
  if (doc !== undefined) into.description = doc;
}

function define(name: string, state: State): string {
  if (!state.defs.has(name)) {
    const schema: JsonSchema = {};
    state.defs.set(name, schema);
    state.todo.push({ type: resolve(refTo(name), state.table), into: schema });
  }
  return `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

/** The structs from which a recursion can be reached: what is left when those without open references are peeled off. */
function leadingToRecursion(table: TypeTable): ReadonlySet<string> {
  const waiting = new Map<string, number>();
  const usedBy = new Map<string, string[]>();
  for (const [name, struct] of table) {
    const refs = [...refsOf(struct)].filter((ref) => table.has(ref));
    waiting.set(name, refs.length);
    for (const ref of refs) {
      const users = usedBy.get(ref);
      if (users) users.push(name);
      else usedBy.set(ref, [name]);
    }
  }
  const free = [...waiting].filter(([, count]) => count === 0).map(([name]) => name);
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    waiting.delete(name);
    for (const user of usedBy.get(name) ?? []) {
      const left = (waiting.get(user) ?? 0) - 1;
      waiting.set(user, left);
      if (left === 0) free.push(user);
    }
  }
  return new Set(waiting.keys());
}

function refsOf(struct: StructType): ReadonlySet<string> {
  const refs = new Set<string>();
  const todo: Type[] = [struct];
  for (let type = todo.pop(); type !== undefined; type = todo.pop()) {
    if (type.kind === 'ref') refs.add(type.name);
    else if (type.kind === 'array') todo.push(type.item);
    else if (type.kind === 'struct') for (const field of type.fields) todo.push(field.type);
  }
  return refs;
}

function messageSchemas(): JsonSchema[] {
  const text = closed({ type: { type: 'string', enum: ['text'] }, text: { type: 'string' } });
  const file = closed(
    {
      type: { type: 'string', enum: ['file'] },
      mediaType: { type: 'string' },
      url: { type: 'string' },
      name: { type: 'string' },
    },
    ['name'],
  );
  const content: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'array', items: { anyOf: [text, file] } }] };
  return [{ type: 'string' }, closed({ role: { type: 'string', enum: [...messageRoles] }, content })];
}

function closed(properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}
