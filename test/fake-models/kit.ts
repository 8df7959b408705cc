/** A plain request to each fake service, for tests that send one without a client. */
import type { FakeKind, FakeModel } from './server.ts';

interface Plain {
  readonly path: string;
  readonly headers: (key: string) => Record<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi.' }] });
const none = () => ({});

const plain: Readonly<Record<FakeKind, Plain>> = {
  'openai-chat': { path: '/v1/chat/completions', headers: bearer, body: chat('gpt-4.1') },
  'openai-responses': {
    path: '/v1/responses',
    headers: bearer,
    body: { model: 'gpt-5', input: 'Hi.', reasoning: { summary: 'auto' } },
  },
  anthropic: {
    path: '/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: { ...chat('claude-sonnet-4-5'), max_tokens: 100 },
  },
  google: {
    path: '/v1beta/models/gemini-2.5-flash:',
    headers: (key) => ({ 'x-goog-api-key': key }),
    body: { contents: [{ parts: [{ text: 'Hi.' }] }] },
  },
  openrouter: { path: '/api/v1/chat/completions', headers: bearer, body: chat('openai/gpt-4.1') },
  deepseek: { path: '/chat/completions', headers: bearer, body: chat('deepseek-chat') },
  groq: { path: '/openai/v1/chat/completions', headers: bearer, body: chat('openai/gpt-oss-120b') },
  mistral: { path: '/v1/chat/completions', headers: bearer, body: chat('mistral-medium-latest') },
  ollama: { path: '/v1/chat/completions', headers: none, body: chat('llama3.1') },
  llamacpp: { path: '/v1/chat/completions', headers: none, body: chat('qwen3-8b') },
};

export interface PlainOptions {
  readonly stream?: boolean;
  readonly key?: string | undefined;
  /** Headers that are put over those that are sent; `undefined` takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly text?: string;
}

export function ask(fake: FakeModel, options: PlainOptions = {}): Promise<Response> {
  const { path, headers, body } = plain[fake.kind];
  const stream = options.stream ?? true;
  const isGoogle = fake.kind === 'google';
  const verb = isGoogle ? (stream ? 'streamGenerateContent?alt=sse' : 'generateContent') : '';
  const all = { 'content-type': 'application/json', ...headers(options.key ?? fake.key), ...options.headers };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(`${fake.origin}${path}${verb}`, {
    method: 'POST',
    headers: sent,
    body: options.text ?? JSON.stringify(isGoogle ? body : { ...body, stream }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}
