/** What an export of a user's module is to a workflow. Nothing of it is run, except that schemas are asked to describe themselves. */
import type { ExportInfo } from '../../plan/index.ts';
import {
  type EffectSchemaApi,
  isEffectSchema,
  isOldEffectSchema,
  isStandardSchema,
  jsonType,
  type SchemaConverter,
  type SchemaType,
  type StandardSchema,
  typeFromEffect,
  typeFromStandard,
  validate,
} from '../../type/index.ts';
import { messageOf } from './thrown.ts';
import type { UserLibrary } from './user-library.ts';

/** Where a value came from: its library is looked for from there. */
export interface Origin {
  readonly file: string;
  readonly library: UserLibrary;
}

export async function describeExport(name: string, read: () => unknown, origin: Origin): Promise<ExportInfo> {
  try {
    const value = read();
    const built = builtBy(value);
    if (built) return await built();
    const schema = await schemaOf(value, name, origin);
    return schema === undefined ? describeValue(value) : { kind: 'schema', ...schema };
  } catch (error) {
    return { kind: 'other', what: `an export that throws when it is read: ${reasonOf(error)}` };
  }
}

/** Workflows and components of `toolang/workflow` describe themselves, whichever copy of it made them. */
function builtBy(value: unknown): (() => Promise<ExportInfo>) | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  const marker: unknown = Object.hasOwn(value, '~toolang') ? Reflect.get(value, '~toolang') : undefined;
  const describe: unknown = has(marker, 'describe') ? Reflect.get(marker, 'describe') : undefined;
  return typeof describe === 'function' ? () => describe() as Promise<ExportInfo> : undefined;
}

/** The type of a schema of any library we know; undefined if the value is no schema. */
export async function schemaOf(value: unknown, name: string, origin: Origin): Promise<SchemaType | undefined> {
  if (isEffectSchema(value)) {
    const api = (await packageOf('effect', origin))?.Schema;
    if (!has(api, 'toJsonSchemaDocument')) return { type: jsonType, types: {}, exact: false };
    return typeFromEffect(value, api as EffectSchemaApi<unknown>, name);
  }
  return isStandardSchema(value) ? typeFromStandard(value, name, await converterFor(value, origin)) : undefined;
}

/** The first line of what was thrown, in a length that can be shown. */
export function reasonOf(error: unknown): string {
  let text = 'something that is no Error';
  try {
    text = error instanceof Error ? `${error.name}: ${error.message}` : messageOf(error);
  } catch {
    // Even to print it throws.
  }
  const line = text.split(/[\r\n]/, 1)[0]?.trim() ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function describeValue(value: unknown): ExportInfo {
  if (isOldEffectSchema(value)) return other('a schema of Effect 3; schemas of Effect 4 are understood');
  const wrong = unusable(value);
  if (wrong) return { kind: 'other', ...wrong };
  if (has(value, '~effect/Context/Service')) return { kind: 'service', members: [] };
  if (typeof value === 'function') return isClass(value) ? other('a class') : { kind: 'function' };
  if (typeof value !== 'object' || value === null) return other(kindOf(value));
  if (Array.isArray(value)) return other('a list');
  if ('type' in value && typeof value.type === 'string') return describeAgent(value, value.type);
  const members = methodsOf(value);
  return members.length > 0 ? { kind: 'service', members } : other('an object without methods');
}

/** What nobody can use as it is, and what to export instead. */
export function unusable(value: unknown): { readonly what: string; readonly help: string } | undefined {
  if (value === undefined) return { what: 'undefined', help: 'Give it a value.' };
  if (value instanceof Promise) return { what: 'a promise', help: 'Await it in the module.' };
  if (has(value, '~effect/Context/Service')) {
    const layer = 'layer' in value ? value.layer : undefined;
    if (has(layer, '~effect/Layer') || (layer === undefined && has(value, '~effect/Context/Reference')))
      return undefined;
    const help = 'Give its class a static "layer", as in: static readonly layer = Layer.succeed(this, { … }).';
    return { what: 'an Effect service without a layer', help };
  }
  if (has(value, '~effect/Layer')) {
    return { what: 'an Effect layer', help: 'Export the service, with this as its static "layer".' };
  }
  if (has(value, '~effect/Effect')) return { what: 'an Effect', help: 'Export a function that returns it.' };
  if (isOldTag(value)) return { what: 'a service of Effect 3', help: 'Services of Effect 4 are understood.' };
  return undefined;
}

function isOldTag(value: unknown): boolean {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && oldTag in value;
}

const oldTag = Symbol.for('effect/Context/Tag');

function describeAgent(value: object, type: string): ExportInfo {
  const { type: _, ...fields } = value as Record<string, unknown>;
  const checked = validate(fields, jsonType, new Map());
  if (checked.ok) return { kind: 'agent', type, fields: checked.value as Record<string, unknown> };
  return other(`an agent with a field that is no JSON: ${checked.errors[0]?.message ?? ''}`);
}

/** Its functions and those of its class, in order. */
function methodsOf(value: object): string[] {
  const names = new Set<string>();
  for (let at: object | null = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value: member }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof member === 'function' && name !== 'constructor') names.add(name);
    }
  }
  return [...names];
}

/** How a library makes JSON Schemas when its schemas do not. */
async function converterFor(schema: StandardSchema, origin: Origin): Promise<SchemaConverter | undefined> {
  const { vendor } = schema['~standard'];
  if (vendor === 'zod') {
    const make = (await packageOf('zod', origin))?.toJSONSchema;
    if (typeof make !== 'function') return undefined;
    return (value, loose) => make(value, { io: 'input', ...(loose && { unrepresentable: 'any' }) });
  }
  if (vendor === 'valibot') {
    const make = (await packageOf('@valibot/to-json-schema', origin))?.toJsonSchema;
    if (typeof make !== 'function') return undefined;
    return (value, loose) => make(value, { errorMode: loose ? 'ignore' : 'throw' });
  }
  return undefined;
}

async function packageOf(name: string, { file, library }: Origin): Promise<Record<string, unknown> | undefined> {
  const found = library.resolve(name, file);
  return found === undefined ? undefined : await library.load(found);
}

function has(value: unknown, key: string): value is object {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && key in value;
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : `a ${typeof value}`;
}

function other(what: string): ExportInfo {
  return { kind: 'other', what };
}
