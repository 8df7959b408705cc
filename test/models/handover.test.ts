/** A conversation that one service began goes on with any other: with thoughts and calls that are none of its own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerMessage, type ModelMessage, type ModelTool } from '../../src/model/index.ts';
import { type FakeKind, fakeKinds } from '../fake-models/server.ts';
import { type Opened, open } from './kit.ts';

const tools: ModelTool[] = [
  {
    name: 'filesystem/read',
    description: 'Reads.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

const begun = new Map<FakeKind, readonly ModelMessage[]>();
const opened: Opened[] = [];

/** It has thought, and called two tools; the results are there. */
async function begin(kind: FakeKind): Promise<readonly ModelMessage[]> {
  const calls = [
    { tool: 'filesystem__read', args: { path: 'ä' } },
    { tool: 'filesystem__raed', args: {} },
  ];
  const one = await open(kind, { answers: [{ reasoning: 'Hm 🎈.', text: 'I look.', calls }] });
  opened.push(one);
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read.' }];
  const { result } = await one.ask({ messages, tools });
  if (!result.ok) throw new Error(result.error.message);
  const results = result.answer.calls?.map(
    ({ id, tool, problem }): ModelMessage => ({ role: 'tool', call: id, tool, content: problem ?? 'text' }),
  );
  return [...messages, answerMessage(result.answer), ...(results ?? [])];
}

beforeAll(async () => {
  for (const kind of fakeKinds) begun.set(kind, await begin(kind));
});

afterAll(async () => {
  for (const { fake } of opened) await fake.close();
});

const pairs = fakeKinds.flatMap((from) =>
  fakeKinds.flatMap((to) => (['native', 'text'] as const).map((way) => [from, to, way] as const)),
);

it.each(pairs)('from %s to %s, %s', async (from, to, way) => {
  const one = await open(to, { answers: [{ text: 'I see.' }, { text: 'Yes.' }], more: { tools: way } });
  opened.push(one);
  const messages = begun.get(from) ?? [];
  const { result } = await one.ask({ messages, tools });
  expect(result).toMatchObject({ ok: true, answer: { text: 'I see.' } });
  if (!result.ok) return;
  const more: ModelMessage[] = [...messages, answerMessage(result.answer), { role: 'user', content: 'Well?' }];
  expect((await one.ask({ messages: more, tools })).result).toMatchObject({ ok: true, answer: { text: 'Yes.' } });
});
