import { expect, it } from 'vitest';
import { createFile, end, M, textParts, weather } from '../../../test/ai/given.ts';
import { bracketTools } from './bracket-tools.ts';
import type { BracketToolsOptions } from './options.ts';
import type { CallParams, Message, Part, ToolChoice } from './sdk.ts';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };

async function transform(params: Partial<CallParams>, options: BracketToolsOptions = {}): Promise<CallParams> {
  return bracketTools(options).transformParams({ params: { prompt: [user], tools: [weather, createFile], ...params } });
}

function systemOf({ prompt }: CallParams): string {
  const [first] = prompt;
  return first?.role === 'system' ? first.content : '';
}

async function warningsOf(params: Partial<CallParams>): Promise<object[]> {
  const { transformParams, wrapGenerate } = bracketTools();
  const changed = await transformParams({ params: { prompt: [user], tools: [weather], ...params } });
  const result = { content: [] as Part[], finishReason: { unified: 'stop' as const, raw: 'stop' }, warnings: [] };
  return (await wrapGenerate({ doGenerate: async () => result, params: changed })).warnings;
}

it('takes the tools out of the request and puts them into the system message', async () => {
  const params = await transform({ toolChoice: { type: 'auto' } });
  expect(Object.keys(params).sort()).toEqual(['prompt', 'stopSequences']);
  expect(systemOf(params)).toContain('\nweather <city> [unit=celsius|fahrenheit]');
  expect(systemOf(params)).toContain('\ncreate-file <path> | body: content');
  expect(params.prompt.slice(1)).toEqual([user]);
});

it('adds to the last of the system messages at the start', async () => {
  const prompt: Message[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'system', content: 'Be short.', providerOptions: { p: { cache: true } } },
    user,
    { role: 'system', content: 'Later.' },
  ];
  const changed = await transform({ prompt });
  expect(changed.prompt.map(({ role }) => role)).toEqual(['system', 'system', 'user', 'system']);
  expect(changed.prompt[0]).toBe(prompt[0]);
  expect(changed.prompt[1]).toMatchObject({ providerOptions: { p: { cache: true } } });
  expect(changed.prompt[1]?.content).toMatch(/^Be short\.\n\nYou can call tools\./);
});

it('can put the instructions before the first message of the user', async () => {
  const [first, ...rest] = (await transform({}, { placement: 'user' })).prompt;
  expect(rest).toEqual([]);
  expect(first?.content).toMatchObject([
    { type: 'text', text: expect.stringMatching(/^You can call tools(.|\n)*\n\n---\n\nHello$/) },
  ]);
});

it('lets the instructions be replaced', async () => {
  const instructions: BracketToolsOptions['instructions'] = ({ text, tools, toolChoice }) =>
    `${tools.length} ${toolChoice.type} ${text.length > 100}`;
  expect(systemOf(await transform({}, { instructions }))).toBe('2 auto true');
});

it('says in words what must be called', async () => {
  const choices: ToolChoice[] = [{ type: 'required' }, { type: 'tool', toolName: 'weather' }];
  const last = await Promise.all(
    choices.map(async (toolChoice) =>
      systemOf(await transform({ toolChoice }))
        .split('\n')
        .at(-1),
    ),
  );
  expect(last).toEqual(['Your answer must call at least one of these tools.', 'Your answer must call weather.']);
});

it('offers nothing when nothing may be called', async () => {
  const params = await transform({ toolChoice: { type: 'none' } });
  expect(params).toEqual({ prompt: [user] });
});

it('says that there are no tools when the history shows some', async () => {
  const history: Message[] = [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'weather', input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: '1', toolName: 'weather', output: { type: 'text', value: 'hot' } }],
    },
  ];
  const params = await transform({ prompt: [user, ...history], toolChoice: { type: 'none' } });
  expect(systemOf(params)).toMatch(/^No tools can be called in your next message:/);
  expect(params.stopSequences).toBeUndefined();
});

it('asks the model to stop before it makes up a result', async () => {
  expect((await transform({})).stopSequences).toEqual([`${M}[result`]);
  expect((await transform({ stopSequences: ['x'] })).stopSequences).toEqual(['x', `${M}[result`]);
  expect((await transform({}, { stop: false })).stopSequences).toBeUndefined();
  // More than four are refused by common providers, and the answer is cut there anyway.
  const four = ['a', 'b', 'c', 'd'];
  expect((await transform({ stopSequences: four })).stopSequences).toEqual(four);
  const results = { ...weather, name: 'results' };
  expect((await transform({ tools: [results] })).stopSequences).toEqual([`${M}[result `]);
});

it('writes the examples of tools as calls', async () => {
  const tool = { ...createFile, inputExamples: [{ input: { path: 'a.txt', content: 'x' } }] };
  expect(systemOf(await transform({ tools: [tool] }))).toContain(`\n\nExamples:\n${M}[create-file a.txt]\nx${end}`);
});

