/**
 * Plays a reply that is more than a text, as the parts of a stream: they are read by what reads the streams of providers, and
 * calls in text by what reads them there. So a script can do whatever a model can, and nothing that none could.
 */
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Clock } from '../sys/index.ts';
import { createAnswerReader } from './call/answer.ts';
import { toolSchema } from './call/schema.ts';
import { offeredOf } from './call/tool-call.ts';
import { callCount, type ModelAnswer, type ModelCall, type ModelContext } from './model.ts';
import type { Reply } from './script.ts';
import { words } from './scripted.ts';
import { createWireNames, type WireNames } from './wire-name.ts';

type Parts = AsyncGenerator<LanguageModelV3StreamPart>;

export interface Played extends Omit<ModelAnswer, 'usage'> {
  /** How many characters came. */
  readonly written: number;
}

export async function playParts(
  reply: Reply,
  text: string,
  call: ModelCall,
  { signal, onPart }: ModelContext,
  clock: Clock,
): Promise<Played> {
  const { tools = [] } = call;
  const names = createWireNames([...tools.map(({ name }) => name), ...(reply.calls ?? []).map(({ tool }) => tool)]);
  const reader = createAnswerReader(call, offeredOf(call, names), onPart);
  const parts = reply.bracket
    ? await inText(reply, text, call, names, pause)
    : nativeParts(reply, text, callCount(call), pause);
  for await (const part of parts) {
    signal.throwIfAborted();
    reader.read(part);
  }
  signal.throwIfAborted();
  return { ...reader.answer(reply.cut ? 'cut' : 'stop'), written: reader.written() };

  async function pause(): Promise<void> {
    if (reply.paceMs !== undefined) await clock.sleep(reply.paceMs, signal);
  }
}

type Pause = () => Promise<void>;

/** Tools are named as files name them, which is understood on any wire. */
async function* nativeParts(reply: Reply, text: string, before: number, pause: Pause): Parts {
  const pieces = createPieces(reply, pause);
  yield* pieces('reasoning', reply.reasoning ?? '');
  yield* pieces('text', text);
  for (const [index, { tool: toolName, id = '', args }] of (reply.calls ?? []).entries()) {
    const key = id === '' ? `call_${before + index + 1}` : id;
    yield { type: 'tool-input-start', id: key, toolName };
    for await (const delta of pieces.of(args)) yield { type: 'tool-input-delta', id: key, delta };
    yield { type: 'tool-input-end', id: key };
    yield { type: 'tool-call', toolCallId: key, toolName, input: args };
  }
}

async function inText(
  reply: Reply,
  text: string,
  call: ModelCall,
  names: WireNames,
  pause: Pause,
): Promise<AsyncIterable<LanguageModelV3StreamPart>> {
  const brackets = await import('./brackets/index.ts');
  const tools = (call.tools ?? []).map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name: names.toWire(name),
    description,
    inputSchema: toolSchema(parameters),
  }));
  const calls = (reply.calls ?? []).map(({ tool, args }) => ({ toolName: names.toWire(tool), input: args }));
  const whole = brackets.writeAnswer(text, calls, tools);
  const pieces = createPieces(reply, pause);
  let count = callCount(call);
  const model = brackets.inText(
    { doStream: async (_: LanguageModelV3CallOptions) => ({ stream: ReadableStream.from(answerParts()) }) },
    { generateId: () => `call_${++count}` },
  );
  const request = { prompt: [], tools, toolChoice: { type: call.toolChoice ?? 'auto' } };
  const { stream } = await model.doStream(request as unknown as LanguageModelV3CallOptions);
  return stream;

  async function* answerParts(): Parts {
    yield* pieces('reasoning', reply.reasoning ?? '');
    yield* pieces('text', whole);
    const usage = { inputTokens: none, outputTokens: none } as never;
    // Of one that is cut nothing is known of its end.
    if (!reply.cut) yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage };
  }
}

const none = { total: undefined };

/** Texts in words, with a pause before each but the first of all. */
function createPieces(reply: Reply, pause: Pause) {
  let isFirst = true;

  async function* of(text: string): AsyncGenerator<string> {
    for (const piece of reply.paceMs === undefined ? [text] : words(text)) {
      if (piece === '') continue;
      if (!isFirst) await pause();
      isFirst = false;
      yield piece;
    }
  }

  async function* pieces(kind: 'reasoning' | 'text', text: string): Parts {
    if (text === '') return;
    yield { type: `${kind}-start`, id: kind };
    for await (const delta of of(text)) yield { type: `${kind}-delta`, id: kind, delta };
    yield { type: `${kind}-end`, id: kind };
  }

  return Object.assign(pieces, { of });
}
