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

/** Made once for every call of a text, and a class is made fastest. */
class WholeCall implements Call {
  readonly type = 'call';
  readonly index: number;
  readonly toolName: string;
  readonly rawArgs: string;
  readonly body: string;
  readonly complete: boolean;
  readonly reason: EndReason;
  readonly start: number;
  readonly end: number;
  readonly inFence: boolean;
  readonly lineStart: boolean;

  constructor(first: CallParts, body: string, last: CallOutcome) {
    this.index = first.index;
    this.toolName = first.toolName;
    this.rawArgs = first.rawArgs;
    this.body = body;
    this.complete = last.complete;
    this.reason = last.reason;
    this.start = first.start;
    this.end = last.end;
    this.inFence = first.inFence;
    this.lineStart = first.lineStart;
  }

  toJSON(): CallJson {
    return { tool_name: this.toolName, raw_args: this.rawArgs, body: this.body, complete: this.complete };
  }
}

type CallParts = Omit<CallStartEvent, 'type' | 'end'>;
type CallOutcome = Pick<CallEndEvent, 'complete' | 'reason' | 'end'>;

/** The events of a call put together. `JSON.stringify(call)` gives the names of the specification. */
export function createCall(first: CallParts, body: string, last: CallOutcome): Call {
  return new WholeCall(first, body, last);
}
