/** For tests: answers as the services send them, and a fetch that gives them and keeps what was asked. */
import type { ModelCall, ModelContext, ModelError, StreamPart } from '../model.ts';
import { openModel } from '../open-model.ts';
import type { ResolvedModel } from '../resolved.ts';

export interface Said {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  /** `stop` or `calls` where nothing is said; `none`: the stream ends before the answer does. */
  readonly end?: 'length' | 'filter' | 'none';
}

export type Wire = 'openai' | 'anthropic' | 'google' | 'openai-compatible';

export const wires: readonly Wire[] = ['openai', 'anthropic', 'google', 'openai-compatible'];

export const keyOf: Record<Wire, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
  'openai-compatible': 'OTHER_API_KEY',
};

export function resolvedFor(wire: Wire, more: Partial<ResolvedModel> = {}): ResolvedModel {
  return {
    ref: `${wire}/m-1`,
    provider: wire,
    id: 'm-1',
    endpoint: 'http://127.0.0.1:9/base',
    keyEnv: [keyOf[wire]],
    tools: 'native',
    info: { price: { input: 1, output: 2 } },
    ...more,
  };
}

export const env: Record<string, string> = Object.fromEntries(
  Object.values(keyOf).map((name) => [name, `secret-${name}-value`]),
);

export function events(...all: readonly unknown[]): string {
  return all.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('');
}

/** Pieces of a text, so that it comes as a stream. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

export function wireAnswer(wire: Wire, said: Said): string {
  return { openai, anthropic, google, 'openai-compatible': chat }[wire](said);
}

function chat({ text = '', reasoning = '', calls = [], end }: Said): string {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const ends = { length: 'length', filter: 'content_filter', none: null };
  const reason = end === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : ends[end];
  return events(
    ...pieces(reasoning).map((each) => chunk({ reasoning_content: each })),
    ...pieces(text).map((each) => chunk({ content: each })),
    ...calls.flatMap(({ id, name, args }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(args).map((each) => chunk({ tool_calls: [{ index, function: { arguments: each } }] })),
    ]),
    ...(reason === null
      ? []
      : [
          chunk({}, reason),
          {
            ...chunk({}),
            choices: [],
            usage: {
              prompt_tokens: 11,
              completion_tokens: 7,
              total_tokens: 18,
              prompt_tokens_details: { cached_tokens: 4 },
            },
          },
          '[DONE]',
        ]),
  );
}

function anthropic({ text = '', reasoning = '', calls = [], end }: Said): string {
  const blocks = [
    ...(reasoning === ''
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...pieces(reasoning).map((each) => ({ type: 'thinking_delta', thinking: each })),
              { type: 'signature_delta', signature: 'sig' },
            ],
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: pieces(text).map((each) => ({ type: 'text_delta', text: each })),
          },
        ]),
    ...calls.map(({ id, name, args }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: pieces(args).map((each) => ({ type: 'input_json_delta', partial_json: each })),
    })),
  ];
  const ends = { length: 'max_tokens', filter: 'refusal', none: null };
  const reason = end === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : ends[end];
  return events(
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm-1',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 7, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 1 },
      },
    },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      ...(reason === null && index === blocks.length - 1 ? [] : [{ type: 'content_block_stop', index }]),
    ]),
    ...(reason === null
      ? []
      : [
          { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } },
          { type: 'message_stop' },
        ]),
  );
}

function google({ text = '', reasoning = '', calls = [], end }: Said): string {
  const chunk = (parts: object[], finishReason?: string) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18, cachedContentTokenCount: 4 },
    modelVersion: 'm-1',
  });
  const ends = { length: 'MAX_TOKENS', filter: 'SAFETY', none: undefined };
  return events(
    ...pieces(reasoning).map((each) => chunk([{ text: each, thought: true }])),
    ...pieces(text).map((each) => chunk([{ text: each }])),
    ...calls.map(({ id, name, args }) =>
      chunk([{ functionCall: { id, name, args: JSON.parse(args) as object }, thoughtSignature: 'sig' }]),
    ),
    ...(end === 'none' ? [] : [chunk([], end === undefined ? 'STOP' : ends[end])]),
  );
}

function openai({ text = '', reasoning = '', calls = [], end }: Said): string {
  const usage = {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const response = { id: 'r', object: 'response', created_at: 1, model: 'm-1', output: [] };
  const all: object[] = [
    { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } },
  ];
  let at = 0;
  if (reasoning !== '') {
    all.push(
      {
        type: 'response.output_item.added',
        output_index: at,
        item: { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' },
      },
      {
        type: 'response.reasoning_summary_part.added',
        item_id: 'rs',
        output_index: at,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      ...pieces(reasoning).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs',
        output_index: at,
        summary_index: 0,
        delta,
      })),
      {
        type: 'response.reasoning_summary_part.done',
        item_id: 'rs',
        output_index: at,
        summary_index: 0,
        part: { type: 'summary_text', text: reasoning },
      },
      {
        type: 'response.output_item.done',
        output_index: at++,
        item: {
          type: 'reasoning',
          id: 'rs',
          summary: [{ type: 'summary_text', text: reasoning }],
          encrypted_content: 'sealed',
        },
      },
    );
  }
  if (text !== '') {
    const message = {
      type: 'message',
      id: 'msg',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    };
    all.push(
      {
        type: 'response.output_item.added',
        output_index: at,
        item: { ...message, content: [], status: 'in_progress' },
      },
      ...pieces(text).map((delta) => ({
        type: 'response.output_text.delta',
        item_id: 'msg',
        output_index: at,
        content_index: 0,
        delta,
      })),
      ...(end === 'none' ? [] : [{ type: 'response.output_item.done', output_index: at++, item: message }]),
    );
  }
  for (const { id, name, args } of calls) {
    const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: args, status: 'completed' };
    all.push(
      { type: 'response.output_item.added', output_index: at, item: { ...item, arguments: '', status: 'in_progress' } },
      ...pieces(args).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        item_id: item.id,
        output_index: at,
        delta,
      })),
      { type: 'response.output_item.done', output_index: at++, item },
    );
  }
  if (end === 'length' || end === 'filter') {
    const reason = end === 'length' ? 'max_output_tokens' : 'content_filter';
    all.push({
      type: 'response.incomplete',
      response: { ...response, status: 'incomplete', incomplete_details: { reason }, usage },
    });
  } else if (end === undefined)
    all.push({ type: 'response.completed', response: { ...response, status: 'completed', usage } });
  return events(...all);
}

export interface Asked {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

export interface WireFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly asked: Asked[];
}

/** A text is a stream of events that goes well. */
export type WireAnswer = string | (() => Response | Promise<Response>);

