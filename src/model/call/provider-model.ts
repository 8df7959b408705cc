/**
 * A model of a provider: makes one request for a call and reads its stream.
 * 1. The provider's package is loaded, and the key read, when a call is made.
 * 2. It asks once. What comes before the stream ends is kept, whatever happens to the rest.
 * 3. Whoever aborts ends the request itself.
 */
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import {
  callCount,
  type Finish,
  type Model,
  type ModelCall,
  type ModelContext,
  type ModelError,
  type ModelResult,
} from '../model.ts';
import type { ResolvedModel } from '../resolved.ts';
import { wireNamesOf } from '../wire-name.ts';
import { accessOf, type Environment } from './access.ts';
import { addressOf, shownAddress } from './address.ts';
import { type AnswerReader, createAnswerReader } from './answer.ts';
import { type Asked, broken, modelError, plainError, streamError } from './error.ts';
import { isEarlyEnd, readFailure } from './failure.ts';
import { boundedFetch, withQuery } from './fetch.ts';
import { plainMeta } from './prompt.ts';
import { type Provider, providerOf } from './provider.ts';
import { requestOf } from './request.ts';
import { offeredOf } from './tool-call.ts';
import { usageOf } from './usage.ts';

export interface OpenOptions {
  /** Where keys and the variables of headers are, when a call is made. */
  readonly env: Environment;
  readonly fetch?: typeof globalThis.fetch;
  /** In milliseconds: for services that name a date. */
  readonly now?: () => number;
  /** What of a call its provider does not take, and was left out. */
  readonly onWarning?: (message: string) => void;
}

/** It asks nobody yet. */
export function createProviderModel(resolved: ResolvedModel, options: OpenOptions): Model {
  const provider = providerOf(resolved);
  const { env, fetch = globalThis.fetch, now = Date.now, onWarning } = options;
  const { ref, id } = resolved;
  return { ref, generate };

  async function generate(call: ModelCall, context: ModelContext): Promise<ModelResult> {
    const { signal } = context;
    signal.throwIfAborted();
    let asked: Asked = { ref, id, address: shownAddress(resolved), now };
    let sent: AnswerReader | undefined;
    try {
      const address = addressOf(resolved);
      const access = accessOf(resolved, env);
      asked = { ...asked, keyName: access.keyName, redactor: access.redactor };
      const names = wireNamesOf(call);
      const request = requestOf(call, resolved, names, signal);
      const native = await provider.open(resolved, address, access, boundedFetch(withQuery(fetch, address)));
      const model = resolved.tools === 'text' ? await inText(native, provider, call) : native;
      const reader = createAnswerReader(call, offeredOf(call, names), context.onPart, plainMeta(resolved));
      sent = reader;
      const stream = await begin(model, request, signal);
      const failure = await readStream(stream, reader, signal, onWarning);
      return resultOf(call, reader, failure, asked, resolved);
    } catch (error) {
      if (signal.aborted && sent) context.onLost?.(usageOf(sent.finish()?.usage, call, sent.written(), resolved.info));
      signal.throwIfAborted();
      return { ok: false, error: modelError(error, asked) };
    }
  }
}

async function inText(
  model: LanguageModelV3,
  { refusesStops }: Provider,
  call: ModelCall,
): Promise<Pick<LanguageModelV3, 'doStream'>> {
  const brackets = await import('../brackets/index.ts');
  let count = callCount(call);
  return brackets.inText(model, { generateId: () => `call_${++count}`, stop: refusesStops !== true });
}

type Parts = ReadableStream<LanguageModelV3StreamPart>;

/** Ends when the signal does, whether or not the request hears it. */
async function begin(
  model: Pick<LanguageModelV3, 'doStream'>,
  request: Parameters<LanguageModelV3['doStream']>[0],
  signal: AbortSignal,
): Promise<Parts> {
  const asked = Promise.resolve(model.doStream(request));
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return (await Promise.race([asked, aborted])).stream;
  } catch (error) {
    // One that comes in spite of it is not read by anybody; that it fails is no news.
    if (signal.aborted) asked.then(({ stream }) => stream.cancel(signal.reason)).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The most characters of an answer: far more than any model writes, far less than a memory has. */
const mostWritten = 32 * 1024 * 1024;

/** What went wrong, as it came; nothing where the stream ended by itself. */
async function readStream(
  stream: Parts,
  answer: AnswerReader,
  signal: AbortSignal,
  onWarning: OpenOptions['onWarning'],
): Promise<{ readonly error: unknown } | undefined> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const next = await reader.read().catch((error: unknown) => ({ done: true as const, error }));
      signal.throwIfAborted();
      if ('error' in next) return { error: next.error };
      if (next.done) return undefined;
      const part = next.value;
      if (part.type === 'error') {
        // It is followed by what its service counted.
        if (!isEarlyEnd(part.error)) return { error: part.error };
      } else answer.read(part);
      if (part.type === 'stream-start') for (const text of warningsIn(part)) onWarning?.(text);
      if (answer.written() > mostWritten) return { error: broken(`it wrote more than ${mostWritten} characters`) };
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Nothing more is read; a stream that has failed already cannot be cancelled, and need not be.
    void reader.cancel().catch(() => {});
  }
}

/** What was done in another way than it was asked for, to the same end, is no news. */
function warningsIn({ warnings }: Extract<LanguageModelV3StreamPart, { type: 'stream-start' }>): string[] {
  return warnings.flatMap((warning) => {
    if (warning.type === 'compatibility') return [];
    return warning.type === 'other' ? warning.message : (warning.details ?? `${warning.feature} is not supported`);
  });
}

function resultOf(
  call: ModelCall,
  reader: AnswerReader,
  failure: { readonly error: unknown } | undefined,
  asked: Asked,
  { info }: ResolvedModel,
): ModelResult {
  const finished = reader.finish();
  const begun = reader.hasBegun();
  const usage = () => usageOf(finished?.usage, call, reader.written(), info);
  const failed = (error: ModelError): ModelResult =>
    begun || finished !== undefined
      ? { ok: false, error: begun ? { ...error, begun: true } : error, usage: usage() }
      : { ok: false, error };
  const isBroken = failure !== undefined && readFailure(failure.error, asked.now).kind === 'connection';
  if (failure !== undefined && !(isBroken && begun)) return failed(streamError(failure.error, asked));
  const reason = finished?.reason ?? { unified: 'other', raw: undefined };
  if (
    failure !== undefined ||
    (reason.raw === undefined && (reason.unified === 'other' || reason.unified === 'error'))
  ) {
    if (begun) return { ok: true, answer: { ...reader.answer('cut'), usage: usage() } };
    return failed(plainError(asked, 'model-connection', 'the stream ended before an answer began', true));
  }
  if (reason.unified === 'error') {
    return failed(plainError(asked, 'model-service', `its service gave up on the answer (${reason.raw})`, true));
  }
  const answer = reader.answer(finishes[reason.unified]);
  if (answer.finish === 'stop' && answer.text.trim() === '') {
    return { ok: false, error: plainError(asked, 'model-empty', 'it answered nothing', true), usage: usage() };
  }
  return { ok: true, answer: { ...answer, usage: usage() } };
}

const finishes = {
  stop: 'stop',
  'tool-calls': 'stop',
  other: 'stop',
  length: 'length',
  'content-filter': 'filter',
} as const satisfies Record<string, Exclude<Finish, 'calls'>>;
