/** Agents that are recorded and replayed: hands side by side, handoffs, sessions, thunks that name no model, templates with dates. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';
import { idIn, journalOf } from './kit.ts';

let s: Scratch;
let open: FakeModel[] = [];

beforeEach(() => {
  s = scratch();
});

afterEach(async () => {
  s.remove();
  await Promise.all(open.map((fake) => fake.close()));
  open = [];
});

async function asked(answers: (text: string) => FakeAnswer, words: readonly string[], stdin?: string) {
  const fake = await startFakeModel('openai-responses', { answers: ({ body }) => answers(JSON.stringify(body)) });
  open.push(fake);
  const env = { USER: 'ana', ...fake.env };
  s.write('.toolang/config.toml', '[models]\ndefault = ["openai/gpt-5"]\n');
  const ran = await s.cli(words, { env, ...(stdin !== undefined && { stdin }) });
  return { ...ran, id: idIn(ran.err), fake };
}

const quiet = '  tools -= filesystem\n';

it('hands that run side by side, and a handoff, replay with the same journal', async () => {
  s.write(
    'a.too',
    `thunk:\n${quiet}  hands += search\n  handoffs += close\n  user: Begin in {{runtime.cwd}} on {{runtime.date}}.\n\nthunk search(input: Text) -> Text[]:\n${quiet}\nthunk close:\n${quiet}`,
  );
  const answer = (text: string): FakeAnswer => {
    if (text.includes('goes on from here')) return { text: 'Closed.' };
    if (text.includes('You are \\"search\\"')) return { text: text.includes('Ants') ? '["a"]' : '["b"]' };
    if (text.includes('function_call_output')) return { calls: [{ tool: 'handoff_to_close', id: 'c3' }] };
    return {
      calls: [
        { tool: 'search', args: { input: 'Bees.' }, id: 'c1' },
        { tool: 'search', args: { input: 'Ants.' }, id: 'c2' },
      ],
    };
  };
  const first = await asked(answer, ['a.too', '--record', 'Go.']);
  expect(first).toMatchObject({ code: 0, out: 'Closed.\n' });
  expect(s.read('a.record.toon').match(/(?<= call: ").*(?=")/g)).toEqual([
    'default#1/model#1',
    'default#1/model#2',
    'default#1/model#3',
    'default#1/search[1]#1/model#1',
    'default#1/search[2]#1/model#1',
  ]);
  expect(s.read('a.record.toon')).toContain('Begin in <folder> on <date>.');
  const again = await s.cli(['a.too', '--replay', 'Go.'], { env: { USER: 'ana' } });
  expect(again).toMatchObject({ code: 0, out: 'Closed.\n' });
  expect(journalOf(s, idIn(again.err))).toEqual(journalOf(s, first.id));
  const missed = await s.cli(['a.too', '--replay', 'Stop.'], { env: { USER: 'ana' } });
  expect(missed.code).toBe(1);
  expect(missed.err).toContain('toolang invoke a.too default --record');
});

it('the lines of a session are recorded each for itself, and all of them replay', async () => {
  s.write('a.too', `thunk:\n${quiet}`);
  let n = 0;
  const first = await asked(() => ({ text: `Answer ${++n}.` }), ['run', 'a.too', '--record'], 'hi\nwho?\nhi\n');
  expect(first).toMatchObject({ code: 0, out: 'Answer 1.\nAnswer 2.\nAnswer 3.\n' });
  const again = await s.cli(['run', 'a.too', '--replay'], { env: { USER: 'ana' }, stdin: 'hi\nwho?\nhi\n' });
  expect(again).toMatchObject({ code: 0, out: 'Answer 1.\nAnswer 2.\nAnswer 3.\n' });
  const other = await s.cli(['run', 'a.too', '--replay'], { env: { USER: 'ana' }, stdin: 'ho\n' });
  expect(other.code).toBe(1);
  expect(other.err.replaceAll(/\s+/g, ' ')).toContain('column 2: recorded: hi now: ho');
});

it('a model that is named otherwise is another request; one that nobody names is that of the recording', async () => {
  s.write('a.too', `thunk:\n${quiet}`);
  await asked(() => ({ text: 'Hello.' }), ['a.too', '--record', 'hi']);
  const env = { USER: 'ana', ANTHROPIC_API_KEY: 'sk-ant-planted-0123456789' };
  s.write('.toolang/config.toml', '[models]\ndefault = ["anthropic/claude-sonnet-4-5"]\n');
  expect(await s.cli(['a.too', '--replay', 'hi'], { env })).toMatchObject({ code: 0, out: 'Hello.\n' });
  s.write('a.too', `thunk:\n  models = anthropic/claude-sonnet-4-5\n${quiet}`);
  const missed = await s.cli(['a.too', '--replay', 'hi']);
  expect(missed.code).toBe(1);
  expect(missed.err.replaceAll(/\s+/g, ' ')).toMatch(
    /differs at line 1 of the request, column 7: recorded: model openai\/\S+ now: model anthropic\/claude-sonnet-4-5/,
  );
});

it('a script can be recorded too, and its recording can be played as a script', async () => {
  s.write('a.too', `thunk:\n  models = scripted\n${quiet}`);
  s.write('a.script.toon', 'replies[1]:\n  - for: default\n    text[2]:\n      - One.\n      - Two.\n');
  const first = await s.cli(['a.too', '--record', 'hi']);
  expect(first).toMatchObject({ code: 0, out: 'One.\nTwo.\n' });
  const again = await s.cli(['a.too', '--replay', 'hi']);
  expect(journalOf(s, idIn(again.err))).toEqual(journalOf(s, idIn(first.err)));
  expect(await s.cli(['a.too', '--script', 'a.record.toon', 'something else'])).toMatchObject({ out: 'One.\nTwo.\n' });
});
