/** What services answer and people do wrong, and what a call says of it. */
import { describe, expect, test } from 'vitest';
import type { ModelError } from '../model.ts';
import { openModel } from '../open-model.ts';
import type { ResolvedModel } from '../resolved.ts';
import { modelError } from './error.ts';
import {
  asking,
  env,
  errorOf,
  failing,
  listening,
  resolvedFor,
  type Wire,
  wireAnswer,
  wireFetch,
  wires,
} from './wire-test-kit.ts';

const openaiError = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
});
const anthropicError = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'r',
});
const googleError = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, message, status, details },
});

describe('answers that are errors', () => {
  const cases: [string, Wire, number, unknown, ModelError['code'], boolean][] = [
    [
      'OpenAI: the context is exceeded',
      'openai',
      400,
      openaiError(
        'Your input exceeds the context window of this model.',
        'invalid_request_error',
        'context_length_exceeded',
      ),
      'model-context',
      false,
    ],
    [
      'chat: the same in older words',
      'openai-compatible',
      400,
      openaiError(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        'invalid_request_error',
        'context_length_exceeded',
      ),
      'model-context',
      false,
    ],
    [
      'OpenRouter, vLLM: without a code',
      'openai-compatible',
      400,
      {
        error: {
          code: 400,
          message:
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens.",
        },
      },
      'model-context',
      false,
    ],
    [
      'Anthropic: prompt is too long',
      'anthropic',
      400,
      anthropicError('invalid_request_error', 'prompt is too long: 215000 tokens > 200000 maximum'),
      'model-context',
      false,
    ],
    [
      'Anthropic: with its answer it would be',
      'anthropic',
      400,
      anthropicError(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      ),
      'model-context',
      false,
    ],
    [
      'Anthropic: 413',
      'anthropic',
      413,
      anthropicError('request_too_large', 'Request exceeds the maximum size'),
      'model-context',
      false,
    ],
    [
      'Google: the count of tokens',
      'google',
      400,
      googleError(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'model-context',
      false,
    ],
    [
      'llama.cpp: its own type',
      'openai-compatible',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      },
      'model-context',
      false,
    ],
    [
      'Ollama: words alone',
      'openai-compatible',
      400,
      {
        error: { message: 'prompt too long; exceeded max context length by 12 tokens', type: 'invalid_request_error' },
      },
      'model-context',
      false,
    ],
    [
      'LM Studio',
      'openai-compatible',
      400,
      { error: 'The number of tokens to keep from the initial prompt is greater than the context length' },
      'model-context',
      false,
    ],
    [
      'OpenAI: a wrong key',
      'openai',
      401,
      openaiError('Incorrect API key provided: sk-abc.', 'invalid_request_error', 'invalid_api_key'),
      'model-auth',
      false,
    ],
    [
      'Anthropic: a wrong key',
      'anthropic',
      401,
      anthropicError('authentication_error', 'invalid x-api-key'),
      'model-auth',
      false,
    ],
    [
      'Anthropic: not allowed',
      'anthropic',
      403,
      anthropicError('permission_error', 'Your API key does not have permission.'),
      'model-auth',
      false,
    ],
    [
      'Google: a wrong key is a 400',
      'google',
      400,
      googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        { '@type': 'x', reason: 'API_KEY_INVALID' },
      ]),
      'model-auth',
      false,
    ],
    [
      'OpenAI: no such model',
      'openai',
      404,
      openaiError(
        'The model `m-1` does not exist or you do not have access to it.',
        'invalid_request_error',
        'model_not_found',
      ),
      'model-unknown',
      false,
    ],
    [
      'Anthropic: no such model',
      'anthropic',
      404,
      anthropicError('not_found_error', 'model: m-1'),
      'model-unknown',
      false,
    ],
    [
      'Google: no such model',
      'google',
      404,
      googleError(404, 'NOT_FOUND', 'models/m-1 is not found for API version v1beta'),
      'model-unknown',
      false,
    ],
    [
      'Ollama: no such model',
      'openai-compatible',
      404,
      { error: { message: "model 'm-1' not found", type: 'api_error' } },
      'model-unknown',
      false,
    ],
    [
      'OpenRouter: no such model is a 400',
      'openai-compatible',
      400,
      { error: { code: 400, message: 'm-1 is not a valid model ID' } },
      'model-unknown',
      false,
    ],
    [
      'DeepSeek: no such model is a 400',
      'openai-compatible',
      400,
      openaiError('Model Not Exist', 'invalid_request_error', 'invalid_request_error'),
      'model-unknown',
      false,
    ],
    [
      'too many requests',
      'openai',
      429,
      openaiError('Rate limit reached for m-1', 'tokens', 'rate_limit_exceeded'),
      'model-rate',
      true,
    ],
    [
      'Anthropic: too many requests',
      'anthropic',
      429,
      anthropicError('rate_limit_error', 'This request would exceed your rate limit'),
      'model-rate',
      true,
    ],
    [
      'Google: too many requests, in words of quota',
      'google',
      429,
      googleError(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details.',
      ),
      'model-rate',
      true,
    ],
    [
      'OpenAI: the account is empty',
      'openai',
      429,
      openaiError(
        'You exceeded your current quota, please check your plan and billing details.',
        'insufficient_quota',
        'insufficient_quota',
      ),
      'model-rate',
      false,
    ],
    [
      'Anthropic: the account is empty',
      'anthropic',
      400,
      anthropicError('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      'model-rate',
      false,
    ],
    [
      'DeepSeek, OpenRouter: the account is empty',
      'openai-compatible',
      402,
      openaiError('Insufficient Balance', 'unknown_error', 'invalid_request_error'),
      'model-rate',
      false,
    ],
    ['it failed', 'openai', 500, openaiError('The server had an error', 'server_error'), 'model-service', true],
    [
      'Anthropic: overloaded',
      'anthropic',
      529,
      anthropicError('overloaded_error', 'Overloaded'),
      'model-service',
      true,
    ],
    [
      'Google: overloaded',
      'google',
      503,
      googleError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
      'model-service',
      true,
    ],
    ['a body that is empty', 'openai-compatible', 502, '', 'model-service', true],
    ['a body that is no JSON', 'openai-compatible', 500, 'upstream connect error', 'model-service', true],
    [
      'a request that took too long',
      'openai-compatible',
      408,
      { error: { message: 'timeout' } },
      'model-service',
      true,
    ],
    [
      'something in the request',
      'openai',
      400,
      openaiError("Unknown parameter: 'x'.", 'invalid_request_error', 'unknown_parameter'),
      'model-request',
      false,
    ],
    [
      'something in the request, as FastAPI says it',
      'openai-compatible',
      422,
      { detail: 'field required' },
      'model-request',
      false,
    ],
    [
      'something that a model does not do',
      'openai',
      400,
      openaiError("This model does not support image inputs; 'image_url' is not supported.", 'invalid_request_error'),
      'model-request',
      false,
    ],
    [
      'a context of something else is a 500',
      'openai',
      500,
      openaiError('failed to load the maximum context length', 'server_error'),
      'model-service',
      true,
    ],
  ];

  test.each(cases)('%s', async (_, wire, status, body, code, retryable) => {
    const error = await errorOf(wire, failing(status, body));
    expect(error).toMatchObject({ code, retryable, status });
    expect(error.message).toContain(`the model ${wire}/m-1 (http://127.0.0.1:9/base): `);
    expect(error).not.toHaveProperty('begun');
  });

  test('the message says what is wrong, where, and what the service said', async () => {
    const error = await errorOf(
      'openai',
      failing(401, openaiError('Incorrect API key\nprovided.', 'x', 'invalid_api_key')),
    );
    expect(error.message).toBe(
      'the model openai/m-1 (http://127.0.0.1:9/base): its service does not take the key in OPENAI_API_KEY (401). It says: Incorrect API key provided.',
    );
  });

  test.each(wires)('%s: a page for people is told as one, and its text is not repeated', async (wire) => {
    const page = failing(502, '<!DOCTYPE html><html><body>Bad gateway</body></html>', { 'content-type': 'text/html' });
    expect(await errorOf(wire, page)).toMatchObject({
      code: 'model-service',
      retryable: true,
      message: expect.stringMatching(/answered 502 with a page for people, not with data$/),
    });
    const missing = failing(404, '<html>no</html>', { 'content-type': 'text/html' });
    expect(await errorOf(wire, missing)).toMatchObject({ code: 'model-unknown', retryable: false });
  });

  test.each(wires)('%s: a page that goes well is no answer', async (wire) => {
    const page = () =>
      new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(await errorOf(wire, page)).toMatchObject({
      code: 'model-request',
      retryable: false,
      message: expect.stringContaining('Is the address right?'),
    });
  });

  test.each(wires)('%s: an error in an answer that goes well', async (wire) => {
    const body = { error: { message: 'Overloaded', type: 'overloaded_error', code: 503 } };
    const answer = () => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
    expect(await errorOf(wire, answer)).toMatchObject({ code: 'model-service', retryable: true });
  });

  test('a stream that is called JSON is read all the same', async () => {
    const { fetch } = wireFetch(
      () =>
        new Response(wireAnswer('openai-compatible', { text: 'Hello.' }), {
          headers: { 'content-type': 'application/json' },
        }),
    );
    const model = await openModel(resolvedFor('openai-compatible'), { env, fetch });
    expect(await model.generate(asking('hi'), listening())).toMatchObject({ ok: true, answer: { text: 'Hello.' } });
  });

  test('a huge error is read up to a limit', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(97));
      },
    });
    const error = await errorOf('openai', () => new Response(body, { status: 500 }));
    expect(error.message.length).toBeLessThan(700);
    expect(sent).toBeLessThan(1_000_000);
  });

  test.each([
    [{ 'retry-after': '20' }, {}, 20_000],
    [{ 'retry-after': '1.5' }, {}, 1500],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, {}, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, {}, 60_000],
    [{ 'retry-after': 'Thu, 01 Jan 2015 00:01:00 GMT' }, {}, 0],
    [{}, { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }] }, 34_500],
    [{ 'retry-after': 'soon' }, {}, undefined],
  ])('when to ask again: %j %j', async (headers, more, expected) => {
    const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow', ...more } };
    expect((await errorOf('google', failing(429, body, headers))).retryAfterMs).toBe(expected);
  });
});

