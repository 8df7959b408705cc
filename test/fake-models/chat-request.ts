/** What a request for a chat completion is: its fields, and the order of its messages. Several services speak it. */
import {
  anything,
  boolean,
  either,
  firstOf,
  integer,
  isObject,
  list,
  map,
  need,
  nullable,
  nullables,
  number,
  type ObjectShape,
  object,
  one,
  type Shape,
  tagged,
  text,
} from './shape.ts';

const textPart = object({ text: need(text()), prompt_cache_breakpoint: map });

const userParts = tagged('type', {
  text: textPart,
  image_url: object({
    image_url: need(object({ url: need(text()), detail: one('auto', 'low', 'high', 'original') })),
    prompt_cache_breakpoint: map,
  }),
  input_audio: object({ input_audio: need(object({ data: need(text()), format: need(one('wav', 'mp3')) })) }),
  file: object({ file: need(object({ filename: text(), file_data: text(), file_id: text() })) }),
});

const texts = either(text(), list(tagged('type', { text: textPart }), 1));

const toolCall = tagged('type', {
  function: object({
    id: need(text({ max: 40 })),
    function: need(object({ name: need(text({ pattern: /^[a-zA-Z0-9_-]+$/, max: 64 })), arguments: need(text()) })),
  }),
});

/** `more`: fields of messages of assistants that a service has beside them. */
export function chatMessages(more: ObjectShape['fields'] = {}): Shape {
  return tagged('role', {
    system: object({ content: need(texts), name: text() }),
    developer: object({ content: need(texts), name: text() }),
    user: object({ content: need(either(text(), list(userParts, 1))), name: text() }),
    assistant: object({
      content: nullable(texts),
      name: text(),
      refusal: nullable(text()),
      tool_calls: list(toolCall, 1),
      audio: nullable(map),
      annotations: list(map),
      ...more,
    }),
    tool: object({ content: need(texts), tool_call_id: need(text()) }),
  });
}

export function chatShape(messages: Shape, more: ObjectShape['fields'] = {}): ObjectShape {
  const tool = tagged('type', {
    function: object({
      function: need(
        object({
          name: need(text({ pattern: /^[a-zA-Z0-9_-]+$/, max: 64 })),
          description: text(),
          parameters: map,
          strict: nullable(boolean),
        }),
      ),
    }),
    custom: object({ custom: need(map) }),
  });
  const format = tagged('type', {
    text: object({}),
    json_object: object({}),
    json_schema: object({
      json_schema: need(
        object({
          name: need(text({ pattern: /^[a-zA-Z0-9_-]+$/, max: 64 })),
          description: text(),
          schema: map,
          strict: nullable(boolean),
        }),
      ),
    }),
  });
  return object({
    model: need(text()),
    messages: need(list(messages, 1)),
    tools: list(tool, 1, 128),
    tool_choice: either(one('none', 'auto', 'required'), map),
    ...nullables({
      audio: map,
      frequency_penalty: number(-2, 2),
      logit_bias: map,
      logprobs: boolean,
      max_completion_tokens: integer(1),
      max_tokens: integer(1),
      metadata: map,
      modalities: list(text()),
      n: integer(1, 128),
      parallel_tool_calls: boolean,
      prediction: map,
      presence_penalty: number(-2, 2),
      prompt_cache_key: text(),
      prompt_cache_options: map,
      prompt_cache_retention: text(),
      reasoning_effort: one('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
      response_format: format,
      safety_identifier: text(),
      seed: integer(),
      service_tier: text(),
      stop: either(text(), list(text(), 1, 4)),
      store: boolean,
      stream: boolean,
      stream_options: object({ include_usage: boolean, include_obfuscation: boolean }),
      temperature: number(0, 2),
      top_logprobs: integer(0, 20),
      top_p: number(0, 1),
      user: text(),
      verbosity: one('low', 'medium', 'high'),
      web_search_options: anything as Shape,
    }),
    ...more,
  });
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
  readonly tool_call_id?: string;
  readonly [key: string]: unknown;
}

/**
 * `orphan`: a result whose call is not in the message before the results. `unanswered`: calls that no result follows.
 * `empty`: a message of an assistant that says nothing.
 */
export type OrderProblem =
  | { readonly kind: 'orphan' | 'empty'; readonly at: number }
  | { readonly kind: 'unanswered'; readonly at: number; readonly ids: readonly string[] };

export function chatOrderProblem(messages: readonly ChatMessage[]): OrderProblem | undefined {
  let open = new Set<string>();
  const found = firstOf(messages, (message, at): OrderProblem | undefined => {
    if (message.role === 'tool') return open.delete(message.tool_call_id ?? '') ? undefined : { kind: 'orphan', at };
    if (open.size > 0) return { kind: 'unanswered', at, ids: [...open] };
    if (message.role !== 'assistant') return undefined;
    open = new Set(message.tool_calls?.map(({ id }) => id));
    const isEmpty = (message.content ?? null) === null && open.size === 0;
    return isEmpty ? { kind: 'empty', at } : undefined;
  });
  if (found !== undefined || open.size === 0) return found;
  return { kind: 'unanswered', at: messages.length - 1, ids: [...open] };
}

/** All that is said as text in the messages. */
export function chatText(messages: readonly ChatMessage[]): string {
  return messages
    .flatMap(({ content }) => {
      if (typeof content === 'string') return [content];
      return Array.isArray(content) ? content.map((part) => (isObject(part) ? String(part.text ?? '') : '')) : [];
    })
    .join('\n');
}
