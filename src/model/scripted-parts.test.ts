/** Replies that are more than a text: calls, reasoning, mistakes, brackets. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manualClock } from '../sys/index.ts';
import { createSource } from '../text/index.ts';
import { answerMessage, type ModelCall, type ModelMessage, type ModelResult, type StreamPart } from './model.ts';
import { readScript } from './read-script.ts';
import type { Reply } from './script.ts';
import { createScriptedModel } from './scripted.ts';

const call: ModelCall = {
  messages: [{ role: 'user', content: 'Read it.' }],
  settings: {},
  tools: [
    {
      name: 'filesystem/read',
      description: 'Reads.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
    {
      name: 'filesystem/write',
      description: 'Writes.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
        additionalProperties: false,
      },
    },
  ],
};

function replyOf(lines: string): Reply {
  const text = `replies[1]:\n  - for: draft\n${lines.replace(/^/gm, '    ')}\n`;
  const { script, diagnostics } = readScript(createSource('flow.script.toon', text));
  expect(diagnostics).toEqual([]);
  const [first] = script?.replies ?? [];
  if (!first) throw new Error('there is no reply');
  return first;
}

async function play(reply: Reply, given: ModelCall = call): Promise<{ result: ModelResult; parts: StreamPart[] }> {
  const parts: StreamPart[] = [];
  const model = createScriptedModel({
    reply,
    clock: manualClock(),
    readText: async () => ({ ok: false, message: '' }),
  });
  const result = await model.generate(given, {
    signal: new AbortController().signal,
    idempotencyKey: 'k',
    onPart: (part) => void parts.push(part),
  });
  return { result, parts };
}

const one = 'calls[1]:\n  - tool: filesystem/read\n    args:\n      path: a.md';

test('reasoning, a text and calls are told and given in their order', async () => {
  const { result, parts } = await play(replyOf(`reasoning: Hm.\ntext: I look.\n${one}`));
  expect(result).toEqual({
    ok: true,
    answer: {
      text: 'I look.',
      finish: 'calls',
      calls: [{ id: 'call_1', tool: 'filesystem/read', args: { path: 'a.md' } }],
      reasoning: [{ text: 'Hm.' }],
      usage: {
        inputTokens: 2,
        outputTokens: Math.ceil(('Hm.I look.'.length + 'filesystem/read{"path":"a.md"}'.length) / 4),
        cost: 0,
      },
    },
  });
  expect(parts).toEqual([
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'text', text: 'I look.' },
    { kind: 'call', id: 'call_1', tool: 'filesystem/read' },
    { kind: 'args', id: 'call_1', text: '{"path":"a.md"}' },
  ]);
});

test('ids: as they are written, else made up, and never one of the conversation', async () => {
  const { result } = await play(replyOf('calls[4]{tool,id}:\n  a,x\n  b,x\n  c,y\n  d,call_1'));
  expect(result.ok && result.answer.calls?.map(({ id }) => id)).toEqual(['x', 'x_2', 'y', 'call_1']);
  const first = await play(replyOf(one));
  if (!first.result.ok) throw new Error('it failed');
  const messages: ModelMessage[] = [
    ...call.messages,
    answerMessage(first.result.answer),
    { role: 'tool', call: 'call_1', tool: 'filesystem/read', content: 'A' },
  ];
  const second = await play(replyOf(one), { ...call, messages });
  expect(second.result.ok && second.result.answer.calls?.map(({ id }) => id)).toEqual(['call_2']);
});

describe('mistakes of a model', () => {
  test.each([
    ['a tool that there is not', 'calls[1]{tool}:\n  filesystem/reed', 'filesystem__read'],
    ['arguments that are no JSON', 'calls[1]{tool,raw}:\n  filesystem/read,"{oops"', 'no JSON'],
    ['arguments that are a list', 'calls[1]{tool,raw}:\n  filesystem/read,"[1]"', 'a list'],
  ])('%s', async (_, lines, words) => {
    const { result } = await play(replyOf(lines));
    expect(result.ok && result.answer.calls).toEqual([
      expect.objectContaining({ args: {}, problem: expect.stringContaining(words) }),
    ]);
    const { result: written } = await play(replyOf(`${lines}\nbracket: true`));
    expect(written.ok && written.answer.calls).toEqual([
      expect.objectContaining({ args: {}, problem: expect.any(String) }),
    ]);
  });

  test('an answer of nothing', async () => {
    for (const lines of ['text: ""', 'text: " \\n"', 'reasoning: Hm.\ntext: ""']) {
      expect((await play(replyOf(lines))).result).toMatchObject({
        ok: false,
        error: { code: 'model-empty', retryable: true },
      });
    }
  });

  test('a stream that ends with an error after some words', async () => {
    for (const lines of ['text: half of', `text: half of\n${one}`]) {
      const { result, parts } = await play(replyOf(`${lines}\ncut: 529\nprice: 0.5`));
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'model-service', status: 529, retryable: true, begun: true },
        usage: { cost: 0.5 },
      });
      expect(parts[0]).toEqual({ kind: 'text', text: 'half of' });
    }
    expect((await play(replyOf('text: half of\ncut: the line is dead'))).result).toMatchObject({
      ok: false,
      error: { code: 'model-connection', message: 'the line is dead', begun: true },
    });
  });

  test('a stream that only stops: nothing of it is done', async () => {
    for (const more of ['', '\nbracket: true']) {
      const { result } = await play(replyOf(`text: I look.\n${one}\ncut: true${more}`));
      expect(result).toMatchObject({ ok: true, answer: { finish: 'cut' } });
      expect(result.ok && result.answer.text.trim()).toBe('I look.');
      expect(result.ok && result.answer.calls).toBeUndefined();
    }
  });
});

test('pace counts for words of every kind', async () => {
  const clock = manualClock();
  const heard: [number, string, string][] = [];
  const model = createScriptedModel({
    reply: replyOf('reasoning: a b\ntext: c d\ncalls[1]{tool,raw}:\n  filesystem/read,"{\\"path\\": 1}"\npace: 20ms'),
    clock,
    readText: async () => ({ ok: false, message: '' }),
  });
  const answer = model.generate(call, {
    signal: new AbortController().signal,
    idempotencyKey: 'k',
    onPart: (part) => void heard.push([clock.now(), part.kind, part.kind === 'call' ? part.tool : part.text]),
  });
  // The parts of a reply are loaded by the first that has any.
  while (heard.length === 0) await new Promise((done) => setImmediate(done));
  await clock.advance(200);
  await answer;
  expect(heard).toEqual([
    [0, 'reasoning', 'a '],
    [20, 'reasoning', 'b'],
    [40, 'text', 'c '],
    [60, 'text', 'd'],
    [60, 'call', 'filesystem/read'],
    [80, 'args', '{"path": '],
    [100, 'args', '1}'],
  ]);
  expect(clock.sleeping()).toBe(0);
});

test('a call that is aborted rejects with the reason', async () => {
  const clock = manualClock();
  for (const more of ['', 'bracket: true\n']) {
    const abort = new AbortController();
    const model = createScriptedModel({
      reply: replyOf(`text: one two\n${one}\n${more}pace: 1h`),
      clock,
      readText: async () => ({ ok: false, message: '' }),
    });
    const answer = model.generate(call, {
      signal: abort.signal,
      idempotencyKey: 'k',
      onPart: () => abort.abort('timeout'),
    });
    await expect(answer).rejects.toBe('timeout');
    expect(clock.sleeping()).toBe(0);
  }
});

const name = fc.constantFrom('filesystem/read', 'filesystem/write');
const word = fc.string({ unit: fc.constantFrom('a', 'ü', ' ', '\n', '"', '🛠️[', ']', '=', '\\', '1') });
const scripted = fc.record({
  text: word,
  calls: fc.array(fc.record({ tool: name, path: word, content: word }), { minLength: 1, maxLength: 4 }),
});

test('calls with any arguments are the same natively and in brackets', async () => {
  await fc.assert(
    fc.asyncProperty(scripted, async ({ calls }) => {
      const made = calls.map(({ tool, path, content }) => ({
        tool,
        args: JSON.stringify(tool === 'filesystem/read' ? { path } : { path, content }),
      }));
      const reply: Reply = { for: 'a', at: 's:1:1', answer: { kind: 'text', text: '' }, calls: made, cut: false };
      const native = await play(reply);
      const text = await play({ ...reply, bracket: true });
      const plain = ({ result }: typeof native) =>
        result.ok && result.answer.calls?.map(({ tool, args }) => ({ tool, args }));
      expect(plain(text)).toEqual(plain(native));
    }),
    { numRuns: process.env.TOOLANG_DEEP ? 2000 : 150 },
  );
});
