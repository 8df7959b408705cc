/**
 * Reads the arguments of a header: by position in the order the parameters are declared, or `name=value` for one that has
 * no value yet. The only parameter of a header takes all of it if it may be a text. The parameter of the body may stand
 * here too, as `name=value`, if there is no body.
 */

import { closestNames } from './closest.ts';
import { coerce } from './coerce.ts';
import type { MapError } from './map-error.ts';
import type { ParamPlan, ToolPlan } from './plan.ts';
import { type ArgToken, isBlank, splitArgs, wholeValue } from './split-args.ts';
import { showName, showValue } from './value.ts';

export interface HeaderArgs {
  readonly values: ReadonlyMap<string, unknown>;
  /** The parameter of the body, where the header gave it a value. */
  readonly body: string | undefined;
  readonly errors: readonly MapError[];
  /** The parameters that an error is about already. */
  readonly failed: ReadonlySet<string>;
}

/** `raw` without white space at its ends; `noBody` if the body is blank. */
export function readHeader(raw: string, plan: ToolPlan, noBody: boolean): HeaderArgs {
  const values = new Map<string, unknown>();
  const errors: MapError[] = [];
  const failed = new Set<string>();
  let body: string | undefined;
  const bodyName = noBody ? plan.body?.name : undefined;

  function set(param: ParamPlan, { text, quoted, open }: Omit<ArgToken, 'name'>): void {
    if (open) {
      failed.add(param.name);
      errors.push(openQuote(text));
    }
    const { value, error } = coerce(text, quoted, param);
    values.set(param.name, value);
    if (error === undefined) return;
    failed.add(param.name);
    errors.push(error);
  }

  function setBody({ text, open }: Omit<ArgToken, 'name'>): void {
    if (open) errors.push(openQuote(text));
    body = text;
  }

  function readTokens(): void {
    const unset = new Map(plan.header.map((param) => [param.name, param]));
    const extra: ArgToken[] = [];
    const isName = (name: string) => unset.has(name) || (name === bodyName && body === undefined);
    for (const token of splitArgs(raw, isName)) {
      const [next] = unset.values();
      const param = token.name === undefined ? next : unset.get(token.name);
      if (token.name !== undefined && param === undefined) setBody(token);
      else if (param === undefined) extra.push(token);
      else {
        unset.delete(param.name);
        set(param, token);
      }
    }
    if (extra.length > 0) errors.push(tooMany(extra, plan, noBody));
  }

  /** All of the header, or what stands before `body=`, is the value of `only`. */
  function readWhole(only: ParamPlan | undefined): void {
    const named = bodyName === undefined || wholeValue(raw).quoted ? -1 : findName(raw, bodyName);
    if (named >= 0) setBody(wholeValue(raw.slice(named + (bodyName ?? '').length + 1).trim()));
    const rest = named < 0 ? raw : raw.slice(0, named).trim();
    if (rest === '' || only === undefined) return;
    set(only, wholeValue(rest.startsWith(`${only.name}=`) ? rest.slice(only.name.length + 1).trim() : rest));
  }

  const [only] = plan.header;
  const whole = plan.header.length === 1 && only?.types.includes('string');
  if (raw === '') return { values, body, errors, failed };
  if (whole || (only === undefined && bodyName !== undefined && findName(raw, bodyName) === 0)) readWhole(only);
  else readTokens();
  return { values, body, errors, failed };
}

/** Where `name=` starts a word. */
function findName(raw: string, name: string): number {
  const start = `${name}=`;
  let at = raw.indexOf(start);
  while (at > 0 && !isBlank(raw, at - 1)) at = raw.indexOf(start, at + 1);
  return at;
}

function openQuote(text: string): MapError {
  return {
    code: 'quote',
    message: `the quote that opens at ${showValue(text)} is not closed; close it, or send the arguments as a JSON body with @json`,
  };
}

function tooMany(extra: readonly ArgToken[], plan: ToolPlan, noBody: boolean): MapError {
  const [first] = extra;
  const text = first?.text ?? '';
  const name = text.slice(0, Math.max(0, text.indexOf('=')));
  const count = plan.header.length;
  const takes = count === 0 ? 'no values' : count === 1 ? 'one value' : `at most ${count} values`;
  const what = `the header takes ${takes}, and ${showValue(text)} is one too many`;
  let help = 'put a value with blanks in quotes';
  if (count === 0) help = noBody && plan.body ? `write ${showName(plan.body.name)} as the body` : 'leave it out';
  const names = [...plan.header, ...(plan.body ? [plan.body] : [])].map((param) => param.name);
  const [meant] = name === '' ? [] : closestNames(name, names);
  if (names.includes(name)) help = `${showName(name)} has a value already`;
  else if (meant !== undefined) help = `did you mean ${showName(meant)}?`;
  return { code: 'extra', message: `${what}; ${help}` };
}
