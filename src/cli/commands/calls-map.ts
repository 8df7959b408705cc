/** `toolang calls map`: the arguments that calls mean, with all errors, one JSON line a call. */
import {
  type Call,
  type CallDiagnosticCode,
  createCall,
  type DiagnosticEvent,
  type FinishInfo,
  judgeCall,
  mapCall,
  parse,
  type ToolPlan,
} from '../../calls/index.ts';
import { checkInputs, type Line, readAll, readLines, readToolFile, textField } from '../call-input.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonLine } from '../json.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  checkInputs(args);
  if (args.texts.tools === undefined)
    throw new UsageError('calls map needs --tools FILE: what the arguments mean is in it');
  const file = await readToolFile(args.texts.tools, context);
  if (file === undefined) return exit.usage;
  const { plans } = file;
  const text = await readAll(args.positionals[0], context);
  if (text === undefined) return exit.usage;
  const finish: FinishInfo = { reason: args.switches.length === true ? 'length' : 'stop' };
  const { calls, diagnostics } = readCalls(text, plans, finish);
  let refused = 0;
  for (const call of calls) {
    const line = argumentsOf(call, plans, finish, diagnostics);
    if (!line.run) refused++;
    context.stdout.write(jsonLine(line));
  }
  return refused > 0 ? exit.usage : exit.done;
}

interface Read {
  readonly calls: readonly Call[];
  readonly diagnostics: readonly DiagnosticEvent[];
}

/** What `calls parse` printed, or a text as a model wrote it. */
function readCalls(text: string, plans: ReadonlyMap<string, ToolPlan>, finish: FinishInfo): Read {
  return isParsed(text) ? readParsed(text) : parse(text, { knownTools: plans, unknownCalls: true }, finish);
}

/** The first line is one of `calls parse`; no model starts an answer so. */
function isParsed(text: string): boolean {
  const first = /^\s*(\{.*)/.exec(text)?.[1];
  if (first === undefined) return false;
  try {
    const value: unknown = JSON.parse(first);
    if (typeof value !== 'object' || value === null) return false;
    const { type, tool_name: name, text: piece, hint } = value as Record<string, unknown>;
    if (isEvent(value)) return true;
    return typeof (type === 'text' ? piece : type === 'diagnostic' ? hint : name) === 'string';
  } catch {
    // Then it is a text that starts with a brace.
    return false;
  }
}

/** A line of `calls parse --stream`. */
function isEvent(value: object): boolean {
  const { type, start } = value as Record<string, unknown>;
  return typeof start === 'number' && ['text', 'call-start', 'body', 'call-end'].includes(String(type));
}

/**
 * The lines have no offsets, but an order: a diagnostic stands behind what it is about. So each line gets a place of its
 * own, and its diagnostics lie in it.
 */
function readParsed(text: string): Read {
  const calls: Call[] = [];
  const diagnostics: DiagnosticEvent[] = [];
  let place = { start: 0, end: 0 };
  for (const line of readLines(text)) {
    const { type = 'call' } = line.value;
    if (isEvent(line.value)) {
      const help = 'print whole calls: toolang calls parse, without --stream';
      throw new UsageError(`line ${line.number} is an event of calls parse --stream.`, help);
    }
    if (type === 'diagnostic') {
      const code = textField(line, 'code') as CallDiagnosticCode;
      diagnostics.push({ type: 'diagnostic', code, ...place, hint: textField(line, 'hint') });
      continue;
    }
    if (type !== 'text' && type !== 'call') {
      const help = 'write "text", "call" or "diagnostic", as calls parse does';
      throw new UsageError(`line ${line.number}: unknown type ${JSON.stringify(type)}.`, help);
    }
    place = { start: place.end, end: place.end + 1 };
    if (type === 'call') calls.push(callOf(line, calls.length, place));
  }
  return { calls, diagnostics };
}

function callOf(line: Line, index: number, place: { readonly start: number; readonly end: number }): Call {
  const complete = line.value.complete !== false;
  const toolName = textField(line, 'tool_name');
  const rawArgs = line.value.raw_args === undefined ? '' : textField(line, 'raw_args');
  const body = line.value.body === undefined ? '' : textField(line, 'body');
  const start = { index, toolName, rawArgs, start: place.start, inFence: false, lineStart: true };
  return createCall(start, body, { complete, reason: complete ? 'end' : 'unterminated', end: place.end });
}

interface ArgumentsLine {
  readonly run: boolean;
  readonly errors: readonly unknown[];
  readonly [field: string]: unknown;
}

function argumentsOf(
  call: Call,
  plans: ReadonlyMap<string, ToolPlan>,
  finish: FinishInfo,
  diagnostics: readonly DiagnosticEvent[],
): ArgumentsLine {
  const plan = plans.get(call.toolName);
  const mapped = plan === undefined ? { args: {}, errors: [] } : mapCall(call, plan);
  const verdict = judgeCall(call, plans, { finish, diagnostics });
  const line = { type: 'arguments', index: call.index, tool_name: call.toolName, run: verdict.run, args: mapped.args };
  if (verdict.run) return { ...line, errors: [] };
  // The same errors, but with the parameters that they are about.
  const ofArgs = call.complete ? mapped.errors : [];
  const said = new Set(ofArgs.map(({ message }) => message));
  const errors = [...verdict.problems.filter(({ message }) => !said.has(message)), ...ofArgs];
  const { usage, hints } = verdict;
  return { ...line, errors, ...(usage !== undefined && { usage }), ...(hints.length > 0 && { hints }) };
}
