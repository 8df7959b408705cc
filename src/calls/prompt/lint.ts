/**
 * What about tools does not go well with text calls, and what to do instead. Nothing here stops a tool from being used,
 * but for the names and schemas that `planTool` refuses, which are reported too.
 */

import { type ParamPlan, planTool, type ToolPlan } from '../map/plan.ts';
import { schemasByName, schemasOf, shapeOf } from '../map/schema.ts';
import { isPropertyTable, uncheckedKeywords } from '../map/schema-keywords.ts';
import { checkToolName } from '../map/tool-name.ts';
import { isRecord, showName, showValue } from '../map/value.ts';
import { EMOJI, reservedNames, toolName } from '../marker.ts';
import type { ToolSpec } from '../tool.ts';

export type ToolLintCode =
  /** The syntax uses this name. */
  | 'reserved-name'
  /** No header can carry this name. */
  | 'unusable-name'
  /** The name is read, but models may miswrite it. */
  | 'unusual-name'
  | 'duplicate-name'
  /** The name differs from another by letter case only. */
  | 'similar-name'
  /** The schema cannot be used at all. */
  | 'schema'
  /** The body cannot be that parameter. */
  | 'body'
  /** The name of a parameter cannot be written as `name=value`. */
  | 'param-name'
  /** A grammar takes a parameter of this name as JSON only. */
  | 'unusual-param-name'
  /** Another long text than the one that is the body. */
  | 'second-text'
  | 'many-params'
  | 'optional-first'
  /** All arguments are JSON, so texts must be escaped. */
  | 'json-only'
  /** A listed or suggested value that no header can carry. */
  | 'header-value'
  /** Parts of the schema that nobody checks. */
  | 'unchecked'
  | 'no-description';

export interface ToolLint {
  readonly code: ToolLintCode;
  /** The name of the tool, as it stands. */
  readonly tool: string;
  readonly param?: string;
  /** What is wrong and what to do instead. */
  readonly message: string;
}

const mostHeaderParams = 4;
/** Names under which tools take texts of many lines. */
const longTexts =
  /^(?:content|body|text|code|command|query|sql|patch|diff|input|script|prompt|message|html|markdown|source|document|stdin)s?$/i;
const longTextLength = 500;

/** All of it, tool by tool in their order. */
export function lintTools(tools: readonly ToolSpec[]): ToolLint[] {
  const seen = new Map<string, string>();
  return tools.flatMap((tool) => {
    const found: ToolLint[] = [];
    if (!isRecord(tool)) {
      const message = 'this is no tool; write an object with a name, a description and parameters';
      return [{ code: 'schema', tool: showValue(tool), message }];
    }
    const report: Report = (code, message, param) =>
      found.push({ code, tool: String(tool?.name), ...(param === undefined ? {} : { param }), message });
    lintName(tool, seen, report);
    const plan = planOf(tool, report);
    if (plan !== undefined) lintPlan(tool, plan, report);
    return found;
  });
}

type Report = (code: ToolLintCode, message: string, param?: string) => void;

function lintName({ name }: ToolSpec, seen: Map<string, string>, report: Report): void {
  const problem = problemOf(() => checkToolName(name));
  if (problem !== undefined) {
    const isReserved = typeof name === 'string' && reservedNames.includes(name.toLowerCase());
    report(isReserved ? 'reserved-name' : 'unusable-name', isReserved ? reserved(name) : `${problem}; rename it`);
    return;
  }
  if (name.toLowerCase() === 'result') report('reserved-name', reserved(name));
  else if (!toolName.test(name)) {
    report(
      'unusual-name',
      `the name ${showName(name)} is hard to copy for a model; use letters, digits, "-" and "_", and start with a letter`,
    );
  }
  const other = seen.get(name.toLowerCase());
  if (other === name) report('duplicate-name', `there is another tool ${showName(name)} before it; rename one of them`);
  else if (other !== undefined) {
    report('similar-name', `the name differs from ${showName(other)} by letter case only; rename one of them`);
  } else seen.set(name.toLowerCase(), name);
}

function reserved(name: string): string {
  return `the name ${showName(name)} is a word of the syntax itself; choose another, like "get-${name.replace(/\W/g, '')}"`;
}

/** The plan; where only the choice of the body is wrong, the plan without it. */
function planOf(tool: ToolSpec, report: Report): ToolPlan | undefined {
  // Its name was looked at already.
  const named = { ...tool, name: 'x' };
  const ways = [named, { ...named, body: null }];
  let first: string | undefined;
  for (const way of ways) {
    let plan: ToolPlan | undefined;
    const problem = problemOf(() => {
      plan = planTool(way);
    })?.replace('the tool "x": ', '');
    first ??= problem;
    if (plan === undefined) continue;
    if (first !== undefined) {
      report('body', `${first}; name a parameter that is a string, or leave "body" out`, String(tool.body));
    }
    return plan;
  }
  report('schema', first ?? 'it cannot be used');
  return undefined;
}

