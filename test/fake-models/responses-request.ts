/** What a request to OpenAI's responses is: its fields, and which items must be there beside which. */
import { refuse } from './openai-words.ts';
import type { Look } from './service.ts';
import {
  anything,
  boolean,
  either,
  firstOf,
  integer,
  list,
  map,
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

const toolName = text({ pattern: /^[a-zA-Z0-9_-]+$/, max: 64 });
const status = nullable(one('in_progress', 'completed', 'incomplete'));
const breakpoint = { prompt_cache_breakpoint: map };

const inputParts = tagged('type', {
  input_text: object({ text: need(text()), ...breakpoint }),
  input_image: object({
    image_url: nullable(text()),
    file_id: nullable(text()),
    detail: one('auto', 'low', 'high'),
    ...breakpoint,
  }),
  input_file: object({
    file_id: nullable(text()),
    file_data: text(),
    file_url: text(),
    filename: text(),
    ...breakpoint,
  }),
});

const outputParts = tagged('type', {
  output_text: object({ text: need(text()), annotations: list(map), logprobs: list(map) }),
  refusal: object({ refusal: need(text()) }),
});

const message = (parts: typeof inputParts): ObjectShape =>
  object({
    type: text(),
    content: need(either(text(), list(parts))),
    id: text(),
    status,
    phase: nullable(one('commentary', 'final_answer')),
  });

const roles = {
  user: message(inputParts),
  system: message(inputParts),
  developer: message(inputParts),
  assistant: message(outputParts),
};

const others = [
  'web_search_call',
  'file_search_call',
  'computer_call',
  'custom_tool_call',
  'custom_tool_call_output',
  'mcp_call',
  'configuration_update',
];

const callId = text({ min: 1, max: 64 });

export const itemShape = tagged(
  'type',
  {
    function_call: object({
      call_id: need(callId),
      name: need(toolName),
      arguments: need(text()),
      id: nullable(text()),
      status,
      async: nullable(boolean),
      namespace: nullable(text()),
    }),
    function_call_output: object({
      call_id: need(callId),
      output: need(either(text(), list(inputParts))),
      id: nullable(text()),
      status,
    }),
    reasoning: object({
      id: text(),
      summary: need(list(tagged('type', { summary_text: object({ text: need(text()) }) }))),
      encrypted_content: nullable(text()),
      content: nullable(list(map)),
      status,
    }),
    item_reference: object({ id: need(text()) }),
    message: open({ role: need(one(...Object.keys(roles))) }),
    ...Object.fromEntries(others.map((name) => [name, open({})])),
  },
  'message',
);

/** Messages are looked at by their role, which `itemShape` has found to be there. */
export const messageShape = tagged('role', roles);

const functionTool = object({
  name: need(toolName),
  description: nullable(text()),
  parameters: nullable(map),
  strict: nullable(boolean),
  async: boolean,
  defer_loading: boolean,
});

const tool = tagged('type', {
  function: functionTool,
  namespace: object({
    name: need(toolName),
    description: need(text()),
    tools: need(list(tagged('type', { function: functionTool, custom: open({}) }), 1)),
  }),
  ...Object.fromEntries(
    ['web_search', 'file_search', 'custom', 'mcp', 'code_interpreter', 'tool_search'].map((name) => [name, open({})]),
  ),
});

const format = tagged('type', {
  text: object({}),
  json_object: object({}),
  json_schema: object({
    name: need(text({ pattern: /^[a-zA-Z0-9_-]+$/, max: 64 })),
    schema: need(map),
    description: text(),
    strict: nullable(boolean),
  }),
});

export const responsesShape = object({
  model: need(text()),
  input: either(text(), list(itemShape)),
  tools: list(tool, 0, 128),
  tool_choice: either(one('none', 'auto', 'required'), map),
  ...nullables({
    background: boolean,
    client_metadata: map,
    conversation: anything,
    include: list(
      one(
        'web_search_call.action.sources',
        'web_search_call.results',
        'code_interpreter_call.outputs',
        'computer_call_output.output.image_url',
        'file_search_call.results',
        'message.input_image.image_url',
        'message.output_text.logprobs',
        'reasoning.encrypted_content',
      ),
    ),
    instructions: text(),
    max_output_tokens: integer(16),
    max_tool_calls: integer(1),
    metadata: map,
    parallel_tool_calls: boolean,
    previous_response_id: text(),
    prompt: map,
    prompt_cache_key: text({ max: 64 }),
    prompt_cache_options: map,
    prompt_cache_retention: text(),
    reasoning: object({
      effort: nullable(one('none', 'minimal', 'low', 'medium', 'high', 'xhigh')),
      summary: nullable(one('auto', 'concise', 'detailed')),
      generate_summary: nullable(text()),
      mode: nullable(text()),
      context: nullable(text()),
    }),
    safety_identifier: text(),
    service_tier: text(),
    store: boolean,
    stream: boolean,
    stream_options: object({ include_obfuscation: boolean }),
    temperature: number(0, 2),
    text: object({ format, verbosity: nullable(one('low', 'medium', 'high')) }),
    top_logprobs: integer(0, 20),
    top_p: number(0, 1),
    truncation: one('auto', 'disabled'),
    user: text(),
  }),
});

export interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly id?: string | null;
  readonly call_id?: string;
  readonly content?: unknown;
  readonly encrypted_content?: string | null;
}

