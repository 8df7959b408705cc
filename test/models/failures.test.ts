/** What goes wrong is told alike, whoever serves the model: typed, without keys; and who aborts ends the request itself. */
import { afterEach, describe, expect, it } from 'vitest';
import { answerMessage, type ModelError, type ModelTool, type ModelUsage, openModel } from '../../src/model/index.ts';
import type { Failure, FakeAnswer, Said } from '../fake-models/answer.ts';
import { closedAddress, type FakeKind, type FakeOptions, fakeKinds } from '../fake-models/server.ts';
import { keyName, type Opened, open } from './kit.ts';

const opened: Opened[] = [];

afterEach(async () => {
  for (const { fake } of opened.splice(0)) await fake.close();
});

async function start(
  kind: FakeKind,
  answers: readonly FakeAnswer[],
  more: FakeOptions & Parameters<typeof open>[1] = {},
) {
  const one = await open(kind, { answers, ...more });
  opened.push(one);
  return one;
}

async function errorOf(kind: FakeKind, answer: FakeAnswer): Promise<ModelError> {
  const one = await start(kind, [answer]);
  const { result } = await one.ask({});
  if (result.ok) throw new Error(`it went well: ${JSON.stringify(result.answer)}`);
  expect(one.fake.requests).toHaveLength(1);
  return result.error;
}

const isLocal = (kind: FakeKind) => kind === 'ollama' || kind === 'llamacpp';

/** For each failure: what it is to us, and whether to try again. */
const kinds: readonly (readonly [Failure, ModelError['code'], boolean])[] = [
  ['context', 'model-context', false],
  ['auth', 'model-auth', false],
  ['forbidden', 'model-auth', false],
  ['model', 'model-unknown', false],
  ['large', 'model-context', false],
  ['rate', 'model-rate', true],
  ['quota', 'model-rate', false],
  ['server', 'model-service', true],
  ['unavailable', 'model-service', true],
  ['overloaded', 'model-service', true],
  ['html', 'model-service', true],
  ['drop', 'model-connection', true],
];

