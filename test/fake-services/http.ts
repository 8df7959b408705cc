/** A fake service as an address on this machine: both eras, or the old one with sessions; headers are asked for if wanted. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { fakeServer } from './tools.mjs';

export interface FakeHttp {
  readonly url: string;
  readonly requests: readonly { readonly method: string; readonly url: string; readonly headers: Headers }[];
  readonly sessions: ReadonlySet<string>;
  /** As a server does that is started again. */
  forgetSessions(): void;
  readonly state: { extra: boolean; begun: string[]; cancelled: string[] };
  close(): Promise<void>;
}

export interface FakeHttpOptions {
  readonly era?: 'both' | 'new' | 'old';
  readonly mode?: 'auto' | 'sse' | 'json';
  /** Answers first, if it gives anything. */
  readonly before?: (request: Request) => Promise<Response | undefined> | Response | undefined;
}

export async function fakeHttp(options: FakeHttpOptions = {}): Promise<FakeHttp> {
  const state = { extra: false, begun: [] as string[], cancelled: [] as string[] };
  const requests: { method: string; url: string; headers: Headers }[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const modern = createMcpHandler(
    () => fakeServer({ state, changed: () => modern.notify.toolsChanged(), crash: () => server.closeAllConnections() }),
    { legacy: options.era === 'new' ? 'reject' : 'stateless', responseMode: options.mode ?? 'auto', keepAliveMs: 0 },
  );
  const old = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known) return known.handleRequest(request);
    if (request.method !== 'POST' || request.headers.has('mcp-session-id'))
      return new Response('no session', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      keepAliveMs: 0,
    });
    await fakeServer({ state, crash: () => server.closeAllConnections() }).connect(transport);
    return transport.handleRequest(request);
  };
  const answer = async (request: Request): Promise<Response> => {
    requests.push({ method: request.method, url: request.url, headers: request.headers });
    const first = await options.before?.(request);
    if (first) return first;
    if (options.era === 'old') {
      return (await isLegacyRequest(request.clone())) ? old(request) : new Response('unknown', { status: 400 });
    }
    return modern.fetch(request);
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing, answer));
  const url = await listen(server);
  return {
    url: `${url}/mcp`,
    requests,
    get sessions() {
      return new Set(sessions.keys());
    },
    forgetSessions: () => sessions.clear(),
    state,
    close: () => close(server),
  };
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** A handler of web requests behind `node:http`. */
export async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const request = new Request(new URL(incoming.url ?? '/', `http://${incoming.headers.host}`), {
    method: incoming.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(body.length > 0 && { body }),
  });
  const response = await answer(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (!response.body) {
    outgoing.end();
    return;
  }
  const stream = Readable.fromWeb(response.body as never);
  stream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => stream.destroy());
  stream.pipe(outgoing);
}
