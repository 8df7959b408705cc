/**
 * What a model is to the rest: a call in plain JSON goes in, an answer or an error comes out, both as values.
 * 1. A call says all that its answer depends on; who asks (a step, a thunk, a program) is no part of it.
 * 2. `generate` rejects only when its signal is aborted, with the signal's reason; whatever else goes wrong is a value.
 * 3. It tries once. Whether to try again, and when, is decided by who asks.
 * 4. Tools are named as files name them (`filesystem/read`), whatever the wire can carry; whether a call was made by an
 *    interface of the model's own or in its text is known to nobody above this folder.
 */
import type { JsonSchema, MessagePart } from '../type/index.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonRecord;

export interface JsonRecord {
  readonly [key: string]: JsonValue;
}

export interface Model {
  /** `scripted`, `anthropic/NAME`, `openai/NAME` … */
  readonly ref: string;
  readonly generate: (call: ModelCall, context: ModelContext) => Promise<ModelResult>;
}

export interface ModelCall {
  readonly messages: readonly ModelMessage[];
  /** Those that it may call. */
  readonly tools?: readonly ModelTool[];
  /** `auto` where nothing is said. */
  readonly toolChoice?: 'auto' | 'none' | 'required';
  /** The schema of the answer, when it is to be JSON. */
  readonly output?: JsonSchema;
  readonly settings: ModelSettings;
}

export interface ModelSettings {
  readonly temperature?: number;
  /** The most tokens that it may answer with. */
  readonly maxTokens?: number;
}

export interface ModelTool {
  /** `set/tool`. */
  readonly name: string;
  readonly description: string;
  /** Of an object. */
  readonly parameters: JsonSchema;
}

/**
 * System messages stand first. Every call of an assistant's message has its result in the messages of `tool` right behind
 * it, in any order.
 */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly MessagePart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly calls?: readonly ToolCall[];
  readonly reasoning?: readonly Reasoning[];
  /** That of its answer. */
  readonly meta?: JsonRecord;
}

export interface ToolMessage {
  readonly role: 'tool';
  /** The id of the call. */
  readonly call: string;
  readonly tool: string;
  readonly content: string;
  readonly isError?: true;
}

export interface ToolCall {
  /** Within the conversation it is the only one with it. */
  readonly id: string;
  /** One of the tools of the call; of one that is none of them, as the model wrote it. */
  readonly tool: string;
  readonly args: JsonRecord;
  /** Why it cannot be done as it was written, for the model: no JSON, an unknown tool with the closest, a missing end. */
  readonly problem?: string;
  /** What its provider wants to see again, as it came. */
  readonly meta?: JsonRecord;
}

/** What a model thought before it answered. `meta`: what its provider wants to see again, as it came. */
export interface Reasoning {
  readonly text: string;
  readonly meta?: JsonRecord;
}

export interface ModelContext {
  readonly signal: AbortSignal;
  /** The same when the call is made again after a crash. */
  readonly idempotencyKey: string;
  /** Is given the answer as it comes. */
  readonly onPart?: (part: StreamPart) => void;
  /** Is told of each model that could not be asked, before the next is. */
  readonly onSkip?: (skip: SkippedModel) => void;
  /** Is told, before it rejects, what a call has used that was aborted after it was sent: it is paid all the same. */
  readonly onLost?: (usage: ModelUsage) => void;
}

export interface SkippedModel {
  readonly ref: string;
  readonly error: ModelError;
}

/** The texts of one kind, put together, are what the answer has in the end; `args` of a call are its arguments as JSON. */
export type StreamPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string }
  | { readonly kind: 'args'; readonly id: string; readonly text: string };

export type ModelResult =
  | { readonly ok: true; readonly answer: ModelAnswer }
  | { readonly ok: false; readonly error: ModelError; readonly usage?: ModelUsage };

export interface ModelAnswer {
  readonly text: string;
  readonly usage: ModelUsage;
  readonly finish: Finish;
  /** Left out where there are none. */
  readonly calls?: readonly ToolCall[];
  readonly reasoning?: readonly Reasoning[];
  /** What its provider wants to see again of the text and of the order of its parts. */
  readonly meta?: JsonRecord;
  /** The `ref` of the one that gave it, where several could. */
  readonly model?: string;
}

/**
 * `calls`: it waits for the results of its calls. `length`: it may not write more. `filter`: its service held the answer
 * back. `cut`: the stream ended before the answer did.
 */
export type Finish = 'stop' | 'calls' | 'length' | 'filter' | 'cut';

export interface ModelUsage {
  /** All of them, those from a cache too. */
  readonly inputTokens: number;
  /** All of them, those of its reasoning too. */
  readonly outputTokens: number;
  /** Of the input: read from the provider's cache, and written to it. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** In dollars; missing where the price is not known. */
  readonly cost?: number;
}

/**
 * `model-key`: no key is there (the message names the variable). `model-auth`: the service does not take the key.
 * `model-unknown`: there is no such model. `model-context`: the messages are too long. `model-rate`: too many requests.
 * `model-connection`: the service was not reached. `model-service`: it failed. `model-request`: it does not take the
 * request. `model-empty`: it answered nothing. `model-cut`: the stream broke off. `script`: the script has no such reply.
 * `model`: anything else.
 */
export type ModelErrorCode =
  | 'model'
  | 'model-key'
  | 'model-auth'
  | 'model-unknown'
  | 'model-context'
  | 'model-rate'
  | 'model-connection'
  | 'model-service'
  | 'model-request'
  | 'model-empty'
  | 'model-cut'
  | 'script';

export interface ModelError {
  readonly code: ModelErrorCode;
  /** What is wrong and what to do, without secrets. */
  readonly message: string;
  /** Whether the same call may go well later. */
  readonly retryable: boolean;
  /** What the service answered, as HTTP has it. */
  readonly status?: number;
  /** After how long the service wants to be asked again. */
  readonly retryAfterMs?: number;
  /** Something of an answer had come: another model would begin anew, unseen. */
  readonly begun?: true;
}

/** The message of a conversation that an answer is. */
export function answerMessage({ text, calls, reasoning, meta }: ModelAnswer): AssistantMessage {
  const message: { -readonly [K in keyof AssistantMessage]: AssistantMessage[K] } = {
    role: 'assistant',
    content: text,
  };
  if (calls !== undefined) message.calls = calls;
  if (reasoning !== undefined) message.reasoning = reasoning;
  if (meta !== undefined) message.meta = meta;
  return message;
}

/** For models that do not say: about four characters are a token. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

export function callLength(call: ModelCall): number {
  let length = 0;
  for (const message of call.messages) length += messageLength(message);
  return length;
}

/** How many calls its messages have. */
export function callCount({ messages }: ModelCall): number {
  let count = 0;
  for (const message of messages) if (message.role === 'assistant') count += message.calls?.length ?? 0;
  return count;
}

function messageLength(message: ModelMessage): number {
  let length = contentText(message.content).length;
  if (message.role === 'assistant' && message.calls) length += JSON.stringify(message.calls).length;
  return length;
}

/** What a message says; its files say nothing. */
export function contentText(content: ModelMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
