/** A call as a whole, for who does not need it in pieces. */
import type { CallEndEvent, CallStartEvent, EndReason } from './event.ts';

export interface Call {
  readonly type: 'call';
  readonly index: number;
  readonly toolName: string;
  readonly rawArgs: string;
  /** As it stands, with its escapes; `unescapeBody` takes them away, and `mapCall` does so by itself. */
  readonly body: string;
  /** Only a complete call may run. */
  readonly complete: boolean;
  readonly reason: EndReason;
  readonly start: number;
  readonly end: number;
  readonly inFence: boolean;
  readonly lineStart: boolean;
  readonly toJSON: () => CallJson;
}

/** In the words of the specification. */
export interface CallJson {
  readonly tool_name: string;
  readonly raw_args: string;
  readonly body: string;
  readonly complete: boolean;
}

const methods = {
  toJSON(this: Call): CallJson {
    return { tool_name: this.toolName, raw_args: this.rawArgs, body: this.body, complete: this.complete };
  },
};

/** The events of a call put together. `JSON.stringify(call)` gives the names of the specification. */
export function createCall(
  { index, toolName, rawArgs, start, inFence, lineStart }: Omit<CallStartEvent, 'type' | 'end'>,
  body: string,
  { complete, reason, end }: Pick<CallEndEvent, 'complete' | 'reason' | 'end'>,
): Call {
  const call = {
    __proto__: methods,
    type: 'call',
    index,
    toolName,
    rawArgs,
    body,
    complete,
    reason,
    start,
    end,
    inFence,
    lineStart,
  };
  return call as unknown as Call;
}
