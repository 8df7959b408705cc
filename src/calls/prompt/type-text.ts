/**
 * A JSON Schema in few words, in the notation of TypeScript, which models know: `{url: string, tags?: string[]}`. What is
 * referred to by `$ref` and is no plain value has its own line, so that nothing is written twice and circles end.
 */
import { objectForms, partsOf, resolveRef, schemasByName, schemasOf, shapeOf } from '../map/schema.ts';
import { isRecord, type JsonType } from '../map/value.ts';
import type { ToolSchema } from '../tool.ts';

export interface TypeTexts {
  readonly typeOf: (schema: unknown) => string;
  /** What is said of the parts of a value, a line for each: `guests[].name: 1 to 40 characters; as in the passport`. */
  readonly notesOf: (schema: unknown) => string[];
  /** `Name = type` for each type that was named, with its notes. */
  readonly named: () => string[];
  /** What a schema says of a value beside its type: `1 to 20, default 5`. */
  readonly limitsOf: (schema: unknown) => string;
  /** The schema of a parameter. */
  readonly propertyOf: (name: string) => unknown;
}

/** No tool needs so many; shared parts of a schema could make a text of any length. */
const mostTypes = 500;
const mostNested = 8;
const plainKey = /^[A-Za-z_$][\w$-]*$/;

export function createTypeTexts(root: ToolSchema): TypeTexts {
  const names = new Map<unknown, string>();
  const taken = new Set<string>();
  /** Those that are being written: one of them inside of itself would have no end. */
  const open = new Set<ToolSchema>();
  let types = 0;

  function typeOf(schema: unknown): string {
    return membersOf(schema).join('|');
  }

  /** The types that a value may have; most have one. */
  function membersOf(schema: unknown): string[] {
    if (schema === false) return ['never'];
    if (!isRecord(schema)) return ['any'];
    const { types: all, values } = shapeOf(schema, root);
    if (all.size === 0 || values?.length === 0) return ['never'];
    if (values !== undefined) return values.map((value) => JSON.stringify(value));
    if (!all.has('object') && !all.has('array')) return scalars(all);
    if (++types > mostTypes) return ['…'];
    const ref = refOf(schema);
    if (ref !== undefined) return [nameOf(ref)];
    if (open.has(schema)) return ['…'];
    open.add(schema);
    const members = composite(schema, all);
    open.delete(schema);
    return members;
  }

  function composite(schema: ToolSchema, all: ReadonlySet<JsonType>): string[] {
    const parts = partsOf(schema, root);
    const unions = parts.flatMap(({ anyOf, oneOf }) => [...schemasOf(anyOf), ...schemasOf(oneOf)]);
    if (unions.length > 0 && parts.every((part) => part.properties === undefined && part.items === undefined)) {
      const members = unions.flatMap(membersOf);
      return [...new Set(schema.nullable === true ? [...members, 'null'] : members)];
    }
    if (all.size === 7) return ['any'];
    const members = scalars(all);
    if (all.has('array')) members.push(arrayOf(parts));
    if (all.has('object')) members.push(...(objectForms(parts, root) ?? [parts]).map(objectOf));
    return [...new Set(members)];
  }

  function arrayOf(parts: readonly ToolSchema[]): string {
    const part = parts.find(({ items, prefixItems }) => items !== undefined || prefixItems !== undefined);
    const tuple = Array.isArray(part?.items) ? part.items : schemasOf(part?.prefixItems);
    if (tuple.length > 0) return `[${tuple.map(typeOf).join(', ')}]`;
    const members = membersOf(part?.items ?? true);
    return members.length === 1 ? `${members[0]}[]` : `(${members.join('|')})[]`;
  }

  function objectOf(parts: readonly ToolSchema[]): string {
    const required = new Set(parts.flatMap((part) => schemasOf(part.required)));
    const members = new Map<string, string>();
    for (const part of parts) {
      for (const [name, schema] of schemasByName(part.properties)) {
        const key = plainKey.test(name) ? name : JSON.stringify(name);
        if (!members.has(name)) members.set(name, `${key}${required.has(name) ? '' : '?'}: ${typeOf(schema)}`);
      }
    }
    const open = parts.map((part) => part.additionalProperties).find((schema) => isRecord(schema));
    const all = [...members.values()];
    if (open !== undefined) all.push(`[name: string]: ${typeOf(open)}`);
    return all.length === 0 ? 'object' : `{${all.join(', ')}}`;
  }

  function nameOf(ref: unknown): string {
    const target = resolveRef(ref, root);
    const known = names.get(target);
    if (known !== undefined) return known;
    const word =
      String(ref)
        .split('/')
        .at(-1)
        ?.replace(/[^\w$]/g, '') || 'Type';
    let name = word;
    for (let n = 2; taken.has(name); n++) name = `${word}${n}`;
    names.set(target, name);
    taken.add(name);
    return name;
  }

  function notesOf(schema: unknown, path = '', depth = 0): string[] {
    const lines: string[] = [];
    // What has a name has its notes there.
    if (depth > 0 && isRecord(schema) && refOf(schema) !== undefined) return lines;
    const add = (part: unknown, way: string): void => {
      if (lines.length > mostTypes || depth > mostNested) return;
      const words = wordsOf(factsOf(part));
      if (words !== '') lines.push(`${way}: ${words}`);
      lines.push(...notesOf(part, way, depth + 1));
    };
    for (const part of partsOf(schema, root)) {
      for (const [name, property] of schemasByName(part.properties))
        add(property, path === '' ? name : `${path}.${name}`);
      if (isRecord(part.items)) add(part.items, `${path}[]`);
    }
    return lines;
  }

  /** The schemas that say something of a value; also what it is if it is not null. */
  function factsOf(schema: unknown): ToolSchema[] {
    const parts = partsOf(schema, root);
    return parts.flatMap((part) => {
      const members = [...schemasOf(part.anyOf), ...schemasOf(part.oneOf)].filter((member) => !isNull(member, root));
      return members.length === 1 ? [part, ...partsOf(members[0], root)] : [part];
    });
  }

  const properties = new Map<string, unknown>();
  for (const part of partsOf(root, root)) {
    for (const [name, schema] of schemasByName(part.properties)) {
      if (!properties.has(name)) properties.set(name, schema);
    }
  }

  function named(): string[] {
    const lines: string[] = [];
    // The map grows while it is gone through.
    for (const [schema, name] of names) lines.push(`${name} = ${typeOf(schema)}`, ...notesOf(schema, name));
    return lines;
  }

  return {
    typeOf,
    named,
    notesOf: (schema) => notesOf(schema),
    limitsOf: (schema) => limitsOf(factsOf(schema)),
    propertyOf: (name) => properties.get(name),
  };
}

