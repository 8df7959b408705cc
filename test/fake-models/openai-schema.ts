/** Which schemas OpenAI takes: for tools in general, and where they are to be kept strictly. */
import { firstOf, isObject } from './shape.ts';

type Place = readonly string[];

const refused = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'default',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'prefixItems',
  'minLength',
  'maxLength',
];

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

/** Why the parameters of a tool are not taken, strict or not. */
export function toolSchemaProblem(schema: unknown, isStrict: boolean): string | undefined {
  const root = rootProblem(schema);
  if (root !== undefined) return root;
  return isStrict ? strictProblem(schema) : walk(schema, [], looseRule);
}

/** Why a schema of an answer is not taken. */
export function strictProblem(schema: unknown): string | undefined {
  return rootProblem(schema) ?? walk(schema, [], strictRule) ?? depthProblem(schema);
}

/** What every schema has to be, strict or not. */
export function rootProblem(schema: unknown): string | undefined {
  const type = isObject(schema) ? schema.type : undefined;
  if (type === 'object') return undefined;
  return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(type ?? 'None')}"'.`;
}

function looseRule(schema: Record<string, unknown>, place: Place): string | undefined {
  if (typesOf(schema).includes('array') && schema.items === undefined)
    return tell(place, 'array schema missing items.');
  if (schema.type === 'object' && place.length === 0 && schema.properties === undefined) {
    return tell(place, 'object schema missing properties.');
  }
  return undefined;
}

function strictRule(schema: Record<string, unknown>, place: Place): string | undefined {
  const bad = refused.find((keyword) => schema[keyword] !== undefined);
  if (bad !== undefined) return tell(place, `'${bad}' is not permitted.`);
  if (schema.$ref !== undefined) {
    const others = Object.keys(schema).filter((key) => !['$ref', '$defs', 'definitions', 'description'].includes(key));
    return others.length === 0 ? undefined : tell(place, `$ref cannot have keywords {'${others[0]}'}.`);
  }
  const types = typesOf(schema);
  if (types.length === 0 && schema.anyOf === undefined && schema.enum === undefined && schema.const === undefined) {
    return tell(place, "schema must have a 'type' key.");
  }
  if (types.includes('array') && schema.items === undefined) return tell(place, 'array schema missing items.');
  if (typeof schema.format === 'string' && !formats.includes(schema.format)) {
    return tell(place, `'${schema.format}' is not a valid format.`);
  }
  if (!types.includes('object')) return undefined;
  if (schema.additionalProperties !== false) {
    return tell(place, "'additionalProperties' is required to be supplied and to be false.");
  }
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const needed = Array.isArray(schema.required) ? schema.required : [];
  const missing = names.find((name) => !needed.includes(name));
  if (missing !== undefined) {
    return tell(
      place,
      `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
    );
  }
  const extra = needed.find((name) => !names.includes(name));
  if (extra === undefined) return undefined;
  return tell(
    place,
    `'required' is required to be supplied and to be an array including every key in properties. Extra required key '${extra}' supplied.`,
  );
}

/** At most ten levels of objects. */
function depthProblem(schema: unknown): string | undefined {
  const depth = (at: unknown): number => {
    if (!isObject(at)) return 0;
    const below = children(at).map(([, child]) => depth(child));
    return (typesOf(at).includes('object') ? 1 : 0) + Math.max(0, ...below);
  };
  const levels = depth(schema);
  return levels > 10 ? `${levels} levels of nesting exceeds limit of 10.` : undefined;
}

function walk(
  schema: unknown,
  place: Place,
  rule: (schema: Record<string, unknown>, place: Place) => string | undefined,
): string | undefined {
  if (!isObject(schema)) return undefined;
  return rule(schema, place) ?? firstOf(children(schema), ([where, child]) => walk(child, [...place, ...where], rule));
}

export function children(schema: Record<string, unknown>): (readonly [Place, unknown])[] {
  const maps = ['properties', '$defs', 'definitions'].flatMap((key) => {
    const inner = schema[key];
    return isObject(inner) ? Object.entries(inner).map(([name, child]) => [[key, name], child] as const) : [];
  });
  const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) => {
    const inner = schema[key];
    return Array.isArray(inner) ? inner.map((child, at) => [[key, String(at)], child] as const) : [];
  });
  const single = ['items', 'additionalProperties', 'not'].flatMap((key) =>
    isObject(schema[key]) ? [[[key], schema[key]] as const] : [],
  );
  return [...maps, ...lists, ...single];
}

export function typesOf(schema: Record<string, unknown>): unknown[] {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

function tell(place: Place, what: string): string {
  const names = place.map((part) => `'${part}'`).join(', ');
  return `In context=(${place.length === 1 ? `${names},` : names}), ${what}`;
}
