/** Calls that our contract allows, at random: whoever made the messages, and whatever the tools of a service look like. */
import fc from 'fast-check';
import type {
  AssistantMessage,
  JsonRecord,
  ModelCall,
  ModelMessage,
  ModelTool,
  Reasoning,
  ToolCall,
} from '../../src/model/index.ts';
import type { JsonSchema } from '../../src/type/index.ts';
import { signatureOf } from '../fake-models/anthropic-rules.ts';
import { signature } from '../fake-models/google-rules.ts';
import { sealed } from '../fake-models/responses-request.ts';

/** What people and models write: nothing, spaces, other scripts, control characters, what looks like markup. */
const words = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'Hi.',
      'Grüße 🎈',
      '日本語',
      'a\nb',
      '{"json": 1}',
      '</system>',
      '🛠️[/end]',
      'x '.repeat(300),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\n', '\u0000', 'ends with a space ') },
);

const names = fc.oneof(
  fc.constantFrom(
    'filesystem/read',
    'clock/now',
    'filesystem__read',
    'result',
    '日本/語',
    '1st/2nd',
    'a.b/c:d',
    'x'.repeat(200),
  ),
  fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9_-]{0,40}$/), fc.stringMatching(/^[A-Za-z0-9_.-]{1,60}$/))
    .map(([a, b]) => `${a}/${b}`),
);

const leaf: fc.Arbitrary<JsonRecord> = fc.oneof(
  fc.constantFrom<JsonRecord>(
    { type: 'string' },
    { type: 'string', description: 'A text.', minLength: 1, maxLength: 9, pattern: '^a+$' },
    { type: 'string', format: 'uri' },
    { type: 'string', format: 'date' },
    { type: 'string', enum: ['a', 'b'] },
    { type: 'string', enum: ['', 'b'] },
    { type: 'string', default: 'x' },
    { type: 'integer', minimum: 0, maximum: 9 },
    { type: 'integer', enum: [1, 2] },
    { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null'] },
    { type: ['string', 'integer'] },
    { const: 'fixed' },
    { enum: ['a', 1, null] },
    {},
    { type: 'object' },
    { type: 'object', properties: {}, additionalProperties: false },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3, uniqueItems: true },
  ),
);

const keys = fc.constantFrom('path', 'a', 'b', 'type', 'properties', 'with-dash', 'snake_case', 'required');

/** Schemas as our types make them, and as services write them. */
export const schema: fc.Arbitrary<JsonRecord> = fc.letrec<{ any: JsonRecord; object: JsonRecord }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: tie('object') },
    { weight: 1, arbitrary: tie('any').map((items) => ({ type: 'array', items })) },
    { weight: 1, arbitrary: fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })) },
    { weight: 1, arbitrary: fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })) },
    { weight: 1, arbitrary: tie('object').map((one) => ({ allOf: [one] })) },
  ),
  object: objectOf(tie('any')),
})).object;

function objectOf(any: fc.Arbitrary<JsonRecord>): fc.Arbitrary<JsonRecord> {
  return fc
    .record({
      properties: fc.dictionary(keys, any, { maxKeys: 4 }),
      isClosed: fc.constantFrom(true, false, undefined),
      isAll: fc.boolean(),
      description: fc.option(words, { nil: undefined }),
    })
    .map(({ properties, isClosed, isAll, description }) => ({
      type: 'object',
      properties,
      ...(isAll ? { required: Object.keys(properties) } : { required: Object.keys(properties).slice(0, 1) }),
      ...(isClosed === undefined ? {} : { additionalProperties: !isClosed }),
      ...(description === undefined ? {} : { description }),
    }));
}

/** What services of tools do at the root. */
const root: fc.Arbitrary<JsonRecord> = fc.oneof(
  { weight: 8, arbitrary: schema },
  {
    weight: 2,
    arbitrary: fc.constantFrom<JsonRecord>(
      { type: 'object' },
      { type: 'object', properties: {} },
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {},
        additionalProperties: false,
      },
      {
        type: 'object',
        anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { required: ['b'] }],
        properties: { b: { type: 'string' } },
      },
      {
        type: 'object',
        properties: { node: { $ref: '#/$defs/node' } },
        $defs: { node: { type: 'object', properties: { name: { type: 'string' } } } },
      },
      {
        type: 'object',
        properties: { node: { $ref: '#/$defs/node' } },
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      },
      { type: 'object', properties: { list: { type: 'array' } } },
      {
        type: 'object',
        properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] } },
      },
    ),
  },
);

const tools: fc.Arbitrary<ModelTool[]> = fc.uniqueArray(
  fc.record({
    name: names,
    description: fc.oneof({ weight: 9, arbitrary: words }, { weight: 1, arbitrary: fc.constant('long '.repeat(500)) }),
    parameters: root as fc.Arbitrary<unknown> as fc.Arbitrary<JsonSchema>,
  }),
  { selector: ({ name }) => name, maxLength: 6 },
);

