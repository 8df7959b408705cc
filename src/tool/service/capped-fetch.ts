/**
 * `fetch` for talking to a server: no answer of it takes more memory than one message may.
 * 1. A body of JSON that is longer is left, and an error for its request takes its place.
 * 2. Of a stream each event is measured by itself: it may go on for ever with small ones.
 * 3. Of what an error says, only the beginning is read.
 */
import { tooLargeMessage, tooLargeText } from './too-large.ts';
import { trouble } from './trouble.ts';

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

const mostOfError = 16 * 1024;

export function cappedFetch(most: number, next: Fetch = fetch): Fetch {
  return async (input, init) => {
    const response = await next(input, init);
    const { body, status } = response;
    if (body === null || status === 204 || status === 205 || status === 304) return response;
    if (!response.ok) return withBody(response, (await firstBytes(body, mostOfError)).bytes);
    const refusal = () => refusalFor(init?.body, most);
    if (/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
      return withBody(response, body.pipeThrough(cappedEvents(most, refusal)));
    }
    const read = await firstBytes(body, most);
    if (read.isAll) return withBody(response, read.bytes);
    const text = refusal();
    if (text === undefined) throw trouble('too-large', tooLargeText(most));
    return withBody(response, Buffer.from(text));
  };
}

function withBody({ status, statusText, headers }: Response, body: Uint8Array | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, statusText, headers });
}

/** What is left unread is told to the server. */
async function firstBytes(
  body: ReadableStream<Uint8Array>,
  most: number,
): Promise<{ readonly bytes: Uint8Array; readonly isAll: boolean }> {
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: Buffer.concat(parts), isAll: true };
    parts.push(value);
    size += value.length;
    if (size > most) {
      await reader.cancel();
      return { bytes: Buffer.concat(parts).subarray(0, most), isAll: false };
    }
  }
}

/** Events end with an empty line. What came of one that is too long is no JSON, and is passed over by its reader. */
function cappedEvents(
  most: number,
  refusal: () => string | undefined,
): { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<Uint8Array> } {
  let size = 0;
  let last = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (const byte of chunk) {
        size++;
        if (byte === 0x0d) continue;
        if (byte === 0x0a && last === 0x0a) size = 0;
        last = byte;
      }
      if (size <= most) return controller.enqueue(chunk);
      const text = refusal();
      if (text === undefined) return controller.error(trouble('too-large', tooLargeText(most)));
      controller.enqueue(Buffer.from(`\n\ndata: ${text}\n\n`));
      controller.terminate();
    },
  });
}

/** Undefined where the request awaits no answer, as one that only listens. */
function refusalFor(body: RequestInit['body'], most: number): string | undefined {
  if (typeof body !== 'string') return undefined;
  const request: unknown = JSON.parse(body);
  if (typeof request !== 'object' || request === null || !('id' in request)) return undefined;
  const { id } = request;
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(tooLargeMessage(id, most)) : undefined;
}
