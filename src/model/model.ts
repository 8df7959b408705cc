/**
 * What a model is to the rest: a call in plain JSON goes in, an answer or an error comes out, both as values.
 * 1. A call says all that its answer depends on; who asks (a step, a thunk, a program) is no part of it.
 * 2. `generate` rejects only when its signal is aborted, with the signal's reason; whatever else goes wrong is a value.
 * 3. It tries once. Whether to try again, and when, is decided by who asks.
 */
import type { JsonSchema } from '../type/index.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export interface Model {
  /** `scripted`, `anthropic/NAME`, `openai/NAME` … */
  readonly ref: string;
  readonly generate: (call: ModelCall, context: ModelContext) => Promise<ModelResult>;
}

export interface ModelCall {
  readonly messages: readonly ModelMessage[];
  /** The schema of the answer, when it is to be JSON. */
  readonly output?: JsonSchema;
  /** Temperature, the most tokens, and the like. */
  readonly settings: { readonly [name: string]: JsonValue };
}

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
}

export interface ModelContext {
  readonly signal: AbortSignal;
  /** The same when the call is made again after a crash. */
  readonly idempotencyKey: string;
  /** Is given the answer as it comes. */
  readonly onText?: (text: string) => void;
}

export type ModelResult =
  | { readonly ok: true; readonly answer: ModelAnswer }
  | { readonly ok: false; readonly error: ModelError; readonly usage?: ModelUsage };

export interface ModelAnswer {
  readonly text: string;
  readonly usage: ModelUsage;
  readonly finish: Finish;
}

/** `length`: it may not write more; `cut`: the stream ended before the answer did. */
export type Finish = 'stop' | 'length' | 'cut';

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In dollars; missing where the price is not known. */
  readonly cost?: number;
}

export interface ModelError {
  /** `model`: the service or the way to it failed; `script`: the script has no such reply. */
  readonly code: 'model' | 'script';
  readonly message: string;
  /** Whether the same call may go well later. */
  readonly retryable: boolean;
  /** What the service answered, as HTTP has it. */
  readonly status?: number;
}

/** For models that do not say: about four characters are a token. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

export function callLength(call: ModelCall): number {
  let length = 0;
  for (const { content } of call.messages) length += content.length;
  return length;
}
