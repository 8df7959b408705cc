/**
 * Writes calls, exactly: what is written reads back as what was given. And what goes back to the model: results, and what
 * was wrong with a call.
 */
import { coerce } from '../map/coerce.ts';
import { mapCall, type RawCall, readArgs } from '../map/map.ts';
import type { ParamPlan, ToolPlan } from '../map/plan.ts';
import { checkToolName, headerProblem, JSON_ARGS, maxHeader } from '../map/tool-name.ts';
import { checkJson, isRecord, sameValue } from '../map/value.ts';
import { END, RESULT, START } from '../marker.ts';
import { escapeBody, hasEndMarker } from './escape.ts';

/** The most units of a name that a result carries. */
const mostNamed = 256;
/** Half of a character; a JSON body writes it as an escape, which every encoding keeps. */
const loneHalf = /\p{Surrogate}/u;
/** What is better not on the line of a header. */
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/**
 * A call with these arguments: in the header and the body where they can stand there, else as a JSON body. -0 becomes 0,
 * and a property that is `undefined` is left out, as JSON has it. Throws a TypeError for what is no JSON.
 */
export function writeCall(args: Readonly<Record<string, unknown>>, plan: ToolPlan): string {
  if (!isRecord(args)) throw new TypeError('the arguments of a call must be an object');
  checkJson(args);
  const plain = plan.json ? undefined : plainCall(args, plan);
  if (plain !== undefined) return block(plain);
  const body = `${escapeBody(JSON.stringify(args))}\n`;
  return block({ toolName: plan.name, rawArgs: plan.json ? '' : JSON_ARGS, body });
}

/** A call of these parts as they stand. Throws a TypeError for what the syntax cannot carry. */
export function writeRawCall({ toolName, rawArgs, body }: RawCall): string {
  checkToolName(toolName);
  const problem = headerProblem(rawArgs);
  if (problem !== undefined) throw new TypeError(`the arguments of a header must not have ${problem}`);
  if (rawArgs !== rawArgs.trim()) {
    throw new TypeError('the arguments of a header must not have white space at their ends, where it is not kept');
  }
  if (headerOf(toolName, rawArgs).length > maxHeader) {
    throw new TypeError(`a header must not be longer than ${maxHeader} units; put long values in the body`);
  }
  if (hasEndMarker(body)) {
    throw new TypeError('the body must not have an end marker in it; write it with escapeBody');
  }
  return block({ toolName, rawArgs, body });
}

export interface ToolResult {
  /** The index of the call in its message. */
  readonly index: number;
  readonly tool: string;
  readonly ok: boolean;
  readonly content: string;
}

/**
 * A result for the model. Between the line of the header and the end marker stands the content and nothing else, as in the
 * body of a call: no line break is put before the end marker, so `unescapeBody` gives back exactly the content. Whatever
 * name a model gave a call can be answered: one that no header carries well is cut.
 */
export function writeResult({ index, tool, ok, content }: ToolResult): string {
  if (!Number.isSafeInteger(index) || index < 0) throw new TypeError('the index of a result must be 0, 1, 2 or so on');
  const name = shortName(tool);
  checkToolName(name);
  return block({ toolName: RESULT, rawArgs: `${index} ${name} ${ok ? 'ok' : 'error'}`, body: escapeBody(content) });
}

export interface Problem {
  readonly code: string;
  /** On one line, and without the body or long values. */
  readonly message: string;
}

export interface ErrorReport {
  readonly problems: readonly Problem[];
  /** How the tool is called. */
  readonly usage?: string | undefined;
  /** What the diagnostics in the call say. */
  readonly hints?: readonly string[] | undefined;
}

/** The marker itself would be escaped on its way, and be copied so. */
const endInWords = `${START.slice(0, -1)} directly followed by "[/end]"`;

