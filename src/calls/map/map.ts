/** From a call to the arguments of its tool: everything that is wrong at once, and never an exception. */
import { unescapeBody } from '../write/escape.ts';
import { isLimitedBody, lastBreak } from './body-break.ts';
import { belongsInBody, readHeader } from './header-args.ts';
import { readJsonBody } from './json-body.ts';
import type { MapError } from './map-error.ts';
import type { ToolPlan } from './plan.ts';
import { JSON_ARGS } from './tool-name.ts';
import { type FromBody, validate } from './validate.ts';
import { setOwn, showName, showValue } from './value.ts';

/** What of a call is looked at. */
export interface RawCall {
  readonly toolName: string;
  readonly rawArgs: string;
  /** As it stands, with its escapes. */
  readonly body: string;
}

export interface MappedCall {
  /** Header parameters in the order they are declared, then the body. Values that do not fit are as they were written. */
  readonly args: Record<string, unknown>;
  /** Only without errors may the call run. */
  readonly errors: readonly MapError[];
}

/** Where the body fits only without its last line break, it is taken without. */
export function mapCall(call: RawCall, plan: ToolPlan): MappedCall {
  const read = readArgs(call, plan);
  const { args, errors } = checkBreak(read, plan);
  return { args, errors: [...read.errors, ...errors.map((error) => withHelp(error, read, plan))] };
}

interface ReadArgs extends MappedCall {
  /** The parameters that an error is about already; '' for all that is about none. */
  readonly failed: ReadonlySet<string>;
  readonly fromBody: FromBody;
  /** The body, where it is the value of a parameter. */
  readonly text?: string;
  /** There is no body, although a parameter needs one. */
  readonly lacksBody?: boolean;
}

/** The arguments before they are checked against the schema. */
export function readArgs({ rawArgs, body: escaped }: RawCall, plan: ToolPlan): ReadArgs {
  const raw = rawArgs.trim();
  const body = unescapeBody(escaped);
  if (plan.json || raw === JSON_ARGS) return readJson(raw, body);
  const noBody = body.trim() === '';
  const header = readHeader(raw, plan, noBody);
  const errors = [...header.errors];
  const args: Record<string, unknown> = {};
  for (const { name } of plan.header) if (header.values.has(name)) setOwn(args, name, header.values.get(name));
  const { body: param } = plan;
  if (raw === '' && param !== undefined && isArguments(body, param.name, plan)) errors.push(jsonBody);
  const { failed } = header;
  if (param === undefined) {
    if (!noBody) errors.push({ code: 'body', message: noBodyMessage(body) });
    return { args, errors, failed, fromBody: undefined };
  }
  const fromBody = { param: param.name };
  if (header.body !== undefined) {
    setOwn(args, param.name, header.body);
    return { args, errors, failed, fromBody };
  }
  if (body !== '' || param.required) setOwn(args, param.name, body);
  return { args, errors, failed, fromBody, text: body, lacksBody: noBody && param.required };
}

/** A JSON object of the tool's own parameters where the value of one is expected; models know calls as JSON. */
function isArguments(body: string, param: string, plan: ToolPlan): boolean {
  const text = body.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return false;
  const { value, errors } = readJsonBody(text);
  const declared = new Set([param, ...plan.header.map(({ name }) => name)]);
  return errors.length === 0 && Object.hasOwn(value, param) && Object.keys(value).every((name) => declared.has(name));
}

const jsonBody: MapError = {
  code: 'slip',
  message: `the body has the arguments as JSON; write ${JSON_ARGS} in the header, or only the text of the body`,
};

function noBodyMessage(body: string): string {
  const isJson = body.trimStart().startsWith('{');
  const help = isJson ? `; to send the arguments as JSON, write ${JSON_ARGS} in the header` : '';
  return `this tool takes no body; write the end marker right behind the header${help}`;
}

function readJson(raw: string, body: string): ReadArgs {
  const { value, errors } = readJsonBody(body);
  const all = [...errors];
  if (raw !== '' && raw !== JSON_ARGS) {
    const message = `all arguments of this tool are one JSON object in the body; take ${showValue(raw)} out of the header`;
    all.unshift({ code: 'extra', message });
  }
  return { args: value, errors: all, failed: new Set(), fromBody: 'all' };
}

/** The errors by the schema, and the arguments with the body as it fits. */
function checkBreak({ args, failed, fromBody, text = '' }: ReadArgs, plan: ToolPlan): MappedCall {
  const errorsOf = (all: Record<string, unknown>) =>
    validate(all, plan.schema, fromBody).filter(({ param }) => !failed.has(param?.split('/')[0] ?? ''));
  const errors = errorsOf(args);
  const line = lastBreak(text);
  const name = plan.body?.name;
  const isWrong = (all: readonly MapError[]) => all.some(({ param }) => param === name);
  if (line === '' || name === undefined || !isWrong(errors) || !isLimitedBody(plan)) return { args, errors };
  const shorter = { ...args };
  setOwn(shorter, name, text.slice(0, -line.length));
  const left = errorsOf(shorter);
  return isWrong(left) ? { args, errors } : { args: shorter, errors: left };
}

function withHelp(error: MapError, { args, errors, lacksBody }: ReadArgs, plan: ToolPlan): MapError {
  const [first] = plan.header;
  // A value that does not fit the first parameter, and no body: it was to be the body.
  if (lacksBody && plan.body && error.code === 'type' && error.param === first?.name && errors.length === 0) {
    return { ...error, message: `${error.message}; ${belongsInBody(plan.body.name)}` };
  }
  return withPosition(error, plan, args);
}

/** Where a missing parameter stands behind optional ones, it helps to know its name can be written. */
function withPosition(error: MapError, plan: ToolPlan, args: Readonly<Record<string, unknown>>): MapError {
  if (error.code !== 'missing' || plan.json) return error;
  const place = plan.header.findIndex(({ name }) => name === error.param);
  const taken = plan.header
    .slice(0, Math.max(0, place))
    .find(({ name, required }) => !required && Object.hasOwn(args, name));
  if (taken === undefined || /[\s=]/.test(error.param ?? '')) return error;
  const help = `the value before it went to ${showName(taken.name)}; write ${error.param}=...`;
  return { ...error, message: `${error.message}; ${help}` };
}
