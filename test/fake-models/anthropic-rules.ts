/** What Anthropic refuses beyond the shape of a request: order, thoughts that were changed, models, schemas. */
import { createHash } from 'node:crypto';
import { type Block, type Turn, turnsOf } from './anthropic-request.ts';
import { imageType, isBase64, isPdf } from './media.ts';
import { children, typesOf } from './openai-schema.ts';
import { firstOf, isObject } from './shape.ts';

interface ModelFacts {
  readonly output: number;
  readonly thinks: 'no' | 'budget' | 'adaptive';
  readonly hasFormats: boolean;
}

const models: Readonly<Record<string, ModelFacts>> = {
  'claude-3-haiku-20240307': { output: 4096, thinks: 'no', hasFormats: false },
  'claude-sonnet-4-5': { output: 64_000, thinks: 'budget', hasFormats: true },
  'claude-opus-4-7': { output: 128_000, thinks: 'adaptive', hasFormats: true },
};

const unknownModel: ModelFacts = { output: 64_000, thinks: 'budget', hasFormats: true };

type Body = Readonly<Record<string, unknown>>;

/** The first rule that is broken, in the words of the service. */
export function anthropicRefusal(body: Body): string | undefined {
  const facts = models[String(body.model)] ?? unknownModel;
  const turns = turnsOf(body.messages as Parameters<typeof turnsOf>[0]);
  return (
    settingsRefusal(body, facts) ??
    messagesRefusal(body, turns, facts) ??
    callsRefusal(turns) ??
    thinkingRefusal(body, turns) ??
    mediaRefusal(turns) ??
    toolsRefusal(body, turns) ??
    formatRefusal(body, facts) ??
    cacheRefusal(body)
  );
}

function settingsRefusal(body: Body, { output, thinks }: ModelFacts): string | undefined {
  const { max_tokens: most, temperature = null, top_p: topP = null, model } = body;
  if (Number(most) > output) {
    return `max_tokens: ${most} > ${output}, which is the maximum allowed number of output tokens for ${model}`;
  }
  if (temperature !== null && (Number(temperature) < 0 || Number(temperature) > 1)) return 'temperature: range: 0..1';
  if (thinks === 'adaptive' && temperature !== null) return '`temperature` is deprecated for this model.';
  if (thinks === 'adaptive' && topP !== null) return '`top_p` is deprecated for this model.';
  if (temperature !== null && topP !== null && thinks !== 'no') {
    return '`temperature` and `top_p` cannot both be specified for this model. Please use only one.';
  }
  const thinking = body.thinking as { type: string; budget_tokens?: number } | undefined;
  if (thinking === undefined || thinking.type === 'disabled') return undefined;
  if (thinks === 'no') return `thinking: Extended thinking is not supported for ${model}`;
  if (thinks === 'adaptive' && thinking.type === 'enabled') {
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
  }
  if (thinking.budget_tokens !== undefined && thinking.budget_tokens >= Number(most)) {
    return '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size';
  }
  if (temperature !== null && temperature !== 1) return '`temperature` may only be set to 1 when thinking is enabled.';
  const choice = (body.tool_choice as { type: string } | undefined)?.type;
  return choice === 'any' || choice === 'tool'
    ? 'Thinking may not be enabled when tool_choice forces tool use.'
    : undefined;
}

function messagesRefusal({ messages, system }: Body, turns: readonly Turn[], facts: ModelFacts): string | undefined {
  const [first] = turns;
  const last = turns.at(-1);
  if (first === undefined || last === undefined) return 'messages: at least one message is required';
  if (first.role !== 'user') return 'messages: first message must use the "user" role';
  const systemTexts = Array.isArray(system) ? (system as Block[]) : [];
  if (systemTexts.some(({ text }) => text === '')) return 'system: text content blocks must be non-empty';
  const given = messages as readonly { role: string; content: string | readonly Block[] }[];
  const empty = given.findIndex(({ role, content }, at) => {
    const isFinal = at === given.length - 1 && role === 'assistant';
    return content.length === 0 && !isFinal;
  });
  if (empty !== -1)
    return `messages.${empty}: all messages must have non-empty content except for the optional final assistant message`;
  const texts = turns.flatMap(({ content }) => content.filter(({ type }) => type === 'text'));
  if (texts.some(({ text }) => text === '')) return 'messages: text content blocks must be non-empty';
  if (texts.some(({ text }) => text?.trim() === ''))
    return 'messages: text content blocks must contain non-whitespace text';
  if (last.role !== 'assistant') return undefined;
  if (facts.thinks === 'adaptive') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  const end = last.content.at(-1)?.text ?? '';
  return end !== end.trimEnd() ? 'messages: final assistant content cannot end with trailing whitespace' : undefined;
}

