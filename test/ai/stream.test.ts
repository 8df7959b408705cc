/** `bracketTools` in the AI SDK itself: streams, how they are cancelled, and how they fail. */
import { extractReasoningMiddleware, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, it } from 'vitest';
import { bracketTools } from '../../src/model/brackets/bracket-tools.ts';
import { end, M } from './given.ts';
import { type Ran, scripted, streamParts, talk, tools, usage, ways } from './model.ts';

const paris = `${M}[weather Paris]\n${end}`;

it('streams text and arguments as they come', async () => {
  const text = `Look:\n${M}[create-file a.txt]\none\ntwo\n${end}`;
  const model = wrapLanguageModel({ model: scripted([{ text }, { text: 'Done.' }]), middleware: bracketTools() });
  const inputs: string[] = [];
  const given = tools([]);
  const watched = {
    'create-file': {
      ...given['create-file'],
      onInputDelta: ({ inputTextDelta }: { inputTextDelta: string }) => void inputs.push(inputTextDelta),
    },
  };
  const result = streamText({ model, tools: watched, prompt: 'Go on.', stopWhen: stepCountIs(2) });
  const types: string[] = [];
  for await (const { type } of result.fullStream) if (types.at(-1) !== type) types.push(type);
  expect(inputs.length).toBeGreaterThan(4);
  expect(JSON.parse(inputs.join(''))).toEqual({ path: 'a.txt', content: 'one\ntwo\n' });
  expect(types).toEqual([
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'tool-result',
    'finish-step',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'finish',
  ]);
});

it('gives the same content in both ways', async () => {
  const answers = [{ text: `a\n${paris} b ${M}[wether]\n${end}\n${M}[create-file x]\ny\n${end} c` }, { text: 'd' }];
  const content = async (way: (typeof ways)[number]) => {
    let id = 0;
    const { steps } = await talk(way, answers, { bracket: { generateId: () => `c${id++}` } });
    // The SDK puts results where they come; that differs between the two.
    return steps.map((step) => step.content.filter(({ type }) => type === 'text' || type === 'tool-call'));
  };
  const [whole, streamed] = await Promise.all(ways.map(content));
  expect(JSON.stringify(streamed)).toBe(JSON.stringify(whole));
});

it('stands before other middleware, which then sees the text first', async () => {
  const base = scripted([{ text: `<think>${M}[weather Rome]\n${end}</think>${paris}` }, { text: 'Warm.' }]);
  const model = wrapLanguageModel({
    model: base,
    middleware: [bracketTools(), extractReasoningMiddleware({ tagName: 'think' })],
  });
  const ran: Ran[] = [];
  const result = streamText({ model, tools: tools(ran), prompt: 'Go on.', stopWhen: stepCountIs(2) });
  expect(await result.text).toBe('Warm.');
  expect(ran).toEqual([{ tool: 'weather', input: { city: 'Paris' } }]);
});

it('cancels the stream of the model when it is cancelled', async () => {
  let cancelled: unknown;
  const parts = streamParts('Hello, world', 2, { unified: 'stop', raw: 'stop' });
  const model = new MockLanguageModelV3({
    doStream: async () => ({
      stream: new ReadableStream({
        pull: (controller) => controller.enqueue(parts.shift() ?? { type: 'raw', rawValue: 0 }),
        cancel: (reason) => {
          cancelled = reason;
        },
      }),
    }),
  });
  const wrapped = wrapLanguageModel({ model, middleware: bracketTools() });
  const { stream } = await wrapped.doStream({ prompt: [] });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel('enough');
  expect(cancelled).toBe('enough');
});

it('lets a failure of the stream through', async () => {
  const failing = new MockLanguageModelV3({
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of streamParts(`Hello ${paris}`, 9, { unified: 'stop', raw: 'stop' }).slice(0, -1)) {
            controller.enqueue(part);
          }
        },
        pull: (controller) => controller.error(new Error('the line is dead')),
      }),
    }),
  });
  const ran: Ran[] = [];
  const model = wrapLanguageModel({ model: failing, middleware: bracketTools() });
  const result = streamText({ model, tools: tools(ran), prompt: 'Go on.' });
  let text = '';
  const reading = (async () => {
    for await (const part of result.fullStream) if (part.type === 'text-delta') text += part.text;
  })();
  await expect(reading).rejects.toThrow('the line is dead');
  expect(text).toBe('Hello ');
  expect(ran).toEqual([]);
});

it('ends a talk whose answer broke off with an error, and runs nothing of it', async () => {
  const broken = new MockLanguageModelV3({
    doStream: async () => ({
      stream: ReadableStream.from([
        ...streamParts(`Hello ${paris}`, 9, { unified: 'stop', raw: 'stop' }).slice(0, -2),
        { type: 'error' as const, error: new Error('overloaded') },
        { type: 'text-end' as const, id: '0' },
        { type: 'finish' as const, finishReason: { unified: 'error' as const, raw: undefined }, usage },
      ]),
    }),
  });
  const ran: Ran[] = [];
  const errors: unknown[] = [];
  const result = streamText({
    model: wrapLanguageModel({ model: broken, middleware: bracketTools() }),
    tools: tools(ran),
    prompt: 'Go on.',
    stopWhen: stepCountIs(5),
    onError: ({ error }) => void errors.push(error),
  });
  await result.consumeStream();
  expect(errors).toEqual([new Error('overloaded')]);
  expect(ran).toEqual([]);
  expect((await result.steps).map(({ finishReason, text }) => [finishReason, text])).toEqual([['error', 'Hello ']]);
});
