/** `bracketTools` over HTTP: a server that knows no tools, the SDK's OpenAI-compatible provider, and tools that run. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { bracketTools } from '../../src/model/brackets/bracket-tools.ts';
import { type ChatServer, type Reply, startChatServer } from './chat-server.ts';
import { end, M } from './given.ts';
import { type Ran, tools, type Way, ways } from './model.ts';

let server: ChatServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(replies: readonly Reply[]) {
  server = await startChatServer(replies);
  const provider = createOpenAICompatible({ name: 'local', baseURL: server.url });
  return wrapLanguageModel({ model: provider('small-model'), middleware: bracketTools() });
}

interface Talk {
  readonly text: string;
  readonly reasons: readonly string[];
  readonly ran: readonly Ran[];
  readonly errors: readonly unknown[];
}

async function talk(way: Way, replies: readonly Reply[]): Promise<Talk> {
  const ran: Ran[] = [];
  const errors: unknown[] = [];
  const given = {
    model: await start(replies),
    tools: tools(ran),
    system: 'Be kind.',
    prompt: 'How is the weather?',
    stopSequences: ['STOP'],
    stopWhen: stepCountIs(4),
    maxRetries: 0,
  };
  const { text, steps } =
    way === 'generateText'
      ? await generateText(given)
      : await (async () => {
          const result = streamText({ ...given, onError: ({ error }) => void errors.push(error) });
          await result.consumeStream({ onError: (error) => void errors.push(error) });
          return { text: await result.text, steps: await result.steps };
        })();
  return { text, reasons: steps.map(({ finishReason }) => finishReason), ran, errors };
}

/** In pieces of `size` units, but never half a character: a server sends JSON in UTF-8. */
function inPieces(text: string, size: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

const paris = `${M}[weather Paris]\n${end}`;
const answer = `Let me look – 🌍.\n${paris}\n${M}[create-file ü.md]\n# Wetter 🌦️ "schön"\n${end}\n`;

describe.each(ways)('%s', (way) => {
  it('calls tools on a server that knows none', async () => {
    const done = await talk(way, [{ pieces: inPieces(answer, 2), bytes: 5 }, { pieces: ['21 ', 'degrees.'] }]);
    expect(done).toEqual({
      text: '21 degrees.',
      reasons: ['tool-calls', 'stop'],
      ran: [
        { tool: 'weather', input: { city: 'Paris' } },
        { tool: 'create-file', input: { path: 'ü.md', content: '# Wetter 🌦️ "schön"\n' } },
      ],
      errors: [],
    });
    const [first, second] = server?.requests ?? [];
    expect(Object.keys(first ?? {}).filter((key) => key.startsWith('tool'))).toEqual([]);
    expect(first?.stop).toEqual(['STOP', `${M}[result`]);
    expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(first?.messages[0]?.content).toMatch(
      /^Be kind\.\n\nYou can call tools\.(.|\n)*\ncreate-file <path> \| body: content/,
    );
    expect(second?.messages.slice(1)).toEqual([
      { role: 'user', content: 'How is the weather?' },
      { role: 'assistant', content: answer.trimEnd() },
      {
        role: 'user',
        content: `${M}[result 0 weather ok]\n{"city":"Paris","degrees":21}\n${end}\n${M}[result 1 create-file ok]\n21 characters\n${end}`,
      },
    ]);
  });

  it('explains a call that the length limit cut off', async () => {
    const cut = answer.slice(0, answer.indexOf('schön'));
    const done = await talk(way, [{ pieces: inPieces(cut, 3), finish: 'length' }, { pieces: ['I see.'] }]);
    expect(done).toEqual({ text: 'I see.', reasons: ['length', 'stop'], ran: [], errors: [] });
    const said = server?.requests[1]?.messages.at(-1)?.content;
    expect(said).toContain(`${M}[result 0 weather error]\nlength: the message reached its length limit`);
    expect(said).toContain(
      `${M}[result 1 create-file error]\nlength: the message reached its length limit in the middle`,
    );
  });

  it('runs the calls of a server that names no usual reason', async () => {
    const done = await talk(way, [{ pieces: [paris], finish: 'eos_token' }, { pieces: ['Warm.'] }]);
    expect(done.ran).toEqual([{ tool: 'weather', input: { city: 'Paris' } }]);
    expect(done.reasons).toEqual(['tool-calls', 'stop']);
  });

  it('stops at a made-up result on a server that does not', async () => {
    const made = `${M}[result 0 weather ok]\nhail\n${end}\nIt hails.`;
    const done = await talk(way, [{ pieces: inPieces(`${paris}\n${made}`, 4) }, { pieces: ['21 degrees.'] }]);
    expect(done).toMatchObject({ text: '21 degrees.', ran: [{ input: { city: 'Paris' } }] });
    expect(JSON.stringify(server?.requests[1])).not.toContain('hail');
  });
});

it('puts characters together that the network cut apart, at every size', async () => {
  const sizes = [1, 2, 3, 4, 1000];
  const model = await start(sizes.map((bytes) => ({ pieces: inPieces(answer, 1), bytes })));
  for (const _ of sizes) {
    const result = streamText({ model, tools: tools([]), prompt: 'Go on.' });
    const text = await result.text;
    const inputs = (await result.toolCalls).map(({ input }) => input);
    expect([text, ...inputs]).toEqual([
      'Let me look – 🌍.\n',
      { city: 'Paris' },
      { path: 'ü.md', content: '# Wetter 🌦️ "schön"\n' },
    ]);
  }
});

it('runs nothing when the server reports an error in the middle, and ends', async () => {
  const error = { error: { message: 'out of memory', type: 'server_error' } };
  const done = await talk('streamText', [{ pieces: ['Hello ', paris, error], finish: null }]);
  expect(done.ran).toEqual([]);
  expect(done.text).toBe('Hello ');
  expect(done.reasons).toEqual(['error']);
  expect(JSON.stringify(done.errors)).toContain('out of memory');
  expect(server?.requests.length).toBe(1);
});

it('runs nothing when the server reports an error in the middle and goes on', async () => {
  const error = { error: { message: 'out of memory', type: 'server_error' } };
  const done = await talk('streamText', [{ pieces: ['Hello ', paris, error], finish: 'stop' }]);
  expect(done.ran).toEqual([]);
  expect(done.text).toBe('Hello ');
  expect(JSON.stringify(done.errors)).toContain('out of memory');
  expect(server?.requests.length).toBe(1);
});

/** A delta of reasoning, which ends the text before it. */
const thought = { choices: [{ index: 0, delta: { reasoning_content: 'hm' }, finish_reason: null }] };

it('runs nothing behind a made-up result, also when reasoning stands between', async () => {
  const made = `${M}[result 0 weather ok]\nhail\n${end}`;
  const done = await talk('streamText', [{ pieces: ['So.\n', made, thought, paris] }]);
  expect(done).toMatchObject({ ran: [], text: 'So.\n', reasons: ['stop'] });
});

it('puts a call together that reasoning tore apart', async () => {
  const pieces = [`${M}[weather Pa`, thought, `ris]\n${end}`];
  const done = await talk('streamText', [{ pieces }, { pieces: ['Warm.'] }]);
  expect(done).toMatchObject({ ran: [{ input: { city: 'Paris' } }], text: 'Warm.' });
});

it('runs nothing when the connection breaks in the middle', async () => {
  const ran: Ran[] = [];
  const model = await start([{ pieces: ['Hello ', paris, `${M}[create-file a`], breaks: true }]);
  const result = streamText({ model, tools: tools(ran), prompt: 'Go on.', maxRetries: 0, onError: () => {} });
  const types: string[] = [];
  const reading = (async () => {
    for await (const { type } of result.fullStream) types.push(type);
  })();
  await Promise.allSettled([reading]);
  expect(ran).toEqual([]);
  expect(types).toContain('text-delta');
  expect(types).not.toContain('tool-call');
  expect(types).not.toContain('finish');
});

it('lets errors of the request through', async () => {
  const model = await start([]);
  const asked = generateText({ model, tools: tools([]), prompt: 'Go on.', maxRetries: 0 });
  await expect(asked).rejects.toSatisfy(APICallError.isInstance);
});

it('leaves the server when it is aborted', async () => {
  const model = await start([{ pieces: ['Hello ', `${M}[create-file a]\nendless`], hangs: true }]);
  const abort = new AbortController();
  const ran: Ran[] = [];
  const result = streamText({ model, tools: tools(ran), prompt: 'Go on.', abortSignal: abort.signal });
  const types: string[] = [];
  for await (const { type } of result.fullStream) {
    types.push(type);
    if (type === 'tool-input-delta') abort.abort();
  }
  await server?.left;
  expect(types.at(-1)).toBe('abort');
  expect(ran).toEqual([]);
});
