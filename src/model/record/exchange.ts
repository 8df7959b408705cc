/** What was said to a model and what came of it, as a recording has it: plain data, without secrets, times or paths of a machine. */
import type { Finish, JsonRecord, Reasoning, ToolCall } from '../model.ts';

export interface Exchange {
  /** The command that asked: `polish[2]/review#1/model#2` is the second call of the first attempt. */
  readonly call: string;
  /** What a script would call who asked. */
  readonly for: string;
  /** Which input the run was given: what is recorded for one is not replaced by what is recorded for another. */
  readonly case?: string;
  readonly agent?: string;
  /** That of the model that answered. */
  readonly model?: string;
  /** The whole request, as `request-text.ts` has it, and its hash. */
  readonly lines: readonly string[];
  readonly hash: string;
  readonly result: ExchangeResult;
  /** What was noted beside it, in order, where that is more than which model was asked. */
  readonly notes?: readonly JsonRecord[];
  /** Where it stands, as `file:line:column`, where it was read. */
  readonly at?: string;
}

export type ExchangeResult = ({ readonly answer: ExchangeAnswer } | { readonly error: ExchangeError }) & {
  readonly usage?: ExchangeUsage;
};

/** `more`: what an agent that is no model says beside it. */
export interface ExchangeAnswer {
  readonly text: string;
  readonly finish: Finish;
  readonly calls?: readonly ToolCall[];
  readonly reasoning?: readonly Reasoning[];
  readonly meta?: JsonRecord;
  readonly more?: JsonRecord;
}

/** `more`: its cause, and whatever else is known of it. */
export interface ExchangeError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly more?: JsonRecord;
}

/** What is not known is left out. `cost`: in dollars. */
export interface ExchangeUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cost?: number;
}

/** Those that are one conversation have this in common: `draft#1/model#2` → `draft#1`. */
export function talkOf(call: string): string {
  return call.replace(/\/?model#\d+$/, '');
}
