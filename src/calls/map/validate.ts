/**
 * Checks arguments against the JSON Schema of their tool: all errors at once, each with the way to its value, and one for
 * each mistake. It knows type, nullable, enum, const, $ref, allOf, anyOf, oneOf, not, if, and the keywords of numbers,
 * texts, arrays and objects below; others are left to the tool itself.
 *
 * It ends, whatever the schema: what was once tried on an object or array is remembered, so that unions inside of unions
 * do not multiply, and steps and depth are counted; so are the steps of patterns.
 */

import type { ToolSchema } from '../tool.ts';
import { closestNames } from './closest.ts';
import type { MapError, MapErrorCode } from './map-error.ts';
import { type StepBudget, tryPattern } from './pattern.ts';
import { listOf, resolveRef, schemasByName, schemasOf, shapeOf } from './schema.ts';
import { getOwn, isRecord, type JsonType, keyOf, kindOf, sameValue, showName, showValue, typeOf } from './value.ts';

const mostErrors = 100;
const mostSteps = 5_000_000;
const mostFrames = 600;
const mostPatternSteps = 20_000_000;
/** Above this, names are not compared: who writes so many did not mistype one. */
const mostCompared = 50;

/** The way from the arguments to a value in them; nothing for the arguments themselves. */
type Way = { readonly parent: Way; readonly name: string } | undefined;

interface Run {
  readonly root: ToolSchema;
  /** Where errors go; without it nobody wants to know more than whether there is one. */
  readonly errors: MapError[] | undefined;
  /** What came out for a schema and an object or array. With `errors`: what was said need not be said again. */
  readonly tried: Map<object, Map<object, boolean>>;
  /** The same run without errors, for what may or may not fit. */
  readonly quiet: Run;
  readonly fromBody: FromBody;
  readonly count: { steps: number; frames: number };
  readonly patternSteps: StepBudget;
}

/** The parameter whose value was the body, or that all were in it: no message may repeat such a value. */
export type FromBody = { readonly param: string } | 'all' | undefined;

/** The errors of `args`. */
export function validate(
  args: Readonly<Record<string, unknown>>,
  schema: ToolSchema,
  fromBody: FromBody = undefined,
): MapError[] {
  const errors: MapError[] = [];
  const count = { steps: 0, frames: 0 };
  const patternSteps = { left: mostPatternSteps };
  const quiet = { root: schema, errors: undefined, tried: new Map(), fromBody, count, patternSteps } as {
    -readonly [K in keyof Run]: Run[K];
  };
  quiet.quiet = quiet;
  check({ ...quiet, errors, tried: new Map() }, schema, args, undefined);
  if (count.steps > mostSteps || count.frames > mostFrames) {
    errors.push({
      code: 'schema',
      message: 'the arguments could not be checked: the schema of the tool is too entangled',
    });
  }
  if (patternSteps.left < 0) {
    const message =
      'the arguments are too long to be checked against the patterns in the schema of the tool; send less';
    errors.push({ code: 'schema', message });
  }
  return errors;
}

/** Whether the value fits. */
function check(run: Run, schema: unknown, value: unknown, way: Way): boolean {
  if (schema === false) return report(run, 'unknown', way, 'is not allowed; leave it out');
  if (!isRecord(schema)) return true;
  const { count } = run;
  // Too much of it: said once, at the end.
  if (++count.steps > mostSteps || ++count.frames > mostFrames) return false;
  let fits: boolean;
  if (typeof value !== 'object' || value === null) fits = apply(run, schema, value, way);
  else {
    const tried = run.tried.get(schema) ?? new Map<object, boolean>();
    run.tried.set(schema, tried);
    fits = tried.get(value) ?? apply(run, schema, value, way);
    tried.set(value, fits);
  }
  // Once over the limit it stays there, so that everything around it ends too.
  if (count.frames <= mostFrames) count.frames--;
  return fits;
}

function apply(run: Run, schema: ToolSchema, value: unknown, way: Way): boolean {
  if (value === null && schema.nullable === true) return true;
  if (!hasType(schema, value)) return wrongType(run, listOf(schema.type) as JsonType[], value, way);
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values) && !values.some((other) => sameValue(value, other))) {
    return wrongValue(run, schema.nullable === true ? [...values, null] : values, value, way);
  }
  let fits = true;
  if (schema.$ref !== undefined) fits = check(run, resolveRef(schema.$ref, run.root), value, way) && fits;
  for (const part of schemasOf(schema.allOf)) fits = check(run, part, value, way) && fits;
  if (Array.isArray(schema.anyOf)) fits = checkUnion(run, schema.anyOf, value, way, false) && fits;
  if (Array.isArray(schema.oneOf)) fits = checkUnion(run, schema.oneOf, value, way, true) && fits;
  if (schema.not !== undefined && check(run.quiet, schema.not, value, way)) {
    fits = report(run, 'match', way, 'has a form that its schema rules out');
  }
  if (schema.if !== undefined) {
    const chosen = check(run.quiet, schema.if, value, way) ? schema.then : schema.else;
    fits = check(run, chosen, value, way) && fits;
  }
  if (!fits && run.errors === undefined) return false;
  if (typeof value === 'number') return checkNumber(run, schema, value, way) && fits;
  if (typeof value === 'string') return checkText(run, schema, value, way) && fits;
  if (Array.isArray(value)) return checkArray(run, schema, value, way) && fits;
  return (!isRecord(value) || checkObject(run, schema, value, way)) && fits;
}

