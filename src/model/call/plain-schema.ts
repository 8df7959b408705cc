/**
 * Schemas of tools come from anywhere, and services know few of their words.
 * 1. A list says what its items are, in the way of the newest draft: several services refuse others.
 * 2. Google's service has a language of its own. A schema of a tool is put into it, and says less where it has no word: what
 *    fits is decided when the tool is called. A schema of an answer is sent only where it says the same.
 */
import { isRecord } from '../../type/index.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Every list in it has items. */
export function withItems(schema: Schema): Schema {
  const all: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) define(all, key, inner(key, value, withItems));
  const { items, ...rest } = all;
  if (Array.isArray(items)) return { ...rest, prefixItems: items, items: {} };
  return typesOf(all).includes('array') && items === undefined ? { ...all, items: {} } : all;
}

const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']);
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);

function inner(key: string, value: unknown, change: (schema: Schema) => Schema): unknown {
  if (maps.has(key) && isRecord(value)) return mapValues(value, (each) => (isRecord(each) ? change(each) : each));
  if (lists.has(key) && Array.isArray(value)) return value.map((each) => (isRecord(each) ? change(each) : each));
  return single.has(key) && isRecord(value) ? change(value) : value;
}

/** The parameters of a tool, as Google's service can be told. */
export function googleParameters(schema: Schema): Schema {
  const { properties, required, description, $defs, definitions } = schema;
  return {
    type: 'object',
    ...(typeof description === 'string' && { description }),
    ...fieldsOf(properties, required),
    ...(isRecord($defs) && { $defs: mapValues($defs, loosened) }),
    ...(isRecord(definitions) && { definitions: mapValues(definitions, loosened) }),
  };
}

const anyType: Schema = {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
    { type: 'array', items: { type: 'string' } },
  ],
};

const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

function loosened(given: unknown): Schema {
  if (!isRecord(given)) return anyType;
  const node = Array.isArray(given.allOf) ? merged(given, given.allOf) : given;
  if (typeof node.$ref === 'string') return { $ref: node.$ref };
  const values = node.const === undefined ? node.enum : [node.const];
  if (Array.isArray(values)) return choice(node, values);
  const branches = node.anyOf ?? node.oneOf;
  if (Array.isArray(branches) && branches.length > 0) return { ...described(node), ...union(branches.map(loosened)) };
  const types = typesOf(node);
  const named = types.filter((type) => type !== 'null');
  const [type = guessed(node)] = named;
  const isNullable = types.includes('null');
  if (named.length > 1) {
    return {
      ...described(node),
      ...union([...named.map((each) => ofType(each, node)), ...(isNullable ? [nothing] : [])]),
    };
  }
  if (type === undefined)
    return types.length > 0 ? { ...described(node), ...nothing } : { ...described(node), ...anyType };
  const one = ofType(type, node);
  return { ...described(node), ...one, ...(isNullable && { type: [type, 'null'] }) };
}

const nothing: Schema = { type: 'null' };

/** A choice within a choice is one. */
function union(branches: readonly Schema[]): Schema {
  const flat = branches.flatMap((each) => (Array.isArray(each.anyOf) ? (each.anyOf as Schema[]) : [each]));
  const some = flat.filter((each) => each.type !== 'null');
  if (some.length === 0) return nothing;
  return { anyOf: flat };
}

function ofType(type: string, node: Schema): Schema {
  if (type === 'object') return { type, ...fieldsOf(node.properties, node.required) };
  if (type === 'array') return { type, items: loosened(Array.isArray(node.items) ? undefined : node.items) };
  const { format } = node;
  return { type, ...(typeof format === 'string' && formats[type]?.includes(format) && { format }) };
}

/** What the words of a schema without a type are about. */
function guessed(node: Schema): string | undefined {
  if (isRecord(node.properties)) return 'object';
  return node.items === undefined && node.prefixItems === undefined ? undefined : 'array';
}

function fieldsOf(properties: unknown, required: unknown): Schema {
  const known = isRecord(properties) ? mapValues(properties, loosened) : {};
  const needed = Array.isArray(required) ? required.filter((name) => Object.hasOwn(known, String(name))) : [];
  return {
    ...(Object.keys(known).length > 0 && { properties: known }),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** Texts, or numbers, of which none is empty; any other choice is told in words. */
function choice(node: Schema, values: readonly unknown[]): Schema {
  const some = values.filter((value) => value !== null);
  const isNullable = some.length < values.length || typesOf(node).includes('null');
  const types = new Set(some.map((value) => typeof value));
  const [type = 'null'] = types;
  const isSayable = types.size === 1 && ['string', 'number', 'boolean'].includes(type) && !some.includes('');
  if (isSayable) return { ...described(node), type: isNullable ? [type, 'null'] : type, enum: some };
  const words = `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`;
  const description = typeof node.description === 'string' ? `${node.description}\n${words}` : words;
  const { enum: _, const: __, ...rest } = node;
  return loosened({
    ...rest,
    description,
    ...(types.size === 1 && type !== 'object' && { type: isNullable ? [type, 'null'] : type }),
  });
}

/** What all of them say, in one; where two say it differently, the first counts. */
function merged(node: Schema, parts: readonly unknown[]): Schema {
  const { allOf: _, ...own } = node;
  const all = [
    own,
    ...parts.filter(isRecord).map((part) => (Array.isArray(part.allOf) ? merged(part, part.allOf) : part)),
  ];
  const properties = Object.assign(
    {},
    ...all.map((part) => (isRecord(part.properties) ? part.properties : {})).reverse(),
  );
  const required = [...new Set(all.flatMap((part) => (Array.isArray(part.required) ? part.required : [])))];
  return {
    ...Object.assign({}, ...[...all].reverse()),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function described({ description }: Schema): Schema {
  return typeof description === 'string' ? { description } : {};
}

const sayable: ReadonlySet<string> = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'anyOf',
]);

/** Whether Google's service can be told the same. */
export function fitsGoogle(schema: unknown): boolean {
  if (!isRecord(schema) || !Object.keys(schema).every((key) => sayable.has(key))) return false;
  const { anyOf, properties, items, enum: values, additionalProperties } = schema;
  if (anyOf !== undefined) return Array.isArray(anyOf) && anyOf.every(fitsGoogle);
  const [type, ...others] = typesOf(schema).filter((each) => each !== 'null');
  if (others.length > 0 || (type === undefined && !typesOf(schema).includes('null'))) return false;
  if (
    values !== undefined &&
    !(Array.isArray(values) && values.every((each) => typeof each === 'string' && each !== ''))
  ) {
    return false;
  }
  if (type === 'array') return fitsGoogle(items);
  if (type !== 'object') return true;
  const fields = isRecord(properties) ? Object.values(properties) : [];
  return additionalProperties === false && fields.length > 0 && fields.every(fitsGoogle);
}

function typesOf({ type }: Schema): string[] {
  return (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
}

function mapValues(values: Schema, change: (value: unknown) => unknown): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) define(all, name, change(value));
  return all;
}

/** Also a property `__proto__`. */
function define(into: object, name: string, value: unknown): void {
  Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });
}
