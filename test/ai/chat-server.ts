/** A server on this machine that speaks like an OpenAI-compatible one, and answers from a script. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  readonly stream?: boolean;
  readonly stop?: readonly string[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly [key: string]: unknown;
}

/** What to answer; in streams the pieces of a text are its deltas, and an object is sent as an event of its own. */
export interface Reply {
  readonly pieces: readonly (string | object)[];
  readonly finish?: string | null;
  /** How many bytes are written to the connection at a time: characters are cut apart. */
  readonly bytes?: number;
  /** The connection breaks in place of the end of the answer. */
  readonly breaks?: boolean;
  /** The answer has no end: the client must leave. */
  readonly hangs?: boolean;
}

export interface ChatServer {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  /** Resolves when a client has left before the answer ended. */
  readonly left: Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startChatServer(replies: readonly Reply[]): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const { promise: left, resolve: leave } = withResolvers();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await readBody(request)) as ChatRequest;
    const reply = replies[requests.length];
    requests.push(body);
    if (reply === undefined) {
      response.writeHead(500).end(JSON.stringify({ error: { message: 'the script is over' } }));
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) leave();
    });
    if (body.stream) await sendEvents(response, reply);
    else sendWhole(response, reply);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    left,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendWhole(response: ServerResponse, { pieces, finish = 'stop' }: Reply): void {
  const message = { role: 'assistant', content: pieces.join('') };
  const answer = {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage,
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

async function sendEvents(response: ServerResponse, reply: Reply): Promise<void> {
  const { pieces, finish = 'stop', bytes = 7, breaks = false, hangs = false } = reply;
  response.socket?.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = pieces.map((piece) => (typeof piece === 'string' ? event({ content: piece }, null) : piece));
  if (!breaks && !hangs) events.push(event({}, finish));
  const lines = events.map((data) => `data: ${JSON.stringify(data)}\n\n`);
  if (!breaks && !hangs) lines.push('data: [DONE]\n\n');
  const all = Buffer.from(lines.join(''), 'utf8');
  for (let at = 0; at < all.length; at += bytes) await write(response, all.subarray(at, at + bytes));
  if (breaks) response.destroy();
  else if (!hangs) response.end();
}

function event(delta: object, finish: string | null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices, ...(finish ? { usage } : {}) };
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** Each write leaves before the next, so that they do not arrive as one. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => setImmediate(resolve)));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
