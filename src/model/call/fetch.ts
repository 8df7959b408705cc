/**
 * The fetch that the providers' packages are given: what is no stream of events is read here, up to a limit, so that an error
 * page or an answer of another kind is told as what it is and no answer fills the memory.
 */
import type { Address } from './address.ts';
import { noStream } from './failure.ts';

type Fetch = typeof globalThis.fetch;

/** What stands behind the `?` of an address goes with every request to it: a version, a key of a gateway. */
export function withQuery(fetch: Fetch, { query }: Address): Fetch {
  if (query === undefined) return fetch;
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return fetch(input instanceof Request ? new Request(url, input) : url, init);
  };
}

const mostBytes = 256 * 1024;

export function boundedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { ok, status, statusText, headers, body } = response;
    const type = headers.get('content-type')?.toLowerCase() ?? '';
    const isPage = /^(?:text\/html|application\/xhtml)/.test(type);
    if (body === null || (ok && !isPage && !type.startsWith('application/json'))) return response;
    const reader = body.getReader();
    const first = await reader.read();
    const begin = first.done ? new Uint8Array() : first.value;
    // Some servers call a stream of events JSON.
    if (ok && /^\s*(?:data|event|id|retry)?:/.test(Buffer.from(begin.subarray(0, 64)).toString('latin1'))) {
      return new Response(rest(begin, reader), { status, statusText, headers: plainHeaders(headers) });
    }
    const text = await readSome(begin, reader);
    if (!ok) return new Response(text, { status, statusText, headers: plainHeaders(headers) });
    throw noStream({ status, isPage, body: text });
  };
}

/** What they say of a body that is read here already is no longer so. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) plain.delete(name);
  return plain;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function rest(begin: Uint8Array, reader: Reader): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(begin),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readSome(begin: Uint8Array, reader: Reader): Promise<string> {
  const chunks = [begin];
  for (let bytes = begin.byteLength; bytes < mostBytes; ) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    chunks.push(value);
    bytes += value.byteLength;
  }
  await reader.cancel();
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8');
}
