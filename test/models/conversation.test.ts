/** The same conversation, whoever serves the model and however it calls tools: the same messages, usage and parts. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelMessage, ModelTool } from '../../src/model/index.ts';
import { createWireNames } from '../../src/model/wire-name.ts';
import type { Said } from '../fake-models/answer.ts';
import { type FakeKind, fakeKinds } from '../fake-models/server.ts';
import { type Opened, open, plain, play, type Work } from './kit.ts';

const opened: Opened[] = [];

afterEach(async () => {
  for (const { fake } of opened.splice(0)) await fake.close();
});

const long = `github/${'a-very-long-name-of-a-tool/'.repeat(4)}end`;
const other = `github/${'a-very-long-name-of-a-tool/'.repeat(4)}other`;

const parameters = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'From the workspace.' },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { from: { type: 'integer' }, to: { type: 'integer' } } },
    },
    mode: { type: 'string', enum: ['text', 'bytes'] },
  },
  required: ['path'],
  additionalProperties: false,
};

const tools: ModelTool[] = [
  { name: 'filesystem/read', description: 'Reads a file.', parameters },
  { name: long, description: 'Has a long name.', parameters },
  { name: other, description: 'Has a long name that begins like another.', parameters },
  { name: 'clock/now', description: 'Says what time it is.', parameters: { type: 'object', properties: {} } },
  ...Array.from({ length: 26 }, (_, at) => ({ name: `many/tool-${at}`, description: `The tool ${at}.`, parameters })),
];

const wire = createWireNames(tools.map(({ name }) => name));

const says: ModelMessage[] = [
  { role: 'system', content: 'Be kind. Grüße 🎈' },
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Read both: ä, 日本語, 🎈.' },
      {
        type: 'file',
        mediaType: 'text/markdown',
        name: 'note.md',
        url: `data:text/markdown;base64,${Buffer.from('# Ä 🎈').toString('base64')}`,
      },
    ],
  },
];

const usage = { input: 100, output: 20, cacheRead: 40, reasoning: 5 };
const args = { path: 'ä 🎈.md', lines: [{ from: 1, to: 2 }], mode: 'text' };

const turns: readonly Said[] = [
  {
    reasoning: 'Both of them 🎈.',
    text: 'I look at them: ä.\n',
    calls: [
      { tool: wire.toWire('filesystem/read'), args },
      { tool: wire.toWire(long), args: { path: '"quoted"\\' } },
    ],
    usage,
  },
  { calls: [{ tool: wire.toWire('clock/now'), args: {} }], usage },
  { reasoning: 'That is all.', text: 'One is 🎈, the other is not there.', usage },
  { text: 'You are welcome.', usage },
];

/** The calls of a turn as a model writes them in its text. */
function inText({ calls = [], text = '', ...said }: Said): Said {
  const written = calls.map(({ tool, args: given = {} }) => {
    const body = Object.keys(given).length === 0 ? '' : `${JSON.stringify(given)}\n`;
    return `🛠️[${tool}]\n${body}🛠️[/end]`;
  });
  return { ...said, text: `${text}${written.join('\n')}` };
}

const work: Work = ({ tool }) =>
  tool === long ? { content: 'there is no such file', isError: true } : { content: `the result of ${tool}: 🎈` };

/** Eleven are no multiple of what a character takes, so that each of its bytes is the last one somewhere. */
const bytes = process.env.TOOLANG_DEEP ? 1 : 11;

/** Those whose thoughts are shown to whoever asks as we do. */
const shows: readonly FakeKind[] = ['anthropic', 'openrouter', 'deepseek', 'groq', 'ollama', 'llamacpp'];

/** `few`: of the tools only those that are called. */
async function run(
  kind: FakeKind,
  way: 'native' | 'text',
  cut: Pick<Said, 'chunk' | 'bytes'> = { chunk: 3 },
  few = false,
) {
  const answers = turns.map((turn) => ({ ...(way === 'text' ? inText(turn) : turn), ...cut }));
  const one = await open(kind, { answers, more: { tools: way } });
  opened.push(one);
  const played = await play(one, says, ['Thank you.'], few ? tools.slice(0, 4) : tools, work);
  expect(one.fake.requests).toHaveLength(turns.length);
  return { played: plain(played), one };
}

type Plain = Awaited<ReturnType<typeof run>>['played'];

