/**
 * JSON Schema to our types: what other libraries say of their schemas, read as far as our types reach.
 * 1. What has no type of ours becomes Json, and `exact` is false. Limits of values (lengths, ranges, patterns, formats,
 *    lists of numbers) are not part of our types: they are left to the schema itself.
 * 2. We have no null: a null beside a type is read as "may be absent" where the field may be absent, else it is Json.
 * 3. A struct that contains itself goes to `types` under its name; any other is written in place, unless that would make
 *    the type big: then every struct that has a name goes to `types`, so the size stays linear.
 * 4. Nesting is capped at `maxNesting`; below that everything is Json.
 */
import { isRecord } from './message.ts';
import {
  arrayOf,
  booleanType,
  type FieldType,
  field,
  jsonType,
  maxNesting,
  numberType,
  refTo,
  type StructType,
  structOf,
  type Type,
  textType,
} from './type.ts';

export interface SchemaType {
  readonly type: Type;
  /** The structs that `ref` types mean. */
  readonly types: Readonly<Record<string, StructType>>;
  readonly exact: boolean;
}

export interface FromSchemaOptions {
  /** The name of the root, if it is a struct. */
  readonly name?: string;
  /** The name for a definition, made from its own. */
  readonly nameOf?: (definition: string) => string;
}

/** Types with more parts than this name their structs instead of repeating them. */
const partsInPlace = 1000;

interface State {
  readonly root: unknown;
  readonly options: FromSchemaOptions;
  readonly byName: boolean;
  /** The definitions around the current place. */
  readonly open: Set<string>;
  readonly recursive: Set<string>;
  readonly names: Map<string, string>;
  readonly taken: Map<string, number>;
  readonly types: Map<string, StructType>;
  exact: boolean;
  parts: number;
}

/** A type, and whether null is allowed beside it. */
interface Found {
  readonly type: Type;
  readonly nullable: boolean;
}

const unknownPart: Found = { type: jsonType, nullable: false };

export function typeFromJsonSchema(schema: unknown, options: FromSchemaOptions = {}): SchemaType {
  return read(schema, options, false) ?? read(schema, options, true) ?? { type: jsonType, types: {}, exact: false };
}

/** Undefined when the type gets too big in place. */
function read(root: unknown, options: FromSchemaOptions, byName: boolean): SchemaType | undefined {
  const state: State = {
    root,
    options,
    byName,
    open: new Set(),
    recursive: new Set(),
    names: new Map(),
    taken: new Map(),
    types: new Map(),
    exact: true,
    parts: 0,
  };
  const type = plain(follow('#', 0, state), state);
  if (!byName && state.parts > partsInPlace) return undefined;
  return { type, types: Object.fromEntries(state.types), exact: state.exact };
}

/** The type of a definition, or a reference to it. */
function follow(pointer: string, depth: number, state: State): Found {
  const known = state.names.get(pointer);
  if (known !== undefined && state.types.has(known)) return { type: refTo(known), nullable: false };
  const schema = pointedTo(pointer, state.root);
  if (state.open.has(pointer)) {
    if (!isRecord(schema) || !isStruct(schema)) return inexact(state);
    state.recursive.add(pointer);
    return { type: refTo(nameOf(pointer, state)), nullable: false };
  }
  state.open.add(pointer);
  const found = convert(schema, depth, state);
  state.open.delete(pointer);
  if (found.type.kind !== 'struct' || (isRecord(schema) && !isStruct(schema))) return found;
  const isNamed = pointer !== '#' || state.options.name !== undefined || state.recursive.has(pointer);
  if (!isNamed) return found;
  const named: StructType = { ...found.type, name: nameOf(pointer, state) };
  if (!state.recursive.has(pointer) && !(state.byName && pointer !== '#')) return { ...found, type: named };
  state.types.set(nameOf(pointer, state), named);
  return { type: refTo(nameOf(pointer, state)), nullable: found.nullable };
}

function convert(schema: unknown, depth: number, state: State): Found {
  state.parts++;
  // Counting on would be for nothing: the whole is read again, by name.
  if (depth > maxNesting || (!state.byName && state.parts > partsInPlace)) return inexact(state);
  if (schema === true) return unknownPart;
  if (!isRecord(schema)) return inexact(state);
  if (typeof schema.$ref === 'string') return follow(schema.$ref, depth + 1, state);
  if (
    ['not', 'if', 'prefixItems', 'patternProperties', 'dependentSchemas', '$dynamicRef'].some((key) => key in schema)
  ) {
    return inexact(state);
  }
  if (Array.isArray(schema.allOf)) return convertAll(schema, schema.allOf, depth, state);
  const choice = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choice)) return convertAny(choice, depth, state);
  if ('const' in schema) return values([schema.const], state);
  if (Array.isArray(schema.enum)) return values(schema.enum, state);
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    if (types.length !== 1) return inexact(state);
    const found = convert({ ...schema, type: types[0] }, depth + 1, state);
    return { type: found.type, nullable: found.nullable || types.length < schema.type.length };
  }
  switch (schema.type) {
    case 'string':
      return { type: textType, nullable: false };
    case 'number':
    case 'integer':
      return { type: numberType, nullable: false };
    case 'boolean':
      return { type: booleanType, nullable: false };
    case 'array':
      if (!('items' in schema)) return { type: arrayOf(jsonType), nullable: false };
      return { type: arrayOf(plain(convert(schema.items, depth + 1, state), state)), nullable: false };
    case 'object':
      return isStruct(schema) ? convertStruct(schema, depth, state) : inexact(state);
    case undefined:
      return Object.keys(schema).every((key) => annotations.has(key)) ? unknownPart : inexact(state);
    default:
      return inexact(state);
  }
}