describe('secrets', () => {
  test('are in no message, whatever a service repeats', async () => {
    const secret = 'secret-OPENAI_API_KEY-value';
    const said = openaiError(`key ${secret}, also ${encodeURIComponent(secret)}; header Bearer tok"en-9`, 'x');
    const error = await errorOf('openai', failing(400, said), { headers: { 'x-team': 'Bearer $TEAM_TOKEN' } }).catch(
      () => undefined,
    );
    expect(error).toMatchObject({ code: 'model-key' });
    env.TEAM_TOKEN = 'tok"en-9';
    try {
      const { message } = await errorOf('openai', failing(400, said), { headers: { 'x-team': 'Bearer $TEAM_TOKEN' } });
      expect(message).toContain('[redacted OPENAI_API_KEY]');
      expect(message).toContain('[redacted header x-team]');
      expect(message).not.toContain(secret);
      expect(message).not.toContain('tok"en');
    } finally {
      delete env.TEAM_TOKEN;
    }
  });

  test('an address is shown without its query', async () => {
    const error = await errorOf('openai-compatible', failing(500, ''), {
      endpoint: 'http://127.0.0.1:9/v1/?key=hidden',
    });
    expect(error.message).toContain('(http://127.0.0.1:9/v1)');
    expect(error.message).not.toContain('hidden');
  });

  test.each(['openai', 'anthropic', 'google', 'openai-compatible'] as const)(
    'the query of an address goes with each request, and is in no error: %s',
    async (provider) => {
      const urls: string[] = [];
      const secret = 'planted-key-of-a-gateway';
      const model = await openModel(
        resolvedFor(provider, { endpoint: `http://127.0.0.1:9/v1?api-version=1&subscription-key=${secret}` }),
        {
          env,
          fetch: async (input) => {
            urls.push(String(input));
            return new Response(`{"error":{"message":"no such key: ${secret}"}}`, { status: 401 });
          },
        },
      );
      const result = await model.generate(asking('hi'), listening());
      expect(urls).toHaveLength(1);
      expect(urls[0]).toContain(`api-version=1&subscription-key=${secret}`);
      expect(JSON.stringify(result)).toContain('model-auth');
      expect(JSON.stringify(result)).not.toContain(secret);
    },
  );
});

