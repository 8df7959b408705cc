import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manualClock } from '../sys/index.ts';
import { createSource } from '../text/index.ts';
import { parseToon, toPlain } from '../toon/index.ts';
import { callEntry, jsonEntry, textEntry } from './entry-text.ts';
import type { ModelCall, StreamPart } from './model.ts';
import { readScript } from './read-script.ts';
import type { Reply } from './script.ts';
import { createScript } from './script.ts';
import { scriptProblem } from './script-problem.ts';
import { createScriptedModel, statusError, words } from './scripted.ts';

const call: ModelCall = { messages: [{ role: 'user', content: 'Write it.' }], settings: {} };

function reply(lines: string): Reply {
  const text = `replies[1]:\n  - for: draft\n${lines.replace(/^/gm, '    ')}\n`;
  const { script, diagnostics } = readScript(createSource('flow.script.toon', text));
  expect(diagnostics).toEqual([]);
  const [first] = script?.replies ?? [];
  if (!first) throw new Error('there is no reply');
  return first;
}

function model(lines: string, clock = manualClock()) {
  const files: Record<string, string> = { 'a.md': 'From a file.' };
  return createScriptedModel({
    reply: reply(lines),
    clock,
    readText: async (path) => {
      const text = files[path];
      return text === undefined ? { ok: false, message: `"${path}" does not exist.` } : { ok: true, text };
    },
  });
}

const context = () => ({ signal: new AbortController().signal, idempotencyKey: 'r/draft#1' });

test('a text is the answer, its usage estimated, its price nothing', async () => {
  expect(await model('text: Twelve chars').generate(call, context())).toEqual({
    ok: true,
    answer: { text: 'Twelve chars', usage: { inputTokens: 3, outputTokens: 3, cost: 0 }, finish: 'stop' },
  });
});

test('usage and price are as the script says', async () => {
  const lines = 'text: a\nusage:\n  inputTokens: 100\nprice: 0.5';
  expect(await model(lines).generate(call, context())).toMatchObject({
    answer: { usage: { inputTokens: 100, outputTokens: 1, cost: 0.5 } },
  });
});

test('json is sent as JSON text', async () => {
  expect(await model('json:\n  a[2]: 1,2\n  b: null').generate(call, context())).toMatchObject({
    answer: { text: '{"a":[1,2],"b":null}' },
  });
});

test('textFrom is read from its file; one that is not there is an error of the script', async () => {
  expect(await model('textFrom: a.md').generate(call, context())).toMatchObject({ answer: { text: 'From a file.' } });
  expect(await model('textFrom: b.md').generate(call, context())).toEqual({
    ok: false,
    error: {
      code: 'script',
      message: 'the reply at flow.script.toon:2:5 cannot be read: "b.md" does not exist.',
      retryable: false,
    },
  });
});

test('a cut reply ends early, and says so', async () => {
  expect(await model('text: half of\ncut: true').generate(call, context())).toMatchObject({
    answer: { text: 'half of', finish: 'cut' },
  });
});

describe('errors', () => {
  test.each([
    [400, false, 'model-request'],
    [401, false, 'model-auth'],
    [402, false, 'model-rate'],
    [404, false, 'model-unknown'],
    [408, true, 'model-service'],
    [413, false, 'model-context'],
    [418, false, 'model-request'],
    [429, true, 'model-rate'],
    [500, true, 'model-service'],
    [503, true, 'model-service'],
    [529, true, 'model-service'],
  ])('%i is retryable: %s, and is %s', (status, retryable, code) => {
    expect(statusError(status)).toMatchObject({ code, status, retryable });
  });

  test('are values; a text is one of the connection', async () => {
    expect(await model('error: 429').generate(call, context())).toEqual({
      ok: false,
      error: {
        code: 'model-rate',
        message: "the model's service answered 429: too many requests",
        retryable: true,
        status: 429,
      },
    });
    expect(await model('error: the line is dead\nprice: 1').generate(call, context())).toEqual({
      ok: false,
      error: { code: 'model-connection', message: 'the line is dead', retryable: true },
      usage: { inputTokens: 3, outputTokens: 0, cost: 1 },
    });
  });
});

describe('pace', () => {
  test('words come one after the other, with the pace between them', async () => {
    const clock = manualClock();
    const heard: [number, string][] = [];
    const onPart = (part: StreamPart) => void heard.push([clock.now(), part.kind === 'text' ? part.text : part.kind]);
    const answer = model('text: "one two\\nthree"\npace: 20ms', clock).generate(call, { ...context(), onPart });
    await clock.advance(100);
    expect(heard).toEqual([
      [0, 'one '],
      [20, 'two\n'],
      [40, 'three'],
    ]);
    expect(await answer).toMatchObject({ answer: { text: 'one two\nthree' } });
    expect(clock.sleeping()).toBe(0);
  });

  test('a call that is aborted rejects with the reason, and nothing sleeps on', async () => {
    const clock = manualClock();
    const abort = new AbortController();
    const answer = model('text: one two\npace: 1h', clock).generate(call, { ...context(), signal: abort.signal });
    answer.catch(() => undefined);
    await clock.advance(10);
    abort.abort('timeout');
    await expect(answer).rejects.toBe('timeout');
    expect(clock.sleeping()).toBe(0);
  });

  test('the words of a text are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\t') }), (text) => {
        expect(words(text).join('')).toBe(text);
      }),
    );
  });
});

