/** What Gemini takes and refuses, by plain requests. */
import { signature } from './google-rules.ts';
import { pdf, png, refused, testRefusals } from './refusals.ts';

const call = (name: string) => ({ functionCall: { name, args: {} } });
const response = (name: string) => ({ functionResponse: { name, response: { output: 'x' } } });

const body = {
  systemInstruction: { parts: [{ text: 'Be kind.' }] },
  contents: [
    { role: 'user', parts: [{ text: 'Read both.' }] },
    { role: 'model', parts: [{ text: 'I read.' }, call('read'), call('write')] },
    { role: 'user', parts: [response('read'), response('write')] },
  ],
  tools: [
    {
      functionDeclarations: [
        {
          name: 'read',
          description: 'Reads.',
          parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
        { name: 'write', description: 'Writes.' },
      ],
    },
  ],
  generationConfig: { temperature: 1, maxOutputTokens: 100 },
};

const property =
  (schema: object) => (b: { tools: { functionDeclarations: { parameters: { properties: object } }[] }[] }) => {
    const parameters = b.tools[0]?.functionDeclarations[0]?.parameters;
    if (parameters) parameters.properties = { path: schema };
  };
const answer = (schema: object) => (b: { tools?: unknown; generationConfig: object }) => {
  delete b.tools;
  b.generationConfig = { responseMimeType: 'application/json', responseSchema: schema };
};
const at = "at 'tools[0].function_declarations[0].parameters.properties[0].value'";
const named = 'GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[path]';

const rows = [
  refused(
    'an unknown field',
    (b) => {
      b.model = 'x';
    },
    'Invalid JSON payload received. Unknown name "model": Cannot find field.',
  ),
  refused(
    'an unknown field of a part',
    (b) => {
      b.contents[0].parts[0].foo = 1;
    },
    `Unknown name "foo" at 'contents[0].parts[0]': Cannot find field.`,
  ),
  refused(
    'a word for a number',
    (b) => {
      b.generationConfig.temperature = 'hot';
    },
    `Invalid value at 'generation_config.temperature' (TYPE_DOUBLE), "hot"`,
  ),
  refused(
    'no contents',
    (b) => {
      b.contents = [];
    },
    'contents is not specified',
  ),
  refused(
    'no parts',
    (b) => {
      b.contents[0].parts = [];
    },
    'contents.parts must not be empty',
  ),
  refused(
    'an empty part',
    (b) => {
      b.contents[0].parts = [{}];
    },
    "required oneof field 'data' must have one initialized field",
  ),
  refused(
    'an empty text',
    (b) => {
      b.contents[0].parts = [{ text: '' }];
    },
    "required oneof field 'data' must have one initialized field",
  ),
  refused(
    'an empty instruction',
    (b) => {
      b.systemInstruction.parts[0].text = '';
    },
    'system_instruction.parts[0].data',
  ),
  refused(
    'an unknown role',
    (b) => {
      b.contents[0].role = 'assistant';
    },
    'Please use a valid role: user, model.',
  ),
  refused(
    'a call first',
    (b) => {
      b.contents.shift();
    },
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  ),
  refused(
    'a response without its call',
    (b) => {
      b.contents.splice(1, 1);
    },
    'Please ensure that function response turn comes immediately after a function call turn.',
  ),
  refused(
    'a call without its response',
    (b) => {
      b.contents[2].parts.pop();
    },
    'the number of function response parts is equal to the number of function call parts',
  ),
  refused(
    'a call that is followed by a text',
    (b) => {
      b.contents[2].parts = [{ text: 'x' }];
    },
    'the number of function response parts is equal',
  ),
  refused(
    'a model last',
    (b) => {
      b.contents.push({ role: 'model', parts: [{ text: 'x' }] });
    },
    'end with a user role',
  ),
  refused(
    'a response that is a text',
    (b) => {
      b.contents[2].parts[0].functionResponse.response = 'x';
    },
    `Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "x"`,
  ),
  refused(
    'a response without a name',
    (b) => {
      b.contents[2].parts[0].functionResponse.name = '';
    },
    'function_response.name: Name cannot be empty.',
  ),
  refused(
    'a tool with a slash',
    (b) => {
      b.tools[0].functionDeclarations[0].name = 'fs/read';
    },
    'Invalid function name. Must start with a letter or an underscore.',
  ),
  refused(
    'a tool that begins with a number',
    (b) => {
      b.tools[0].functionDeclarations[0].name = '1read';
    },
    'Invalid function name',
  ),
  refused(
    'a tool with a long name',
    (b) => {
      b.tools[0].functionDeclarations[0].name = 'x'.repeat(65);
    },
    'maximum length of 64',
  ),
  refused(
    'two tools of one name',
    (b) => {
      b.tools[0].functionDeclarations[1].name = 'read';
    },
    'Duplicate function declaration found: read',
  ),
  refused(
    'additionalProperties',
    property({ type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } }),
    `Unknown name "additionalProperties" ${at}: Cannot find field.`,
  ),
  refused('oneOf', property({ oneOf: [{ type: 'string' }] }), `Unknown name "oneOf" ${at}`),
  refused('const', property({ const: 'x' }), `Unknown name "const" ${at}`),
  refused(
    'a list of types',
    property({ type: ['string', 'null'] }),
    `Unknown name "type" ${at}: Proto field is not repeating, cannot start list.`,
  ),
  refused(
    'parameters without properties',
    (b) => {
      b.tools[0].functionDeclarations[0].parameters = { type: 'object', properties: {} };
    },
    'parameters.properties: should be non-empty for OBJECT type',
  ),
  refused(
    'a needed property that is not there',
    (b) => {
      b.tools[0].functionDeclarations[0].parameters.required = ['x'];
    },
    'parameters.required[0]: property is not defined',
  ),
  refused('a list without items', property({ type: 'array' }), `${named}.items: missing field.`),
  refused(
    'numbers to choose from',
    property({ type: 'integer', enum: ['1'] }),
    `${named}.enum: only allowed for STRING type`,
  ),
  refused(
    'an empty text to choose',
    property({ type: 'string', enum: ['', 'a'] }),
    `${named}.enum[0]: cannot be empty`,
  ),
  refused(
    'a format of texts',
    property({ type: 'string', format: 'uri' }),
    `${named}.format: only 'enum' and 'date-time' are supported for STRING type`,
  ),
  refused(
    'properties of what is no object',
    property({ type: 'string', properties: { a: { type: 'string' } } }),
    `${named}.properties: only allowed for OBJECT type`,
  ),
  refused(
    'an object without properties in an answer',
    answer({ type: 'object', properties: { a: { type: 'object' } } }),
    'response_schema.properties[a].properties: should be non-empty for OBJECT type',
  ),
  refused(
    'tools beside a schema of the answer',
    (b) => {
      b.generationConfig = { responseMimeType: 'application/json' };
    },
    "Function calling with a response mime type: 'application/json' is unsupported",
  ),
  refused(
    'a schema without a type of the answer',
    (b) => {
      b.generationConfig.responseSchema = { type: 'string' };
    },
    'response_schema requires response_mime_type',
  ),
  refused(
    'too hot',
    (b) => {
      b.generationConfig.temperature = 2.1;
    },
    'temperature must be in the range [0.0, 2.0].',
  ),
  refused(
    'no tokens',
    (b) => {
      b.generationConfig.maxOutputTokens = 0;
    },
    'max_output_tokens must be positive.',
  ),
  refused(
    'more tokens than there are',
    (b) => {
      b.generationConfig.maxOutputTokens = 65_537;
    },
    'the supported range is from 1 (inclusive) to 65537 (exclusive)',
  ),
  refused(
    'six stops',
    (b) => {
      b.generationConfig.stopSequences = ['a', 'b', 'c', 'd', 'e', 'f'];
    },
    'stop_sequences must be at most 5',
  ),
  refused(
    'a choice without tools',
    (b) => {
      delete b.tools;
      b.contents.length = 1;
      b.toolConfig = { functionCallingConfig: { mode: 'ANY' } };
    },
    'Function calling config is set without function_declarations.',
  ),
  refused(
    'a choice of an unknown tool',
    (b) => {
      b.toolConfig = { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['x'] } };
    },
    'function x is not declared',
  ),
  refused(
    'a file that it cannot read',
    (b) => {
      b.contents[0].parts.push({ inlineData: { mimeType: 'image/gif', data: png } });
    },
    'Unsupported MIME type: image/gif',
  ),
  refused(
    'a file that is no base64',
    (b) => {
      b.contents[0].parts.push({ inlineData: { mimeType: 'image/png', data: 'no!' } });
    },
    'Base64 decoding failed',
  ),
];

