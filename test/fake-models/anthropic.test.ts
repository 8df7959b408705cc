/** What Anthropic's messages take and refuse, by plain requests. */
import { expect, it } from 'vitest';
import { signatureOf } from './anthropic-rules.ts';
import { ask } from './kit.ts';
import { pdf, png, refused, testRefusals } from './refusals.ts';
import { startFakeModel } from './server.ts';

const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' } });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'text' });
const thought = { type: 'thinking', thinking: 'Hm.', signature: signatureOf('Hm.') };
const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const image = (data: string, media = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type: media, data },
});

const body = {
  model: 'claude-sonnet-4-5',
  max_tokens: 2000,
  system: [{ type: 'text', text: 'Be kind.' }],
  messages: [
    { role: 'user', content: 'Read both.' },
    { role: 'assistant', content: [{ type: 'text', text: 'I read.' }, use('toolu_1'), use('toolu_2')] },
    {
      role: 'user',
      content: [result('toolu_1'), { ...result('toolu_2'), is_error: true }, { type: 'text', text: 'Well?' }],
    },
  ],
  tools: [
    { name: 'read', description: 'Reads.', input_schema: { type: 'object', properties: { path: { type: 'string' } } } },
    { name: 'write', input_schema: { type: 'object' } },
  ],
};

const thinking = { type: 'enabled', budget_tokens: 1024 };

