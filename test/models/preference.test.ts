/** Models in an order of preference, on real connections: the next one answers where the first cannot, before its first word. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  createPreferredModel,
  type ModelCall,
  type ModelResult,
  openModel,
  type ResolvedModel,
  type StreamPart,
} from '../../src/model/index.ts';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { closedAddress, type FakeKind, fakeKinds } from '../fake-models/server.ts';
import { keyName, type Opened, open } from './kit.ts';

const opened: Opened[] = [];

afterEach(async () => {
  for (const { fake } of opened.splice(0)) await fake.close();
});

async function start(kind: FakeKind, answers: readonly FakeAnswer[], more: Partial<ResolvedModel> = {}) {
  const one = await open(kind, { answers, more });
  opened.push(one);
  return one;
}

interface Run {
  readonly result: ModelResult;
  readonly skipped: readonly string[];
  readonly parts: readonly StreamPart[];
}

async function ask(models: readonly Opened[], call: Partial<ModelCall> = {}): Promise<Run> {
  const skipped: string[] = [];
  const parts: StreamPart[] = [];
  const keys = new Map(models.map(({ fake, resolved }) => [resolved.ref, fake.key]));
  const model = createPreferredModel(
    models.map(({ resolved }) => resolved),
    (resolved) => openModel(resolved, { env: { [keyName]: keys.get(resolved.ref) } }),
  );
  const result = await model.generate(
    { messages: [{ role: 'user', content: 'Hi.' }], settings: {}, ...call },
    {
      signal: new AbortController().signal,
      idempotencyKey: 'k',
      onPart: (part) => void parts.push(part),
      onSkip: ({ ref, error }) => void skipped.push(`${ref} ${error.code}`),
    },
  );
  return { result, skipped, parts };
}

const next = (kind: FakeKind): FakeKind => fakeKinds[(fakeKinds.indexOf(kind) + 1) % fakeKinds.length] ?? 'anthropic';

const failing: readonly (readonly [string, readonly FakeAnswer[], Partial<ResolvedModel>, string])[] = [
  ['429', [{ fails: 'rate', retryAfter: 9 }], {}, 'model-rate'],
  ['500', [{ fails: 'server' }], {}, 'model-service'],
  ['503', [{ fails: 'overloaded' }], {}, 'model-service'],
  ['a page of a proxy', [{ fails: 'html' }], {}, 'model-service'],
  ['a connection that is closed', [{ fails: 'drop' }], {}, 'model-connection'],
  ['a stream that ends before it begins', [{ text: 'x', breaks: { after: 0, by: 'end' } }], {}, 'model-connection'],
  ['a missing key', [], { keyEnv: ['NOT_SET'] }, 'model-key'],
];

describe.each(fakeKinds)('%s first', (kind) => {
  it.each(failing)('%s: the next one answers, and that is told', async (_, answers, more, code) => {
    const first = await start(kind, answers, more);
    const second = await start(next(kind), [{ text: 'Hello.' }]);
    const { result, skipped } = await ask([first, second]);
    expect(result).toMatchObject({ ok: true, answer: { text: 'Hello.', model: second.resolved.ref } });
    expect(skipped).toEqual([`${first.resolved.ref} ${code}`]);
  });

  it('nobody answers there: the next one answers', async () => {
    const first = await start(kind, [], { endpoint: closedAddress });
    const second = await start(next(kind), [{ text: 'Hello.' }]);
    const { result, skipped } = await ask([first, second]);
    expect(result).toMatchObject({ ok: true, answer: { text: 'Hello.' } });
    expect(skipped).toEqual([`${first.resolved.ref} model-connection`]);
  });

  it.each(['cut', 'error', 'garbage'] as const)('after the first word nobody else is asked: %s', async (by) => {
    // More events than come before the first word of any service.
    const first = await start(kind, [{ text: 'a'.repeat(40), chunk: 1, breaks: { after: 12, by } }]);
    const second = await start(next(kind), [{ text: 'Hello.' }]);
    const { result, skipped, parts } = await ask([first, second]);
    expect(parts.length).toBeGreaterThan(0);
    expect(second.fake.requests).toHaveLength(0);
    expect(skipped).toEqual([]);
    if (by === 'cut') expect(result).toMatchObject({ ok: true, answer: { finish: 'cut' } });
    else expect(result).toMatchObject({ ok: false, error: { code: 'model-service', begun: true } });
  });

  it.each(['auth', 'context', 'model'] as const)(
    'what is wrong with the request is told, not passed on: %s',
    async (fails) => {
      const first = await start(kind, [{ fails }]);
      const second = await start(next(kind), [{ text: 'Hello.' }]);
      const { result } = await ask([first, second]);
      expect(result.ok).toBe(false);
      expect(second.fake.requests).toHaveLength(0);
    },
  );
});

it('all of them fail: each is in the error, and no key is', async () => {
  const all: Opened[] = [];
  for (const kind of fakeKinds) all.push(await start(kind, [{ fails: 'server' }]));
  const { result } = await ask(all);
  if (result.ok) throw new Error('it went well');
  for (const { resolved, fake } of all) {
    expect(result.error.message).toContain(resolved.ref);
    expect(result.error.message).not.toContain(fake.key);
  }
});
