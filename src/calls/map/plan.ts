/** How the arguments of a tool are written: which stand in the header, which one is the body, or all as JSON. */

import type { ToolSchema, ToolSpec } from '../tool.ts';
import { copySchema, partsOf, resolveRef, schemasByName, schemasOf, shapeOf, verifySchema } from './schema.ts';
import { checkToolName } from './tool-name.ts';
import { isRecord, type JsonType, showName, showValue } from './value.ts';

/** Frozen plain data, made once for each tool. */
export interface ToolPlan {
  readonly name: string;
  readonly description?: string;
  /** The parameters that the header carries, in the order they are declared. None if `json`. */
  readonly header: readonly ParamPlan[];
  /** The parameter that the body carries. */
  readonly body?: ParamPlan;
  /** All arguments are one JSON object in the body. */
  readonly json: boolean;
  /** `create-file <path> [encoding] | body: content`: what a model must write. */
  readonly usage: string;
  /** What in the schema is not checked, in words. */
  readonly notes: readonly string[];
  /** A copy of the schema of the arguments. */
  readonly schema: ToolSchema;
}

export interface ParamPlan {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** Scalars only. */
  readonly types: readonly JsonType[];
  /** The values it may have, where they are counted. */
  readonly values?: readonly unknown[];
}

/** The names under which tools take a text that can be long. */
const bodyNames = new Set('content body text code command query sql patch diff input script prompt message'.split(' '));

const noParameters: ToolSchema = { type: 'object', properties: {} };

/** Throws a TypeError that names the tool and says what about it cannot be written as a call. */
export function planTool(tool: ToolSpec): ToolPlan {
  try {
    return plan(tool);
  } catch (error) {
    if (error instanceof TypeError) throw new TypeError(`the tool ${showName(String(tool?.name))}: ${error.message}`);
    throw error;
  }
}

function plan(tool: ToolSpec): ToolPlan {
  if (!isRecord(tool)) throw new TypeError('a tool is an object with a name, a description and parameters');
  checkToolName(tool.name);
  if (tool.description !== undefined && typeof tool.description !== 'string') {
    throw new TypeError(`its description is ${showValue(tool.description)}, but must be a text`);
  }
  const schema = copySchema(tool.parameters === undefined ? noParameters : tool.parameters);
  if (!isRecord(schema)) {
    throw new TypeError(`its parameters are ${showValue(schema)}, but must be the JSON Schema of an object`);
  }
  const notes = verifySchema(schema);
  if (!shapeOf(schema, schema).types.has('object')) {
    throw new TypeError('its parameters must be the JSON Schema of an object: { "type": "object", "properties": ... }');
  }
  const { params, open } = readParams(schema);
  const body = bodyOf(tool, params);
  const complex = params.find((param) => param !== body && param.complex);
  const json = open || complex !== undefined;
  if (json && typeof tool.body === 'string') {
    const why = complex
      ? `${showName(complex.name)} is no plain value`
      : 'it takes more than the properties it declares';
    throw new TypeError(`its body cannot be ${showName(tool.body)}: ${why}, so all arguments are one JSON object`);
  }
  const header = json ? [] : params.filter((param) => param !== body);
  return deepFreeze({
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    header: header.map(paramPlan),
    ...(body === undefined || json ? {} : { body: paramPlan(body) }),
    json,
    usage: json ? jsonUsage(tool.name, params) : usage(tool.name, header, body),
    notes,
    schema,
  });
}

interface Param {
  readonly name: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly types: readonly JsonType[];
  readonly values: readonly unknown[] | undefined;
  /** It may be an object, an array, or anything. */
  readonly complex: boolean;
}

