/** The stream of an answer with its calls as parts. Cancelling it cancels the model's stream; its failure is its own. */
import { createResponseReader } from './response-reader.ts';
import type { Part, StreamStart } from './sdk.ts';
import type { Session } from './session.ts';

export function readStream(stream: ReadableStream<Part>, session: Session): ReadableStream<Part> {
  const { warnings, isRead } = session;
  const reader = isRead ? createResponseReader(session) : undefined;
  const source = stream.getReader();
  let isWarned = warnings.length === 0;

  // Not piped through a transform: that would cancel the source only some time after it was cancelled itself.
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        for (let isTold = false; !isTold; ) {
          const { done, value } = await source.read();
          const parts = done ? (reader?.end() ?? []) : await attempt(() => read(value));
          for (const part of parts) controller.enqueue(part);
          if (done) controller.close();
          isTold = done || parts.length > 0;
        }
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );

  /** What the application throws when it is told something ends the stream, so nobody reads the model's any more. */
  async function attempt(make: () => Part[]): Promise<Part[]> {
    try {
      return make();
    } catch (error) {
      await source.cancel(error);
      throw error;
    }
  }

  function read(part: Part): Part[] {
    if (isWarned) return reader?.read(part) ?? [part];
    isWarned = true;
    // Warnings go with the part that starts a stream; where there is none, with one of our own.
    const start = part.type === 'stream-start' ? (part as StreamStart) : undefined;
    const warned: StreamStart = { type: 'stream-start', warnings: [...(start?.warnings ?? []), ...warnings] };
    return start === undefined ? [warned, ...read(part)] : [warned];
  }
}
