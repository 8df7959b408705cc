/**
 * What becomes of a call at the end of its answer: it may run, or it is refused. A refused call goes to the SDK with an input
 * that is no JSON, which the SDK never runs, whatever the schema of the tool lets through: it makes a tool error of it, and
 * the conversation goes on. The words that say why are that input, and stay with the call for the history.
 */

import {
  type Call,
  type DiagnosticEvent,
  type FinishInfo,
  judgeCall,
  type Verdict,
  writeErrors,
} from '../../calls/index.ts';
import { noteData } from './call-note.ts';
import type { FinishReason, ProviderData, ToolCall } from './sdk.ts';
import type { Session } from './session.ts';

export interface ReadCall {
  readonly id: string;
  readonly call: Call;
  /** Those of the call, in their order. */
  readonly diagnostics: readonly DiagnosticEvent[];
  /** A call up to here was interrupted, and another begins in its body: it may have swallowed that one, or a made-up result. */
  readonly isDoubtful: boolean;
  /** What the provider keeps with it. */
  readonly data?: ProviderData;
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
  const { id, call, data } = read;
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
    const input = JSON.stringify(verdict.args);
    const kept = data && { providerMetadata: data };
    return { part: { type: 'tool-call', toolCallId: id, toolName, input, ...kept }, mayRun: true };
  }
  const problem = writeErrors(verdict).trimEnd();
  onDiagnostic?.({ code: 'refused', message: problem, toolName, toolCallId: id });
  const providerMetadata = { ...data, ...noteData({ toolName, rawArgs, body, problem }) };
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
  hints: [],
} as const satisfies Verdict;

function judge(
  { call, diagnostics, isDoubtful }: ReadCall,
  reason: FinishReason['unified'],
  session: Session,
): Verdict {
  const { only, plans } = session;
  if (only !== undefined && call.toolName !== only && plans.has(call.toolName)) return excluded(only);
  if (isDoubtful && call.complete) return swallowed;
  const finish: FinishInfo = { reason: reason === 'length' ? 'length' : reason === 'other' ? 'other' : 'stop' };
  return judgeCall(call, plans, { finish, diagnostics });
}

const swallowed: Verdict = {
  run: false,
  problems: [
    {
      code: 'unterminated',
      message:
        'reasoning interrupted a call of this message, and another starts in its body behind that, so neither they nor those that follow ran; write each again, whole, with the end marker behind its body',
    },
  ],
  hints: [],
};

function excluded(only: string): Verdict {
  const message = `this message must call ${JSON.stringify(only)} and no other tool, so the call did not run`;
  return { run: false, problems: [{ code: 'tool-choice', message }], hints: [] };
}
