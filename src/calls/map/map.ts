/** From a call to the arguments of its tool: everything that is wrong at once, and never an exception. */
import { unescapeBody } from '../write/escape.ts';
import { readHeader } from './header-args.ts';
import { readJsonBody } from './json-body.ts';
import type { MapError } from './map-error.ts';
import type { ToolPlan } from './plan.ts';
import { JSON_ARGS } from './tool-name.ts';
import { validate } from './validate.ts';
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

export function mapCall(call: RawCall, plan: ToolPlan): MappedCall {
  const { args, errors, failed, fromBody } = readArgs(call, plan);
  const said = new Set(failed);
  const invalid = validate(args, plan.schema, fromBody).filter(({ param }) => !said.has(param?.split('/')[0] ?? ''));
  return { args, errors: [...errors, ...invalid.map((error) => withPosition(error, plan, args))] };
}

interface ReadArgs extends MappedCall {
  /** The parameters that an error is about already. */
  readonly failed: Iterable<string>;
  /** The parameter whose value is the body. */
  readonly fromBody: string | undefined;
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
  if (param === undefined) {
    if (!noBody)
      errors.push({ code: 'body', message: 'this tool takes no body; write the end marker right behind the header' });
  } else if (header.body !== undefined) setOwn(args, param.name, header.body);
  else if (body !== '' || param.required) setOwn(args, param.name, body);
  return { args, errors, failed: header.failed, fromBody: param?.name };
}

function readJson(raw: string, body: string): ReadArgs {
  const { value, errors } = readJsonBody(body);
  const all = [...errors];
  if (raw !== '' && raw !== JSON_ARGS) {
    const message = `all arguments of this tool are one JSON object in the body; take ${showValue(raw)} out of the header`;
    all.unshift({ code: 'extra', message });
  }
  return { args: value, errors: all, failed: [], fromBody: undefined };
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
