/** A call of the history as text. */

import { END, escapeBody, neutralize, START, type ToolPlan, writeCall, writeRawCall } from '../../calls/index.ts';
import type { CallNote } from './call-note.ts';
import type { ToolCallPart } from './sdk.ts';

/** The call as the model wrote it, if it did not run; else as it is best written. */
export function callText(
  { toolName, input }: ToolCallPart,
  note: CallNote | undefined,
  plans: ReadonlyMap<string, ToolPlan>,
): string {
  if (note !== undefined) return noteText(note);
  const plan = plans.get(toolName);
  const text = plan && isArguments(input) ? attempt(() => writeCall(input, plan)) : undefined;
  if (text !== undefined) return text;
  // A tool that is not offered now, or arguments that the schema made something else of.
  const json = JSON.stringify(input) ?? '{}';
  return `${START}${callName(toolName)} @json]\n${escapeBody(json)}\n${END}`;
}

/** A name that a header can carry; other models may have called tools of any name. */
export function callName(toolName: string): string {
  const name = toolName.replace(/[\s\]\u{1f6e0}]+/gu, '_');
  return name === '' || name === 'result' || name.toLowerCase() === '/end' ? `_${name}` : name;
}

/** A call that broke off gets an end, so that it does not swallow what follows; the result says that it had none. */
function noteText({ toolName, rawArgs, body }: CallNote): string {
  const last = body === '' || body.endsWith('\n') ? '' : '\n';
  const written = attempt(() => writeRawCall({ toolName, rawArgs, body: `${body}${last}` }));
  // Not what the model wrote: somebody changed it on its way.
  return written ?? `${START}${callName(toolName)}]\n${neutralize(body)}${last}${END}`;
}

function isArguments(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** `undefined` for what cannot be written so. */
function attempt(write: () => string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
