/** What Ollama takes and refuses, by plain requests to both of its chats, and what it says of its models. */
import { expect, it } from 'vitest';
import { png, refused, testRefusals } from './refusals.ts';
import { startFakeModel } from './server.ts';

const tools = [
  {
    type: 'function',
    function: { name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
  },
];

testRefusals(
  {
    kind: 'ollama',
    path: '/v1/chat/completions',
    headers: () => ({}),
    body: {
      model: 'llama3.1',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read.' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'one' },
      ],
      tools,
      nobody_knows: 'this',
    },
  },
  [
    {
      name: 'with an image',
      change: (b) => {
        b.messages[0].content.push({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } });
      },
    },
    {
      name: 'with a result without its call',
      change: (b) => {
        b.messages.splice(1, 1);
      },
    },
  ],
  [
    refused(
      'an unknown model',
      (b) => {
        b.model = 'x';
      },
      "model 'x' not found",
      404,
    ),
    refused(
      'no messages',
      (b) => {
        b.messages = [];
      },
      "[] is too short - 'messages'",
    ),
    refused(
      'tools of a model without them',
      (b) => {
        b.model = 'gemma:2b';
      },
      'gemma:2b does not support tools',
    ),
    refused(
      'a file',
      (b) => {
        b.messages[0].content.push({ type: 'file', file: {} });
      },
      'invalid message format',
    ),
    refused(
      'an address of an image',
      (b) => {
        b.messages[0].content.push({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } });
      },
      'invalid image input',
    ),
    refused(
      'arguments that are no object',
      (b) => {
        b.messages[1].tool_calls[0].function.arguments = '{';
      },
      'invalid tool call arguments',
    ),
    refused(
      'nothing said',
      (b) => {
        b.messages[0].content = null;
      },
      'invalid message content type',
    ),
    refused(
      'a word for a number',
      (b) => {
        b.temperature = 'hot';
      },
      'json: cannot unmarshal string into Go struct field',
    ),
  ],
);

testRefusals(
  {
    kind: 'ollama',
    path: '/api/chat',
    headers: () => ({}),
    body: { model: 'llama3.1', stream: false, messages: [{ role: 'user', content: 'Hi.' }], tools },
  },
  [
    {
      name: 'that streams, which nothing needs to say',
      change: (b) => {
        delete b.stream;
      },
    },
  ],
  [
    refused(
      'an unknown model',
      (b) => {
        b.model = 'x';
      },
      `{"error":"model 'x' not found"}`,
      404,
    ),
    refused(
      'parts',
      (b) => {
        b.messages[0].content = [];
      },
      'cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
    ),
    refused(
      'tools of a model without them',
      (b) => {
        b.model = 'gemma:2b';
      },
      'does not support tools',
    ),
  ],
);

it('says which models it has, and what they can', async () => {
  const fake = await startFakeModel('ollama');
  const get = async (path: string) => (await fetch(`${fake.origin}${path}`)).json();
  const show = async (model: string) =>
    (await fetch(`${fake.origin}/api/show`, { method: 'POST', body: JSON.stringify({ model }) })).json();
  expect(await get('/api/tags')).toMatchObject({ models: [{ name: 'llama3.1:latest' }, { name: 'gemma:2b' }] });
  expect(await get('/v1/models')).toMatchObject({
    object: 'list',
    data: [{ id: 'llama3.1:latest' }, { id: 'gemma:2b' }],
  });
  expect(await show('llama3.1')).toMatchObject({ capabilities: ['completion', 'tools'] });
  expect(await show('gemma:2b')).toMatchObject({
    capabilities: ['completion'],
    model_info: { 'llama.context_length': 131_072 },
  });
  expect(await show('x')).toEqual({ error: "model 'x' not found" });
  await fake.close();
});

it('its own chat answers in lines of JSON', async () => {
  const answers = [{ reasoning: 'Hm.', text: 'Grüße', calls: [{ tool: 'read', args: { a: 1 } }], chunk: 3 }];
  const fake = await startFakeModel('ollama', { answers });
  const body = JSON.stringify({ model: 'llama3.1', messages: [{ role: 'user', content: 'Hi.' }] });
  const response = await fetch(`${fake.origin}/api/chat`, { method: 'POST', body });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(lines.map(({ message }) => message.thinking ?? message.content).join('|')).toBe('Hm.|Grü|ße||');
  expect(lines[3].message.tool_calls).toEqual([{ function: { name: 'read', arguments: { a: 1 } } }]);
  expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 100, eval_count: 20 });
  await fake.close();
});
