/** The fake services are real enough for the AI SDK's own providers: it is taken, understood, and taken again with its answers. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import type { FakeAnswer } from './answer.ts';
import { type FakeKind, type FakeModel, fakeKinds, startFakeModel } from './server.ts';

let fake: FakeModel | undefined;

afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

const models: Readonly<Record<FakeKind, string>> = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-5',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro-preview',
  openrouter: 'openai/gpt-4.1',
  deepseek: 'deepseek-reasoner',
  groq: 'openai/gpt-oss-120b',
  mistral: 'mistral-medium-latest',
  ollama: 'llama3.1',
  llamacpp: 'qwen3-8b',
};

async function start(kind: FakeKind, answers: readonly FakeAnswer[]): Promise<LanguageModelV3> {
  fake = await startFakeModel(kind, { answers });
  const { url, key } = fake;
  const id = models[kind];
  switch (kind) {
    case 'openai-chat':
      return createOpenAI({ baseURL: url, apiKey: key }).chat(id);
    case 'openai-responses':
      return createOpenAI({ baseURL: url, apiKey: key }).responses(id);
    case 'anthropic':
      return createAnthropic({ baseURL: url, apiKey: key })(id);
    case 'google':
      return createGoogleGenerativeAI({ baseURL: url, apiKey: key })(id);
    default:
      return createOpenAICompatible({
        name: kind,
        baseURL: url,
        apiKey: key,
        includeUsage: kind !== 'mistral',
        supportsStructuredOutputs: kind !== 'groq',
      })(id);
  }
}

const read = tool({
  description: 'Reads.',
  inputSchema: jsonSchema<{ path: string }>({
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  }),
  execute: ({ path }) => `the text of ${path}`,
});

const providerOptions = {
  openai: { reasoningSummary: 'auto' },
  google: { thinkingConfig: { includeThoughts: true } },
};

const answers: FakeAnswer[] = [
  {
    reasoning: 'I read them 🎈.',
    text: 'Wait.',
    calls: [
      { tool: 'read', args: { path: 'ä' } },
      { tool: 'read', args: { path: 'b' } },
    ],
    usage: { input: 100, output: 20, cacheRead: 40, reasoning: 5 },
    chunk: 3,
  },
  { reasoning: 'Done.', text: 'Grüße 🎈', chunk: 2 },
];

/** OpenAI's chat completions and Mistral's keep their thoughts to themselves; Groq's refuse to be shown them again. */
const showsThoughts = (kind: FakeKind) => !['openai-chat', 'mistral', 'groq'].includes(kind);

const answersOf = (kind: FakeKind): FakeAnswer[] =>
  kind === 'groq' ? answers.map((answer) => ({ ...answer, reasoning: '' })) : answers;

describe.each(fakeKinds)('%s', (kind) => {
  it('a loop with tools and thoughts, streamed', async () => {
    const errors: unknown[] = [];
    const result = streamText({
      model: await start(kind, answersOf(kind)),
      tools: { read },
      system: 'Be kind.',
      prompt: 'Read both.',
      providerOptions,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    const steps = await result.steps;
    expect(errors).toEqual([]);
    expect(fake?.requests.map((request) => request.refusal())).toEqual([undefined, undefined]);
    expect(steps.map(({ text }) => text)).toEqual(['Wait.', 'Grüße 🎈']);
    expect(steps[0]?.toolCalls.map(({ input }) => input)).toEqual([{ path: 'ä' }, { path: 'b' }]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    if (showsThoughts(kind))
      expect(steps.map(({ reasoningText }) => reasoningText)).toEqual(['I read them 🎈.', 'Done.']);
    expect(steps[0]?.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    if (kind !== 'ollama') expect(steps[0]?.usage.inputTokenDetails).toMatchObject({ cacheReadTokens: 40 });
  });

  it('the same at once', async () => {
    const { steps } = await generateText({
      model: await start(kind, answersOf(kind)),
      tools: { read },
      prompt: 'Read both.',
      providerOptions,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(steps.map(({ text }) => text)).toEqual(['Wait.', 'Grüße 🎈']);
    expect(steps[0]?.toolCalls.map(({ input }) => input)).toEqual([{ path: 'ä' }, { path: 'b' }]);
    expect(steps[0]?.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  });

  it('one byte at a time', async () => {
    const result = streamText({
      model: await start(kind, [{ text: 'Grüße 🎈', bytes: 1 }]),
      prompt: 'Hi.',
      maxRetries: 0,
    });
    expect(await result.text).toBe('Grüße 🎈');
  });
});

// DeepSeek knows no schemas of answers.
it.each(fakeKinds.filter((kind) => kind !== 'deepseek'))('an answer with a schema: %s', async (kind) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } },
    required: ['a'],
    additionalProperties: false,
  } as const;
  const { output } = await generateText({
    model: await start(kind, [{ text: '{"a":["x"]}' }]),
    prompt: 'Answer in JSON.',
    output: Output.object({ schema: jsonSchema<{ a: string[] }>(schema) }),
    maxRetries: 0,
  });
  expect(output).toEqual({ a: ['x'] });
});
