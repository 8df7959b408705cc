/**
 * Checks a value against a schema of `spec/json/`, by the keywords that those use. Published, the schemas are open, since
 * fields may be added; here every field must be described, so that none is added without a word.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Schema = Readonly<Record<string, unknown>>;

const folder = fileURLToPath(new URL('../spec/json/', import.meta.url));

/** Each schema by its file name. */
export const schemas: ReadonlyMap<string, Schema> = new Map(
  readdirSync(folder)
    .sort()
    .map((file) => [file, JSON.parse(readFileSync(`${folder}${file}`, 'utf8'))]),
);

/** What is wrong with the value, each with its path; none if it fits. */
export function violations(value: unknown, file: string): string[] {
  return check(value, schemaOf(file), file, '$');
}

const known = [
  '$schema $id $defs $ref title description type const enum anyOf properties required additionalProperties items',
  'pattern minimum',
]
  .join(' ')
  .split(' ');

function check(value: unknown, schema: Schema, file: string, path: string): string[] {
  for (const key of Object.keys(schema)) if (!known.includes(key)) throw new Error(`${file}: unknown keyword "${key}"`);
  const found: string[] = [];
  if (typeof schema.$ref === 'string') found.push(...follow(value, schema.$ref, file, path));
  if (schema.type !== undefined && !hasType(value, schema.type)) return [`${path} is not ${schema.type}`];
  if ('const' in schema && value !== schema.const) found.push(`${path} is not ${JSON.stringify(schema.const)}`);
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) found.push(`${path} is none of ${schema.enum}`);
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(String(value))) {
    found.push(`${path} does not match ${schema.pattern}`);
  }
  if (typeof schema.minimum === 'number' && Number(value) < schema.minimum) found.push(`${path} is too small`);
  if (Array.isArray(schema.anyOf)) {
    const tries = schema.anyOf.map((branch: Schema) => check(value, branch, file, path));
    const nearest = tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
    if (!tries.some((wrong) => wrong.length === 0)) found.push(`${path} fits no branch: ${nearest.join('; ')}`);
  }
  if (Array.isArray(value)) {
    const items = schema.items as Schema | undefined;
    if (items) for (const [i, item] of value.entries()) found.push(...check(item, items, file, `${path}[${i}]`));
  } else if (schema.type === 'object') found.push(...checkObject(value as Schema, schema, file, path));
  return found;
}

function checkObject(value: Schema, schema: Schema, file: string, path: string): string[] {
  const found: string[] = [];
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  for (const name of (schema.required ?? []) as string[]) {
    if (!Object.hasOwn(value, name)) found.push(`${path}.${name} is missing`);
  }
  for (const [name, inner] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own) found.push(...check(inner, own, file, `${path}.${name}`));
    else if (schema.additionalProperties !== true) found.push(`${path}.${name} is not described`);
  }
  return found;
}

function follow(value: unknown, ref: string, file: string, path: string): string[] {
  const [other = '', pointer = ''] = ref.split('#');
  const target = other === '' ? file : other;
  let schema: unknown = schemaOf(target);
  for (const part of pointer.split('/').slice(1)) schema = (schema as Schema)[part];
  if (schema === undefined) throw new Error(`${file}: "${ref}" leads nowhere`);
  return check(value, schema as Schema, target, path);
}

function schemaOf(file: string): Schema {
  const schema = schemas.get(file);
  if (!schema) throw new Error(`there is no schema ${file}`);
  return schema;
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      throw new Error(`unknown type ${type}`);
  }
}