function wordsOf(parts: readonly ToolSchema[]): string {
  const description = parts.map((part) => part.description).find((text) => typeof text === 'string');
  return [limitsOf(parts), String(description ?? '')].filter((text) => text.trim() !== '').join('; ');
}

/** `null` last, as people write it. */
function scalars(types: ReadonlySet<JsonType>): string[] {
  const order: readonly JsonType[] = ['string', 'number', 'integer', 'boolean', 'null'];
  return order.filter((type) => types.has(type) && !(type === 'integer' && types.has('number')));
}

function isNull(schema: unknown, root: ToolSchema): boolean {
  const { types } = shapeOf(schema, root);
  return types.size === 1 && types.has('null');
}

/** The reference that says all of what a value is made of, also as the only such part of `allOf`. */
function refOf(schema: ToolSchema): unknown {
  const { $ref, properties, items, anyOf, oneOf, allOf, nullable } = schema;
  if ([properties, items, anyOf, oneOf, nullable].some((part) => part !== undefined)) return undefined;
  const parts = schemasOf(allOf).filter((part) => isRecord(part) && structure.some((key) => part[key] !== undefined));
  if (parts.length === 0) return $ref;
  const [only] = parts;
  return parts.length === 1 && $ref === undefined && isRecord(only) ? refOf(only) : undefined;
}

const structure = ['$ref', 'properties', 'items', 'anyOf', 'oneOf', 'allOf', 'nullable'];

function limitsOf(parts: readonly ToolSchema[]): string {
  const get = (key: string): unknown => parts.map((part) => part[key]).find((value) => value !== undefined);
  const limits: string[] = [];
  const between = (least: unknown, most: unknown, unit: string): void => {
    if (least !== undefined && most !== undefined) limits.push(`${least} to ${most}${unit}`);
    else if (least !== undefined) limits.push(`at least ${least}${unit}`);
    else if (most !== undefined) limits.push(`at most ${most}${unit}`);
  };
  between(get('minimum'), get('maximum'), '');
  if (get('exclusiveMinimum') !== undefined) limits.push(`over ${get('exclusiveMinimum')}`);
  if (get('exclusiveMaximum') !== undefined) limits.push(`under ${get('exclusiveMaximum')}`);
  if (get('multipleOf') !== undefined) limits.push(`a multiple of ${get('multipleOf')}`);
  between(get('minLength'), get('maxLength'), ' characters');
  between(get('minItems'), get('maxItems'), ' items');
  if (get('pattern') !== undefined) limits.push(`like /${get('pattern')}/`);
  if (get('format') !== undefined) limits.push(String(get('format')));
  if (get('default') !== undefined) limits.push(`default ${JSON.stringify(get('default'))}`);
  return limits.join(', ');
}
