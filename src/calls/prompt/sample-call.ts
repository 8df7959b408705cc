/** A call to show how calls are written, made up from one of the tools. */
import { mapCall } from '../map/map.ts';
import type { ParamPlan, ToolPlan } from '../map/plan.ts';
import { resolveRef, schemasByName, schemasOf, shapeOf } from '../map/schema.ts';
import { isRecord, setOwn } from '../map/value.ts';
import { END, START } from '../marker.ts';
import { parse } from '../scan/parse.ts';
import type { ToolSchema } from '../tool.ts';
import { writeCall } from '../write/write.ts';

const bodyText = 'any text, "as it is",\non any number of lines\n';
/** What a tool's owner gives as an example is taken only if it is nothing but a plain word or path. */
const plainWord = /^[\w.:/-]{1,40}$/;
const mostNested = 4;

/** A call that reads without errors; where no tool can be made to have one, its form in words. */
export function sampleCall(plans: readonly ToolPlan[]): string {
  const ranked = plans.map((plan) => ({ plan, rank: rankOf(plan) })).sort((a, b) => a.rank - b.rank);
  for (const { plan } of ranked) {
    const text = trySample(plan);
    if (text !== undefined) return text;
  }
  return `${START}name arguments]\nbody\n${END}`;
}

/** What shows most comes first: a header with arguments and a body. */
function rankOf({ header, body, json }: ToolPlan): number {
  if (json) return 4;
  if (body !== undefined) return header.some(({ required }) => required) ? 0 : 1;
  return header.length > 0 ? 2 : 3;
}

function trySample(plan: ToolPlan): string | undefined {
  const text = writeCall(plan.json ? sampleObject(plan.schema, plan.schema, 0) : sampleArgs(plan), plan);
  const { calls, diagnostics } = parse(text);
  const [call] = calls;
  if (call === undefined || diagnostics.length > 0 || (!plan.json && call.rawArgs === '@json')) return undefined;
  return mapCall(call, plan).errors.length === 0 ? text : undefined;
}

function sampleArgs(plan: ToolPlan): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  const properties = new Map(schemasByName(plan.schema.properties));
  // One optional argument says more than none.
  const shown = plan.header.some(({ required }) => required) || plan.body !== undefined ? undefined : plan.header[0];
  for (const param of plan.header) {
    if (param.required || param === shown) setOwn(args, param.name, sampleScalar(param, properties.get(param.name)));
  }
  if (plan.body !== undefined) setOwn(args, plan.body.name, plan.body.values?.[0] ?? bodyText);
  return args;
}

function sampleScalar({ name, types, values }: Omit<ParamPlan, 'required'>, schema: unknown): unknown {
  if (values !== undefined) return values[0];
  const { examples, default: usual, minimum }: ToolSchema = isRecord(schema) ? schema : {};
  if (types.includes('string')) {
    const given = [...schemasOf(examples), usual].find((value) => typeof value === 'string' && plainWord.test(value));
    return given ?? wordFor(name);
  }
  if (types.includes('integer') || types.includes('number')) return typeof minimum === 'number' ? minimum : 1;
  return types.includes('boolean') ? true : null;
}

function wordFor(name: string): string {
  const words = name.toLowerCase();
  if (/file|path/.test(words)) return 'notes.txt';
  if (/dir|folder/.test(words)) return 'docs';
  return /ur[il]/.test(words) ? 'https://example.com' : 'example';
}

function sampleValue(name: string, schema: unknown, root: ToolSchema, depth: number): unknown {
  const { types, values } = shapeOf(schema, root);
  if (values !== undefined) return values[0];
  if (types.has('string')) return sampleScalar({ name, types: ['string'] }, schema);
  if (types.has('object')) return sampleObject(schema, root, depth + 1);
  if (types.has('array')) return sampleArray(name, schema, root, depth + 1);
  return sampleScalar({ name, types: [...types] }, schema);
}

/** With what is required, and one more where nothing is. */
function sampleObject(schema: unknown, root: ToolSchema, depth: number): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  if (!isRecord(schema) || depth > mostNested) return sample;
  const target = schema.$ref === undefined ? schema : resolveRef(schema.$ref, root);
  if (!isRecord(target)) return sample;
  const required = new Set(schemasOf(target.required));
  for (const [name, part] of schemasByName(target.properties)) {
    if (required.has(name) || (required.size === 0 && depth === 0 && Object.keys(sample).length === 0)) {
      setOwn(sample, name, sampleValue(name, part, root, depth));
    }
  }
  return sample;
}

function sampleArray(name: string, schema: unknown, root: ToolSchema, depth: number): unknown[] {
  if (!isRecord(schema) || depth > mostNested || schema.items === undefined) return [];
  return [sampleValue(name, schema.items, root, depth)];
}
