/**
 * Starts a fake service on a port of this machine: it refuses what the real one refuses, in its words, and answers from a
 * script in the real format. Every request is kept.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closedPort } from '../closed-port.ts';
import type { Failed, FakeAnswer, Said } from './answer.ts';
import { anthropic } from './anthropic.ts';
import { deepseek } from './deepseek.ts';
import { google } from './google.ts';
import { groq } from './groq.ts';
import { llamacpp } from './llamacpp.ts';
import { mistral } from './mistral.ts';
import { ollama } from './ollama.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { openrouter } from './openrouter.ts';
import type { FakeRequest, Ids, Question, Service, Voice, Whole } from './service.ts';

/** How a service is started, and what points a client at it. */
interface Kind {
  readonly service: Service;
  readonly models: readonly string[];
  /** Behind the address of the server. */
  readonly base: string;
  /** The variable with the key; none where it needs none. */
  readonly keyEnv?: string;
  readonly urlEnv: string;
}

const kinds = {
  'openai-chat': {
    service: openaiChat,
    models: ['gpt-4.1', 'gpt-5'],
    base: '/v1',
    keyEnv: 'OPENAI_API_KEY',
    urlEnv: 'OPENAI_BASE_URL',
  },
  'openai-responses': {
    service: openaiResponses,
    models: ['gpt-4.1', 'gpt-5'],
    base: '/v1',
    keyEnv: 'OPENAI_API_KEY',
    urlEnv: 'OPENAI_BASE_URL',
  },
  anthropic: {
    service: anthropic,
    models: ['claude-sonnet-4-5', 'claude-opus-4-7', 'claude-3-haiku-20240307'],
    base: '/v1',
    keyEnv: 'ANTHROPIC_API_KEY',
    urlEnv: 'ANTHROPIC_BASE_URL',
  },
  google: {
    service: google,
    models: ['gemini-2.5-flash', 'gemini-3-pro-preview'],
    base: '/v1beta',
    keyEnv: 'GEMINI_API_KEY',
    urlEnv: 'GOOGLE_GEMINI_BASE_URL',
  },
  openrouter: {
    service: openrouter,
    models: ['meta-llama/llama-4-maverick', 'openai/gpt-4.1'],
    base: '/api/v1',
    keyEnv: 'OPENROUTER_API_KEY',
    urlEnv: 'OPENROUTER_BASE_URL',
  },
  deepseek: {
    service: deepseek,
    models: ['deepseek-chat', 'deepseek-reasoner'],
    base: '',
    keyEnv: 'DEEPSEEK_API_KEY',
    urlEnv: 'DEEPSEEK_BASE_URL',
  },
  groq: {
    service: groq,
    models: ['openai/gpt-oss-120b'],
    base: '/openai/v1',
    keyEnv: 'GROQ_API_KEY',
    urlEnv: 'GROQ_BASE_URL',
  },
  mistral: {
    service: mistral,
    models: ['mistral-medium-latest'],
    base: '/v1',
    keyEnv: 'MISTRAL_API_KEY',
    urlEnv: 'MISTRAL_BASE_URL',
  },
  ollama: { service: ollama, models: ['llama3.1:latest', 'gemma:2b'], base: '/v1', urlEnv: 'OLLAMA_HOST' },
  llamacpp: { service: llamacpp, models: ['qwen3-8b'], base: '/v1', urlEnv: 'LLAMACPP_BASE_URL' },
} satisfies Record<string, Kind>;

export type FakeKind = keyof typeof kinds;

export const fakeKinds = Object.keys(kinds) as FakeKind[];

export interface FakeOptions {
  /** In the order of the requests that are in order; or what makes one for such a request. */
  readonly answers?: readonly FakeAnswer[] | ((request: FakeRequest) => FakeAnswer);
  /** The only key that is taken; a planted one that is easily found where it is not said. */
  readonly key?: string;
  /** The models that there are. */
  readonly models?: readonly string[];
}

export interface SeenRequest extends FakeRequest {
  /** The status that was answered, when the headers are written. */
  readonly status: () => number | undefined;
  /** What it was told, where it was refused. */
  readonly refusal: () => unknown;
  /** Resolves when the answer is written, or when the client has left before. */
  readonly ended: Promise<'written' | 'left'>;
}

export interface FakeModel {
  readonly kind: FakeKind;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** What a client takes for its base address. */
  readonly url: string;
  readonly key: string;
  readonly models: readonly string[];
  /** Variables that point a program at it: the key and the address. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly SeenRequest[];
  /** Resolves with the first request that the script has no more answer for, or that is not yet there. */
  readonly nextRequest: () => Promise<SeenRequest>;
  readonly close: () => Promise<void>;
}