describe('no reply', () => {
  const typed: ModelCall = {
    messages: [
      { role: 'system', content: 'You write.' },
      { role: 'user', content: 'Write about\nbees.' },
    ],
    output: {
      type: 'object',
      properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      required: ['title', 'tags'],
      additionalProperties: false,
    },
    settings: {},
  };
  const script = createScript('flow.script.toon', [reply('text: a')]);
  const asker = ['polish[2]/draft', 'draft', 'writer'];

  test('left: the request and the entry to add are printed', () => {
    expect(scriptProblem({ kind: 'used', list: 'draft', length: 1 }, script, typed, asker).message).toBe(
      `no reply is left for "draft" in flow.script.toon: its only one is taken.
The request:
  system: You write.
  user: Write about
    bees.
Add to "replies", and count it in "replies[…]":
  - for: draft
    json:
      title: "<title>"
      tags[1]: "<tag>"`,
    );
  });

  test('for that name: those that there are, and the closest', () => {
    const { message } = scriptProblem({ kind: 'unknown' }, script, call, ['drft', 'writer']);
    expect(message).toBe(
      `flow.script.toon has no reply for "drft" (it may also be called "writer"). It has replies for "draft". Did you mean "draft"?
The request:
  user: Write it.
Add to "replies", and count it in "replies[…]":
  - for: drft
    text: what the model answers`,
    );
  });

  test('shared: it says to name them', () => {
    const { message, retryable } = scriptProblem(
      { kind: 'shared', list: 'writer', with: 'l[2]/a#1/model#1' },
      script,
      call,
      ['b', 'writer'],
    );
    expect(message).toBe(
      '"l[2]/a" and "b" are open at the same time, and both would take their replies from "for: writer" of flow.script.toon, where their order would be chance. Name them: write some replies with "for: l[2]/a", and others with "for: b".',
    );
    expect(retryable).toBe(false);
  });

  const read = {
    name: 'filesystem/read',
    description: '',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  };

  test('with tools the entry to add shows a call, too; the request shows those of before', () => {
    const before: ModelCall = {
      messages: [
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', content: '', calls: [{ id: 'c', tool: 'filesystem/read', args: { path: 'a' } }] },
        { role: 'tool', call: 'c', tool: 'filesystem/read', content: 'one\ntwo' },
      ],
      tools: [read],
      settings: {},
    };
    const { message } = scriptProblem({ kind: 'used', list: 'draft', length: 1 }, script, before, asker);
    expect(message).toBe(`no reply is left for "draft" in flow.script.toon: its only one is taken.
The request:
  user: Read it.
  assistant: calls filesystem/read {"path":"a"}
  tool filesystem/read: one
    two
Add to "replies", and count it in "replies[…]":
  - for: draft
    text: what the model answers
Or let it call a tool:
  - for: draft
    calls[1]:
      - tool: filesystem/read
        args:
          path: "<path>"`);
  });

  test('where a tool must be called, or none may, only that is shown', () => {
    const shown = (toolChoice: 'required' | 'none') =>
      scriptProblem({ kind: 'unknown' }, script, { ...call, tools: [read], toolChoice }, asker).message;
    expect(shown('required')).not.toContain('what the model answers');
    expect(shown('none')).not.toContain('calls[1]');
  });

  test('a long request is cut in the message', () => {
    const long: ModelCall = { messages: [{ role: 'user', content: 'x'.repeat(100_000) }], settings: {} };
    expect(scriptProblem({ kind: 'unknown' }, script, long, asker).message.length).toBeLessThan(2500);
  });

  test('the entries can be pasted: they are read as what they stand for', () => {
    const name = fc.string().filter((each) => each !== '');
    const value = fc.jsonValue({ depthSize: 'small' }).map((each) => JSON.parse(JSON.stringify(each)) as unknown);
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.string(), (json, text) => {
        const read = (entry: string) => {
          const { document, diagnostics } = parseToon(createSource('a.toon', `replies[1]:\n${entry}\n`));
          expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
          return toPlain(document.root);
        };
        expect(read(jsonEntry('a', json))).toEqual({ replies: [{ for: 'a', json }] });
        const args = Object.keys(json).length === 0 ? {} : { args: json };
        expect(read(callEntry('a', text || 'x', json))).toEqual({
          replies: [{ for: 'a', calls: [{ tool: text || 'x', ...args }] }],
        });
        expect(read(textEntry('polish[2]/review', text))).toEqual({ replies: [{ for: 'polish[2]/review', text }] });
      }),
    );
  });
});