function callsRefusal(turns: readonly Turn[]): string | undefined {
  const ids = turns.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use').map(({ id }) => id));
  if (new Set(ids).size < ids.length) return 'messages: `tool_use` ids must be unique';
  return firstOf(turns, ({ role, content, at }, nth) => {
    const wrong = content.findIndex(({ type }) => type === (role === 'user' ? 'tool_use' : 'tool_result'));
    if (wrong !== -1) {
      const type = content[wrong]?.type;
      return `messages.${at}.content.${wrong}: \`${type}\` blocks can only be in \`${role === 'user' ? 'assistant' : 'user'}\` messages`;
    }
    if (role === 'user') return resultsRefusal(content, at, turns[nth - 1]?.content ?? []);
    const calls = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    // Results stand first: what is behind a text is not looked at.
    const next = turns[nth + 1]?.content ?? [];
    const texts = next.findIndex(({ type }) => type !== 'tool_result');
    const answered = (texts === -1 ? next : next.slice(0, texts)).map(({ tool_use_id: id }) => id);
    const open = calls.filter((id) => !answered.includes(id));
    if (open.length === 0) return undefined;
    return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  });
}

function resultsRefusal(content: readonly Block[], at: number, before: readonly Block[]): string | undefined {
  const calls = new Set(before.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])));
  const seen = new Set<string | undefined>();
  return firstOf(content, ({ type, tool_use_id: id }, nth) => {
    if (type !== 'tool_result') return undefined;
    if (!calls.has(id)) {
      return `messages.${at}.content.${nth}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (seen.has(id))
      return `messages.${at}.content.${nth}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    seen.add(id);
    return undefined;
  });
}

/** How a thought is known again. */
export function signatureOf(thinking: string): string {
  return `Er${createHash('sha256').update(thinking).digest('base64')}`;
}

function thinkingRefusal(body: Body, turns: readonly Turn[]): string | undefined {
  const changed = firstOf(turns, ({ content, at }) =>
    firstOf(content, (block, nth) => {
      if (block.type !== 'thinking' || block.signature === signatureOf(block.thinking ?? '')) return undefined;
      return `messages.${at}.content.${nth}: Invalid \`signature\` in \`thinking\` block`;
    }),
  );
  if (changed !== undefined) return changed;
  const ends = turns.find(({ role, content }) => role === 'assistant' && content.at(-1)?.type.endsWith('thinking'));
  if (ends) return `messages.${ends.at}: The final block in an assistant message cannot be \`thinking\`.`;
  const thinking = (body.thinking as { type: string } | undefined)?.type ?? 'disabled';
  const last = turns.findLast(({ role }) => role === 'assistant');
  const isLoop = last?.content.some(({ type }) => type === 'tool_use') && turns.at(-2) === last;
  const found = last?.content[0]?.type;
  // A model that decides itself whether to think may not have thought.
  if (thinking !== 'enabled' || !last || !isLoop || found?.endsWith('thinking')) return undefined;
  return `messages.${last.at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`;
}

function mediaRefusal(turns: readonly Turn[]): string | undefined {
  return firstOf(turns, ({ content, at }) =>
    firstOf(content, ({ type, source }, nth) => {
      if (source?.type !== 'base64') return undefined;
      const { data = '', media_type: media } = source;
      const where = `messages.${at}.content.${nth}.${type}.source.base64`;
      if (!isBase64(data)) return `${where}: invalid base64 data`;
      if (type === 'document') return isPdf(data) ? undefined : `${where}.data: The PDF specified was not valid.`;
      const is = imageType(data);
      if (is === undefined) return `${where}.data: Could not process image`;
      return is === media
        ? undefined
        : `${where}.media_type: The image was specified using the ${media} media type, but the image appears to be a ${is} image`;
    }),
  );
}

