/** For tests: models over an environment of their own, and servers that answer as those of this machine do. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../../config/index.ts';
import { manualClock } from '../../sys/index.ts';
import { createModels, type Models, type ModelsOptions } from './models.ts';

export interface TestServer {
  readonly port: number;
  /** What was asked, as `METHOD path`. */
  readonly asked: string[];
  readonly headers: IncomingMessage['headers'][];
  readonly close: () => Promise<void>;
}

/** What a server answers for a path, with the body it was sent: JSON, a text as it is, or nothing (404). */
export type Answers = (path: string, body: string) => unknown;

export async function testServer(answers: Answers): Promise<TestServer> {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url}`);
      headers.push(request.headers);
      const answer = answers(request.url ?? '', body);
      if (answer === undefined) response.writeHead(404).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { port, asked, headers, close };
}

export type OllamaModels = Readonly<Record<string, { readonly tools: boolean; readonly context: number }>>;

/** The wire format of Ollama: `/api/tags` and `/api/show`. */
export function ollamaAnswers(models: OllamaModels): Answers {
  return (path, body) => {
    if (path === '/api/tags') return { models: Object.keys(models).map((name) => ({ name, model: name, size: 1 })) };
    const shown = path === '/api/show' ? models[JSON.parse(body).model] : undefined;
    return (
      shown && {
        capabilities: ['completion', ...(shown.tools ? ['tools'] : [])],
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': shown.context },
      }
    );
  };
}

/** That of llama.cpp: `/v1/models` and `/props`. */
export function llamaAnswers(id: string, context: number, hasTools: boolean): Answers {
  return (path) => {
    if (path === '/v1/models') return { object: 'list', data: [{ id, object: 'model', owned_by: 'llamacpp' }] };
    if (path !== '/props') return undefined;
    const caps = { supports_tools: hasTools, supports_tool_calls: hasTools };
    return { default_generation_settings: { n_ctx: context }, chat_template: '…', chat_template_caps: caps };
  };
}

export interface TestModels {
  readonly env?: ModelsOptions['env'];
  readonly aliases?: Settings['models']['aliases'];
  readonly defaults?: readonly string[];
  readonly ports?: ModelsOptions['ports'];
  readonly fetch?: typeof globalThis.fetch;
}

/** Without `ports` or `fetch` nothing is there, and whoever asks is found out. */
export function testModels({ env = {}, aliases = {}, defaults = [], ports, fetch }: TestModels = {}): Models {
  const settings = { models: { aliases, default: defaults } };
  // It stands: what a server says must not depend on how busy the machine is.
  const clock = manualClock(Date.UTC(2026, 10, 17));
  if (ports) return createModels({ env, settings, clock, ports, ...(fetch && { fetch }) });
  const nobody: typeof globalThis.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  return createModels({ env, settings, clock, fetch: fetch ?? nobody });
}