function hasType(schema: ToolSchema, value: unknown): boolean {
  const types = listOf(schema.type);
  if (types.length === 0) return true;
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function checkUnion(run: Run, parts: readonly unknown[], value: unknown, way: Way, exactlyOne: boolean): boolean {
  const fitting = parts.filter((part) => check(run.quiet, part, value, way)).length;
  if (fitting === 1 || (fitting > 0 && !exactlyOne)) return true;
  if (run.errors === undefined || run.errors.length >= mostErrors) return false;
  if (fitting > 1) return report(run, 'match', way, `fits ${fitting} of its forms, but must fit exactly one`);
  const type = typeOf(value);
  const shapes = parts.map((part) => shapeOf(part, run.root));
  const possible = parts.filter((_, i) => type !== undefined && shapes[i]?.types.has(type));
  if (possible.length === 0) return wrongType(run, [...shapes.flatMap(({ types }) => [...types])], value, way);
  if (shapes.every((shape) => shape.values)) {
    return wrongValue(run, [...shapes.flatMap(({ values }) => values ?? [])], value, way);
  }
  // The form that was meant: the only one of that type, or the only one whose fixed values are those of the value.
  const meant = possible.length === 1 ? possible : possible.filter((part) => hasTags(run, part, value));
  if (meant.length === 1 && !check(run, meant[0], value, way)) return false;
  return report(run, 'match', way, `fits none of the ${parts.length} forms it may have`);
}

/** Whether the fixed values among the properties of `schema`, if there are any, are those of `value`. */
function hasTags(run: Run, schema: unknown, value: unknown): boolean {
  if (!isRecord(schema) || !isRecord(value)) return false;
  if (schema.$ref !== undefined) return hasTags(run, resolveRef(schema.$ref, run.root), value);
  const tags = schemasByName(schema.properties).filter(([, part]) => isRecord(part) && 'const' in part);
  return tags.length > 0 && tags.every(([name, part]) => sameValue((part as ToolSchema).const, getOwn(value, name)));
}

function checkNumber(run: Run, schema: ToolSchema, value: number, way: Way): boolean {
  const { minimum, maximum, exclusiveMinimum: over, exclusiveMaximum: under, multipleOf } = schema;
  // Where they are booleans, they say so of the other limit: an older form of JSON Schema.
  const more = over === true ? minimum : over;
  const less = under === true ? maximum : under;
  let wanted = '';
  if (typeof more === 'number' && value <= more) wanted = `more than ${more}`;
  else if (typeof minimum === 'number' && value < minimum) wanted = `at least ${minimum}`;
  else if (typeof less === 'number' && value >= less) wanted = `less than ${less}`;
  else if (typeof maximum === 'number' && value > maximum) wanted = `at most ${maximum}`;
  else if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf)) wanted = `a multiple of ${multipleOf}`;
  return wanted === '' || report(run, 'range', way, `must be ${wanted}${but(run, value, way)}`);
}

