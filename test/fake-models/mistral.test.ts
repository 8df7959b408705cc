/** What Mistral refuses that others take. */
import { refused, testRefusals } from './refusals.ts';

const call = { id: 'abcDEF123', type: 'function', function: { name: 'read', arguments: '{}' } };

testRefusals(
  {
    kind: 'mistral',
    path: '/v1/chat/completions',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: {
      model: 'mistral-medium-latest',
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'x' },
      ],
    },
  },
  [],
  [
    refused(
      'to be asked for its usage',
      (body) => (body.stream_options = { include_usage: true }),
      'stream_options',
      422,
    ),
    refused('another name for a length', (body) => (body.max_completion_tokens = 5), 'Extra inputs', 422),
    refused('thoughts', (body) => (body.messages[1].reasoning_content = 'Hm.'), 'reasoning_content', 422),
    refused(
      'an id that is not of nine letters and digits',
      (body) => {
        body.messages[1].tool_calls[0].id = 'call_1';
        body.messages[2].tool_call_id = 'call_1';
      },
      'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
    ),
    refused('a call without its result', (body) => body.messages.pop(), 'Not the same number'),
    refused(
      'an answer at the end',
      (body) => body.messages.push({ role: 'assistant', content: 'So' }),
      'Expected last role',
    ),
    refused('an unknown model', (body) => (body.model = 'mistral-tiny'), 'Invalid model: mistral-tiny'),
  ],
);