const path = (model: string) => `/v1beta/models/${model}:generateContent`;
const headers = (key: string) => ({ 'x-goog-api-key': key });

testRefusals(
  { kind: 'google', path: path('gemini-2.5-flash'), headers, body },
  [
    {
      name: 'with nulls',
      change: (b) => {
        b.safetySettings = null;
        b.generationConfig.topK = null;
      },
    },
    {
      name: 'with files',
      change: (b) => {
        b.contents[0].parts.push(
          { inlineData: { mimeType: 'image/png', data: png } },
          { inlineData: { mimeType: 'application/pdf', data: pdf } },
        );
      },
    },
    {
      name: 'with a schema of the answer',
      change: answer({ type: 'object', properties: { a: { type: 'string', enum: ['x'], nullable: true } } }),
    },
    {
      name: 'with any schema of the answer',
      change: (b) => {
        delete b.tools;
        b.generationConfig = { responseMimeType: 'application/json', responseJsonSchema: { $ref: '#/x' } };
      },
    },
  ],
  rows,
);

const signed = (given: string | undefined) => (b: typeof body) => {
  Object.assign(b.contents[1]?.parts[1] ?? {}, given === undefined ? {} : { thoughtSignature: given });
};
const thinking = structuredClone(body);
signed(signature('read'))(thinking);

testRefusals(
  { kind: 'google', path: path('gemini-3-pro-preview'), headers, body: thinking },
  [
    { name: 'that says that there is no signature', change: signed('skip_thought_signature_validator') },
    {
      name: 'with an old call that is not signed',
      change: (b) => {
        delete b.contents[1].parts[1].thoughtSignature;
        b.contents.push({ role: 'model', parts: [{ text: 'Done.' }] }, { role: 'user', parts: [{ text: 'Thanks.' }] });
      },
    },
  ],
  [
    refused(
      'a call without its signature',
      (b) => {
        delete b.contents[1].parts[1].thoughtSignature;
      },
      'Function call is missing a thought_signature in functionCall parts.',
    ),
    refused('a signature of another', signed('eA=='), 'Corrupted thought signature.'),
  ],
);