/** The content of a result that says why a call did not run: a line for each problem, then how to write it. */
export function writeErrors({ problems, usage, hints = [] }: ErrorReport): string {
  const lines = problems.map(({ code, message }) => `${code}: ${message}`);
  if (usage !== undefined) lines.push(`usage: ${usage}`);
  for (const hint of new Set(hints)) lines.push(`hint: ${hint.replaceAll(END, endInWords)}`);
  return lines.map((line) => `${line.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
}

/** A name as a result carries it: not too long, and without the start of a call. */
function shortName(name: string): string {
  const plain = typeof name === 'string' ? name.replaceAll(/(\ud83d\udee0[\ufe0e\ufe0f]?)\[/g, '$1(') : name;
  if (typeof plain !== 'string' || plain.length <= mostNamed) return plain;
  return `${plain.slice(0, mostNamed).replace(/[\ud800-\udbff]$/, '')}...`;
}

function headerOf(toolName: string, rawArgs: string): string {
  return rawArgs === '' ? toolName : `${toolName} ${rawArgs}`;
}

function block({ toolName, rawArgs, body }: RawCall): string {
  return `${START}${headerOf(toolName, rawArgs)}]\n${body}${END}`;
}

/** The call with its arguments in header and body, if they can stand there and are read back as they are. */
function plainCall(args: Readonly<Record<string, unknown>>, plan: ToolPlan): RawCall | undefined {
  const names = Object.keys(args).filter((name) => args[name] !== undefined);
  const given = new Map(names.map((name) => [name, args[name]]));
  const value = plan.body && given.get(plan.body.name);
  if (value !== undefined && (typeof value !== 'string' || loneHalf.test(value))) return undefined;
  const wanted = Object.fromEntries(given);
  // What would be taken for something else without quotes is perhaps read as it is in quotes.
  for (const quoteAll of [false, true]) {
    const rawArgs = headerArgs(given, plan, quoteAll);
    if (rawArgs === undefined || headerOf(plan.name, rawArgs).length > maxHeader) continue;
    const call = { toolName: plan.name, rawArgs, body: escapeBody(value ?? '') };
    const read = readArgs(call, plan);
    if (read.errors.length > 0 || !sameValue(read.args, wanted)) continue;
    // A last line break in the body may be taken away.
    if (!value?.endsWith('\n') || sameValue(mapCall(call, plan).args, wanted)) return call;
  }
  return undefined;
}

function headerArgs(given: ReadonlyMap<string, unknown>, plan: ToolPlan, quoteAll: boolean): string | undefined {
  const [only] = plan.header;
  const whole = plan.header.length === 1 && only?.types.includes('string');
  const words: string[] = [];
  let gap = false;
  for (const param of plan.header) {
    const value = given.get(param.name);
    if (value === undefined) {
      gap = true;
      continue;
    }
    const word = wordOf(value, param, whole === true, plan, quoteAll);
    words.push(gap ? `${param.name}=${word}` : word);
  }
  const raw = words.join(' ');
  if (headerProblem(raw) !== undefined || control.test(raw) || loneHalf.test(raw)) return undefined;
  // What looks as if "]" had cut it off is safer as JSON.
  return raw.includes('[') || raw.endsWith('\\') || raw.split('"').length % 2 === 0 ? undefined : raw;
}

/** A value as a word of a header; in quotes where it would be read as something else. */
function wordOf(value: unknown, param: ParamPlan, whole: boolean, plan: ToolPlan, quoteAll: boolean): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const quoted =
    quoteAll ||
    value === '' ||
    value === JSON_ARGS ||
    value.startsWith('"') ||
    value.startsWith("'") ||
    value.endsWith('\\') ||
    (whole ? value !== value.trim() : /\s/.test(value)) ||
    looksNamed(value, plan) ||
    coerce(value, false, param).value !== value;
  if (!quoted) return value;
  const quote = value.includes('"') ? "'" : '"';
  return `${quote}${value}${quote}`;
}

/** Whether a `name=` of the tool stands in it. */
function looksNamed(value: string, plan: ToolPlan): boolean {
  if (!value.includes('=')) return false;
  return [...plan.header, ...(plan.body ? [plan.body] : [])].some(({ name }) => value.includes(`${name}=`));
}