describe('before anything is sent', () => {
  const refusedBy = async (more: Partial<ResolvedModel>, variables: Record<string, string> = env) => {
    const { fetch, asked } = wireFetch();
    const model = await openModel(resolvedFor('openai', more), { env: variables, fetch });
    const result = await model.generate(asking('hi'), listening());
    expect(asked).toEqual([]);
    return result.ok ? undefined : result.error;
  };

  test('no key: the variables are named', async () => {
    expect(await refusedBy({ keyEnv: ['A_KEY', 'B_KEY'] }, { A_KEY: '  ' })).toEqual({
      code: 'model-key',
      message: 'the model openai/m-1: no key is there: set A_KEY or B_KEY',
      retryable: false,
    });
  });

  test('a key that no header can carry', async () => {
    const error = await refusedBy({ keyEnv: ['A_KEY'] }, { A_KEY: 'ab\ncd-secret' });
    expect(error).toMatchObject({ code: 'model-key', message: expect.stringContaining('A_KEY has characters') });
    expect(error?.message).not.toContain('cd-secret');
  });

  test('a header whose variable is not set', async () => {
    expect(await refusedBy({ headers: { 'x-a': '${NOPE}' } })).toMatchObject({
      code: 'model-key',
      message: 'the model openai/m-1: its header "x-a" needs the variable NOPE, which is not set',
    });
  });

  test.each([
    ['ftp://a.example', 'none of the web'],
    ['nonsense', 'none of the web'],
    ['http://user:hunter22@a.example/v1', 'a user or a password'],
  ])('an address that cannot be used: %s', async (endpoint, words) => {
    const error = await refusedBy({ endpoint });
    expect(error).toMatchObject({ code: 'model-request', retryable: false, message: expect.stringContaining(words) });
    expect(error?.message).not.toContain('hunter22');
  });

  test('an endpoint that nothing is known of needs an address', async () => {
    const { endpoint: _, ...resolved } = resolvedFor('openai-compatible');
    const model = await openModel(resolved, { env });
    expect(await model.generate(asking('hi'), listening())).toMatchObject({
      ok: false,
      error: { code: 'model-request', message: expect.stringContaining('it has no address') },
    });
  });

  test('a provider that is none of ours', async () => {
    await expect(openModel(resolvedFor('openai', { provider: 'nobody' }), { env })).rejects.toThrow(/"nobody"/);
  });
});

test('a check of fields that a service answers with is told with its places', async () => {
  const body = {
    object: 'error',
    message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'store'], msg: 'Extra inputs are not permitted' }] },
    type: 'invalid_request_error',
  };
  const error = Object.assign(new Error('Unprocessable'), {
    name: 'AI_APICallError',
    statusCode: 422,
    responseBody: JSON.stringify(body),
  });
  const asked = { ref: 'mistral/m', id: 'm', address: undefined, now: () => 0 };
  expect(modelError(error, asked)).toMatchObject({
    code: 'model-request',
    message: expect.stringContaining('It says: body.store: Extra inputs are not permitted'),
  });
});