/** What is expected of all of them, but for thoughts that are not shown and caches that are not counted. */
function expected(kind: FakeKind): Plain {
  const showsThoughts = shows.includes(kind);
  const reasoning = (text: string | undefined) => (showsThoughts && text !== undefined ? [text] : undefined);
  const counted = { inputTokens: 100, outputTokens: 20, ...(kind === 'ollama' ? {} : { cacheReadTokens: 40 }) };
  const call = (id: string, tool: string, given: object) => ({ id, tool, args: given, problem: undefined });
  const thought = (text: string) => (showsThoughts ? [{ kind: 'reasoning', text }] : []);
  const told = (id: string, tool: string, given: object) => [
    { kind: 'call', id, tool },
    { kind: 'args', id, text: given },
  ];
  const [first, , third] = turns;
  const quoted = { path: '"quoted"\\' };
  return {
    usages: turns.map(() => counted),
    told: [
      ...thought('Both of them 🎈.'),
      { kind: 'text', text: 'I look at them: ä.\n' },
      ...told('#1', 'filesystem/read', args),
      ...told('#2', long, quoted),
      ...told('#3', 'clock/now', {}),
      ...thought('That is all.'),
      { kind: 'text', text: 'One is 🎈, the other is not there.You are welcome.' },
    ],
    messages: [
      ...says,
      {
        role: 'assistant',
        content: 'I look at them: ä.\n',
        calls: [call('#1', 'filesystem/read', args), call('#2', long, quoted)],
        reasoning: reasoning(first?.reasoning),
      },
      { role: 'tool', call: '#2', tool: long, content: 'there is no such file', isError: true },
      { role: 'tool', call: '#1', tool: 'filesystem/read', content: 'the result of filesystem/read: 🎈' },
      { role: 'assistant', content: '', calls: [call('#3', 'clock/now', {})], reasoning: undefined },
      { role: 'tool', call: '#3', tool: 'clock/now', content: 'the result of clock/now: 🎈' },
      {
        role: 'assistant',
        content: 'One is 🎈, the other is not there.',
        calls: undefined,
        reasoning: reasoning(third?.reasoning),
      },
      { role: 'user', content: 'Thank you.' },
      { role: 'assistant', content: 'You are welcome.', calls: undefined, reasoning: undefined },
    ],
  } as Plain;
}

/** A thought that is kept without its words is none for whoever reads. */
function settled(played: Plain): Plain {
  const messages = played.messages.map((message) =>
    'reasoning' in message && message.reasoning?.length === 0 ? { ...message, reasoning: undefined } : message,
  );
  return { ...played, messages } as Plain;
}

describe.each(fakeKinds)('%s', (kind) => {
  it.each(['native', 'text'] as const)('a conversation with calls, %s', async (way) => {
    const { played, one } = await run(kind, way);
    expect(one.fake.requests.map((request) => request.refusal())).toEqual(turns.map(() => undefined));
    expect(settled(played)).toEqual(expected(kind));
  });

  it.each(['native', 'text'] as const)('the same, a few bytes at a time, %s', async (way) => {
    const { played } = await run(kind, way, { bytes }, true);
    expect(settled(played)).toEqual(expected(kind));
  });

  it('what was said and thought is sent again, whole', async () => {
    const { one } = await run(kind, 'native');
    const last = JSON.stringify(one.fake.requests.at(-1)?.body);
    for (const text of [
      'Grüße 🎈',
      'Be brief.',
      '# Ä 🎈',
      'I look at them: ä.',
      'there is no such file',
      'the result of clock/now: 🎈',
      'Thank you.',
    ]) {
      expect(last).toContain(JSON.stringify(text).slice(1, -1));
    }
  });

  it('thoughts go back to who had them, before what came of them', async () => {
    const { one } = await run(kind, 'native');
    const bodies = one.fake.requests.map(({ body }) => JSON.stringify(body));
    // Groq refuses to be shown them.
    expect(bodies[1]?.includes('Both of them 🎈.')).toBe(shows.includes(kind) && kind !== 'groq');
    // For DeepSeek and Anthropic that stays so.
    expect(bodies.at(-1)?.includes('Both of them 🎈.')).toBe(kind === 'deepseek' || kind === 'anthropic');
  });

  it('tools in text are offered in words, and not by the interface', async () => {
    const { one } = await run(kind, 'text');
    const body = one.fake.requests[0]?.body as Record<string, unknown>;
    expect(body.tools).toBeUndefined();
    expect(JSON.stringify(body)).toContain('filesystem__read');
  });
});

it('Anthropic is shown up to where a conversation with tools comes again', async () => {
  const { one } = await run('anthropic', 'native');
  const marks = one.fake.requests.map(({ body }) => JSON.stringify(body).split('"cache_control"').length - 1);
  expect(marks).toEqual(turns.map(() => 1));
  const bodies = one.fake.requests.map(({ body }) => body as { messages: { content: object[] }[] });
  for (const { messages } of bodies) expect(messages.at(-1)?.content.at(-1)).toHaveProperty('cache_control');
  const plainly = await open('anthropic', { answers: [{ text: 'Hello.' }] });
  opened.push(plainly);
  await plainly.ask({});
  expect(JSON.stringify(plainly.fake.requests[0]?.body)).not.toContain('cache_control');
});
