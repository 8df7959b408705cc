/** Models that call tools in text: above this folder the same conversation is the same. */
import { describe, expect, test } from 'vitest';
import { answerMessage, type ModelCall, type ModelMessage, type ModelResult, type StreamPart } from '../model.ts';
import { openModel } from '../open-model.ts';
import { env, listening, resolvedFor, type Said, type Wire, wireAnswer, wireFetch, wires } from './wire-test-kit.ts';

const tools = [
  {
    name: 'filesystem/read',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  {
    name: 'filesystem/write',
    description: 'Writes a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  },
];

/** A turn of a model, as both kinds write it. */
interface Turn {
  readonly native: Said;
  readonly text: string;
}

const turns: readonly Turn[] = [
  {
    native: {
      text: 'I look at it.\n',
      calls: [{ id: 'n1', name: 'filesystem__read', args: '{"path":"a.md"}' }],
    },
    text: 'I look at it.\n🛠️[filesystem__read path=a.md]\n🛠️[/end]',
  },
  {
    native: {
      calls: [
        { id: 'n2', name: 'filesystem__write', args: '{"path":"b.md","content":"# B\\n"}' },
        { id: 'n3', name: 'filesystem__read', args: '{"path":"b.md"}' },
      ],
    },
    text: '🛠️[filesystem__write path=b.md]\n# B\n🛠️[/end]\n🛠️[filesystem__read path=b.md]\n🛠️[/end]',
  },
  { native: { text: 'It is done.' }, text: 'It is done.' },
];

interface Played {
  readonly messages: readonly ModelMessage[];
  readonly parts: readonly StreamPart[];
  readonly bodies: readonly Record<string, unknown>[];
  readonly results: readonly ModelResult[];
}

async function play(wire: Wire, kind: 'native' | 'text', answers: readonly Said[]): Promise<Played> {
  const { fetch, asked } = wireFetch(...answers.map((said) => wireAnswer(wire, said)));
  const model = await openModel(resolvedFor(wire, { tools: kind }), { env, fetch });
  const messages: ModelMessage[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Copy a.md to b.md.' },
  ];
  const context = listening();
  const results: ModelResult[] = [];
  for (const _ of answers) {
    const result = await model.generate({ messages, tools, settings: {} }, context);
    results.push(result);
    if (!result.ok) throw new Error(result.error.message);
    messages.push(answerMessage(result.answer));
    for (const { id, tool, args, problem } of result.answer.calls ?? []) {
      const content = problem ?? `${tool} of ${JSON.stringify(args)}`;
      messages.push({
        role: 'tool',
        call: id,
        tool,
        content,
        ...(problem !== undefined && { isError: true as const }),
      });
    }
  }
  return { messages, parts: context.parts, bodies: asked.map(({ body }) => body), results };
}

/** Ids are given by services or made up, and pieces may be cut anywhere; the rest is the same. */
function plain({ messages, parts }: Played): unknown {
  const ids = new Map<string, string>();
  const idOf = (id: string) => ids.get(id) ?? ids.set(id, `#${ids.size}`).get(id);
  const told: Record<string, string>[] = [];
  for (const part of parts) {
    const last = told.at(-1);
    const key = 'id' in part ? { id: idOf(part.id) ?? '' } : {};
    if (part.kind === 'call') told.push({ ...part, ...key });
    else if (last?.kind === part.kind && last.id === key.id) last.text += part.text;
    else told.push({ ...part, ...key });
  }
  return {
    told: told.map((part) => (part.kind === 'args' ? { ...part, text: JSON.parse(part.text ?? '') } : part)),
    messages: messages.map((message) => {
      const { meta: _, ...rest } = { meta: undefined, ...message };
      if (rest.role === 'tool') return { ...rest, call: idOf(rest.call) };
      if (rest.role !== 'assistant') return rest;
      return { ...rest, calls: rest.calls?.map(({ meta: __, ...call }) => ({ ...call, id: idOf(call.id) })) };
    }),
  };
}

describe.each(wires)('%s', (wire) => {
  test('the same conversation, natively and in text, gives the same messages, calls and parts', async () => {
    const native = await play(
      wire,
      'native',
      turns.map((turn) => turn.native),
    );
    const text = await play(
      wire,
      'text',
      turns.map((turn) => ({ text: turn.text })),
    );
    expect(plain(text)).toEqual(plain(native));
    expect(text.results.map((result) => result.ok && result.answer.finish)).toEqual(['calls', 'calls', 'stop']);
    // Nothing of an interface for tools is sent.
    for (const body of text.bodies) {
      expect(JSON.stringify(body)).not.toMatch(/"tools"|"toolConfig"|"tool_choice"|"tool_calls"|functionCall|tool_use/);
    }
    expect(JSON.stringify(text.bodies[1])).toContain('result');
  });
});

describe('calls that do not fit', () => {
  test('the model is told why, beside what it wrote', async () => {
    const wrong = '🛠️[filesystem__reed path=a.md]\n🛠️[/end]\n🛠️[filesystem__read]\n🛠️[/end]';
    const { messages, bodies } = await play('openai-compatible', 'text', [{ text: wrong }, { text: 'Sorry.' }]);
    const [first, second] = messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : []));
    expect(first).toMatchObject({
      tool: 'filesystem__reed',
      args: {},
      problem: expect.stringContaining('filesystem__read'),
    });
    expect(second).toMatchObject({ tool: 'filesystem/read', args: {}, problem: expect.stringContaining('path') });
    const sent = JSON.stringify(bodies[1]);
    expect(sent).toContain('filesystem__reed path=a.md');
    expect(sent).toContain('[filesystem__read]');
  });

  test('of an answer that broke off nothing is done', async () => {
    const { fetch } = wireFetch(
      wireAnswer('openai-compatible', { text: `Well. ${turns[0]?.text ?? ''}`, end: 'none' }),
    );
    const model = await openModel(resolvedFor('openai-compatible', { tools: 'text' }), { env, fetch });
    const call: ModelCall = { messages: [{ role: 'user', content: 'Go.' }], tools, settings: {} };
    const result = await model.generate(call, listening());
    expect(result).toMatchObject({ ok: true, answer: { finish: 'cut' } });
    expect(result.ok && result.answer.calls).toBeUndefined();
  });

  test('a call that the limit of tokens cut off is refused', async () => {
    const { fetch } = wireFetch(
      wireAnswer('openai-compatible', { text: '🛠️[filesystem__write path=b.md]\n# B', end: 'length' }),
    );
    const model = await openModel(resolvedFor('openai-compatible', { tools: 'text' }), { env, fetch });
    const result = await model.generate(
      { messages: [{ role: 'user', content: 'Go.' }], tools, settings: {} },
      listening(),
    );
    expect(result).toMatchObject({
      ok: true,
      answer: { finish: 'length', calls: [{ tool: 'filesystem/write', problem: expect.any(String) }] },
    });
  });
});

test('the form of an answer is asked for in words beside tools, and by the interface without them', async () => {
  const output = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  const ask = async (call: Partial<ModelCall>) => {
    const { fetch, asked } = wireFetch(wireAnswer('openai', { text: '{"a":"b"}' }));
    const model = await openModel(resolvedFor('openai', { tools: 'text' }), { env, fetch });
    await model.generate({ messages: [{ role: 'user', content: 'Go.' }], settings: {}, output, ...call }, listening());
    return asked[0]?.body;
  };
  expect(await ask({})).toHaveProperty('text.format.type', 'json_schema');
  const beside = await ask({ tools });
  expect(beside).not.toHaveProperty('text');
  expect(JSON.stringify(beside)).toContain('JSON');
});