function toolsRefusal({ tools, tool_choice: choice }: Body, turns: readonly Turn[]): string | undefined {
  const given = (tools ?? []) as { name: string; input_schema: Record<string, unknown>; strict?: boolean }[];
  const names = given.map(({ name }) => name);
  if (choice !== undefined && given.length === 0)
    return 'tool_choice: tool_choice may only be specified while providing tools';
  const hasCalls = turns.some(({ content }) => content.some(({ type }) => /^tool_(use|result)$/.test(type)));
  if (hasCalls && given.length === 0)
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools.';
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  const { type, name } = (choice ?? {}) as { type?: string; name?: string };
  if (type === 'tool' && !names.includes(name ?? '')) return `Tool '${name}' not found in provided tools`;
  return firstOf(given, ({ input_schema: schema, strict }, at) => {
    const where = `tools.${at}.custom`;
    const top = ['oneOf', 'allOf', 'anyOf'].some((key) => schema[key] !== undefined);
    if (top) return `${where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    if (schemaIsBroken(schema)) {
      return `${where}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).`;
    }
    const bad = firstOf(Object.keys((schema.properties ?? {}) as object), (key) =>
      /^[a-zA-Z0-9_.-]{1,64}$/.test(key) ? undefined : key,
    );
    if (bad !== undefined)
      return `${where}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
    const why = strict ? formatProblem(schema) : undefined;
    return why === undefined ? undefined : `${where}: ${why}`;
  });
}

const known = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** What the draft does not allow: lists of items, types that are none, words in the wrong place. */
function schemaIsBroken(schema: unknown): boolean {
  if (typeof schema === 'boolean') return false;
  if (!isObject(schema)) return true;
  const { items, required, properties, enum: values, $ref } = schema;
  const isBroken =
    typesOf(schema).some((type) => !known.includes(String(type))) ||
    Array.isArray(items) ||
    (required !== undefined && !(Array.isArray(required) && new Set(required).size === required.length)) ||
    (properties !== undefined && !isObject(properties)) ||
    (values !== undefined && !Array.isArray(values)) ||
    ($ref !== undefined && typeof $ref !== 'string');
  return isBroken || children(schema).some(([, child]) => schemaIsBroken(child));
}

function formatRefusal(body: Body, { hasFormats }: ModelFacts): string | undefined {
  const format = (body.output_config as { format?: { schema: unknown } } | undefined)?.format;
  if (!format) return undefined;
  if (!hasFormats) return `'${body.model}' does not support output format.`;
  const why = formatProblem(format.schema);
  return why === undefined ? undefined : `output_config.format.schema: ${why}`;
}

const refusedWords: Readonly<Record<string, readonly string[]>> = {
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength'],
  array: ['maxItems', 'uniqueItems', 'prefixItems', 'contains'],
  object: ['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
};

/** Schemas that answers, and strict tools, are held to. */
function formatProblem(schema: unknown): string | undefined {
  let optional = 0;
  const walk = (at: unknown): string | undefined => {
    if (!isObject(at)) return undefined;
    if (at.oneOf !== undefined) return "Schema type 'oneOf' is not supported";
    if (at.not !== undefined || at.if !== undefined) return "Schema keywords 'not' and 'if' are not supported";
    for (const type of typesOf(at)) {
      const bad = (refusedWords[String(type)] ?? []).filter((word) => at[word] !== undefined);
      if (bad.length > 0)
        return `For '${type}' type, ${bad.length > 1 ? 'properties' : 'property'} ${bad.map((word) => `'${word}'`).join(', ')} ${bad.length > 1 ? 'are' : 'is'} not supported`;
      if (type !== 'object') continue;
      if (at.additionalProperties !== false)
        return "For 'object' type, 'additionalProperties' must be explicitly set to false";
      const needed = Array.isArray(at.required) ? at.required : [];
      optional += Object.keys((at.properties ?? {}) as object).filter((name) => !needed.includes(name)).length;
    }
    return firstOf(children(at), ([, child]) => walk(child));
  };
  const why = walk(schema);
  if (why !== undefined) return why;
  return optional > 24
    ? `Schemas contains too many optional parameters (${optional}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).`
    : undefined;
}

function cacheRefusal(body: Body): string | undefined {
  const count = (at: unknown): number => {
    if (Array.isArray(at)) return at.reduce((sum: number, item) => sum + count(item), 0);
    if (!isObject(at)) return 0;
    const own = isObject(at.cache_control) ? 1 : 0;
    return own + (Array.isArray(at.content) ? count(at.content) : 0);
  };
  const found = count(body.system) + count(body.tools) + count(body.messages);
  return found > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` : undefined;
}
