/**
 * What is kept with a call that did not run: what the model wrote, and what it is told about it. The SDK carries this
 * through its messages and gives it back with the history, also by way of a browser; there it may have been changed, so it
 * is read with care.
 */
import { mapCall, type ToolPlan } from '../../calls/index.ts';
import type { ProviderData, ToolCallPart, ToolResultPart } from './sdk.ts';

export type CallNote = {
  readonly toolName: string;
  readonly rawArgs: string;
  readonly body: string;
  /** Why it did not run, and what to write instead. */
  readonly problem: string;
};

const key = 'toolang';

/** As the SDK keeps it. */
export function noteData(note: CallNote): { [key]: { refused: CallNote } } {
  return { [key]: { refused: { ...note } } };
}

/** What others keep with a call. */
export function foreignData(data: ProviderData | undefined): ProviderData | undefined {
  const { [key]: _ours, ...others } = data ?? {};
  return Object.keys(others).length === 0 ? undefined : others;
}

/** The note of a call, if it did not run. A call that the application mended, and that then ran, is like any other. */
export function readNote(
  call: ToolCallPart,
  result: ToolResultPart | undefined,
  plan: ToolPlan | undefined,
): CallNote | undefined {
  const note = asNote(call.providerOptions?.[key]?.refused);
  if (note === undefined || note.toolName !== call.toolName) return undefined;
  const { output } = result ?? {};
  if (output !== undefined && output.type !== 'error-text') return undefined;
  // The SDK puts an empty object in the place of an input that is no JSON; a browser gives it back as it was.
  if (call.input === note.problem) return note;
  if (!isEmpty(call.input)) return undefined;
  // A tool that needs no arguments may have been run with none, and failed; the SDK's words about an input have it in them.
  const mayHaveRun =
    plan !== undefined && mapCall({ toolName: note.toolName, rawArgs: '@json', body: '{}' }, plan).errors.length === 0;
  return output !== undefined && mayHaveRun && !output.value.includes(note.problem) ? undefined : note;
}

function asNote(value: unknown): CallNote | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { toolName, rawArgs, body, problem } = value as Record<string, unknown>;
  if (typeof toolName !== 'string' || typeof rawArgs !== 'string') return undefined;
  if (typeof body !== 'string' || typeof problem !== 'string') return undefined;
  return { toolName, rawArgs, body, problem };
}

function isEmpty(input: unknown): boolean {
  return input === undefined || (typeof input === 'object' && input !== null && Object.keys(input).length === 0);
}
