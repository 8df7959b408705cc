/** A model of the AI SDK that answers with given texts, whole or in pieces, and tools that remember how they were called. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { generateText, jsonSchema, stepCountIs, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { bracketTools } from '../../src/model/brackets/bracket-tools.ts';
import type { BracketToolsOptions } from '../../src/model/brackets/options.ts';

/** Warnings are looked at, not printed. */
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

type FinishReason = LanguageModelV3GenerateResult['finishReason'];

export interface Answer {
  readonly text: string;
  readonly finish?: FinishReason['unified'];
}

export const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

/** Gives the answers one after the other; in streams, in pieces of `size` units. */
export function scripted(answers: readonly Answer[], size = 3): MockLanguageModelV3 {
  let step = 0;
  function next(): { text: string; finishReason: FinishReason } {
    const answer = answers[step++];
    if (answer === undefined) throw new Error(`there is no answer number ${step}`);
    return { text: answer.text, finishReason: { unified: answer.finish ?? 'stop', raw: answer.finish ?? 'stop' } };
  }
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const { text, finishReason } = next();
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
    },
    doStream: async () => {
      const { text, finishReason } = next();
      return { stream: simulateReadableStream({ chunks: streamParts(text, size, finishReason) }) };
    },
  });
}

export function streamParts(text: string, size: number, finishReason: FinishReason): LanguageModelV3StreamPart[] {
  const parts: LanguageModelV3StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
  ];
  for (let at = 0; at < text.length; at += size) {
    parts.push({ type: 'text-delta', id: '0', delta: text.slice(at, at + size) });
  }
  parts.push({ type: 'text-end', id: '0' }, { type: 'finish', finishReason, usage });
  return parts;
}

export interface Ran {
  readonly tool: string;
  readonly input: unknown;
}

/** `weather <city> [unit]` and `create-file <path> | body: content`; what they are called with goes to `ran`. */
export function tools(ran: Ran[]) {
  return {
    weather: tool({
      description: 'The weather of a city.',
      inputSchema: jsonSchema<{ city: string; unit?: string }>({
        type: 'object',
        properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
        required: ['city'],
      }),
      execute: async (input) => {
        ran.push({ tool: 'weather', input });
        if (input.city === 'Atlantis') throw new Error('there is no such city');
        return { city: input.city, degrees: 21 };
      },
    }),
    'create-file': tool({
      description: 'Writes a file.',
      inputSchema: jsonSchema<{ path: string; content: string }>({
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
      }),
      execute: async (input) => {
        ran.push({ tool: 'create-file', input });
        return `${input.content.length} characters`;
      },
    }),
  } satisfies ToolSet;
}

export interface Talk {
  readonly text: string;
  readonly steps: Awaited<ReturnType<typeof generateText>>['steps'];
  readonly messages: Awaited<ReturnType<typeof generateText>>['response']['messages'];
  readonly ran: readonly Ran[];
  /** What the model was sent, step by step. */
  readonly sent: readonly LanguageModelV3CallOptions[];
}

export type Way = 'generateText' | 'streamText';
export const ways: readonly Way[] = ['generateText', 'streamText'];

type Settings = Partial<Parameters<typeof generateText>[0]> & { bracket?: BracketToolsOptions };

/** Talks to a scripted model through the SDK, with tools that run. */
export async function talk(way: Way, answers: readonly Answer[], settings: Settings = {}): Promise<Talk> {
  const ran: Ran[] = [];
  const base = scripted(answers);
  const { bracket, ...rest } = settings;
  const model = wrapLanguageModel({ model: base, middleware: bracketTools(bracket) });
  const given = {
    ...(rest.messages === undefined ? { prompt: 'Go on.' } : {}),
    tools: tools(ran),
    stopWhen: stepCountIs(5),
    ...rest,
    model,
  } as Parameters<typeof generateText>[0];
  if (way === 'generateText') {
    const { text, steps, response } = await generateText(given);
    return { text, steps, messages: response.messages, ran, sent: base.doGenerateCalls };
  }
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }) => void errors.push(error);
  const result = streamText({ ...given, onError } as Parameters<typeof streamText>[0]);
  await result.consumeStream();
  if (errors.length > 0) throw errors[0];
  const response = await result.response;
  return {
    text: await result.text,
    steps: (await result.steps) as Talk['steps'],
    messages: response.messages,
    ran,
    sent: base.doStreamCalls,
  };
}
