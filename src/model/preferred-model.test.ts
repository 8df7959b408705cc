/** Preference and failover, also with real connections and wires. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { asking, env, failing, listening, resolvedFor, wireAnswer, wireFetch } from './call/wire-test-kit.ts';
import type { Model, ModelError, ModelResult, SkippedModel } from './model.ts';
import { openModel } from './open-model.ts';
import { createPreferredModel } from './preferred-model.ts';
import type { ResolvedModel } from './resolved.ts';

const usage = { inputTokens: 1, outputTokens: 1 };

function given(results: Record<string, ModelResult>) {
  const asked: string[] = [];
  const skipped: SkippedModel[] = [];
  const candidates = Object.keys(results).map((ref) => ({ ref }));
  const open = async ({ ref }: { ref: string }): Promise<Model> => ({
    ref,
    async generate() {
      asked.push(ref);
      const result = results[ref];
      if (result === undefined) throw new Error(ref);
      return result;
    },
  });
  const model = createPreferredModel(candidates, open);
  const run = () => model.generate(asking('hi'), { ...listening(), onSkip: (skip) => void skipped.push(skip) });
  return { model, run, asked, skipped };
}

const ok: ModelResult = { ok: true, answer: { text: 'Hello.', usage, finish: 'stop' } };

function bad(code: ModelError['code'], more: Partial<ModelError> = {}): ModelResult {
  return { ok: false, error: { code, message: `it is ${code}`, retryable: false, ...more } };
}

test('the first that can be asked answers, and the answer says who it was', async () => {
  const { run, asked, skipped, model } = given({
    a: bad('model-key'),
    b: bad('model-rate', { retryable: true }),
    c: ok,
    d: ok,
  });
  expect(await run()).toEqual({ ok: true, answer: { text: 'Hello.', usage, finish: 'stop', model: 'c' } });
  expect(asked).toEqual(['a', 'b', 'c']);
  expect(skipped.map(({ ref, error }) => `${ref} ${error.code}`)).toEqual(['a model-key', 'b model-rate']);
  expect(model.ref).toBe('a');
});

test.each(['model-key', 'model-connection', 'model-rate', 'model-service'] as const)('%s: the next', async (code) => {
  const { run, asked } = given({ a: bad(code), b: ok });
  expect(await run()).toMatchObject({ ok: true, answer: { model: 'b' } });
  expect(asked).toEqual(['a', 'b']);
});

test.each([
  'model-auth',
  'model-unknown',
  'model-context',
  'model-request',
  'model-empty',
  'model-cut',
  'model',
  'script',
] as const)('%s: not the next', async (code) => {
  const { run, asked, skipped } = given({ a: bad(code), b: ok });
  expect(await run()).toEqual(bad(code));
  expect(asked).toEqual(['a']);
  expect(skipped).toEqual([]);
});

test.each(['model-connection', 'model-rate', 'model-service'] as const)(
  '%s after the first word: not the next',
  async (code) => {
    const { run, asked } = given({ a: bad(code, { begun: true, retryable: true }), b: ok });
    expect(await run()).toEqual(bad(code, { begun: true, retryable: true }));
    expect(asked).toEqual(['a']);
  },
);

test('an answer that was cut off is one', async () => {
  const { run, asked } = given({ a: { ok: true, answer: { text: 'Hel', usage, finish: 'cut' } }, b: ok });
  expect(await run()).toMatchObject({ ok: true, answer: { finish: 'cut', model: 'a' } });
  expect(asked).toEqual(['a']);
});

test('where all fail, each is in the error, which may go well later if one of them may', async () => {
  const { run, skipped } = given({
    a: bad('model-key'),
    b: bad('model-rate', { retryable: true, status: 429, retryAfterMs: 9000 }),
    c: bad('model-service', { retryable: true, retryAfterMs: 2000 }),
  });
  expect(await run()).toEqual({
    ok: false,
    error: {
      code: 'model-rate',
      status: 429,
      retryable: true,
      retryAfterMs: 2000,
      message:
        'none of the models can be asked:\n  a: it is model-key\n  b: it is model-rate\n  c: it is model-service',
    },
  });
  expect(skipped.map(({ ref }) => ref)).toEqual(['a', 'b']);
  expect(await given({ a: bad('model-key'), b: bad('model-key') }).run()).toMatchObject({
    error: { code: 'model-key', retryable: false },
  });
});

test('one that was asked instead and is wrong is told with what came before', async () => {
  const { run } = given({ a: bad('model-rate', { retryable: true }), b: bad('model-auth') });
  expect(await run()).toEqual({
    ok: false,
    error: {
      code: 'model-auth',
      retryable: false,
      message: 'the model that was asked instead failed:\n  a: it is model-rate\n  b: it is model-auth',
    },
  });
});

test('a single one is as it is', async () => {
  expect(await given({ a: bad('model-rate', { retryable: true }) }).run()).toEqual(
    bad('model-rate', { retryable: true }),
  );
  expect(() => createPreferredModel([], async () => Promise.reject(new Error()))).toThrow(/no model/);
});

test('what one that failed has used for nothing is counted', async () => {
  const { run } = given({
    a: {
      ok: false,
      error: { code: 'model-service', message: 'x', retryable: true },
      usage: { inputTokens: 5, outputTokens: 2, cost: 0 },
    },
    b: { ok: true, answer: { text: 'a', finish: 'stop', usage: { inputTokens: 6, outputTokens: 3, cost: 0.25 } } },
  });
  expect(await run()).toMatchObject({ answer: { usage: { inputTokens: 11, outputTokens: 5, cost: 0.25 } } });
});

describe('on the wire', () => {
  async function run(models: readonly ResolvedModel[], fetch: typeof globalThis.fetch, variables = env) {
    const skipped: string[] = [];
    const model = createPreferredModel(models, (resolved) => openModel(resolved, { env: variables, fetch }));
    const context = listening();
    const result = await model.generate(asking('hi'), {
      ...context,
      onSkip: ({ ref, error }) => void skipped.push(`${ref} ${error.code}`),
    });
    return { result, skipped, parts: context.parts };
  }

  test('no key, a connection that is refused, 429, 500: the next, each recorded', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    const { fetch, asked } = wireFetch(
      failing(429, { error: { message: 'slow down', code: 'rate_limit_exceeded', type: 'x' } }),
      failing(500, { type: 'error', error: { type: 'api_error', message: 'oops' } }),
      wireAnswer('google', { text: 'Here I am.' }),
    );
    const route: typeof globalThis.fetch = (input, init) =>
      String(input).includes(`:${port}`) ? globalThis.fetch(input, init) : fetch(input, init);
    const { result, skipped, parts } = await run(
      [
        resolvedFor('openai', { ref: 'no-key', keyEnv: ['NOT_THERE'] }),
        resolvedFor('openai-compatible', { ref: 'refused', endpoint: `http://127.0.0.1:${port}/v1` }),
        resolvedFor('openai', { ref: 'many' }),
        resolvedFor('anthropic', { ref: 'failing' }),
        resolvedFor('google', { ref: 'well' }),
      ],
      route,
    );
    expect(result).toMatchObject({ ok: true, answer: { text: 'Here I am.', model: 'well' } });
    expect(skipped).toEqual([
      'no-key model-key',
      'refused model-connection',
      'many model-rate',
      'failing model-service',
    ]);
    expect(asked.length).toBe(3);
    expect(parts.map((part) => (part.kind === 'text' ? part.text : part.kind)).join('')).toBe('Here I am.');
  });

  test('after the first word there is no switch', async () => {
    const overloaded = 'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const { fetch, asked } = wireFetch(wireAnswer('anthropic', { text: 'I beg', end: 'none' }) + overloaded);
    const { result, skipped } = await run([resolvedFor('anthropic'), resolvedFor('openai')], fetch);
    expect(result).toMatchObject({ ok: false, error: { code: 'model-service', begun: true } });
    expect([skipped, asked.length]).toEqual([[], 1]);
  });

  test('an error event before the first word does', async () => {
    const overloaded = 'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const { fetch } = wireFetch(overloaded, wireAnswer('openai', { text: 'Hello.' }));
    const { result } = await run([resolvedFor('anthropic'), resolvedFor('openai')], fetch);
    expect(result).toMatchObject({ ok: true, answer: { model: 'openai/m-1' } });
  });

  test('aborting ends the order', async () => {
    const abort = new AbortController();
    const model = createPreferredModel([resolvedFor('anthropic'), resolvedFor('openai')], (resolved) =>
      openModel(resolved, {
        env,
        fetch: async () => {
          abort.abort('enough');
          throw new TypeError('fetch failed');
        },
      }),
    );
    await expect(model.generate(asking('hi'), { signal: abort.signal, idempotencyKey: 'k' })).rejects.toBe('enough');
  });
});

test('one that has cost something is not followed by another: no more was set aside', async () => {
  const cost = { inputTokens: 10, outputTokens: 5, cost: 0.01 };
  const failed = { ...bad('model-service', { retryable: true }), usage: cost } as ModelResult;
  const { run, asked } = given({ a: failed, b: ok });
  expect(await run()).toMatchObject({ ok: false, error: { code: 'model-service', begun: true }, usage: cost });
  expect(asked).toEqual(['a']);
});
