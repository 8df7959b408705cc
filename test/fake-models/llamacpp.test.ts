/** What the server of llama.cpp takes and refuses, by plain requests, and what it says of itself. */
import { expect, it } from 'vitest';
import { png, refused, testRefusals } from './refusals.ts';
import { startFakeModel } from './server.ts';

testRefusals(
  {
    kind: 'llamacpp',
    path: '/v1/chat/completions',
    headers: () => ({}),
    body: {
      model: 'whatever',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read.' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'one' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'read', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      ],
    },
  },
  [
    {
      name: 'for an answer with a schema',
      change: (b) => {
        b.response_format = { type: 'json_schema', json_schema: { schema: { type: 'object' } } };
      },
    },
  ],
  [
    refused(
      'no messages',
      (b) => {
        delete b.messages;
      },
      "'messages' is required",
    ),
    refused(
      'nothing said',
      (b) => {
        delete b.messages[0].content;
      },
      "All non-assistant messages must contain 'content'",
    ),
    refused(
      'an assistant that says nothing',
      (b) => {
        b.messages[1] = { role: 'assistant' };
      },
      "Assistant message must contain either 'content' or 'tool_calls'!",
    ),
    refused(
      'an image',
      (b) => {
        b.messages[0].content.push({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } });
      },
      'image input is not supported',
      500,
    ),
    refused(
      'a file',
      (b) => {
        b.messages[0].content.push({ type: 'file' });
      },
      'unsupported content[].type',
    ),
    refused(
      'an unknown choice',
      (b) => {
        b.tool_choice = 'any';
      },
      'Invalid tool_choice: any',
    ),
    refused(
      'a pattern without ends',
      (b) => {
        b.tools[0].function.parameters.properties.a.pattern = 'x+';
      },
      "Pattern must start with '^' and end with '$'",
    ),
    refused(
      'an unknown form of the answer',
      (b) => {
        b.response_format = { type: 'xml' };
      },
      'response_format type must be one of',
    ),
    refused(
      'arguments that are no text',
      (b) => {
        b.messages[1].tool_calls[0].function.arguments = {};
      },
      'Missing tool call arguments',
    ),
  ],
);

it('says which model it has, and how much it holds', async () => {
  const fake = await startFakeModel('llamacpp');
  const get = async (path: string) => (await fetch(`${fake.origin}${path}`)).json();
  expect(await get('/v1/models')).toMatchObject({ data: [{ id: 'qwen3-8b', owned_by: 'llamacpp' }] });
  expect(await get('/props')).toMatchObject({ default_generation_settings: { n_ctx: 8192 } });
  expect(await get('/health')).toEqual({ status: 'ok' });
  await fake.close();
});
