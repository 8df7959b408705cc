/**
 * JSON Schemas as tools bring them: a frozen copy without references that lead nowhere or round in a circle, and the
 * types and values that a schema lets through.
 */

import type { ToolSchema } from '../tool.ts';
import { patternProblem } from './pattern.ts';
import { isRecord, type JsonType, keyOf, sameValue, setOwn, showName, typeOf } from './value.ts';

/** What a schema lets through, as far as its types, values, references and unions tell. */
export interface Shape {
  readonly types: ReadonlySet<JsonType>;
  /** All the values there are, when they are counted. */
  readonly values: readonly unknown[] | undefined;
}

const everyType: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** More schemas for the same value than this, one inside the other, are a mistake. */
const mostInPlace = 200;
const mostNested = 256;
const mostForms = 16;

/** A frozen copy of plain data, so that a plan does not change with the schema it was made from. */
export function copySchema(schema: unknown): unknown {
  const copies = new Map<object, object | undefined>();
  function copy(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (copies.has(value)) {
      const done = copies.get(value);
      if (done === undefined) throw new TypeError('its schema contains itself; write it with $defs and $ref');
      return done;
    }
    if (depth > mostNested) throw new TypeError(`its schema is nested deeper than ${mostNested} levels`);
    copies.set(value, undefined);
    let done: object;
    if (Array.isArray(value)) done = value.map((item) => copy(item, depth + 1));
    else {
      const record: Record<string, unknown> = {};
      for (const [name, item] of Object.entries(value)) {
        if (item !== undefined) setOwn(record, name, copy(item, depth + 1));
      }
      done = record;
    }
    copies.set(value, Object.freeze(done));
    return done;
  }
  return copy(schema, 0);
}

/**
 * Throws for what cannot be followed: references that lead nowhere or in a circle, types that do not exist. Returns what
 * will not be checked.
 */
export function verifySchema(root: ToolSchema): string[] {
  const notes = new Set<string>();
  const verified = new Set<object>();
  const active = new Set<object>();
  const waiting: unknown[] = [root];
  function visit(schema: unknown, depth: number): void {
    if (!isRecord(schema)) return;
    if (active.has(schema)) {
      throw new TypeError('its schema refers to itself without a property or an item in between');
    }
    if (depth > mostInPlace) throw new TypeError(`its schema has more than ${mostInPlace} references in a row`);
    if (verified.has(schema)) return;
    verified.add(schema);
    for (const type of listOf(schema.type)) {
      if (!everyType.includes(type as JsonType)) {
        throw new TypeError(`its schema has the type ${showName(String(type))}; there are ${everyType.join(', ')}`);
      }
    }
    for (const pattern of [schema.pattern, ...schemasByName(schema.patternProperties).map(([name]) => name)]) {
      const problem = typeof pattern === 'string' ? patternProblem(pattern) : undefined;
      if (problem !== undefined) notes.add(`the pattern ${showName(String(pattern))} ${problem} and is not checked`);
    }
    active.add(schema);
    for (const part of schemasInPlace(schema, root)) visit(part, depth + 1);
    active.delete(schema);
    for (const part of schemasInside(schema)) waiting.push(part);
  }
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) visit(schema, 0);
  return [...notes];
}

/** The schema that a `$ref` means: `#`, or a JSON pointer behind `#`. */
export function resolveRef(ref: unknown, root: ToolSchema): unknown {
  if (typeof ref !== 'string' || (ref !== '#' && !ref.startsWith('#/'))) {
    throw new TypeError(`its schema refers to ${showName(String(ref))}; only references like "#/$defs/name" are known`);
  }
  const known = resolved.get(root) ?? new Map<string, unknown>();
  resolved.set(root, known);
  if (known.has(ref)) return known.get(ref);
  let target: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const inside = typeof target === 'object' && target !== null && Object.hasOwn(target, name);
    if (!inside) throw new TypeError(`its schema refers to ${showName(ref)}, which is not there`);
    target = (target as Record<string, unknown>)[name];
  }
  known.set(ref, target);
  return target;
}

/** Call it on verified schemas only: circles are not looked for. */
export function shapeOf(schema: unknown, root: ToolSchema): Shape {
  if (schema === false) return { types: new Set(), values: undefined };
  if (!isRecord(schema)) return { types: new Set(everyType), values: undefined };
  const known = shapes.get(schema);
  if (known?.root === root) return known.shape;
  const shape = readShape(schema, root);
  shapes.set(schema, { root, shape });
  return shape;
}

