/** The scanner on what streams are made of: async iterables, Web Streams, and bytes that cut characters apart. */
import type { CallEvent, FinishInfo, ScanOptions } from '../event.ts';
import { createScanner } from './scan.ts';

/** Text or UTF-8, in pieces of any size. */
export type Chunk = string | Uint8Array;

/** A stream of pieces, or one piece that is all there is. */
export type ChunkSource = AsyncIterable<Chunk> | Iterable<Chunk> | ReadableStream<Chunk> | Chunk;

export interface StreamOptions extends ScanOptions {
  /** Asked at the end: how the text came to its end, where that is known only then. */
  readonly finish?: () => FinishInfo | undefined | Promise<FinishInfo | undefined>;
}

/**
 * The events of a stream, as they become certain. When the source fails, so does the loop, and an open call stays
 * without its end: it can never be taken for a complete one. Leaving the loop early closes the source.
 */
export async function* scan(
  source: ChunkSource,
  options: StreamOptions = {},
): AsyncGenerator<CallEvent, void, undefined> {
  const decoder = createDecoder();
  const scanner = createScanner(options);
  for await (const chunk of chunksOf(source)) yield* scanner.push(decoder.text(chunk));
  yield* scanner.push(decoder.rest());
  yield* scanner.finish(await options.finish?.());
}

/** The same as a stream to pipe through: `response.body.pipeThrough(callStream())`. */
export function callStream(options: StreamOptions = {}): TransformStream<Chunk, CallEvent> {
  const decoder = createDecoder();
  const scanner = createScanner(options);
  return new TransformStream<Chunk, CallEvent>({
    transform(chunk, controller) {
      for (const event of scanner.push(decoder.text(chunk))) controller.enqueue(event);
    },
    async flush(controller) {
      for (const event of scanner.push(decoder.rest())) controller.enqueue(event);
      for (const event of scanner.finish(await options.finish?.())) controller.enqueue(event);
    },
  });
}

interface Decoder {
  readonly text: (chunk: Chunk) => string;
  /** What bytes at the end of the stream are, when they are no whole character. */
  readonly rest: () => string;
}

/** A character may be cut anywhere; what is no UTF-8 becomes U+FFFD. A byte order mark is kept: offsets count it. */
function createDecoder(): Decoder {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const rest = (): string => decoder?.decode() ?? '';
  return {
    text(chunk) {
      if (chunk === '') return '';
      if (typeof chunk === 'string') return rest() + chunk;
      if (!(chunk instanceof Uint8Array))
        throw new TypeError(`a chunk is a string or a Uint8Array, not ${typeof chunk}.`);
      decoder ??= new TextDecoder('utf-8', { ignoreBOM: true });
      return decoder.decode(chunk, { stream: true });
    },
    rest,
  };
}

/** Not every browser can loop over its own streams. */
async function* chunksOf(source: ChunkSource): AsyncGenerator<Chunk, void, undefined> {
  if (typeof source === 'string' || source instanceof Uint8Array) {
    yield source;
    return;
  }
  const isObject = typeof source === 'object' && source !== null;
  if (isObject && !('getReader' in source) && (Symbol.asyncIterator in source || Symbol.iterator in source)) {
    yield* source;
    return;
  }
  if (!isObject || !('getReader' in source)) {
    throw new TypeError('scan takes a text, bytes, or a stream of them: an async iterable, an array or a Web Stream.');
  }
  const reader = source.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    // Left early: nobody will read on.
    if (!isDone) await reader.cancel();
    reader.releaseLock();
  }
}