/** With room for what binary fractions lose: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.max(1, Math.abs(times));
}

function checkText(run: Run, schema: ToolSchema, value: string, way: Way): boolean {
  const { minLength, maxLength, pattern } = schema;
  const limited = minLength !== undefined || maxLength !== undefined;
  if (limited && !checkLength(run, minLength, maxLength, characters(value), 'characters', way)) return false;
  if (typeof pattern !== 'string' || tryPattern(value, pattern, run.patternSteps) !== false) return true;
  return report(run, 'pattern', way, `must match the pattern ${showValue(pattern)}${but(run, value, way)}`);
}

/** Code points, as JSON Schema counts. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function checkArray(run: Run, schema: ToolSchema, value: readonly unknown[], way: Way): boolean {
  let fits = checkLength(run, schema.minItems, schema.maxItems, value.length, 'items', way);
  if (schema.uniqueItems === true && new Set(value.map(keyOf)).size < value.length) {
    fits = report(run, 'unique', way, 'must not have the same item twice');
  }
  const first = Array.isArray(schema.items) ? schema.items : schemasOf(schema.prefixItems);
  const later = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  for (const [i, item] of value.entries()) {
    if (!fits && run.errors === undefined) return false;
    const part = i < first.length ? first[i] : later;
    fits = check(run, part, item, { parent: way, name: String(i) }) && fits;
  }
  return fits;
}

function checkObject(run: Run, schema: ToolSchema, value: Readonly<Record<string, unknown>>, way: Way): boolean {
  const names = Object.keys(value);
  const declared = isRecord(schema.properties) ? schema.properties : {};
  const patterns = schemasByName(schema.patternProperties);
  const others = schema.additionalProperties;
  let fits = checkLength(run, schema.minProperties, schema.maxProperties, names.length, 'properties', way);
  for (const name of new Set(schemasOf(schema.required))) {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) {
      fits = missing(run, name, names, declared, way);
    }
  }
  for (const name of names) {
    if (!fits && run.errors === undefined) return false;
    const inner = { parent: way, name };
    const parts: unknown[] = [];
    for (const [pattern, part] of patterns) {
      const like = tryPattern(name, pattern, run.patternSteps);
      if (like !== false) parts.push(like ? part : true);
    }
    if (Object.hasOwn(declared, name)) parts.unshift(declared[name]);
    if (parts.length === 0 && others === false) fits = unknown(run, declared, inner);
    else if (parts.length === 0) parts.push(others);
    for (const part of parts) fits = check(run, part, value[name], inner) && fits;
  }
  return fits;
}

function missing(
  run: Run,
  name: string,
  names: readonly string[],
  declared: Readonly<Record<string, unknown>>,
  way: Way,
): false {
  if (run.errors === undefined) return false;
  const strange = names.filter((other) => !Object.hasOwn(declared, other));
  const [meant] = strange.length <= mostCompared ? closestNames(name, strange) : [];
  const help = meant === undefined ? '' : `; there is ${showName(meant)}: write ${showName(name)} instead`;
  return report(run, 'missing', { parent: way, name }, `is missing${help}`);
}

function unknown(run: Run, declared: Readonly<Record<string, unknown>>, way: NonNullable<Way>): false {
  if (run.errors === undefined || run.errors.length >= mostErrors) return false;
  const [meant] = closestNames(way.name, Object.keys(declared));
  const help = meant === undefined ? 'leave it out' : `did you mean ${showName(meant)}?`;
  return report(run, 'unknown', way, `is no ${way.parent === undefined ? 'parameter' : 'property'} here; ${help}`);
}

function checkLength(run: Run, least: unknown, most: unknown, has: number, units: string, way: Way): boolean {
  let wanted = '';
  if (typeof least === 'number' && has < least) wanted = `at least ${least}`;
  else if (typeof most === 'number' && has > most) wanted = `at most ${most}`;
  return wanted === '' || report(run, 'length', way, `must have ${wanted} ${units}, but has ${has}`);
}

function wrongType(run: Run, types: readonly JsonType[], value: unknown, way: Way): false {
  if (run.errors === undefined) return false;
  const wanted = new Set(types);
  if (wanted.has('number')) wanted.delete('integer');
  const words = [...wanted].map((type) => typeWords[type]).join(' or ');
  return report(run, 'type', way, `must be ${words || 'left out'}${but(run, value, way)}`);
}

function wrongValue(run: Run, values: readonly unknown[], value: unknown, way: Way): false {
  if (run.errors === undefined) return false;
  const shown = [...new Set(values.slice(0, 20).map(showValue))];
  if (values.length > 20) shown.push('...');
  const wanted = shown.length === 1 ? shown[0] : `one of ${shown.join(', ')}`;
  return report(run, 'enum', way, `must be ${wanted}${but(run, value, way)}`);
}

const typeWords: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

function but(run: Run, value: unknown, way: Way): string {
  if (run.errors === undefined) return '';
  let top = way;
  while (top?.parent !== undefined) top = top.parent;
  const isHidden = run.fromBody === 'all' || (run.fromBody !== undefined && top?.name === run.fromBody.param);
  return `, but is ${isHidden ? kindOf(value) : showValue(value)}`;
}

function report(run: Run, code: MapErrorCode, way: Way, words: string): false {
  if (run.errors === undefined || run.errors.length >= mostErrors) return false;
  const names: string[] = [];
  for (let at = way; at !== undefined; at = at.parent) names.push(at.name);
  const param = names.reverse().join('/');
  if (names.length === 0) run.errors.push({ code, message: `the arguments: ${words}` });
  else run.errors.push({ code, param, message: `${showName(param)} ${words}` });
  return false;
}