/** What the service keeps of an item that it made. */
export interface Kept {
  readonly item: Item;
  /** The reasoning that came before it, in the same answer. */
  readonly after?: string;
}

const prefixes: Readonly<Record<string, string>> = {
  function_call: 'fc',
  reasoning: 'rs',
  message: 'msg',
  function_call_output: 'fc',
};

/** How an item that a service thought of is known again when it is not kept. */
export const sealed = (id: string): string => `gAAAAA${Buffer.from(`sealed:${id}`, 'utf8').toString('base64url')}`;

export function itemsRefusal(
  given: readonly Item[],
  isStored: boolean,
  memory: ReadonlyMap<string, unknown>,
): Look | undefined {
  const keptOf = (id: string | null | undefined) => (id ? (memory.get(id) as Kept | undefined) : undefined);
  const idRefusal = firstOf(given, (item, at) => {
    const prefix = prefixes[item.type ?? 'message'];
    if (prefix !== undefined && item.id && !item.id.startsWith(prefix)) {
      const message = `Invalid 'input[${at}].id': '${item.id}'. Expected an ID that begins with '${prefix}'.`;
      return refuse({ message, param: `input[${at}].id`, code: 'invalid_value' });
    }
    if (item.type === 'reasoning' && item.encrypted_content) return sealRefusal(item);
    const mustBeKept = item.type === 'item_reference' || item.type === 'reasoning';
    if (!mustBeKept || keptOf(item.id)) return undefined;
    const why = isStored
      ? ''
      : ' Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.';
    return refuse({ message: `Item with id '${item.id}' not found.${why}`, param: 'input' }, 404);
  });
  if (idRefusal) return idRefusal;
  const items = given.map((item) => (item.type === 'item_reference' ? (keptOf(item.id)?.item ?? item) : item));
  return callsRefusal(items) ?? reasoningRefusal(items, (id) => keptOf(id)?.after);
}

function sealRefusal({ id, encrypted_content: content }: Item): Look | undefined {
  if (content?.startsWith('gAAAAA') && (!id || content === sealed(id))) return undefined;
  const message = `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
  return refuse({ message, code: 'invalid_encrypted_content' });
}

function callsRefusal(items: readonly Item[]): Look | undefined {
  const open = new Set<string>();
  const orphan = items.find(({ type, call_id: id = '' }) => {
    if (type === 'function_call') open.add(id);
    return type === 'function_call_output' && !open.delete(id);
  });
  if (orphan) {
    return refuse({
      message: `No tool call found for function call output with call_id ${orphan.call_id}.`,
      param: 'input',
    });
  }
  const [left] = open;
  return left === undefined
    ? undefined
    : refuse({ message: `No tool output found for function call ${left}.`, param: 'input' });
}

function reasoningRefusal(
  items: readonly Item[],
  needs: (id: string | null | undefined) => string | undefined,
): Look | undefined {
  return firstOf(items, (item, at) => {
    const type = item.type ?? 'message';
    if (type === 'reasoning') {
      const next = items.slice(at + 1).find((other) => other.type !== 'reasoning');
      const isOutput = next?.type === 'function_call' || (next !== undefined && next.role === 'assistant');
      if (isOutput) return undefined;
      return refuse({
        message: `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
        param: 'input',
      });
    }
    const wanted = needs(item.id);
    if (wanted === undefined || items.slice(0, at).some(({ id }) => id === wanted)) return undefined;
    return refuse({
      message: `Item '${item.id}' of type '${type}' was provided without its required 'reasoning' item: '${wanted}'.`,
      param: 'input',
    });
  });
}
