/** Real calls of models against the fake services, and what of them is the same whoever serves them. */
import {
  answerMessage,
  type ModelCall,
  type ModelMessage,
  type ModelResult,
  type ModelTool,
  type ModelUsage,
  openModel,
  type ResolvedModel,
  type StreamPart,
  type ToolCall,
} from '../../src/model/index.ts';
import { type FakeKind, type FakeModel, type FakeOptions, startFakeModel } from '../fake-models/server.ts';

/** Who serves it, for us; and a model of theirs. */
const served: Readonly<Record<FakeKind, { readonly provider: string; readonly id: string }>> = {
  'openai-chat': { provider: 'openai-compatible', id: 'gpt-4.1' },
  'openai-responses': { provider: 'openai', id: 'gpt-5' },
  anthropic: { provider: 'anthropic', id: 'claude-sonnet-4-5' },
  google: { provider: 'google', id: 'gemini-3-pro-preview' },
  openrouter: { provider: 'openrouter', id: 'meta-llama/llama-4-maverick' },
  deepseek: { provider: 'deepseek', id: 'deepseek-reasoner' },
  groq: { provider: 'groq', id: 'openai/gpt-oss-120b' },
  mistral: { provider: 'mistral', id: 'mistral-medium-latest' },
  ollama: { provider: 'ollama', id: 'llama3.1' },
  llamacpp: { provider: 'llamacpp', id: 'qwen3-8b' },
};

export interface Opened {
  readonly fake: FakeModel;
  readonly resolved: ResolvedModel;
  readonly ask: (call: Partial<ModelCall>, signal?: AbortSignal) => Promise<Asked>;
}

export interface Asked {
  readonly result: ModelResult;
  readonly parts: readonly StreamPart[];
}

export const keyName = 'FAKE_MODEL_KEY';

/** `more`: over what is known of the model. */
export async function open(
  kind: FakeKind,
  options: FakeOptions & { readonly more?: Partial<ResolvedModel> } = {},
): Promise<Opened> {
  const fake = await startFakeModel(kind, options);
  const { provider, id } = served[kind];
  const needsKey = kind !== 'ollama' && kind !== 'llamacpp';
  const resolved: ResolvedModel = {
    ref: `${provider}/${id}`,
    provider,
    id,
    endpoint: fake.url === fake.origin ? `${fake.origin}/` : fake.url,
    keyEnv: needsKey ? [keyName] : [],
    tools: 'native',
    ...options.more,
  };
  const model = await openModel(resolved, { env: { [keyName]: fake.key } });
  return {
    fake,
    resolved,
    async ask(call, signal = new AbortController().signal) {
      const parts: StreamPart[] = [];
      const whole: ModelCall = { messages: [{ role: 'user', content: 'Hi.' }], settings: {}, ...call };
      const context = { signal, idempotencyKey: 'k', onPart: (part: StreamPart) => void parts.push(part) };
      return { result: await model.generate(whole, context), parts };
    },
  };
}

export interface Played {
  readonly messages: readonly ModelMessage[];
  readonly usages: readonly ModelUsage[];
  readonly parts: readonly StreamPart[];
}

/** What a tool answers, of a call that can be done. */
export type Work = (call: ToolCall) => { readonly content: string; readonly isError?: true };

/** Asks until no call is left, and then goes on with what the user says next. */
export async function play(
  opened: Opened,
  says: readonly ModelMessage[],
  then: readonly string[],
  tools: readonly ModelTool[],
  work: Work,
): Promise<Played> {
  const messages: ModelMessage[] = [...says];
  const usages: ModelUsage[] = [];
  const parts: StreamPart[] = [];
  const left = [...then];
  for (;;) {
    const asked = await opened.ask({ messages, tools });
    parts.push(...asked.parts);
    if (!asked.result.ok) throw new Error(`${asked.result.error.code}: ${asked.result.error.message}`);
    const { answer } = asked.result;
    usages.push(answer.usage);
    messages.push(answerMessage(answer));
    // The last result first: any order is in order.
    for (const call of [...(answer.calls ?? [])].reverse()) {
      const { id, tool, problem } = call;
      const done = problem === undefined ? work(call) : { content: problem, isError: true as const };
      messages.push({ role: 'tool', call: id, tool, ...done });
    }
    if (answer.calls !== undefined) continue;
    const next = left.shift();
    if (next === undefined) return { messages, usages, parts };
    messages.push({ role: 'user', content: next });
  }
}

/**
 * Ids are those of the services; how deltas are cut, what a service wants to see again, and whether arguments come with
 * spaces, is theirs, too. All else is ours.
 */
export function plain({ messages, usages, parts }: Played) {
  const ids = new Map<string, string>();
  const idOf = (id: string) => {
    const known = ids.get(id) ?? `#${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const told: { kind: string; id?: string; tool?: string; text?: string }[] = [];
  for (const part of parts) {
    const own = 'id' in part ? { ...part, id: idOf(part.id) } : { ...part };
    const last = told.at(-1);
    if (last && 'text' in own && last.kind === own.kind && last.id === ('id' in own ? own.id : undefined)) {
      last.text = `${last.text}${own.text}`;
    } else told.push(own);
  }
  return {
    usages,
    told: told.map((part) => (part.kind === 'args' ? { ...part, text: JSON.parse(part.text ?? '') } : part)),
    messages: messages.map((message) => {
      if (message.role === 'tool') return { ...message, call: idOf(message.call) };
      if (message.role !== 'assistant') return message;
      const { content, calls, reasoning } = message;
      return {
        role: 'assistant',
        content,
        calls: calls?.map(({ id, tool, args, problem }) => ({ id: idOf(id), tool, args, problem })),
        reasoning: reasoning?.map(({ text }) => text).filter((text) => text !== ''),
      };
    }),
  };
}