describe.each(fakeKinds)('%s', (kind) => {
  it.each(kinds)('%s is %s', async (fails, code, retryable) => {
    const error = await errorOf(kind, { fails });
    // Who serves a model at home has no accounts: there it is one limit like another. Google says it of both alike.
    const isAsRate = fails === 'quota' && (isLocal(kind) || kind === 'google');
    expect({ code: error.code, retryable: error.retryable }).toEqual({ code, retryable: isAsRate ? true : retryable });
    expect(error.begun).toBeUndefined();
    if (fails === 'drop') expect(error.status).toBeUndefined();
    else expect(error.status).toBeGreaterThanOrEqual(400);
  });

  it('nobody answers', async () => {
    const one = await start(kind, [], { more: { endpoint: closedAddress } });
    const { result } = await one.ask({});
    expect(result).toMatchObject({ ok: false, error: { code: 'model-connection', retryable: true } });
    expect(JSON.stringify(result)).toContain('ECONNREFUSED');
  });

  it('it answers nothing', async () => {
    const { code, begun } = await errorOf(kind, { text: '' });
    expect({ code, begun }).toEqual({ code: 'model-empty' });
  });

  it.each([
    ['cut', { ok: true, answer: { text: 'Hello', finish: 'cut' } }],
    ['end', { ok: true, answer: { text: 'Hello', finish: 'cut' } }],
    ['error', { ok: false, error: { code: 'model-service', begun: true, retryable: true } }],
    ['garbage', { ok: false, error: { code: 'model-service', begun: true, retryable: true } }],
  ] as const)('in the middle of an answer: %s', async (by, expected) => {
    // As many events as there are before the end of the second word.
    const said: Said = { text: 'Hello world', chunk: 5 };
    const after = { 'openai-responses': 5, anthropic: 4, google: 1, openrouter: 3 }[kind as string] ?? 2;
    const one = await start(kind, [{ ...said, breaks: { after, by } }]);
    const { result, parts } = await one.ask({});
    expect(result).toMatchObject(expected);
    expect(parts).toEqual([{ kind: 'text', text: 'Hello' }]);
  });

  it('the connection breaks before an answer begins', async () => {
    const one = await start(kind, [{ text: 'Hello', breaks: { after: 0, by: 'cut' } }]);
    const { result } = await one.ask({});
    expect(result).toMatchObject({ ok: false, error: { code: 'model-connection', retryable: true } });
    expect(result).not.toHaveProperty('error.begun');
  });

  it.each([
    ['length', 'length'],
    ['none', 'cut'],
  ] as const)('an answer that ends otherwise: %s', async (finish, expected) => {
    const one = await start(kind, [{ text: 'Hello', finish }]);
    const { result } = await one.ask({});
    expect(result).toMatchObject({ ok: true, answer: { text: 'Hello', finish: expected } });
  });

  it.each(['before the headers', 'in the middle'] as const)('whoever aborts ends the request: %s', async (when) => {
    const wait = when === 'in the middle' ? undefined : new Promise<void>(() => {});
    const answer: Said = { text: 'Hello', breaks: { after: 5, by: 'stall' }, ...(wait ? { wait } : {}) };
    const one = await start(kind, [answer]);
    const controller = new AbortController();
    const came = one.fake.nextRequest();
    const asked = one.ask({}, controller.signal);
    const request = await came;
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect(await request.ended).toBe('left');
  });

  it('what a call has used that was aborted is told: it is paid all the same', async () => {
    const price = { input: 1, output: 1000 };
    const one = await start(kind, [{ text: 'Hello you', chunk: 9, breaks: { after: 6, by: 'stall' } }], {
      more: { info: { price } },
    });
    const controller = new AbortController();
    const lost: ModelUsage[] = [];
    const model = await openModel(one.resolved, { env: { [keyName]: one.fake.key } });
    const asked = model.generate(
      { messages: [{ role: 'user', content: 'Hi.' }], settings: {} },
      {
        signal: controller.signal,
        idempotencyKey: 'k',
        onPart: () => controller.abort(new Error('enough')),
        onLost: (usage) => void lost.push(usage),
      },
    );
    await expect(asked).rejects.toThrow('enough');
    expect(lost).toHaveLength(1);
    expect(lost[0]?.cost).toBeGreaterThan(0.001);
  });

  it('who has aborted before asks nobody', async () => {
    const one = await start(kind, [{ text: 'Hello' }]);
    const reason = new Error('enough');
    await expect(one.ask({}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(one.fake.requests).toHaveLength(0);
  });
});

describe.each(fakeKinds.filter((kind) => !isLocal(kind)))('a service with accounts: %s', (kind) => {
  it('a key is told to be missing, by its variable, and nobody is asked', async () => {
    const one = await start(kind, [], { more: { keyEnv: ['FIRST_KEY', 'SECOND_KEY'] } });
    const { result } = await one.ask({});
    expect(result).toMatchObject({ ok: false, error: { code: 'model-key', retryable: false } });
    expect(JSON.stringify(result)).toMatch(/FIRST_KEY or SECOND_KEY/);
    expect(one.fake.requests).toHaveLength(0);
  });

  it('a key is in no error, though the service repeats it', async () => {
    const key = 'sk-planted/key+with=signs "zz-end';
    for (const note of [key, encodeURIComponent(key), JSON.stringify({ key })]) {
      for (const fails of ['auth', 'server', 'context', 'rate'] as const) {
        const one = await start(kind, [{ fails, note: `Your key is ${note}.` }], { key });
        const { result } = await one.ask({});
        expect(JSON.stringify(result)).toContain('Your key is');
        expect(JSON.stringify(result)).not.toMatch(/sk-planted|zz-end/);
      }
    }
  });

  it('an answer that is held back', async () => {
    const one = await start(kind, [{ text: 'Hello', finish: 'filter' }]);
    const { result } = await one.ask({});
    expect(result).toMatchObject({ ok: true, answer: { text: 'Hello', finish: 'filter' } });
  });

  it('a key is told to be wrong, and is not shown', async () => {
    const one = await start(kind, [], { key: 'the-right-one' });
    const wrong = 'sk-a-planted-key-that-is-wrong';
    const model = await openModel(one.resolved, { env: { [keyName]: wrong } });
    const result = await model.generate(
      { messages: [{ role: 'user', content: 'Hi.' }], settings: {} },
      { signal: new AbortController().signal, idempotencyKey: 'k' },
    );
    expect(result).toMatchObject({ ok: false, error: { code: 'model-auth', retryable: false } });
    expect(JSON.stringify(result)).toContain(keyName);
    expect(JSON.stringify(result)).not.toContain(wrong);
  });
});

const said = { fails: 'rate', retryAfter: 7 } as const;

it.each([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'google',
  'openrouter',
  'deepseek',
  'groq',
  'mistral',
] as const)('after how long to ask again: %s', async (kind) => {
  expect(await errorOf(kind, said)).toMatchObject({ code: 'model-rate', retryAfterMs: 7000 });
});

// The server of llama.cpp has one model, and answers with it whatever it is asked for.
it.each(fakeKinds.filter((kind) => kind !== 'llamacpp'))('an unknown model: %s', async (kind) => {
  const one = await start(kind, [], { models: ['another'] });
  const { result } = await one.ask({});
  expect(result).toMatchObject({ ok: false, error: { code: 'model-unknown', retryable: false } });
  expect(JSON.stringify(result)).toContain(one.resolved.id);
});

const tools: ModelTool[] = [
  {
    name: 'filesystem/read',
    description: 'Reads.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

// Google's service keeps calls that are no JSON to itself, and says that it gave up.
it.each(fakeKinds.filter((kind) => kind !== 'google'))('arguments that are no JSON: %s', async (kind) => {
  const call = { tool: 'filesystem__read', raw: '{"path": "a' };
  const one = await start(kind, [{ text: 'So:', calls: [call] }]);
  const { result } = await one.ask({ tools });
  expect(result).toMatchObject({
    ok: true,
    answer: {
      text: 'So:',
      finish: 'calls',
      calls: [{ tool: 'filesystem/read', args: {}, problem: expect.stringContaining('no JSON') }],
    },
  });
});

it('arguments that are no JSON: google', async () => {
  const one = await start('google', [{ calls: [{ tool: 'filesystem__read', raw: '{"path": "a' }] }]);
  const { result } = await one.ask({ tools });
  expect(result).toMatchObject({ ok: false, error: { code: 'model-service', retryable: true } });
});

it.each(fakeKinds)('a tool that there is not: %s', async (kind) => {
  const one = await start(kind, [{ calls: [{ tool: 'filesystem__raed', args: { path: 'a' } }] }]);
  const { result } = await one.ask({ tools });
  expect(result).toMatchObject({
    ok: true,
    answer: {
      finish: 'calls',
      calls: [{ tool: 'filesystem__raed', args: { path: 'a' }, problem: expect.stringContaining('filesystem__read') }],
    },
  });
});

// What it says of such a call is sent to it again.
it.each(fakeKinds)('a call that could not be done is taken with its result: %s', async (kind) => {
  const raw = kind === 'google' ? '{}' : '{"path": "a';
  const one = await start(kind, [{ calls: [{ tool: 'filesystem__raed', raw }] }, { text: 'I see.' }]);
  const first = await one.ask({ tools });
  if (!first.result.ok) throw new Error(first.result.error.message);
  const { calls = [] } = first.result.answer;
  const results = calls.map(
    ({ id, tool, problem = '' }) => ({ role: 'tool', call: id, tool, content: problem, isError: true }) as const,
  );
  const { result } = await one.ask({
    tools,
    messages: [{ role: 'user', content: 'Hi.' }, answerMessage(first.result.answer), ...results],
  });
  expect(result).toMatchObject({ ok: true, answer: { text: 'I see.' } });
});
