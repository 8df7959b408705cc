/** What DeepSeek takes and refuses, by plain requests. */
import { png, refused, testRefusals } from './refusals.ts';

const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };

const body = {
  model: 'deepseek-reasoner',
  messages: [
    { role: 'user', content: 'Read.' },
    { role: 'assistant', content: '', reasoning_content: 'Hm.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'one' },
  ],
  tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }],
  max_tokens: 8192,
  nobody_knows: 'this',
};

testRefusals(
  { kind: 'deepseek', path: '/chat/completions', headers: (key) => ({ authorization: `Bearer ${key}` }), body },
  [
    {
      name: 'of a model that does not think',
      change: (b) => {
        b.model = 'deepseek-chat';
        delete b.messages[1].reasoning_content;
      },
    },
    {
      name: 'for JSON',
      change: (b) => {
        b.messages[0].content = 'Read, answer JSON.';
        b.response_format = { type: 'json_object' };
      },
    },
  ],
  [
    refused(
      'a call without what was thought before it',
      (b) => {
        delete b.messages[1].reasoning_content;
      },
      'Missing `reasoning_content` field in the assistant message at message index 1.',
    ),
    refused(
      'a schema of the answer',
      (b) => {
        b.response_format = { type: 'json_schema', json_schema: { name: 'x', schema: {} } };
      },
      'This response_format type is unavailable now',
    ),
    refused(
      'JSON that no message speaks of',
      (b) => {
        b.response_format = { type: 'json_object' };
      },
      "Prompt must contain the word 'json'",
    ),
    refused(
      'an image',
      (b) => {
        b.messages[0].content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }];
      },
      'unknown variant `image_url`, expected `text`',
    ),
    refused(
      'more tokens than it writes',
      (b) => {
        b.model = 'deepseek-chat';
        b.max_tokens = 8193;
      },
      'the valid range of max_tokens is [1, 8192]',
    ),
    refused(
      'too hot',
      (b) => {
        b.temperature = 3;
      },
      'the valid range of temperature is [0, 2.0]',
    ),
    refused(
      'an unknown model',
      (b) => {
        b.model = 'deepseek-9';
      },
      'Model Not Exist',
    ),
    refused(
      'a result without its call',
      (b) => {
        b.messages.splice(1, 1);
      },
      "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    ),
    refused(
      'a call without its result',
      (b) => {
        b.messages.pop();
      },
      'insufficient tool messages following tool_calls message',
    ),
    refused(
      'two tools of one name',
      (b) => {
        b.tools.push(b.tools[0]);
      },
      'Tool names must be unique.',
    ),
  ],
);
