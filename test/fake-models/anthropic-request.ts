/** What a request to Anthropic's messages is: its fields. */
import {
  anything,
  boolean,
  either,
  integer,
  list,
  map,
  named,
  need,
  nullable,
  nullables,
  number,
  type ObjectShape,
  object,
  one,
  open,
  tagged,
  text,
} from './shape.ts';

const cached = { cache_control: nullable(object({ type: need(one('ephemeral')), ttl: one('5m', '1h') })) };

const textBlock = object({ text: need(text()), citations: nullable(list(map)), ...cached });

const image = object({
  source: need(
    named('type', {
      base64: object({
        media_type: need(one('image/jpeg', 'image/png', 'image/gif', 'image/webp')),
        data: need(text()),
      }),
      url: object({ url: need(text({ pattern: /^https:\/\// })) }),
      file: object({ file_id: need(text()) }),
    }),
  ),
  ...cached,
});

const document = object({
  source: need(
    named('type', {
      base64: object({ media_type: need(one('application/pdf')), data: need(text()) }),
      text: object({ media_type: need(one('text/plain')), data: need(text()) }),
      url: object({ url: need(text()) }),
      content: object({ content: need(anything) }),
      file: object({ file_id: need(text()) }),
    }),
  ),
  title: nullable(text()),
  context: nullable(text()),
  citations: nullable(object({ enabled: boolean })),
  ...cached,
});

const toolId = text({ pattern: /^[a-zA-Z0-9_-]+$/ });

const result = object({
  tool_use_id: need(toolId),
  content: either(text(), list(named('type', { text: textBlock, image, document }))),
  is_error: nullable(boolean),
  ...cached,
});

const use = object({
  id: need(toolId),
  name: need(text({ min: 1, max: 200 })),
  input: need(map),
  caller: map,
  ...cached,
});

const blocks = list(
  named('type', {
    text: textBlock,
    image,
    document,
    tool_use: use,
    tool_result: result,
    thinking: object({ thinking: need(text()), signature: need(text()) }),
    redacted_thinking: object({ data: need(text()) }),
  }),
);

const tool = named(
  'type',
  {
    custom: object({
      name: need(text({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ })),
      description: text(),
      input_schema: need(open({ type: need(one('object')) })),
      strict: nullable(boolean),
      eager_input_streaming: nullable(boolean),
      defer_loading: boolean,
      allowed_callers: list(text()),
      input_examples: list(map),
      ...cached,
    }),
  },
  'custom',
);

const choice = tagged('type', {
  auto: object({ disable_parallel_tool_use: boolean }),
  any: object({ disable_parallel_tool_use: boolean }),
  none: object({}),
  tool: object({ name: need(text()), disable_parallel_tool_use: boolean }),
});

const format = nullable(tagged('type', { json_schema: object({ schema: need(map) }) }));

const anthropicShape = object({
  model: need(text()),
  max_tokens: need(integer(1)),
  messages: need(list(object({ role: need(one('user', 'assistant')), content: need(either(text(), blocks)) }))),
  system: either(text(), list(named('type', { text: textBlock }))),
  tools: list(tool),
  ...nullables({
    metadata: object({ user_id: nullable(text()) }),
    output_config: object({ effort: nullable(one('low', 'medium', 'high', 'xhigh', 'max')), format }),
    service_tier: one('auto', 'standard_only'),
    stop_sequences: list(text({ min: 1 })),
    stream: boolean,
    temperature: number(),
    thinking: tagged('type', {
      enabled: object({ budget_tokens: need(integer(1024)), display: text() }),
      disabled: object({}),
      adaptive: object({ display: text() }),
    }),
    tool_choice: choice,
    top_k: integer(0),
    top_p: number(0, 1),
    ...cached,
  }),
});

/** Fields that are there for those who ask for a beta, by its name in the header `anthropic-beta`. */
const betas: Readonly<Record<string, ObjectShape['fields']>> = {
  'context-management-2025-06-27': {
    context_management: nullable(object({ edits: list(open({ type: need(text()) })) })),
  },
};

export function shapeWith(header = ''): ObjectShape {
  const asked = header.split(',').map((name) => betas[name.trim()] ?? {});
  return object(Object.assign({ ...anthropicShape.fields }, ...asked));
}

export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly cache_control?: unknown;
  readonly source?: { readonly type: string; readonly media_type?: string; readonly data?: string };
  readonly content?: unknown;
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
  /** Where it began in the request. */
  readonly at: number;
}

/** Messages of one role that follow each other are one turn to the service. */
export function turnsOf(messages: readonly { role: Turn['role']; content: string | readonly Block[] }[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = { ...last, content: [...last.content, ...blocks] };
    else turns.push({ role, content: blocks, at });
  }
  return turns;
}
