/** A call that is being written: its arguments are told as they come. */

import {
  type BodyEvent,
  type CallEndEvent,
  type CallStartEvent,
  createCollector,
  type DiagnosticEvent,
  partialArgs,
} from '../../calls/index.ts';
import { newCallId } from './call-id.ts';
import type { ReadCall } from './call-verdict.ts';
import type { Part, ProviderData, ToolInputDelta, ToolInputEnd, ToolInputStart } from './sdk.ts';
import type { Session } from './session.ts';

export interface OpenCall {
  readonly body: (event: BodyEvent) => void;
  readonly end: (event: CallEndEvent) => void;
  /** What may explain what is wrong with it. */
  readonly diagnostic: (event: DiagnosticEvent) => void;
  /** What the provider keeps with the text, if there is nothing else to keep it with. */
  readonly keep: (data: ProviderData) => void;
  /** Another call begins in its body, where it was interrupted before. */
  readonly doubt: () => void;
  /** The whole call, when it has ended. */
  readonly call: () => ReadCall;
}

export function openCall(session: Session, tell: (part: Part) => void, start: CallStartEvent): OpenCall {
  const id = session.options.generateId?.() ?? newCallId();
  const plan = session.plans.get(start.toolName);
  const args = plan && partialArgs(plan);
  const collector = createCollector();
  const diagnostics: DiagnosticEvent[] = [];
  let data: ProviderData | undefined;
  let isDoubtful = false;
  collector.add(start);
  const first: ToolInputStart = { type: 'tool-input-start', id, toolName: start.toolName };
  tell(first);
  tellArgs(args?.start(start.rawArgs));

  return {
    body(event) {
      collector.add(event);
      tellArgs(args?.body(event.text));
    },
    end(event) {
      collector.add(event);
      if (event.complete) tellArgs(args?.end());
      const last: ToolInputEnd = { type: 'tool-input-end', id };
      tell(last);
    },
    diagnostic(event) {
      if (event.start >= start.start) diagnostics.push(event);
    },
    keep(given) {
      data = given;
    },
    doubt() {
      isDoubtful = true;
    },
    call() {
      const [call] = collector.result().calls;
      if (call === undefined) throw new Error('a call was asked for before it ended');
      // They are told as soon as they are certain, so their order depends on the pieces.
      const sorted = diagnostics.toSorted((a, b) => a.start - b.start || compare(a.code, b.code));
      return { id, call, diagnostics: sorted, isDoubtful, ...(data && { data }) };
    },
  };

  function tellArgs(delta: string | undefined): void {
    if (delta === undefined || delta === '') return;
    const part: ToolInputDelta = { type: 'tool-input-delta', id, delta };
    tell(part);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
