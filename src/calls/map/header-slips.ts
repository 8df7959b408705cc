/**
 * What models write in a header out of habit, and what is surely not meant as it stands: `path: a.txt`, `--path a.txt`,
 * values with commas between them, JSON. Only words without quotes are looked at: in quotes, everything is a value.
 */
import { readJsonObject } from './json-text.ts';
import type { MapError } from './map-error.ts';
import type { ToolPlan } from './plan.ts';
import { isBlank } from './split-args.ts';
import { JSON_ARGS } from './tool-name.ts';
import { showName, showValue } from './value.ts';

/** A header that is JSON, or wants to be; nothing else in it need be read then. */
export function jsonSlip(raw: string, plan: ToolPlan): MapError | undefined {
  const start = raw.slice(0, JSON_ARGS.length);
  const isAlone = raw.length === JSON_ARGS.length;
  if (start.toLowerCase() === JSON_ARGS && (isAlone || raw[start.length] === '{' || isBlank(raw, start.length))) {
    const message = `${JSON_ARGS} stands alone in the header, in small letters; the JSON object with all arguments goes in the body`;
    return { code: 'slip', message };
  }
  if (raw[0] !== '{' || !raw.endsWith('}')) return undefined;
  const { value, end, problem } = readJsonObject(raw, 0);
  const names = Object.keys(value);
  const { declared } = namesOf(plan);
  if (problem !== undefined || end < raw.length || names.length === 0) return undefined;
  if (!names.every((name) => declared.has(name))) return undefined;
  const message = `the header has the arguments as JSON; write ${JSON_ARGS} in the header instead, and the object in the body`;
  return { code: 'slip', message };
}

/**
 * A word that names a parameter, but not as `name=value`; or one in backticks. `before` is the word before it, `unset` says
 * which parameters have no value yet.
 */
export function wordSlip(
  word: string,
  before: string | undefined,
  plan: ToolPlan,
  unset: (name: string) => boolean,
): MapError | undefined {
  const { declared, listed } = namesOf(plan);
  if (listed.has(word)) return undefined;
  if (isTicked(word)) {
    const message = `${showValue(word)} is in backticks, which are no quotes here; use "quotes" or nothing`;
    return { code: 'slip', message };
  }
  if (word === '=' && before !== undefined && declared.has(before)) return notNamed(before, '=', plan);
  const dashes = word.startsWith('--') ? 2 : word.startsWith('-') ? 1 : 0;
  const equals = word.indexOf('=');
  const name = word.slice(dashes, equals < 0 ? word.length : equals);
  if (dashes > 0) {
    if (dashes === 1 && equals < 0) return undefined;
    const meant = sameName(name, plan);
    return meant === undefined ? undefined : notNamed(meant, word, plan);
  }
  if (equals < 0) {
    const meant = word.endsWith(':') ? sameName(word.slice(0, -1), plan) : undefined;
    return meant === undefined ? undefined : notNamed(meant, word, plan);
  }
  const meant = declared.has(name) ? undefined : sameName(name, plan, unset);
  if (meant === undefined) return undefined;
  const help = `did you mean ${meant}=...? Put it in quotes if it is a value`;
  return { code: 'slip', param: meant, message: `there is no parameter ${showName(name)}; ${help}` };
}

/** The same for a header that is one value: its first word counts, and what stands around all of it. */
export function wholeSlip(raw: string, plan: ToolPlan, unset: (name: string) => boolean): MapError | undefined {
  if (isListed(raw, plan)) return undefined;
  let end = 0;
  while (end < raw.length && !isBlank(raw, end)) end++;
  const first = raw.slice(0, end);
  if (isTicked(raw)) return wordSlip(raw, undefined, plan, unset);
  const rest = raw.slice(end, end + 20).trimStart();
  if (rest === '=' || (rest[0] === '=' && isBlank(rest, 1))) return wordSlip('=', first, plan, unset);
  return isTicked(first) ? undefined : wordSlip(first, undefined, plan, unset);
}

/** A comma between two values. */
export function commaSlip(word: string): MapError {
  const help =
    'values are separated by blanks alone; take the comma away, or put the value in quotes if it belongs to it';
  return { code: 'slip', message: `${showValue(word)} ends with a comma; ${help}` };
}

/** A quote and a comma inside of quotes: the value has swallowed what was meant as the next one. */
export function quoteComma(text: string): MapError {
  const help =
    'if these are two values, write a blank between them and no comma; if it is one, send the arguments as a JSON body with @json';
  return { code: 'slip', message: `a comma stands behind the quote in ${showValue(text)}; ${help}` };
}

function notNamed(meant: string, word: string, { body }: ToolPlan): MapError {
  const help =
    meant === body?.name
      ? `${showName(meant)} is the body: write it on the lines behind the header`
      : `write ${meant}=value, without blanks around the "="`;
  const message = `${showValue(word)} does not name a parameter here; ${help}. Put it in quotes if it is a value`;
  return { code: 'slip', param: meant, message };
}

/** Whether a parameter of the header lists it as one of its values. */
export function isListed(word: string, plan: ToolPlan): boolean {
  return namesOf(plan).listed.has(word);
}

interface Names {
  readonly declared: ReadonlySet<string>;
  readonly listed: ReadonlySet<unknown>;
  /** The names by what they are without letter case, `-` and `_`. */
  readonly alike: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<ToolPlan, Names>();

function namesOf(plan: ToolPlan): Names {
  const before = known.get(plan);
  if (before !== undefined) return before;
  const { header, body } = plan;
  const names = [...header, ...(body === undefined ? [] : [body])].map(({ name }) => name);
  const alike = new Map<string, string[]>();
  for (const name of names) alike.set(bare(name), [...(alike.get(bare(name)) ?? []), name]);
  const found = { declared: new Set(names), listed: new Set(header.flatMap(({ values = [] }) => values)), alike };
  known.set(plan, found);
  return found;
}

/** The one that is the same but for letter case, `-` and `_`: `maxLength` for `max_length`. */
function sameName(word: string, plan: ToolPlan, may: (name: string) => boolean = () => true): string | undefined {
  const { declared, alike } = namesOf(plan);
  if (declared.has(word) && may(word)) return word;
  const wanted = bare(word);
  return wanted === '' ? undefined : alike.get(wanted)?.find(may);
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll('_', '').replaceAll('-', '');
}

function isTicked(text: string): boolean {
  return text.length > 2 && text[0] === '`' && text.indexOf('`', 1) === text.length - 1;
}