function lintPlan(tool: ToolSpec, plan: ToolPlan, report: Report): void {
  const { header, body } = plan;
  if ((tool.description ?? '').trim() === '') {
    report('no-description', 'there is no description; say in one sentence what it does and when to use it');
  }
  for (const param of body === undefined ? header : [...header, body]) lintParamName(param, report);
  const properties = new Map(schemasByName(plan.schema.properties));
  for (const param of header) lintText(param, properties.get(param.name), plan, report);
  if (header.length > mostHeaderParams) {
    const all = `${header.length} arguments stand in one line, and models lose count of more than ${mostHeaderParams}`;
    report('many-params', `${all}; take some out, or make several tools of it`);
  }
  const gap = header.findIndex(({ required }) => !required);
  const late = gap === -1 ? undefined : header.slice(gap).find(({ required }) => required);
  if (late !== undefined) {
    const optional = showName(header[gap]?.name ?? '');
    const what = `${showName(late.name)} is required but stands behind ${optional}, which is not, so it must be written by name`;
    report('optional-first', `${what} when that is left out; declare what is required first`, late.name);
  }
  if (isPropertyTable(plan.schema)) {
    const what = 'its parameters look like a table of properties, so it takes none';
    report('schema', `${what}; write { "type": "object", "properties": ... } around it`);
  } else if (plan.json) lintJson(plan, report);
  for (const [keyword, param] of uncheckedKeywords(plan.schema)) {
    const where = param === undefined ? '' : ` of ${showName(param)}`;
    report(
      'unchecked',
      `"${keyword}"${where} is not checked; say it in the description, and check it in the tool`,
      param,
    );
  }
  for (const note of plan.notes) report('unchecked', `${note}; write another, or check it in the tool`);
}

function lintParamName({ name }: ParamPlan, report: Report): void {
  if (name === '' || /[\s"'=[\]]/.test(name) || name.includes(EMOJI)) {
    const bad = 'is empty or has blanks, quotes, brackets, "=" or a marker in it, so it cannot be written by name';
    report('param-name', `the name ${showName(name)} ${bad}; use letters, digits, "-" and "_"`, name);
  } else if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    const bad =
      'has other characters than letters, digits, "-" and "_", so a grammar lets this tool be called with JSON only';
    report('unusual-param-name', `the name ${showName(name)} ${bad}; rename it if you use one`, name);
  }
}

function lintText(param: ParamPlan, property: unknown, plan: ToolPlan, report: Report): void {
  const { name, types, values } = param;
  if (!types.includes('string')) return;
  const schema = isRecord(property) ? property : {};
  const suggested = [...(values ?? []), ...schemasOf(schema.examples), schema.default];
  const bad = suggested.find((value) => typeof value === 'string' && (/[[\]\n]/.test(value) || value.includes(EMOJI)));
  if (bad !== undefined) {
    const what = `${showValue(bad)} is a value of ${showName(name)}, but a header cannot carry brackets or line breaks`;
    report('header-value', `${what}, so it needs JSON; make ${showName(name)} the body, or use other values`, name);
  }
  const isLong = typeof schema.maxLength === 'number' ? schema.maxLength > longTextLength : longTexts.test(name);
  if (values !== undefined || !(isLong || schema.contentMediaType !== undefined)) return;
  if (plan.body === undefined) {
    const how = param.required ? '' : ' and required';
    report(
      'second-text',
      `${showName(name)} looks like a long text; make it the body with body: ${JSON.stringify(name)}${how}`,
      name,
    );
  } else {
    const what = `${showName(name)} looks like a long text, but only one can be the body, and that is ${showName(plan.body.name)}`;
    report(
      'second-text',
      `${what}; it must stand in one line or the call in JSON: make two tools, or one text of both`,
      name,
    );
  }
}

/** Why all arguments are JSON, and what that costs. */
function lintJson({ schema }: ToolPlan, report: Report): void {
  const cost = 'so all arguments are one JSON object, with every quote and line break of a text escaped';
  const nested = schemasByName(schema.properties).filter(([, part]) => {
    const { types } = shapeOf(part, schema);
    return types.has('object') || types.has('array');
  });
  const names = nested.map(([name]) => showName(name)).join(', ');
  if (nested.length === 0) {
    report(
      'json-only',
      `it takes other properties than those it always has, ${cost}; declare them all, or make several tools`,
    );
  } else {
    const what = nested.length === 1 ? `${names} is no plain value` : `${names} are no plain values`;
    report('json-only', `${what}, ${cost}; make it a string if you can, like "a, b, c"`, nested[0]?.[0]);
  }
}

function problemOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
