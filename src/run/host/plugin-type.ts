/**
 * Types as plugins write them: the words of `.toon` files in a string (`'string'`, `'number[]'`, `'"a" | "b"'`, with `?` at the
 * end of a field that may be absent), a schema (Effect, or any Standard Schema), an object of such types for a struct, a
 * list of one for a list.
 */
import {
  arrayOf,
  type FieldType,
  field,
  isRecord,
  parseTypeText,
  type StructType,
  structOf,
  type Type,
  typeWords,
} from '../../type/index.ts';
import { type Origin, schemaOf } from './describe-export.ts';

/** What was read; structs that contain themselves are collected in `types`. */
export interface PluginTypes {
  readonly origin: Origin;
  readonly types: Map<string, StructType>;
}

const maxDepth = 64;

/** Throws an Error that says what is wrong at `place`. */
export async function readPluginType(written: unknown, place: string, into: PluginTypes): Promise<Type> {
  const { type, optional } = await read(written, place, into, 0);
  if (optional) throw new Error(`${place} may not end in "?": only fields may be absent`);
  return type;
}

/** The fields of a struct: an object of types, or a schema of an object. */
export async function readPluginFields(
  written: unknown,
  place: string,
  into: PluginTypes,
): Promise<readonly FieldType[]> {
  const type = await readPluginType(written, place, into);
  const struct = type.kind === 'ref' ? into.types.get(type.name) : type;
  if (struct?.kind !== 'struct') throw new Error(`${place} must be an object of types, or a schema of an object`);
  return struct.fields;
}

async function read(
  written: unknown,
  place: string,
  into: PluginTypes,
  depth: number,
): Promise<{ type: Type; optional: boolean }> {
  if (depth > maxDepth) throw new Error(`${place.slice(0, 60)}… nests more than ${maxDepth} levels deep`);
  if (typeof written === 'string') return readWords(written, place);
  const schema = await schemaOf(written, nameFrom(place), into.origin);
  if (schema !== undefined) {
    for (const [name, struct] of Object.entries(schema.types)) into.types.set(name, struct);
    return { type: schema.type, optional: false };
  }
  if (Array.isArray(written) && written.length === 1) {
    const { type, optional } = await read(written[0], `${place}[0]`, into, depth + 1);
    if (optional) throw new Error(`${place}[0] may not end in "?": only fields may be absent`);
    return { type: arrayOf(type), optional: false };
  }
  if (!isRecord(written)) throw new Error(`${place} is no type. Write a type as in a workflow file, or a schema`);
  const fields: FieldType[] = [];
  for (const [name, value] of Object.entries(written)) {
    const { type, optional } = await read(value, `${place}.${name}`, into, depth + 1);
    fields.push(field(name, type, { optional }));
  }
  return { type: structOf(fields), optional: false };
}

function readWords(text: string, place: string): { type: Type; optional: boolean } {
  const { base = '', arrays = 0, optional = false } = parseTypeText(text.trim()) ?? {};
  let type: Type | undefined = typeof base === 'string' ? typeWords.get(base) : { kind: 'literal', values: base };
  if (type === undefined || arrays > maxDepth) {
    throw new Error(
      `${place} is ${JSON.stringify(text.slice(0, 80))}, which is no type. Write string, number, boolean, a list such as string[], or "a" | "b"`,
    );
  }
  for (let list = 0; list < arrays; list++) type = arrayOf(type);
  return { type, optional };
}

/** A name for a struct of a schema without one: the last word of its place. */
function nameFrom(place: string): string {
  return /(\w+)\W*$/.exec(place)?.[1] ?? 'Type';
}
