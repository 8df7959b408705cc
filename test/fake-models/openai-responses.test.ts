/** What OpenAI's responses take and refuse, by plain requests. */
import { pdf, png, refused, testRefusals } from './refusals.ts';
import { sealed } from './responses-request.ts';

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' });
const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const format = (schema: object, more: object = {}) => ({
  format: { type: 'json_schema', name: 'answer', schema, ...more },
});
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed('rs_1') };

const body = {
  model: 'gpt-4.1',
  store: false,
  input: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'input_text', text: 'Read.' }] },
    { role: 'assistant', content: [{ type: 'output_text', text: 'I read.' }] },
    call('call_1'),
    call('call_2'),
    { type: 'function_call_output', call_id: 'call_2', output: 'two' },
    { type: 'function_call_output', call_id: 'call_1', output: 'one' },
    { role: 'user', content: [{ type: 'input_text', text: 'Well?' }] },
  ],
  tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: closed, strict: true }],
  temperature: 0.5,
};

const thinks = (b: Record<string, unknown>) => {
  b.model = 'gpt-5';
  delete b.temperature;
};

testRefusals(
  { kind: 'openai-responses', path: '/v1/responses', headers: (key) => ({ authorization: `Bearer ${key}` }), body },
  [
    {
      name: 'with a text for input',
      change: (b) => {
        b.input = 'Hi.';
      },
    },
    {
      name: 'with a sealed thought before a call',
      change: (b) => {
        thinks(b);
        b.input.splice(3, 0, reasoning);
      },
    },
    {
      name: 'with a namespace of tools',
      change: (b) => {
        b.tools.push({
          type: 'namespace',
          name: 'files',
          description: 'Files.',
          tools: [{ type: 'function', name: 'write', parameters: closed }],
        });
      },
    },
    {
      name: 'with an image and a file',
      change: (b) => {
        b.input[1].content.push(
          { type: 'input_image', image_url: `data:image/png;base64,${png}` },
          { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
        );
      },
    },
    {
      name: 'with a strict schema',
      change: (b) => {
        b.text = format(closed, { strict: true });
      },
    },
    {
      name: 'with a schema that is not strict',
      change: (b) => {
        b.text = format({ type: 'object' }, { strict: false });
      },
    },
  ],
  [
    refused(
      'a schema of the answer that is no object, strict or not',
      (b) => {
        b.text = format({ type: 'array', items: { type: 'string' } }, { strict: false });
      },
      'schema must be a JSON Schema of \'type: "object"\', got \'type: "array"\'.',
    ),
    refused(
      'a namespace without tools',
      (b) => {
        b.tools.push({ type: 'namespace', name: 'files', description: 'Files.' });
      },
      "Missing required parameter: 'tools[1].tools'.",
    ),
    refused(
      'an unknown field',
      (b) => {
        b.stop = ['x'];
      },
      "Unknown parameter: 'stop'.",
    ),
    refused(
      'an unknown field of an item',
      (b) => {
        b.input[1].foo = 1;
      },
      "Unknown parameter: 'input[1].foo'.",
    ),
    refused(
      'no input',
      (b) => {
        delete b.input;
      },
      'must be provided.',
    ),
    refused(
      'an unknown item',
      (b) => {
        b.input[3].type = 'call';
      },
      "Invalid value: 'call'.",
    ),
    refused(
      'a text of an assistant as input',
      (b) => {
        b.input[2].content[0].type = 'input_text';
      },
      "Invalid value: 'input_text'. Supported values are: 'output_text', and 'refusal'.",
    ),
    refused(
      'an answer of fewer than 16 tokens',
      (b) => {
        b.max_output_tokens = 15;
      },
      'Expected a value >= 16, but got 15 instead.',
    ),
    refused(
      'an unknown model',
      (b) => {
        b.model = 'gpt-9';
      },
      'does not exist',
      404,
    ),
    refused(
      'a result without its call',
      (b) => {
        b.input.splice(3, 1);
      },
      'No tool call found for function call output with call_id call_1.',
    ),
    refused(
      'a call without its result',
      (b) => {
        b.input.splice(6, 1);
      },
      'No tool output found for function call call_1.',
    ),
    refused(
      'an id of another kind',
      (b) => {
        b.input[3].id = 'call_1';
      },
      "Expected an ID that begins with 'fc'.",
    ),
    refused(
      'a long id of a call',
      (b) => {
        b.input[3].call_id = b.input[6].call_id = 'x'.repeat(65);
      },
      'maximum length 64',
    ),
    refused(
      'a thought without what follows',
      (b) => {
        thinks(b);
        b.input.splice(7, 0, reasoning);
      },
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ),
    refused(
      'a thought with a broken seal',
      (b) => {
        thinks(b);
        b.input.splice(3, 0, { ...reasoning, encrypted_content: 'gAAAAAx' });
      },
      'could not be verified',
    ),
    refused(
      'a thought that is not kept',
      (b) => {
        thinks(b);
        b.input.splice(3, 0, { ...reasoning, encrypted_content: null });
      },
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
      404,
    ),
    refused(
      'a reference to nothing',
      (b) => {
        b.input.push({ type: 'item_reference', id: 'msg_1' });
      },
      "Item with id 'msg_1' not found.",
      404,
    ),
    refused(
      'a thought without a summary',
      (b) => {
        thinks(b);
        const { summary: _, ...rest } = reasoning;
        b.input.splice(3, 0, rest);
      },
      "Missing required parameter: 'input[3].summary'.",
    ),
    refused(
      'thinking of a model that does not',
      (b) => {
        b.reasoning = { summary: 'auto' };
      },
      "'reasoning.summary' is not supported with this model.",
    ),
    refused(
      'sealed thoughts of a model without any',
      (b) => {
        b.include = ['reasoning.encrypted_content'];
      },
      'Encrypted content is not supported with this model.',
    ),
    refused(
      'a temperature of a model that thinks',
      (b) => {
        b.model = 'gpt-5';
      },
      "'temperature' is not supported with this model.",
    ),
    refused(
      'a strict tool with an optional parameter',
      (b) => {
        b.tools[0].parameters = { ...closed, required: [] };
      },
      "Missing 'a'.",
    ),
    refused(
      'a tool with a slash',
      (b) => {
        b.tools[0].name = 'fs/read';
      },
      'string does not match pattern',
    ),
    refused(
      'two tools of one name',
      (b) => {
        b.tools.push(b.tools[0]);
      },
      'tool names must be unique',
    ),
    refused(
      'a needed call without tools',
      (b) => {
        b.tools = [];
        b.tool_choice = 'required';
      },
      "Tool choice 'required' must be specified with 'tools' parameter.",
    ),
    refused(
      'an open schema where nothing is said of strictness',
      (b) => {
        b.text = format({ type: 'object', properties: {} });
      },
      'invalid_json_schema',
    ),
    refused(
      'a name of a schema with a space',
      (b) => {
        b.text = { format: { ...format(closed).format, name: 'an answer' } };
      },
      'string does not match pattern',
    ),
    refused(
      'a file without a name',
      (b) => {
        b.input[1].content.push({ type: 'input_file', file_data: `data:application/pdf;base64,${pdf}` });
      },
      "Missing required parameter: 'input[1].content[1].filename'.",
    ),
    refused(
      'a file of a type that it cannot read',
      (b) => {
        b.input[1].content.push({
          type: 'input_file',
          filename: 'a.zip',
          file_data: 'data:application/zip;base64,AAAA',
        });
      },
      "unsupported MIME type 'application/zip'",
    ),
  ],
);
