/** `tool:` blocks: recorded results, which become pairs of a call and its result that every service takes. */
import { describe, expect, it } from 'vitest';
import { startFakeModel } from '../fake-models/server.ts';
import { kinds, useKit } from './kit.ts';
import type { SentMessage } from './sent.ts';

const kit = useKit();
const pairs: readonly [name: string, blocks: string, results: readonly string[]][] = [
  ['one between others', '  user: Look.\n  tool: Bees.\n', ['Bees.']],
  ['first in the thunk', '  tool: Bees.\n  user: So?\n', ['Bees.']],
  ['alone in the thunk', '  tool: Bees.\n', ['Bees.']],
  ['several in a row', '  user: Look.\n  tool: Bees.\n  tool:\n    Ants.\n    Wasps.\n', ['Bees.', 'Ants.\nWasps.']],
  ['after an assistant block', '  user: Look.\n  assistant: I look.\n  tool: Bees.\n  assistant: Bees!\n', ['Bees.']],
  [
    'after each of several',
    '  assistant: One.\n  tool: A.\n  assistant: Two.\n  tool: B.\n  tool: C.\n',
    ['A.', 'B.', 'C.'],
  ],
  ['fenced, empty lines kept', '  user: Look.\n  tool: ```\n  a\n\n  b\n  ```\n', ['a\n\nb']],
  ['printed from a parameter', '  user: Look.\n  tool: {{input}}\n', ['Go on.']],
];

/** Each call has its result directly behind it, and each result its call before it. */
function resultsIn(messages: readonly SentMessage[]): string[] {
  const found: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (!('calls' in message) || message.calls === undefined) continue;
    const next = messages[at + 1];
    if (next === undefined) throw new Error('a call without a result');
    const texts = 'results' in next ? next.results.map(({ text }) => text) : 'user' in next ? next.user : [];
    found.push(...texts.slice(0, message.calls.length));
    if ('results' in next) expect(next.results.map(({ id }) => id)).toEqual(message.calls.map(({ id }) => id));
  }
  return found;
}

describe.each(kinds)('%s', (kind) => {
  describe.each([
    ['with tools', ''],
    ['without a tool', '  tools -= filesystem\n'],
  ])('%s', (_, tools) => {
    it.each(pairs)('%s', async (_name, blocks, results) => {
      const source = `thunk:\n${tools}${blocks}`;
      const { sent, code, err, fake } = await kit.ask(source, ['Go on.'], { kind });
      expect([code, fake.requests.map((each) => each.refusal()), err]).toEqual([0, [undefined], expect.any(String)]);
      expect(resultsIn(sent.messages)).toEqual(results);
      const last = sent.messages.at(-1);
      if (!blocks.includes('{{input}}')) expect(last && 'user' in last && last.user.join(' ')).toContain('Go on.');
    });
  });
});

it('a recorded result at the very end is taken by a model that signs what it thinks', async () => {
  const fake = kit.keep(
    await startFakeModel('google', { answers: [{ text: 'Done.' }], models: ['gemini-3-pro-preview'] }),
  );
  kit.s.write('a.too', 'thunk go():\n  models = google/gemini-3-pro-preview\n  user: Look.\n  tool: Bees.\n');
  const ran = await kit.s.cli(['a.too'], { env: fake.env });
  expect([ran.code, fake.requests[0]?.refusal()]).toEqual([0, undefined]);
});

it('the calls of tool: blocks are no calls: nothing is done, and the model cannot call what was recorded', async () => {
  const { requests, code } = await kit.ask('thunk:\n  user: Look.\n  tool: Bees.\n', ['Go on.'], {
    answers: [{ calls: [{ tool: 'recorded', args: {} }] }, { text: 'Done.' }],
  });
  expect(code).toBe(0);
  expect(JSON.stringify(requests[1]?.messages.at(-1))).toMatch(/[Tt]here is no tool \\"recorded\\"/);
});

it.each(kinds)('whoever is passed the conversation has recorded results of its own: %s', async (kind) => {
  const source =
    'thunk:\n  tools -= filesystem\n  handoffs += other\n  user: Look.\n  tool: Bees.\n\nthunk other:\n  tools -= filesystem\n  user: See.\n  tool: Ants.\n';
  const { code, fake, requests } = await kit.ask(source, ['Go on.'], {
    kind,
    answers: [{ calls: [{ tool: 'handoff_to_other', args: {} }] }, { text: 'Done.' }],
  });
  expect([code, fake.requests.map((each) => each.refusal())]).toEqual([0, [undefined, undefined]]);
  expect(resultsIn(requests[1]?.messages ?? [])).toEqual(['Bees.', '"other" goes on from here.', 'Ants.']);
});