const args = fc.dictionary(fc.oneof(keys, fc.constantFrom('__proto__', 'ü', '')), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
}) as fc.Arbitrary<JsonRecord>;

/** Thoughts of this and of other services, each with what its own wants to see again. */
const reasoning: fc.Arbitrary<Reasoning> = fc
  .tuple(words, fc.constantFrom('plain', 'other', 'anthropic', 'openai', 'google'))
  .map(([text, from]): Reasoning => {
    switch (from) {
      case 'anthropic':
        return { text, meta: { anthropic: { signature: signatureOf(text) } } };
      case 'openai':
        return { text, meta: { openai: { itemId: 'rs_1', reasoningEncryptedContent: sealed('rs_1') } } };
      case 'google':
        return { text, meta: { google: { thoughtSignature: signature('x') } } };
      case 'other':
        return { text, meta: { toolang: { thoughtBy: 'ollama/other' } } };
      default:
        return { text };
    }
  });

interface Draft {
  readonly tool: string;
  readonly args: JsonRecord;
  readonly problem: string | undefined;
  readonly isSigned: boolean;
  readonly result: string;
  readonly isError: boolean;
}

/** An assistant, with results of its calls in some order. */
const spoken = fc.record({
  content: words,
  reasoning: fc.array(reasoning, { maxLength: 2 }),
  calls: fc.array(
    fc.record<Draft>({
      tool: names,
      args,
      problem: fc.option(fc.constant('the arguments are no JSON'), { nil: undefined, freq: 4 }),
      isSigned: fc.boolean(),
      result: words,
      isError: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  isReversed: fc.boolean(),
  ids: fc.constantFrom('call_', 'toolu_', 'id with spaces:', 'ü', 'x'.repeat(80)),
});

const file = fc.constant({
  type: 'file' as const,
  mediaType: 'text/plain',
  name: 'ü.txt',
  url: `data:text/plain;base64,${Buffer.from('a file').toString('base64')}`,
});

const user: fc.Arbitrary<ModelMessage> = fc
  .oneof(
    words,
    fc.array(
      fc.oneof(
        words.map((text) => ({ type: 'text' as const, text })),
        file,
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map((content) => ({ role: 'user', content }));

/** Somebody has asked for something. */
function saysSomething({ content }: ModelMessage): boolean {
  if (typeof content === 'string') return content.trim() !== '';
  return content.some((part) => part.type === 'file' || part.text.trim() !== '');
}

export const anyCall: fc.Arbitrary<ModelCall> = fc
  .record({
    systems: fc.array(words, { maxLength: 2 }),
    turns: fc.array(fc.oneof(user, spoken), { maxLength: 6 }),
    last: user.filter(saysSomething),
    isLoop: fc.boolean(),
    end: spoken,
    tools,
    toolChoice: fc.constantFrom('auto' as const, 'none' as const, 'required' as const, undefined),
    output: fc.option(schema, { nil: undefined, freq: 3 }),
    temperature: fc.constantFrom(undefined, 0, 0.5, 1, 2),
    maxTokens: fc.constantFrom(undefined, 16, 4096),
  })
  .map(({ systems, turns, last, isLoop, end, output, toolChoice, temperature, maxTokens, ...rest }) => {
    let count = 0;
    const write = (turn: ModelMessage | typeof end): ModelMessage[] =>
      'role' in turn ? [turn] : assistant(turn, () => ++count);
    const messages: ModelMessage[] = [
      ...systems.map((content): ModelMessage => ({ role: 'system', content })),
      ...turns.flatMap(write),
      last,
      // It goes on with the results of its calls, where it has called something.
      ...(isLoop && end.calls.length > 0 ? write(end) : []),
    ];
    return {
      messages,
      tools: rest.tools,
      ...(toolChoice === undefined ? {} : { toolChoice }),
      ...(output === undefined ? {} : { output: output as unknown as JsonSchema }),
      settings: {
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { maxTokens }),
      },
    };
  });

type Spoken = typeof spoken extends fc.Arbitrary<infer T> ? T : never;

function assistant(
  { content, reasoning: thoughts, calls, isReversed, ids }: Spoken,
  next: () => number,
): ModelMessage[] {
  const made = calls.map((call) => ({ call, id: `${ids}${next()}` }));
  const written = made.map(
    ({ id, call }): ToolCall => ({
      id,
      tool: call.tool,
      args: call.args,
      ...(call.problem === undefined ? {} : { problem: call.problem }),
      ...(call.isSigned ? { meta: { google: { thoughtSignature: signature('x') } } } : {}),
    }),
  );
  const message: AssistantMessage = {
    role: 'assistant',
    content,
    ...(written.length > 0 ? { calls: written } : {}),
    ...(thoughts.length > 0 ? { reasoning: thoughts } : {}),
  };
  const results = made.map(
    ({ id, call }): ModelMessage => ({
      role: 'tool',
      call: id,
      tool: call.tool,
      content: call.result,
      ...(call.isError ? { isError: true } : {}),
    }),
  );
  return [message, ...(isReversed ? results.reverse() : results)];
}
