/** Whoever a name may stand for can be called. */
import { expect, it } from 'vitest';
import { startFakeModel } from '../../../test/fake-models/server.ts';
import { compatible, providerNamed, providerNames } from '../choose/providers.ts';
import { openModel } from '../open-model.ts';
import { providerOf } from './provider.ts';

const resolved = { ref: 'x', id: 'x', keyEnv: [], tools: 'native' as const };

it.each([...providerNames, compatible])('%s can be called, at the address that is shown for it', (provider) => {
  const { home } = providerOf({ ...resolved, provider });
  const known = providerNamed(provider);
  if (known) expect(home).toBe(known.endpoint);
});

it.each(['groq', 'mistral', 'xai', 'lmstudio', compatible])('%s is asked as OpenAI is', async (provider) => {
  const fake = await startFakeModel(provider === 'mistral' ? 'mistral' : 'openai-chat', {
    models: ['m'],
    answers: [{ text: 'Hello.', usage: { input: 7, output: 3 } }],
  });
  const model = await openModel(
    { ...resolved, provider, id: 'm', endpoint: fake.url, keyEnv: ['K'] },
    { env: { K: fake.key } },
  );
  const result = await model.generate(
    { messages: [{ role: 'user', content: 'Hi.' }], settings: {} },
    { signal: new AbortController().signal, idempotencyKey: 'k' },
  );
  expect(result).toMatchObject({ ok: true, answer: { text: 'Hello.', usage: { inputTokens: 7, outputTokens: 3 } } });
  await fake.close();
});