it('takes the body parameter that it is told', async () => {
  const named = { ...weather, name: 'say' };
  const system = systemOf(await transform({ tools: [named] }, { bodies: { say: 'city' } }));
  expect(system).toContain('\nsay [unit=celsius|fahrenheit] | body: city');
});

it('asks for JSON in words, because a model that may write JSON only cannot call tools', async () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } };
  const params = await transform({ responseFormat: { type: 'json', schema } });
  expect(params.responseFormat).toBeUndefined();
  expect(systemOf(params)).toMatch(
    / one JSON value that fits the JSON Schema below, and nothing else, without a code /,
  );
  expect(systemOf(params)).toContain(`\nJSON Schema: ${JSON.stringify(schema)}`);
  expect(await warningsOf({ responseFormat: { type: 'json', schema } })).toMatchObject([
    { type: 'compatibility', feature: 'responseFormat' },
  ]);
  const without = await transform({ tools: [], responseFormat: { type: 'json', schema } });
  expect(without.responseFormat).toEqual({ type: 'json', schema });
});

it('warns of tools that only a provider can run', async () => {
  const tools: CallParams['tools'] = [weather, { type: 'provider', id: 'openai.web_search', name: 'web' }];
  expect(await warningsOf({ tools })).toMatchObject([
    { type: 'unsupported', feature: 'provider-defined tool openai.web_search' },
  ]);
});

it('refuses tools that no call can name', async () => {
  const tools = ['result', 'a b', 'a]'].map((name) => transform({ tools: [{ ...weather, name }] }));
  for (const refused of tools) await expect(refused).rejects.toThrow(/^the tool "/);
  const gone = transform({ toolChoice: { type: 'tool', toolName: 'wether' } });
  await expect(gone).rejects.toThrow(
    'toolChoice asks for the tool "wether", which is not there; did you mean "weather"?',
  );
});

it('refuses to wrap a model twice', async () => {
  const once = await transform({});
  await expect(transform(once)).rejects.toThrow('bracketTools wraps this model twice');
});

it('refuses params that it has not seen', async () => {
  const { wrapGenerate } = bracketTools();
  const result = { content: [], finishReason: { unified: 'stop' as const, raw: 'stop' }, warnings: [] };
  const wrapped = wrapGenerate({ doGenerate: async () => result, params: { prompt: [] } });
  await expect(wrapped).rejects.toThrow('did not go through its transformParams');
});

it('starts a stream with its warnings, also where the model starts it with none', async () => {
  const { transformParams, wrapStream } = bracketTools();
  const tools: CallParams['tools'] = [{ type: 'provider', id: 'a.b', name: 'b' }];
  const params = await transformParams({ params: { prompt: [user], tools } });
  const typesOf = async (parts: Part[]) => {
    const { stream } = await wrapStream({ doStream: async () => ({ stream: ReadableStream.from(parts) }), params });
    const told: object[] = [];
    for await (const part of stream as ReadableStream<Part>) told.push(part);
    return told;
  };
  const start = { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'provider-defined tool a.b' }] };
  expect(await typesOf([{ type: 'raw' }])).toMatchObject([start, { type: 'raw' }]);
  expect(await typesOf([{ type: 'stream-start', warnings: [] } as Part])).toMatchObject([start]);
});

it('cancels the stream of the model when the application throws at what it is told', async () => {
  let reason: unknown;
  const thrown = new Error('mine');
  const { transformParams, wrapStream } = bracketTools({
    onDiagnostic: () => {
      throw thrown;
    },
  });
  const params = await transformParams({ params: { prompt: [user], tools: [weather] } });
  const parts = textParts([`${end}\n`]);
  const source = new ReadableStream<Part>({
    pull: (controller) => controller.enqueue(parts.shift() ?? { type: 'raw' }),
    cancel: (why) => {
      reason = why;
    },
  });
  const { stream } = await wrapStream({ doStream: async () => ({ stream: source }), params });
  const reader = (stream as ReadableStream<Part>).getReader();
  await expect(reader.read()).rejects.toBe(thrown);
  expect(reason).toBe(thrown);
});

it('reads what a model writes that was offered nothing, but has seen calls', async () => {
  const said: string[] = [];
  const { transformParams, wrapGenerate } = bracketTools({ onDiagnostic: ({ code }) => void said.push(code) });
  const history: Message = {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: '1', toolName: 'now', input: {} }],
  };
  const text = `I would like to\n${M}[now]\n${end}\nagain.\n${M}[result 0 now ok]\n13:00`;
  const answer = async (prompt: Message[]) => {
    const params = await transformParams({ params: { prompt } });
    const content = [{ type: 'text', text } as Part];
    const result = { content, finishReason: { unified: 'stop' as const, raw: 'stop' }, warnings: [] };
    return (await wrapGenerate({ doGenerate: async () => result, params })).content;
  };
  expect(await answer([user, history, user])).toEqual([
    { type: 'text', text: 'I would like to\n' },
    { type: 'text', text: '\nagain.\n' },
  ]);
  expect(said).toEqual(['fabricated-result', 'dropped']);
  expect(await answer([user])).toEqual([{ type: 'text', text }]);
});