/** The schemas that all hold for the same value: itself, what it refers to, and those of `allOf`; each once. */
export function partsOf(schema: unknown, root: ToolSchema): ToolSchema[] {
  const parts = new Set<ToolSchema>();
  function visit(part: unknown): void {
    if (!isRecord(part) || parts.has(part)) return;
    parts.add(part);
    if (part.$ref !== undefined) visit(resolveRef(part.$ref, root));
    for (const other of schemasOf(part.allOf)) visit(other);
  }
  visit(schema);
  return [...parts];
}

/**
 * The forms of an object that has properties of its own beside `anyOf` or `oneOf`: for each form all schemas that hold for
 * it. Nothing where there are no forms, or too many to write them out.
 */
export function objectForms(parts: readonly ToolSchema[], root: ToolSchema): ToolSchema[][] | undefined {
  const unions = parts.flatMap(({ anyOf, oneOf }) => [schemasOf(anyOf), schemasOf(oneOf)]);
  const union = unions.find((members) => members.length > 0) ?? [];
  const forms = union.filter((member) => shapeOf(member, root).types.has('object'));
  if (forms.length === 0 || forms.length > mostForms) return undefined;
  return forms.map((member) => [...new Set([...parts, ...partsOf(member, root)])]);
}

/** The schemas of a list of them, or none. */
export function schemasOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/** The schemas by name, in the order they are declared. */
export function schemasByName(table: unknown): [name: string, schema: unknown][] {
  return isRecord(table) ? Object.entries(table) : [];
}

/** `"string"` and `["string"]` alike. */
export function listOf(type: unknown): readonly unknown[] {
  if (type === undefined) return [];
  return Array.isArray(type) ? type : [type];
}

const resolved = new WeakMap<ToolSchema, Map<string, unknown>>();

/** Without it, schemas that refer to others twice, which do so too, would take exponential time. */
const shapes = new WeakMap<ToolSchema, { readonly root: ToolSchema; readonly shape: Shape }>();

function readShape(schema: ToolSchema, root: ToolSchema): Shape {
  let shape: Shape = { types: ownTypes(schema), values: undefined };
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values)) shape = both(shape, { types: typesOf(values), values });
  if (schema.$ref !== undefined) shape = both(shape, shapeOf(resolveRef(schema.$ref, root), root));
  for (const part of schemasOf(schema.allOf)) shape = both(shape, shapeOf(part, root));
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union) && union.length > 0) shape = both(shape, any(union.map((part) => shapeOf(part, root))));
  }
  if (schema.nullable !== true || shape.types.has('null')) return shape;
  return { types: new Set([...shape.types, 'null']), values: shape.values && [...shape.values, null] };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray "%" stands for itself.
    return part;
  }
}

/** The schemas that look at the same value. */
function schemasInPlace(schema: ToolSchema, root: ToolSchema): unknown[] {
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap(schemasOf);
  parts.push(schema.not, schema.if, schema.then, schema.else);
  if (schema.$ref !== undefined) parts.push(resolveRef(schema.$ref, root));
  return parts;
}

/** The schemas that look at a part of the value. */
function schemasInside(schema: ToolSchema): unknown[] {
  const tables = [schema.properties, schema.patternProperties].flatMap((table) =>
    schemasByName(table).map(([, part]) => part),
  );
  const items = Array.isArray(schema.items) ? schema.items : [schema.items];
  return [
    ...tables,
    ...items,
    ...schemasOf(schema.prefixItems),
    schema.additionalProperties,
    schema.additionalItems,
  ].filter((part) => part !== undefined);
}

function ownTypes(schema: ToolSchema): Set<JsonType> {
  const types = new Set((schema.type === undefined ? everyType : listOf(schema.type)) as JsonType[]);
  if (types.has('number')) types.add('integer');
  return types;
}

function typesOf(values: readonly unknown[]): Set<JsonType> {
  return new Set(values.map(typeOf).filter((type) => type !== undefined));
}

/** What one of them lets through. */
function any(parts: readonly Shape[]): Shape {
  const types = new Set(parts.flatMap((part) => [...part.types]));
  if (!parts.every((part) => part.values)) return { types, values: undefined };
  const values = new Map(parts.flatMap((part) => part.values ?? []).map((value) => [keyOf(value), value]));
  return { types, values: [...values.values()] };
}

/** What both let through. */
function both(a: Shape, b: Shape): Shape {
  const types = new Set([...a.types].filter((type) => b.types.has(type)));
  const values =
    a.values && b.values
      ? a.values.filter((value) => b.values?.some((other) => sameValue(value, other)))
      : (a.values ?? b.values);
  return { types, values: values?.filter((value) => types.has(typeOf(value) ?? 'null')) };
}
