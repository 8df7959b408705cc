/**
 * Reads the arguments of a header: by position in the order the parameters are declared, or `name=value` for one that has
 * no value yet. The only parameter of a header takes all of it if it may be a text. The parameter of the body may stand
 * here too, as `name=value`, if there is no body. What is surely not meant as it stands is an error, and then the only one:
 * the values are wrong because of it.
 */

import { closestNames } from './closest.ts';
import { coerce } from './coerce.ts';
import { commaSlip, isListed, jsonSlip, quoteComma, wholeSlip, wordSlip } from './header-slips.ts';
import type { MapError } from './map-error.ts';
import type { ParamPlan, ToolPlan } from './plan.ts';
import { type ArgToken, closingQuote, isBlank, splitArgs, wholeValue } from './split-args.ts';
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
  const slips: MapError[] = [];
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
    /** The word before, if it has no quotes. */
    let before: string | undefined;
    let hasCommas = false;
    for (const token of splitArgs(raw, isName)) {
      if (before?.endsWith(',') && !hasCommas && plan.header.length > 1 && !isListed(before, plan)) {
        hasCommas = true;
        slips.push(commaSlip(before));
      }
      if (token.hasComma && !hasCommas) {
        hasCommas = true;
        slips.push(quoteComma(token.text));
      }
      const isBare = !token.quoted && !token.open;
      const slip = isBare ? wordSlip(token.text, before, plan, isName) : undefined;
      before = isBare ? token.text : undefined;
      if (slip !== undefined && (token.name === undefined || slip.param === undefined)) {
        slips.push(slip);
        continue;
      }
      const [next] = unset.values();
      const param = token.name === undefined ? next : unset.get(token.name);
      if (token.name !== undefined && param === undefined) setBody(token);
      else if (param === undefined) extra.push(token);
      else {
        unset.delete(param.name);
        set(param, token);
      }
    }
    if (extra.length > 0) errors.push(tooMany(extra, plan, noBody && body === undefined));
  }

  /** All of the header, or what stands before `body=`, is the value of `only`. */
  function readWhole(only: ParamPlan | undefined): void {
    const isName = (name: string) => name === only?.name || name === bodyName;
    const slip = wholeValue(raw).quoted ? undefined : wholeSlip(raw, plan, isName);
    if (slip !== undefined) slips.push(slip);
    const named = bodyName === undefined || wholeValue(raw).quoted ? -1 : findName(raw, bodyName);
    if (named >= 0) setBody(wholeValue(raw.slice(named + (bodyName ?? '').length + 1).trim()));
    const rest = named < 0 ? raw : raw.slice(0, named).trim();
    if (rest === '' || only === undefined) return;
    const isNamed = rest.startsWith(`${only.name}=`);
    const value = isNamed ? rest.slice(only.name.length + 1).trim() : rest;
    if (wholeValue(value).hasComma) slips.push(quoteComma(wholeValue(value).text));
    if (!isNamed) set(only, wholeValue(rest));
    else {
      set(only, wholeValue(value));
      const close = value[0] === '"' || value[0] === "'" ? closingQuote(value, 0) : undefined;
      if (close === undefined || close === value.length - 1) return;
      failed.add(only.name);
      errors.push(behindQuotes(value.slice(close + 1).trim(), only.name));
    }
  }

  /** Whatever the rest of the header would be wrong for is the same mistake. */
  function slipped(): HeaderArgs {
    const names = [...plan.header.map(({ name }) => name), ...(bodyName === undefined ? [] : [bodyName]), ''];
    return {
      values,
      body,
      errors: [...slips, ...errors.filter(({ code }) => code === 'quote')],
      failed: new Set(names),
    };
  }

  const [only] = plan.header;
  const whole = plan.header.length === 1 && only?.types.includes('string');
  if (raw === '') return { values, body, errors, failed };
  const json = isListed(raw, plan) ? undefined : jsonSlip(raw, plan);
  if (json !== undefined) {
    slips.push(json);
    return slipped();
  }
  if (whole || (only === undefined && bodyName !== undefined && findName(raw, bodyName) === 0)) readWhole(only);
  else readTokens();
  return slips.length > 0 ? slipped() : { values, body, errors, failed };
}

/** Where `name=` starts a word. */
function findName(raw: string, name: string): number {
  const start = `${name}=`;
  let at = raw.indexOf(start);
  while (at > 0 && !isBlank(raw, at - 1)) at = raw.indexOf(start, at + 1);
  return at;
}

function openQuote(text: string): MapError {
  const behind = /^"[^"]*"([,:;)}])/.exec(text)?.[1];
  if (behind !== undefined) {
    const message = `"${behind}" stands right behind the quote that closes ${showValue(text)}; write blanks between values, and nothing else`;
    return { code: 'quote', message };
  }
  return {
    code: 'quote',
    message: `the quote that opens at ${showValue(text)} is not closed; close it, or send the arguments as a JSON body with @json`,
  };
}

function behindQuotes(text: string, name: string): MapError {
  const help = `close the quotes behind it if it belongs to ${showName(name)}, else leave it out`;
  return {
    code: 'extra',
    message: `the header takes one value, and ${showValue(text)} behind the quotes is too much; ${help}`,
  };
}

/** What to do with a value that a header has no place for, while the body is empty. */
export function belongsInBody(name: string): string {
  return `${showName(name)} is the body: write it on the lines behind the header, and then the end marker`;
}

function tooMany(extra: readonly ArgToken[], plan: ToolPlan, noBody: boolean): MapError {
  const [first] = extra;
  const text = first?.text ?? '';
  const name = text.slice(0, Math.max(0, text.indexOf('=')));
  const count = plan.header.length;
  const takes = count === 0 ? 'no values' : count === 1 ? 'one value' : `at most ${count} values`;
  const what = `the header takes ${takes}, and ${showValue(text)} is one too many`;
  let help = 'put a value with blanks in quotes';
  if (count === 0) help = 'leave it out';
  if (noBody && plan.body && (plan.body.required || count === 0)) help = belongsInBody(plan.body.name);
  const names = [...plan.header, ...(plan.body ? [plan.body] : [])].map((param) => param.name);
  const [meant] = name === '' ? [] : closestNames(name, names);
  if (names.includes(name)) help = `${showName(name)} has a value already`;
  else if (meant !== undefined) help = `did you mean ${showName(meant)}?`;
  return { code: 'extra', message: `${what}; ${help}` };
}
