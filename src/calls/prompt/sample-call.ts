/** A call to show how calls are written, made up from one of the tools. */
import { mapCall } from '../map/map.ts';
import type { ToolPlan } from '../map/plan.ts';
import { partsOf, schemasByName } from '../map/schema.ts';
import { setOwn } from '../map/value.ts';
import { END, START } from '../marker.ts';
import { parse } from '../scan/parse.ts';
import { writeCall } from '../write/write.ts';
import { sampleObject, sampleValue } from './sample-value.ts';

const bodyText = 'any text, "as it is",\non any number of lines\n';
/** A name that can stand in a header. */
const plainName = /^[\w.-]+$/;

/** A call that reads without errors; where no tool can be made to have one, the form of one. */
export function sampleCall(plans: readonly ToolPlan[]): string {
  const ranked = plans.map((plan) => ({ plan, rank: rankOf(plan) })).sort((a, b) => a.rank - b.rank);
  for (const { plan } of ranked) {
    const text = trySample(plan);
    if (text !== undefined) return text;
  }
  const [first] = ranked;
  return first === undefined ? '' : formOf(first.plan);
}

/** What shows most comes first: a header with arguments and a body. */
function rankOf({ header, body, json }: ToolPlan): number {
  if (json) return 4;
  if (body !== undefined) return header.some(({ required }) => required) ? 0 : 1;
  return header.length > 0 ? 2 : 3;
}

function trySample(plan: ToolPlan): string | undefined {
  if (plan.json) return checked(writeCall(sampleObject(plan.schema, plan.schema, 0), plan), plan);
  const properties = propertiesOf(plan);
  for (const body of sampleBodies(plan, properties)) {
    const text = writeCall(sampleArgs(plan, properties, body), plan);
    // On a line of its own, as models write it, if that is the same.
    const lined = text.endsWith(`\n${END}`) ? text : `${text.slice(0, -END.length)}\n${END}`;
    const found = checked(lined, plan) ?? checked(text, plan);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text, if it is a call without errors. */
function checked(text: string, plan: ToolPlan): string | undefined {
  const { calls, diagnostics } = parse(text);
  const [call] = calls;
  if (call === undefined || diagnostics.length > 0 || (!plan.json && call.rawArgs === '@json')) return undefined;
  return mapCall(call, plan).errors.length === 0 ? text : undefined;
}

/** The tool as it is called, with words for its values. */
function formOf({ name, header, body, json }: ToolPlan): string {
  if (json) return `${START}${name}]\n{JSON}\n${END}`;
  const words = header.filter(({ required }) => required).map((param) => param.name);
  const args = words.map((word) => (plainName.test(word) ? ` <${word}>` : ' <value>')).join('');
  const text = body === undefined ? '' : `${plainName.test(body.name) ? body.name : 'text'}\n`;
  return `${START}${name}${args}]\n${text}${END}`;
}

function propertiesOf({ schema }: ToolPlan): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const [name, property] of partsOf(schema, schema).flatMap((part) => schemasByName(part.properties))) {
    if (!properties.has(name)) properties.set(name, property);
  }
  return properties;
}

/** What the body may be, best first. */
function sampleBodies({ body, schema }: ToolPlan, properties: ReadonlyMap<string, unknown>): unknown[] {
  if (body === undefined) return [undefined];
  if (body.values !== undefined) return [body.values[0]];
  return [bodyText, sampleValue(body.name, properties.get(body.name), schema)];
}

function sampleArgs(plan: ToolPlan, properties: ReadonlyMap<string, unknown>, body: unknown): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  // One optional argument says more than none.
  const shown = plan.header.some(({ required }) => required) || plan.body !== undefined ? undefined : plan.header[0];
  for (const param of plan.header) {
    if (!param.required && param !== shown) continue;
    setOwn(args, param.name, sampleValue(param.name, properties.get(param.name), plan.schema));
  }
  if (plan.body !== undefined) setOwn(args, plan.body.name, body);
  return args;
}