testRefusals(
  {
    kind: 'anthropic',
    path: '/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body,
  },
  [
    {
      name: 'with two messages of one role',
      change: (b) => {
        b.messages.push({ role: 'user', content: 'More.' });
      },
    },
    {
      name: 'with thoughts',
      change: (b) => {
        b.thinking = thinking;
        b.messages[1].content.unshift(thought);
      },
    },
    {
      name: 'with an image and a file',
      change: (b) => {
        b.messages[2].content.push(image(png), {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: pdf },
        });
      },
    },
    {
      name: 'with a schema of the answer',
      change: (b) => {
        b.output_config = { format: { type: 'json_schema', schema: closed } };
      },
    },
    {
      name: 'with the begin of the answer',
      change: (b) => {
        b.messages.push({ role: 'assistant', content: 'So:' });
      },
    },
  ],
  [
    refused(
      'an unknown field',
      (b) => {
        b.seed = 3;
      },
      'seed: Extra inputs are not permitted',
    ),
    refused(
      'an unknown field of a block',
      (b) => {
        b.messages[1].content[0].foo = 1;
      },
      'messages.1.content.0.text.foo: Extra inputs are not permitted',
    ),
    refused(
      'calls without a list of tools',
      (b) => {
        delete b.tools;
      },
      'Requests which include `tool_use` or `tool_result` blocks must define tools.',
    ),
    refused(
      'no max_tokens',
      (b) => {
        delete b.max_tokens;
      },
      'max_tokens: Field required',
    ),
    refused(
      'more tokens than the model has',
      (b) => {
        b.max_tokens = 64_001;
      },
      'max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens',
    ),
    refused(
      'a word for a number',
      (b) => {
        b.max_tokens = 'many';
      },
      'max_tokens: Input should be a valid integer',
    ),
    refused(
      'an unknown model',
      (b) => {
        b.model = 'claude-9';
      },
      'model: claude-9',
      404,
    ),
    refused(
      'no messages',
      (b) => {
        b.messages = [];
      },
      'messages: at least one message is required',
    ),
    refused(
      'an assistant first',
      (b) => {
        b.messages.splice(0, 1, { role: 'assistant', content: 'Hi.' });
      },
      'messages: first message must use the "user" role',
    ),
    refused(
      'a system message',
      (b) => {
        b.messages.unshift({ role: 'system', content: 'x' });
      },
      'Unexpected role "system"',
    ),
    refused(
      'an unknown role',
      (b) => {
        b.messages[0].role = 'tool';
      },
      "messages.0.role: Input should be 'user' or 'assistant'",
    ),
    refused(
      'an empty message',
      (b) => {
        b.messages[0].content = '';
      },
      'messages.0: all messages must have non-empty content',
    ),
    refused(
      'an empty text',
      (b) => {
        b.messages[1].content[0].text = '';
      },
      'messages: text content blocks must be non-empty',
    ),
    refused(
      'a text of spaces',
      (b) => {
        b.messages[1].content[0].text = ' \n';
      },
      'messages: text content blocks must contain non-whitespace text',
    ),
    refused(
      'an empty system text',
      (b) => {
        b.system[0].text = '';
      },
      'system: text content blocks must be non-empty',
    ),
    refused(
      'spaces at the end of the last assistant',
      (b) => {
        b.messages.push({ role: 'assistant', content: 'So: ' });
      },
      'final assistant content cannot end with trailing whitespace',
    ),
    refused(
      'a call without its result',
      (b) => {
        b.messages[2].content.splice(1, 1);
      },
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2.',
    ),
    refused(
      'a call at the end',
      (b) => {
        b.messages.length = 2;
      },
      'without `tool_result` blocks immediately after: toolu_1, toolu_2.',
    ),
    refused(
      'a text before the results',
      (b) => {
        b.messages[2].content.reverse();
      },
      'without `tool_result` blocks immediately after',
    ),
    refused(
      'a result without its call',
      (b) => {
        b.messages[1].content.pop();
      },
      'messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_2.',
    ),
    refused(
      'the same result twice',
      (b) => {
        b.messages[2].content.splice(1, 0, result('toolu_1'));
      },
      'each tool_use must have a single result',
    ),
    refused(
      'the same id of two calls',
      (b) => {
        b.messages[1].content[2].id = 'toolu_1';
      },
      '`tool_use` ids must be unique',
    ),
    refused(
      'an id with a colon',
      (b) => {
        b.messages[1].content[1].id = b.messages[2].content[0].tool_use_id = 'a:b';
      },
      "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    refused(
      'arguments that are a text',
      (b) => {
        b.messages[1].content[1].input = '{}';
      },
      'messages.1.content.1.tool_use.input: Input should be a valid dictionary',
    ),
    refused(
      'an unknown block',
      (b) => {
        b.messages[1].content[0].type = 'txt';
      },
      "messages.1.content.0: Input tag 'txt' found using 'type' does not match any of the expected tags",
    ),
    refused(
      'a thought without a signature',
      (b) => {
        b.messages[1].content.unshift({ type: 'thinking', thinking: 'Hm.' });
      },
      'messages.1.content.0.thinking.signature: Field required',
    ),
    refused(
      'a thought that was changed',
      (b) => {
        b.messages[1].content.unshift({ ...thought, thinking: 'Hm!' });
      },
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ),
    refused(
      'a thought at the end of a message',
      (b) => {
        b.messages.push({ role: 'assistant', content: [thought] }, { role: 'user', content: 'x' });
      },
      'The final block in an assistant message cannot be `thinking`.',
    ),
    refused(
      'calls without thoughts while it thinks',
      (b) => {
        b.thinking = thinking;
      },
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.',
    ),
    refused(
      'a temperature while it thinks',
      (b) => {
        b.thinking = thinking;
        b.messages[1].content.unshift(thought);
        b.temperature = 0.5;
      },
      '`temperature` may only be set to 1 when thinking is enabled.',
    ),
    refused(
      'fewer tokens than it may think',
      (b) => {
        b.thinking = { ...thinking, budget_tokens: 2000 };
      },
      '`max_tokens` must be greater than `thinking.budget_tokens`.',
    ),
    refused(
      'a forced tool while it thinks',
      (b) => {
        b.thinking = thinking;
        b.messages[1].content.unshift(thought);
        b.tool_choice = { type: 'any' };
      },
      'Thinking may not be enabled when tool_choice forces tool use.',
    ),
    refused(
      'too hot',
      (b) => {
        b.temperature = 1.1;
      },
      'temperature: range: 0..1',
    ),
    refused(
      'a temperature and top_p',
      (b) => {
        b.temperature = 1;
        b.top_p = 0.9;
      },
      'cannot both be specified for this model',
    ),
    refused(
      'a temperature of a model that takes none',
      (b) => {
        b.model = 'claude-opus-4-7';
        b.temperature = 1;
      },
      '`temperature` is deprecated for this model.',
    ),
    refused(
      'the begin of the answer to a model that takes none',
      (b) => {
        b.model = 'claude-opus-4-7';
        b.messages.push({ role: 'assistant', content: 'So' });
      },
      'does not support assistant message prefill',
    ),
    refused(
      'an empty stop',
      (b) => {
        b.stop_sequences = [''];
      },
      'stop_sequences.0: String should have at least 1 character',
    ),
    refused(
      'a tool with a slash',
      (b) => {
        b.tools[0].name = 'fs/read';
      },
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    ),
    refused(
      'a tool with a long name',
      (b) => {
        b.tools[0].name = 'x'.repeat(65);
      },
      'tools.0.custom.name: String should match pattern',
    ),
    refused(
      'two tools of one name',
      (b) => {
        b.tools[1].name = 'read';
      },
      'tools: Tool names must be unique.',
    ),
    refused(
      'a schema that is no object',
      (b) => {
        b.tools[0].input_schema = { type: 'string' };
      },
      "tools.0.custom.input_schema.type: Input should be 'object'",
    ),
    refused(
      'a schema without a type',
      (b) => {
        b.tools[0].input_schema = {};
      },
      'tools.0.custom.input_schema.type: Field required',
    ),
    refused(
      'a choice at the top of a schema',
      (b) => {
        b.tools[0].input_schema.anyOf = [{}];
      },
      'does not support oneOf, allOf, or anyOf at the top level',
    ),
    refused(
      'a schema of an older draft',
      (b) => {
        b.tools[0].input_schema.properties.path = { type: 'array', items: [{ type: 'string' }] };
      },
      'JSON schema is invalid. It must match JSON Schema draft 2020-12',
    ),
    refused(
      'a key with a space',
      (b) => {
        b.tools[0].input_schema.properties = { 'a b': { type: 'string' } };
      },
      "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    ),
    refused(
      'a choice without tools',
      (b) => {
        delete b.tools;
        b.tool_choice = { type: 'auto' };
      },
      'may only be specified while providing tools',
    ),
    refused(
      'a choice of an unknown tool',
      (b) => {
        b.tool_choice = { type: 'tool', name: 'x' };
      },
      "Tool 'x' not found in provided tools",
    ),
    refused(
      'an open schema of the answer',
      (b) => {
        b.output_config = { format: { type: 'json_schema', schema: { type: 'object' } } };
      },
      "'additionalProperties' must be explicitly set to false",
    ),
    refused(
      'a bound in the schema of the answer',
      (b) => {
        b.output_config = {
          format: { type: 'json_schema', schema: { ...closed, properties: { a: { type: 'integer', minimum: 1 } } } },
        };
      },
      "For 'integer' type, property 'minimum' is not supported",
    ),
    refused(
      'a schema of the answer for a model without them',
      (b) => {
        b.model = 'claude-3-haiku-20240307';
        b.output_config = { format: { type: 'json_schema', schema: closed } };
      },
      'does not support output format',
    ),
    refused(
      'an image of another type',
      (b) => {
        b.messages[2].content.push(image(png, 'image/jpeg'));
      },
      'but the image appears to be a image/png image',
    ),
    refused(
      'an image of a type that it cannot read',
      (b) => {
        b.messages[2].content.push(image(png, 'image/bmp'));
      },
      "media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ),
    refused(
      'an image that is no base64',
      (b) => {
        b.messages[2].content.push(image('no!'));
      },
      'invalid base64 data',
    ),
    refused(
      'five marks of the cache',
      (b) => {
        const mark = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
        b.messages[2].content.push(mark, mark, mark, mark, mark);
      },
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ),
  ],
);

it('takes the field of a beta from those who ask for that beta', async () => {
  const fake = await startFakeModel('anthropic', { answers: () => ({ text: 'Yes.' }) });
  try {
    const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }];
    const text = JSON.stringify({ ...body, context_management: { edits } });
    const beta = { 'anthropic-beta': 'interleaved-thinking-2025-05-14,context-management-2025-06-27' };
    const taken = await ask(fake, { text, headers: beta });
    expect(await taken.text()).toContain('Yes.');
    const refusal = await ask(fake, { text });
    expect(refusal.status).toBe(400);
    expect(await refusal.text()).toContain('context_management: Extra inputs are not permitted');
  } finally {
    await fake.close();
  }
});