/** Gives the answers in their order. */
export function wireFetch(...answers: readonly WireAnswer[]): WireFetch {
  const asked: Asked[] = [];
  let next = 0;
  return {
    asked,
    async fetch(input, init) {
      asked.push({
        url: String(input),
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: JSON.parse(String(init?.body)) as Record<string, unknown>,
      });
      const answer = answers[next++];
      if (answer === undefined) throw new Error('nothing more is asked here');
      if (typeof answer !== 'string') return answer();
      return new Response(answer, { headers: { 'content-type': 'text/event-stream' } });
    },
  };
}

export function failing(status: number, body: unknown, headers: Record<string, string> = {}): () => Response {
  const isText = typeof body === 'string';
  const type = { 'content-type': isText ? 'text/plain' : 'application/json' };
  return () => new Response(isText ? body : JSON.stringify(body), { status, headers: { ...type, ...headers } });
}

export function listening(): ModelContext & { readonly parts: StreamPart[] } {
  const parts: StreamPart[] = [];
  return { parts, signal: new AbortController().signal, idempotencyKey: 'k', onPart: (part) => void parts.push(part) };
}

export function asking(text: string, more: Partial<ModelCall> = {}): ModelCall {
  return { messages: [{ role: 'user', content: text }], settings: {}, ...more };
}

/** What a call says of this answer. */
export async function errorOf(wire: Wire, answer: WireAnswer, more: Partial<ResolvedModel> = {}): Promise<ModelError> {
  const { fetch } = wireFetch(answer);
  const model = await openModel(resolvedFor(wire, more), { env, fetch, now: () => Date.parse('2026-01-01T00:00:00Z') });
  const result = await model.generate(asking('hi'), listening());
  if (result.ok) throw new Error(`it answered ${JSON.stringify(result.answer)}`);
  return result.error;
}
