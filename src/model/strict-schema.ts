/**
 * OpenAI's strict mode takes few schemas: every object closed, every property required, few keywords. A schema that it may not
 * take is sent as one that is not strict; what strict mode may take and what is beyond its limits is decided on the safe side.
 */
import { isRecord, type JsonSchema } from '../type/index.ts';

type Schema = Readonly<Record<string, unknown>>;

const keywords: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
]);

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const mostDepth = 5;
const mostProperties = 100;
const mostEnum = 500;
const mostText = 15_000;

/** Whether strict mode takes it, as it is. */
export function fitsStrict(schema: JsonSchema): boolean {
  const root = schema as unknown as Schema;
  const count = { properties: 0, enum: 0, text: 0 };
  return root.type === 'object' && root.anyOf === undefined && root.$ref === undefined && fits(root, 0);

  function fits(given: unknown, depth: number): boolean {
    if (!isRecord(given) || depth > mostDepth * 2) return false;
    if (!Object.keys(given).every((key) => keywords.has(key))) return false;
    const { type, items, anyOf, $ref, $defs, enum: values } = given;
    if ($ref !== undefined) return typeof $ref === 'string' && /^#(?:\/\$defs\/[^/]+)?$/.test($ref);
    if (type !== undefined && !(Array.isArray(type) ? type : [type]).every((each) => types.has(each))) return false;
    if (type === undefined && anyOf === undefined && values === undefined && given.const === undefined) return false;
    if (values !== undefined && !countEnum(values)) return false;
    if (anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.every((each) => fits(each, depth + 1)))) return false;
    if (has(type, 'array') ? !fits(items, depth + 1) : items !== undefined) return false;
    if (
      $defs !== undefined &&
      !(isRecord($defs) && Object.entries($defs).every(([name, each]) => counted(name) && fits(each, 1)))
    )
      return false;
    return has(type, 'object') ? fitsObject(given, depth) : given.properties === undefined;
  }

  function fitsObject(given: Schema, depth: number): boolean {
    const { properties = {}, required = [], additionalProperties } = given;
    if (additionalProperties !== false || !isRecord(properties) || !Array.isArray(required)) return false;
    const names = Object.keys(properties);
    count.properties += names.length;
    if (count.properties > mostProperties || depth >= mostDepth) return false;
    const needed = new Set(required);
    if (needed.size !== names.length || !names.every((name) => needed.has(name) && counted(name))) return false;
    return Object.values(properties).every((each) => fits(each, depth + 1));
  }

  function countEnum(values: unknown): boolean {
    if (!Array.isArray(values) || values.length === 0) return false;
    count.enum += values.length;
    return count.enum <= mostEnum && values.every((each) => counted(String(each)));
  }

  function counted(text: string): boolean {
    count.text += text.length;
    return count.text <= mostText;
  }
}

function has(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