/** What says nothing about values. */
const annotations = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
]);

/** A record with fields; whether it allows others is not looked at when it just says so: ours are closed. */
function isStruct(schema: Readonly<Record<string, unknown>>): boolean {
  if (schema.type !== 'object' || 'allOf' in schema || 'anyOf' in schema || 'oneOf' in schema) return false;
  const { properties, additionalProperties: others } = schema;
  if (others !== undefined && typeof others !== 'boolean') return false;
  return isRecord(properties) || others === false;
}

function convertStruct(schema: Readonly<Record<string, unknown>>, depth: number, state: State): Found {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields: FieldType[] = [];
  for (const [name, value] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    const found = convert(value, depth + 1, state);
    const optional = !required.has(name);
    fields.push(field(name, optional ? found.type : plain(found, state), { optional, ...docOf(value) }));
  }
  return { type: structOf(fields, docOf(schema)), nullable: false };
}

/** The members that only limit values do not count; one that says what the value is may be left. */
function convertAll(
  schema: Readonly<Record<string, unknown>>,
  members: readonly unknown[],
  depth: number,
  state: State,
): Found {
  const { allOf: _, ...own } = schema;
  const saying = [own, ...members].filter(
    (part) => !isRecord(part) || Object.keys(part).some((key) => shaping.has(key)),
  );
  return saying.length === 1 ? convert(saying[0], depth + 1, state) : inexact(state);
}

const shaping = new Set([
  '$ref',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
]);

function convertAny(members: readonly unknown[], depth: number, state: State): Found {
  const present = members.filter((member) => !(isRecord(member) && member.type === 'null'));
  let nullable = present.length < members.length;
  if (present.length === 0) return inexact(state);
  const found = present.map((member) => convert(member, depth + 1, state));
  nullable ||= found.some((member) => member.nullable);
  const first = found[0]?.type ?? jsonType;
  if (found.length === 1) return { type: first, nullable };
  // Effect writes a number that JSON may not be able to hold as a number, or one of these texts.
  const kinds = new Set(found.filter(({ type }) => !isUnusualNumber(type)).map(({ type }) => type.kind));
  const [kind] = kinds;
  if (kinds.size === 1 && (kind === 'number' || kind === 'boolean' || kind === 'text')) {
    const unusual = found.some(({ type }) => isUnusualNumber(type));
    if (kind === 'number' || !unusual) return { type: { kind }, nullable };
  }
  const literals = found.map(({ type }) => (type.kind === 'literal' ? type.values : undefined));
  if (literals.every((each) => each !== undefined)) {
    return { type: { kind: 'literal', values: [...new Set(literals.flat())] }, nullable };
  }
  return inexact(state);
}

function isUnusualNumber(type: Type): boolean {
  return type.kind === 'literal' && type.values.every((value) => ['Infinity', '-Infinity', 'NaN'].includes(value));
}

/** Lists of texts are a type of ours; of numbers and booleans, a limit. */
function values(listed: readonly unknown[], state: State): Found {
  const present = listed.filter((value) => value !== null);
  const nullable = present.length < listed.length;
  const kinds = new Set(present.map((value) => typeof value));
  if (kinds.size === 1) {
    if (kinds.has('string')) return { type: { kind: 'literal', values: [...new Set(present as string[])] }, nullable };
    if (kinds.has('number')) return { type: numberType, nullable };
    if (kinds.has('boolean')) return { type: booleanType, nullable };
  }
  return inexact(state);
}

/** Where a value must be there: null is then a value of its own, which only Json has. */
function plain(found: Found, state: State): Type {
  if (!found.nullable) return found.type;
  return inexact(state).type;
}

function inexact(state: State): Found {
  state.exact = false;
  return unknownPart;
}

function docOf(schema: unknown): { doc?: string } {
  return isRecord(schema) && typeof schema.description === 'string' ? { doc: schema.description } : {};
}

function nameOf(pointer: string, state: State): string {
  let name = state.names.get(pointer);
  if (name !== undefined) return name;
  const { name: root = 'Root', nameOf: rename } = state.options;
  const own = decode(pointer.slice(pointer.lastIndexOf('/') + 1));
  // Libraries number what has no name (`__schema0`), in each schema anew.
  const plainName = pointer === '#' ? root : own.startsWith('_') ? `${root}${own}` : (rename?.(own) ?? own);
  const count = (state.taken.get(plainName) ?? 0) + 1;
  state.taken.set(plainName, count);
  name = count === 1 ? plainName : `${plainName}_${count}`;
  state.names.set(pointer, name);
  return name;
}

function pointedTo(pointer: string, root: unknown): unknown {
  if (pointer === '#') return root;
  if (!pointer.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of pointer.slice(2).split('/')) {
    const key = decode(part);
    at =
      (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  return at;
}

function decode(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A percent sign that encodes nothing stands for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
