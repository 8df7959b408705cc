/** What OpenAI's chat completions take and refuse, by plain requests. */
import { pdf, png, refused, testRefusals } from './refusals.ts';

const tool = (name: string, more: object = {}) => ({
  type: 'function',
  function: {
    name,
    description: 'Reads.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    ...more,
  },
});
const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } });

const body = {
  model: 'gpt-4.1',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Read both.' },
    { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_2')] },
    { role: 'tool', tool_call_id: 'call_2', content: 'two' },
    { role: 'tool', tool_call_id: 'call_1', content: 'one' },
    { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
  ],
  tools: [tool('read'), tool('write')],
  temperature: 0.5,
  max_tokens: 100,
};

const strict = (schema: object) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', strict: true, schema },
});
const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const file = (data: string) => ({ type: 'file', file: { filename: 'a.pdf', file_data: data } });

testRefusals(
  { kind: 'openai-chat', path: '/v1/chat/completions', headers: (key) => ({ authorization: `Bearer ${key}` }), body },
  [
    {
      name: 'with a strict schema',
      change: (b) => {
        b.response_format = strict(closed);
      },
    },
    {
      name: 'with an image',
      change: (b) => {
        b.messages[5].content.push(image(`data:image/png;base64,${png}`));
      },
    },
    {
      name: 'with a file',
      change: (b) => {
        b.messages[5].content.push(file(`data:application/pdf;base64,${pdf}`));
      },
    },
    {
      name: 'with null for a setting',
      change: (b) => {
        b.temperature = null;
      },
    },
    {
      name: 'of a model that thinks',
      change: (b) => {
        b.model = 'gpt-5';
        delete b.temperature;
        delete b.max_tokens;
        b.max_completion_tokens = 9;
      },
    },
    {
      name: 'whose schema is not strict',
      change: (b) => {
        b.response_format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
      },
    },
  ],
  [
    refused(
      'an unknown field',
      (b) => {
        b.top_k = 3;
      },
      "Unknown parameter: 'top_k'.",
    ),
    refused(
      'an unknown field of a message',
      (b) => {
        b.messages[1].foo = 1;
      },
      "Unknown parameter: 'messages[1].foo'.",
    ),
    refused(
      'no model',
      (b) => {
        delete b.model;
      },
      "Missing required parameter: 'model'.",
    ),
    refused(
      'no messages',
      (b) => {
        b.messages = [];
      },
      "Invalid 'messages': empty array.",
    ),
    refused(
      'an unknown role',
      (b) => {
        b.messages[1].role = 'human';
      },
      "Invalid value: 'human'. Supported values are: 'system', 'developer', 'user', 'assistant', and 'tool'.",
    ),
    refused(
      'a number for a content',
      (b) => {
        b.messages[1].content = 4;
      },
      "Invalid type for 'messages[1].content': expected one of a string or an array, but got an integer instead.",
    ),
    refused(
      'a word for a number',
      (b) => {
        b.temperature = 'hot';
      },
      "Invalid type for 'temperature': expected a decimal, but got a string instead.",
    ),
    refused(
      'too hot',
      (b) => {
        b.temperature = 3;
      },
      'Expected a value <= 2, but got 3 instead.',
    ),
    refused(
      'five stops',
      (b) => {
        b.stop = ['a', 'b', 'c', 'd', 'e'];
      },
      "Invalid 'stop': array too long. Expected an array with maximum length 4",
    ),
    refused(
      'no tokens',
      (b) => {
        b.max_tokens = 0;
      },
      'integer below minimum value',
    ),
    refused(
      'an unknown model',
      (b) => {
        b.model = 'gpt-9';
      },
      'The model `gpt-9` does not exist',
      404,
    ),
    refused(
      'a result without its call',
      (b) => {
        b.messages.splice(2, 1);
      },
      "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
    ),
    refused(
      'a call without its result',
      (b) => {
        b.messages.splice(3, 1);
      },
      'did not have response messages: call_2',
    ),
    refused(
      'a call at the end',
      (b) => {
        b.messages.length = 3;
      },
      'did not have response messages: call_1, call_2',
    ),
    refused(
      'the same result twice',
      (b) => {
        b.messages[4].tool_call_id = 'call_2';
      },
      "messages with role 'tool' must be a response",
    ),
    refused(
      'an assistant that says nothing',
      (b) => {
        delete b.messages[2].tool_calls;
        b.messages.splice(3, 2);
      },
      "Invalid value for 'content': expected a string, got null.",
    ),
    refused(
      'an empty list of calls',
      (b) => {
        b.messages[2].tool_calls = [];
      },
      "Invalid 'messages[2].tool_calls': empty array.",
    ),
    refused(
      'arguments that are no text',
      (b) => {
        b.messages[2].tool_calls[0].function.arguments = {};
      },
      'expected a string, but got an object instead',
    ),
    refused(
      'a long id of a call',
      (b) => {
        b.messages[2].tool_calls[0].id = b.messages[4].tool_call_id = 'x'.repeat(41);
      },
      'maximum length 40',
    ),
    refused(
      'a tool with a slash',
      (b) => {
        b.tools[0].function.name = 'fs/read';
      },
      "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ),
    refused(
      'a tool with a long name',
      (b) => {
        b.tools[0].function.name = 'x'.repeat(65);
      },
      'maximum length 64',
    ),
    refused(
      'two tools of one name',
      (b) => {
        b.tools[1].function.name = 'read';
      },
      'tool names must be unique',
    ),
    refused(
      'no tools in a list',
      (b) => {
        b.tools = [];
      },
      "Invalid 'tools': empty array.",
    ),
    refused(
      '129 tools',
      (b) => {
        b.tools = Array.from({ length: 129 }, (_, i) => tool(`t${i}`));
      },
      'maximum length 128',
    ),
    refused(
      'a choice without tools',
      (b) => {
        delete b.tools;
        b.tool_choice = 'auto';
      },
      "'tool_choice' is only allowed when 'tools' are specified.",
    ),
    refused(
      'parallel calls without tools',
      (b) => {
        delete b.tools;
        b.parallel_tool_calls = true;
      },
      "'parallel_tool_calls' is only allowed when 'tools' are specified.",
    ),
    refused(
      'parameters that are no object',
      (b) => {
        b.tools[0].function.parameters = { type: 'string' };
      },
      `schema must be a JSON Schema of 'type: "object"'`,
    ),
    refused(
      'a list without items in a tool',
      (b) => {
        b.tools[0].function.parameters.properties.path = { type: 'array' };
      },
      "In context=('properties', 'path'), array schema missing items.",
    ),
    refused(
      'a strict tool with an optional parameter',
      (b) => {
        b.tools[0].function.strict = true;
        b.tools[0].function.parameters.additionalProperties = false;
      },
      "array including every key in properties. Missing 'path'.",
    ),
    refused(
      'a strict schema that is open',
      (b) => {
        b.response_format = strict({ ...closed, additionalProperties: true });
      },
      "In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ),
    refused(
      'a strict schema with an optional field',
      (b) => {
        b.response_format = strict({ ...closed, required: [] });
      },
      "Missing 'a'.",
    ),
    refused(
      'a strict schema with an open object inside',
      (b) => {
        b.response_format = strict({ ...closed, properties: { a: { type: 'array', items: { type: 'object' } } } });
      },
      "In context=('properties', 'a', 'items'), 'additionalProperties'",
    ),
    refused(
      'a strict schema with oneOf',
      (b) => {
        b.response_format = strict({ ...closed, properties: { a: { oneOf: [{ type: 'string' }] } } });
      },
      "'oneOf' is not permitted.",
    ),
    refused(
      'a strict schema with a default',
      (b) => {
        b.response_format = strict({ ...closed, properties: { a: { type: 'string', default: 'x' } } });
      },
      "'default' is not permitted.",
    ),
    refused(
      'a strict schema with a length',
      (b) => {
        b.response_format = strict({ ...closed, properties: { a: { type: 'string', minLength: 1 } } });
      },
      "'minLength' is not permitted.",
    ),
    refused(
      'a strict schema with an unknown format',
      (b) => {
        b.response_format = strict({ ...closed, properties: { a: { type: 'string', format: 'uri' } } });
      },
      "'uri' is not a valid format.",
    ),
    refused(
      'a strict schema without a type',
      (b) => {
        b.response_format = strict({ ...closed, properties: { a: {} } });
      },
      "schema must have a 'type' key.",
    ),
    refused(
      'a strict schema of a list',
      (b) => {
        b.response_format = strict({ type: 'array', items: { type: 'string' } });
      },
      `got 'type: "array"'`,
    ),
    refused(
      'JSON that no message speaks of',
      (b) => {
        b.response_format = { type: 'json_object' };
      },
      "must contain the word 'json'",
    ),
    refused(
      'max_tokens of a model that thinks',
      (b) => {
        b.model = 'gpt-5';
      },
      "Use 'max_completion_tokens' instead.",
    ),
    refused(
      'a temperature of a model that thinks',
      (b) => {
        b.model = 'gpt-5';
        delete b.max_tokens;
      },
      "'temperature' does not support 0.5 with this model.",
    ),
    refused(
      'an image that is none',
      (b) => {
        b.messages[5].content.push(image('data:image/png;base64,AAAA'));
      },
      'You uploaded an unsupported image.',
    ),
    refused(
      'an image of another type',
      (b) => {
        b.messages[5].content.push(image('data:text/plain;base64,AAAA'));
      },
      "unsupported MIME type 'text/plain'",
    ),
    refused(
      'an image without an address',
      (b) => {
        b.messages[5].content.push(image('a.png'));
      },
      "without the 'data:' prefix",
    ),
    refused(
      'a file that is no PDF',
      (b) => {
        b.messages[5].content.push(file('data:text/plain;base64,AAAA'));
      },
      'application/pdf MIME type',
    ),
    refused(
      'an unknown part',
      (b) => {
        b.messages[5].content.push({ type: 'video' });
      },
      "Invalid value: 'video'.",
    ),
  ],
);
