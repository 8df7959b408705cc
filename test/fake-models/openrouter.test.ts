/** What OpenRouter takes and refuses, by plain requests. */
import { refused, testRefusals } from './refusals.ts';

const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };

const body = {
  model: 'openai/gpt-4.1',
  messages: [
    { role: 'user', content: 'Read.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'one' },
  ],
  tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }],
  provider: { order: ['Fake'] },
};

testRefusals(
  {
    kind: 'openrouter',
    path: '/api/v1/chat/completions',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body,
  },
  [
    {
      name: 'that asks for thoughts',
      change: (b) => {
        b.reasoning = { effort: 'low' };
      },
    },
  ],
  [
    refused(
      'no messages',
      (b) => {
        delete b.messages;
      },
      'Input required: specify "prompt" or "messages"',
    ),
    refused(
      'an unknown model',
      (b) => {
        b.model = 'a/b';
      },
      'a/b is not a valid model ID',
    ),
    refused(
      'an unknown role',
      (b) => {
        b.messages[0].role = 'human';
      },
      'Invalid input at messages[0].role',
    ),
    refused(
      'a result without its call',
      (b) => {
        b.messages.splice(1, 1);
      },
      'Provider returned error',
    ),
    refused(
      'a call without its result',
      (b) => {
        b.messages.pop();
      },
      'tool calls without results',
    ),
    refused(
      'two tools of one name',
      (b) => {
        b.tools.push(b.tools[0]);
      },
      'Tool names must be unique.',
    ),
    refused(
      'parameters that are no object',
      (b) => {
        b.tools[0].function.parameters = { type: 'string' };
      },
      'Provider returned error',
    ),
  ],
);
