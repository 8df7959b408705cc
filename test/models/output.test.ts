/** Answers of a type, and files of messages: sent as each service takes them, and the same answer comes back. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelMessage, ModelTool } from '../../src/model/index.ts';
import { jsonType, type Type, textType, toJsonSchema } from '../../src/type/index.ts';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { pdf, png } from '../fake-models/refusals.ts';
import { type FakeKind, fakeKinds } from '../fake-models/server.ts';
import { type Opened, open } from './kit.ts';

const opened: Opened[] = [];

afterEach(async () => {
  for (const { fake } of opened.splice(0)) await fake.close();
});

async function start(kind: FakeKind, answers: readonly FakeAnswer[], tools: 'native' | 'text' = 'native') {
  const one = await open(kind, { answers, more: { tools } });
  opened.push(one);
  return one;
}

const field = (name: string, type: Type, optional = false) => ({ name, type, optional });
const ticket: Type = {
  kind: 'struct',
  fields: [
    field('title', textType),
    field('kind', { kind: 'literal', values: ['bug', 'wish'] }),
    field('note', textType, true),
    field('tags', { kind: 'array', item: { kind: 'array', item: textType } }),
    field('who', { kind: 'struct', fields: [field('name', textType), field('age', { kind: 'number' }, true)] }, true),
  ],
};
const withAny: Type = {
  kind: 'struct',
  fields: [field('any', jsonType), field('none', { kind: 'struct', fields: [] })],
};

const tools: ModelTool[] = [
  { name: 'clock/now', description: 'Says what time it is.', parameters: { type: 'object', properties: {} } },
];
const messages: ModelMessage[] = [{ role: 'user', content: 'Make a ticket, as JSON.' }];
const text = '{"title":"Ä 🎈","kind":"bug","tags":[["a"],[]],"note":null}';

describe.each(fakeKinds)('%s', (kind) => {
  it.each([
    ['optional fields, lists of lists, choices', ticket],
    ['anything, and nothing', withAny],
    ['a list', { kind: 'array', item: ticket } as Type],
    ['a number', { kind: 'number' } as Type],
    ['a choice', { kind: 'literal', values: ['bug', 'wish'] } as Type],
    ['any JSON', jsonType],
  ])('an answer with %s', async (_, type) => {
    const output = toJsonSchema(type, new Map());
    for (const way of ['native', 'text'] as const) {
      for (const offered of [[], tools]) {
        for (const toolChoice of ['auto', 'none'] as const) {
          const one = await start(kind, [{ text, chunk: 4 }], way);
          const { result } = await one.ask({ messages, output, tools: offered, toolChoice });
          expect(result).toMatchObject({ ok: true, answer: { text, finish: 'stop' } });
        }
      }
    }
  });

  it('an answer that is no object is asked for as the field of one, where a form is sent at all', async () => {
    const one = await start(kind, [{ text: '{"value":["a"]}' }]);
    await one.ask({ messages, output: toJsonSchema({ kind: 'array', item: textType }, new Map()) });
    const sent = JSON.stringify(one.fake.requests.at(-1)?.body);
    const hasForm = /json_schema|responseSchema/.test(sent);
    expect(/"value":\{"type":"array"/i.test(sent)).toBe(hasForm);
  });

  it('a call of a tool comes before the answer', async () => {
    const one = await start(kind, [{ calls: [{ tool: 'clock__now', args: {} }] }]);
    const { result } = await one.ask({ messages, output: toJsonSchema(ticket, new Map()), tools });
    expect(result).toMatchObject({ ok: true, answer: { finish: 'calls', calls: [{ tool: 'clock/now' }] } });
  });
});

const image = { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${png}` } as const;
const document = {
  type: 'file',
  mediaType: 'application/pdf',
  name: 'a.pdf',
  url: `data:application/pdf;base64,${pdf}`,
} as const;

it.each(['openai-chat', 'openai-responses', 'anthropic', 'google', 'openrouter', 'ollama'] as const)(
  'a picture: %s',
  async (kind) => {
    const one = await start(kind, [{ text: 'A dot.' }]);
    const { result } = await one.ask({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }],
    });
    expect(result).toMatchObject({ ok: true, answer: { text: 'A dot.' } });
    expect(JSON.stringify(one.fake.requests[0]?.body)).toContain(png);
  },
);

it.each(['openai-chat', 'openai-responses', 'anthropic', 'google', 'openrouter'] as const)(
  'a document: %s',
  async (kind) => {
    const one = await start(kind, [{ text: 'Empty.' }]);
    const { result } = await one.ask({ messages: [{ role: 'user', content: [document] }] });
    expect(result).toMatchObject({ ok: true, answer: { text: 'Empty.' } });
  },
);

it.each([
  ['deepseek', image],
  ['deepseek', document],
  ['ollama', document],
  ['llamacpp', image],
  ['llamacpp', document],
] as const)('a file that a service cannot read is told as such: %s', async (kind, file) => {
  const one = await start(kind, [{ text: 'x' }]);
  const { result } = await one.ask({ messages: [{ role: 'user', content: [file] }] });
  // The server of llama.cpp calls it its own failure.
  const isOwn = kind === 'llamacpp' && file === image;
  expect(result).toMatchObject({ ok: false, error: { code: isOwn ? 'model-service' : 'model-request' } });
});