export async function startFakeModel(kind: FakeKind, options: FakeOptions = {}): Promise<FakeModel> {
  const { service, base, urlEnv, ...rest }: Kind = kinds[kind];
  const models = options.models ?? rest.models;
  const key = options.key ?? `planted-key-of-${kind}-0123456789`;
  const requests: SeenRequest[] = [];
  const waiting: ((request: SeenRequest) => void)[] = [];
  const ids = counter();
  const memory = new Map<string, unknown>();
  let answered = 0;

  const next = (request: FakeRequest): FakeAnswer | undefined => {
    if (typeof options.answers === 'function') return options.answers(request);
    answered += 1;
    return options.answers?.[answered - 1];
  };

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    let refusal: unknown;
    const seen: SeenRequest = {
      ...request,
      status: () => (response.headersSent ? response.statusCode : undefined),
      refusal: () => refusal,
      ended: new Promise((resolve) =>
        response.on('close', () => resolve(response.writableFinished ? 'written' : 'left')),
      ),
    };
    requests.push(seen);
    for (const wake of waiting.splice(0)) wake(seen);
    const look = service.look(request, { key, models, memory });
    if (look.kind === 'whole') {
      if (look.whole.status >= 400) refusal = look.whole.body;
      sendWhole(response, look.whole);
      return;
    }
    const answer = next(request);
    if (answer === undefined) {
      // No service says this: a test that sees it has asked more often than it meant to.
      sendWhole(response, { status: 500, body: { error: { message: 'the script of the fake model is over' } } });
      return;
    }
    await answer.wait;
    if ('fails' in answer) sendFailure(response, look.voice, answer, look.question);
    else await sendAnswer(response, look.voice, answer, look.question, ids);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}${base}`;
  return {
    kind,
    origin,
    url,
    key,
    models,
    env: { ...(rest.keyEnv === undefined ? {} : { [rest.keyEnv]: key }), [urlEnv]: kind === 'ollama' ? origin : url },
    requests,
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => closeServer(server),
  };
}

/** An address where nobody listens. */
export const closedAddress = `http://127.0.0.1:${closedPort}`;

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const address = new URL(incoming.url ?? '/', 'http://fake');
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()]);
  return {
    method: incoming.method ?? 'GET',
    path: address.pathname,
    query: address.searchParams,
    headers: Object.fromEntries(headers),
    body: jsonOf(text),
    text,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendWhole(response: ServerResponse, { status, headers, body }: Whole): void {
  const isPage = typeof body === 'string';
  response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json', ...headers });
  response.end(isPage ? body : JSON.stringify(body));
}

const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

function sendFailure(response: ServerResponse, voice: Voice, failed: Failed, question: Question): void {
  if (failed.fails === 'drop') response.socket?.destroy();
  else if (failed.fails === 'html') sendWhole(response, { status: 502, body: page });
  else sendWhole(response, voice.failed(failed, question));
}

async function sendAnswer(
  response: ServerResponse,
  voice: Voice,
  said: Said,
  question: Question,
  ids: Ids,
): Promise<void> {
  response.socket?.setNoDelay(true);
  if (!question.stream) {
    const body = Buffer.from(JSON.stringify(voice.whole(said, question, ids)), 'utf8');
    response.writeHead(200, { 'content-type': 'application/json' });
    await write(response, body, said.bytes);
    response.end();
    return;
  }
  response.writeHead(200, { 'content-type': voice.streamType, 'cache-control': 'no-cache' });
  response.flushHeaders();
  const all = voice.events(said, question, ids);
  const { breaks } = said;
  const events = breaks ? all.slice(0, breaks.after) : all;
  if (breaks?.by === 'error') events.push(voice.errorEvent(question));
  if (breaks?.by === 'garbage') events.push(voice.garbageEvent, ...all.slice(breaks.after));
  if (said.bytes === undefined)
    for (const event of events) await write(response, Buffer.from(event, 'utf8'), undefined);
  else await write(response, Buffer.from(events.join(''), 'utf8'), said.bytes);
  if (breaks?.by === 'cut') response.destroy();
  else if (breaks?.by !== 'stall') response.end();
}

/** Each piece leaves before the next is written, so that they do not arrive as one. */
async function write(response: ServerResponse, bytes: Buffer, size = bytes.length): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + size), () => setImmediate(resolve)));
  }
}

function counter(): Ids {
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}${String(count).padStart(8, '0')}`;
  };
}
