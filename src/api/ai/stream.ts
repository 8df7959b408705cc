/** The stream of an answer with its calls as parts. Cancelling it cancels the model's stream; its failure is its own. */
import { createResponseReader } from './response-reader.ts';
import type { Part, StreamStart } from './sdk.ts';
import type { Session } from './session.ts';

export function readStream(stream: ReadableStream<Part>, session: Session): ReadableStream<Part> {
  const { warnings, plans } = session;
  const reader = plans.size > 0 ? createResponseReader(session) : undefined;
  const source = stream.getReader();
  let isWarned = warnings.length === 0;

  // Not piped through a transform: that would cancel the source only some time after it was cancelled itself.
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        for (let isTold = false; !isTold; ) {
          const { done, value } = await source.read();
          const parts = done ? (reader?.end() ?? []) : read(value);
          for (const part of parts) controller.enqueue(part);
          if (done) controller.close();
          isTold = done || parts.length > 0;
        }
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );

  function read(part: Part): Part[] {
    if (isWarned) return reader?.read(part) ?? [part];
    isWarned = true;
    // Warnings go with the part that starts a stream; where there is none, with one of our own.
    const start = part.type === 'stream-start' ? (part as StreamStart) : undefined;
    const warned: StreamStart = { type: 'stream-start', warnings: [...(start?.warnings ?? []), ...warnings] };
    return start === undefined ? [warned, ...read(part)] : [warned];
  }
}
