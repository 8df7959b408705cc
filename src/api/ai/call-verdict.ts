/**
 * What becomes of a call at the end of its answer: it may run, or it is refused. A refused call goes to the SDK with an input
 * that is no JSON, which the SDK never runs, whatever the schema of the tool lets through: it makes a tool error of it, and
 * the conversation goes on. The words that say why are that input, and stay with the call for the history.
 */

import { type Call, type DiagnosticEvent, type FinishInfo, judgeCall, writeErrors } from '../../calls/index.ts';
import { noteData } from './call-note.ts';
import type { FinishReason, ToolCall } from './sdk.ts';
import type { Session } from './session.ts';

export interface ReadCall {
  readonly id: string;
  readonly call: Call;
  /** Those of the call, in their order. */
  readonly diagnostics: readonly DiagnosticEvent[];
}

export interface SettledCall {
  readonly part: ToolCall;
  readonly mayRun: boolean;
}

/**
 * Nothing for a call that must not be told of at all: that of an answer that broke off, because the conversation must not
 * go on after the error, and that of an answer which was to be without calls.
 */
export function settleCall(read: ReadCall, reason: FinishReason['unified'], session: Session): SettledCall | undefined {
  const { id, call } = read;
  const { toolName, rawArgs, body } = call;
  const { onDiagnostic } = session.options;
  const isBroken = reason === 'error' || reason === 'interrupted';
  if (isBroken || !session.mayCall) {
    const why = isBroken ? 'The answer broke off' : 'No tool may be called in this answer';
    const message = `${why}, so its call of ${JSON.stringify(toolName)} is left out.`;
    onDiagnostic?.({ code: 'dropped', message, toolName, toolCallId: id });
    return undefined;
  }
  const verdict = reason === 'content-filter' ? filtered : judge(read, reason, session);
  if (verdict.run) {
    const part: ToolCall = { type: 'tool-call', toolCallId: id, toolName, input: JSON.stringify(verdict.args) };
    return { part, mayRun: true };
  }
  const problem = writeErrors(verdict).trimEnd();
  onDiagnostic?.({ code: 'refused', message: problem, toolName, toolCallId: id });
  const providerMetadata = noteData({ toolName, rawArgs, body, problem });
  return { part: { type: 'tool-call', toolCallId: id, toolName, input: problem, providerMetadata }, mayRun: false };
}

const filtered = {
  run: false,
  problems: [
    {
      code: 'content-filter',
      message: 'a content filter stopped the message, so none of its calls ran; do without it',
    },
  ],
} as const;

function judge({ call, diagnostics }: ReadCall, reason: FinishReason['unified'], session: Session) {
  const finish: FinishInfo = { reason: reason === 'length' ? 'length' : reason === 'other' ? 'other' : 'stop' };
  return judgeCall(call, session.plans, { finish, diagnostics });
}