/** The properties that the schema declares, also by references and in parts; `open` if there can be others. */
function readParams(root: ToolSchema): { params: Param[]; open: boolean } {
  const found = new Map<string, unknown[]>();
  const required = new Set<string>();
  const seen = { sure: new Set<object>(), perhaps: new Set<object>() };
  let open = false;
  let free = false;
  let hasProperties = false;
  function read(schema: unknown, sure: boolean): void {
    const before = sure ? seen.sure : seen.perhaps;
    if (!isRecord(schema) || before.has(schema)) return;
    before.add(schema);
    if (schema.properties !== undefined && !isRecord(schema.properties)) {
      throw new TypeError('the "properties" of its parameters must be an object with a schema for each name');
    }
    if (schema.required !== undefined && !isNames(schema.required)) {
      throw new TypeError('the "required" of its parameters must be an array of names');
    }
    hasProperties ||= schema.properties !== undefined;
    for (const [name, part] of schemasByName(schema.properties)) {
      const parts = found.get(name);
      if (parts) parts.push(part);
      else found.set(name, [part]);
      // What only one of several forms declares cannot stand in a fixed place.
      if (!sure && !parts) open = true;
    }
    if (sure) for (const name of schemasOf(schema.required)) required.add(name as string);
    free ||= hasKeys(schema.additionalProperties) || hasKeys(schema.patternProperties);
    if (schema.$ref !== undefined) read(resolveRef(schema.$ref, root), sure);
    for (const part of schemasOf(schema.allOf)) read(part, sure);
    for (const part of [schema.anyOf, schema.oneOf, schema.then, schema.else].flat()) read(part, false);
  }
  read(root, true);
  for (const name of required) if (!found.has(name)) found.set(name, [true]);
  const params = [...found].map(([name, parts]) => readParam(name, parts, required.has(name), root));
  // One that can have no value at all is not a parameter.
  const usable = params.filter(({ types }) => types.length > 0);
  // Names of the model's own choice beside declared ones can be sent with @json; without any, they are all there is.
  // A schema that declares nothing and forbids nothing lets any object through.
  const { additionalProperties: others } = root;
  const isAny = usable.length === 0 && (hasProperties ? others === true || isRecord(others) : others !== false);
  return { params: usable, open: open || isAny || (free && usable.length === 0) };
}

function hasKeys(table: unknown): boolean {
  return isRecord(table) && Object.keys(table).length > 0;
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function readParam(name: string, parts: readonly unknown[], required: boolean, root: ToolSchema): Param {
  const { types, values } = shapeOf(parts.length === 1 ? parts[0] : { allOf: parts }, root);
  const described = parts.flatMap((part) => partsOf(part, root)).find((part) => typeof part.description === 'string');
  return {
    name,
    description: described === undefined ? undefined : String(described.description),
    required,
    types: [...types],
    values,
    complex: types.has('object') || types.has('array'),
  };
}

function bodyOf(tool: ToolSpec, params: readonly Param[]): Param | undefined {
  const { body } = tool;
  if (body === null) return undefined;
  if (body === undefined) {
    return params.find(
      ({ name, required, types, values }) =>
        required && bodyNames.has(name) && types.length === 1 && types[0] === 'string' && values === undefined,
    );
  }
  const param = params.find(({ name }) => name === body);
  if (param === undefined) {
    const names = params.map(({ name }) => showName(name)).join(', ') || 'none';
    throw new TypeError(`its body is ${showName(String(body))}, which is no parameter; there are ${names}`);
  }
  if (!param.types.includes('string')) {
    throw new TypeError(`its body is ${showName(body)}, which is no string; a body is always a text`);
  }
  return param;
}

function paramPlan({ name, description, required, types, values }: Param): ParamPlan {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    required,
    types: types.filter((type) => type !== 'object' && type !== 'array'),
    ...(values === undefined ? {} : { values }),
  };
}

/** A name, or a word of a value, that stands in a usage line as it is. */
const plainWord = /^[^\s"'=|<>[\]{},?]+$/;

function usage(tool: string, header: readonly Param[], body: Param | undefined): string {
  const words = header.map((param) => {
    const word = `${usageName(param.name)}${usageValues(param.values)}`;
    return param.required ? `<${word}>` : `[${word}]`;
  });
  const line = [tool, ...words].join(' ');
  if (body === undefined) return line;
  return `${line} | body: ${body.required ? usageName(body.name) : `[${usageName(body.name)}]`}`;
}

function jsonUsage(tool: string, params: readonly Param[]): string {
  const names = params.map(({ name, required }) => `${usageName(name)}${required ? '' : '?'}`);
  return `${tool} | body: JSON ${names.length === 0 ? 'object' : `{${names.join(', ')}}`}`;
}

function usageName(name: string): string {
  return plainWord.test(name) ? name : JSON.stringify(name);
}

/** Whether the usage line shows the values that a parameter of the header may have. */
export function showsValues({ values }: ParamPlan): boolean {
  return usageValues(values) !== '';
}

/** `=celsius|fahrenheit`: a model that copies `unit=celsius` as it stands has written a call that works. */
function usageValues(values: readonly unknown[] | undefined): string {
  if (values === undefined || values.length > 8) return '';
  const words = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const line = words.join('|');
  return words.every((word) => plainWord.test(word)) && line.length <= 80 ? `=${line}` : '';
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !Object.isFrozen(inner)) deepFreeze(inner);
  }
  return Object.freeze(value);
}
