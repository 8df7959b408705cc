/** Whatever our contract allows is taken by every service: what a provider would refuse never reaches it. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { fakeKinds } from '../fake-models/server.ts';
import { anyCall } from './any-call.ts';
import { type Opened, open } from './kit.ts';

const opened: Opened[] = [];

afterAll(async () => {
  for (const { fake } of opened.splice(0)) await fake.close();
});

const numRuns = process.env.TOOLANG_DEEP ? 200 : 10;

describe.each(fakeKinds)('%s', (kind) => {
  it.each(['native', 'text'] as const)('any conversation, any tools, any schema, %s', async (tools) => {
    const one = await open(kind, { answers: () => ({ text: 'Yes.' }), more: { tools } });
    opened.push(one);
    await fc.assert(
      fc.asyncProperty(anyCall, async (call) => {
        const { result } = await one.ask(call);
        expect(result).toMatchObject({ ok: true, answer: { text: 'Yes.' } });
      }),
      { numRuns },
    );
  });
});
