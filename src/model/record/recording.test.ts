import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSource, positionAt } from '../../text/index.ts';
import type { ModelCall } from '../model.ts';
import { readScript } from '../read-script.ts';
import type { Exchange, ExchangeResult } from './exchange.ts';
import { missText } from './miss.ts';
import { findExchange, recordingOf } from './recording.ts';
import { requestText } from './request-text.ts';
import { writeRecording } from './write-recording.ts';

const same = (text: string) => text;

function exchange(
  call: string,
  asked: ModelCall | string,
  result: ExchangeResult,
  more: Partial<Exchange> = {},
): Exchange {
  const made: ModelCall =
    typeof asked === 'string' ? { messages: [{ role: 'user', content: asked }], settings: {} } : asked;
  const node = call.replace(/#\d+\/model#\d+$/, '');
  return { call, for: node, agent: 'writer', ...requestText(made, 'openai/gpt-5', same), result, ...more };
}

const says = (text: string): ExchangeResult => ({ answer: { text, finish: 'stop' } });

function read(text: string) {
  const { script, diagnostics } = readScript(createSource('release.record.toon', text));
  expect(diagnostics).toEqual([]);
  if (script === undefined) throw new Error('there is no script');
  return recordingOf(script);
}

/** What was read, without where it stood. */
function exchangesIn(text: string): Exchange[] {
  return read(text).exchanges.map(({ at: _, ...rest }) => rest);
}

describe('what is written is read again', () => {
  test('a text, JSON, calls, thoughts, errors, what they cost', () => {
    const all: Exchange[] = [
      exchange('research#1/model#1', 'Look.', {
        answer: { text: '{"points":["a","b, c"],"n":1.5}', finish: 'stop' },
        usage: { inputTokens: 12, outputTokens: 3, cost: 0.00042 },
      }),
      exchange('draft#1/model#1', 'Write\nabout bees.', {
        error: { code: 'model-rate', message: 'too many\nrequests', retryable: true },
      }),
      exchange('draft#2/model#1', 'Write\nabout bees.', {
        answer: {
          text: 'I look.',
          finish: 'calls',
          calls: [
            { id: 'call_1', tool: 'filesystem/read', args: { path: 'a: b.md', deep: [{ a: [] }, [1, [2]], {}] } },
            { id: '2', tool: 'x', args: {}, problem: 'no such tool', meta: { google: { signature: 'abc=' } } },
          ],
          reasoning: [{ text: 'Hm.', meta: { anthropic: { signature: 's' } } }, { text: 'So.' }],
          meta: { order: [1, 2] },
          more: { session: 'x' },
        },
        usage: { inputTokens: 5 },
      }),
      exchange(
        'draft#2/model#2',
        'x',
        { answer: { text: 'half', finish: 'cut' } },
        { notes: [{ kind: 'session', id: 's' }] },
      ),
      exchange('last#1/model#1', 'y', { answer: { text: '', finish: 'filter', reasoning: [{ text: 'a\nb' }] } }),
      exchange('last#2/model#1', 'y', { error: { code: 'model', message: '', retryable: false, more: { at: 'a' } } }),
    ];
    expect(exchangesIn(writeRecording(all))).toEqual(all);
    expect(exchangesIn(writeRecording([]))).toEqual([]);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          '\n',
          '\r',
          ' ',
          '- ',
          ': ',
          '"',
          '\\',
          '[3]',
          '\u0000',
          '\u2028',
          '\ufeff',
          '😀',
          'a',
          '{',
          ',',
          '|',
        ),
      )
      .map((parts) => parts.join('')),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
  const record = fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 }).map((value) => JSON.parse(JSON.stringify(value)));
  const usage = fc.option(
    fc.record(
      {
        inputTokens: fc.nat(),
        outputTokens: fc.nat(),
        cost: fc.double({ min: 0, max: 1000, noNaN: true }).map((n) => n + 0),
      },
      { requiredKeys: ['cost'] },
    ),
    { nil: undefined },
  );
  const call = fc.record(
    {
      id: text.filter((id) => id.trim() !== ''),
      tool: text.filter((id) => id.trim() !== ''),
      args: record,
      problem: text,
      meta: record,
    },
    { requiredKeys: ['id', 'tool', 'args'] },
  );
  const answer = fc.record(
    {
      text,
      finish: fc.constantFrom('stop', 'calls', 'length', 'filter', 'cut'),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      reasoning: fc.array(fc.record({ text, meta: record }, { requiredKeys: ['text'] }), { maxLength: 2 }),
      meta: record,
      more: record,
    },
    { requiredKeys: ['text', 'finish'] },
  );
  const error = fc.record(
    { code: fc.constantFrom('model', 'timeout'), message: text, retryable: fc.boolean(), more: record },
    { requiredKeys: ['code', 'message', 'retryable'] },
  );
  const result = fc
    .tuple(
      fc.oneof(
        answer.map((answer) => ({ answer })),
        error.map((error) => ({ error })),
      ),
      usage,
    )
    .map(([made, spent]) => (spent === undefined ? made : { ...made, usage: spent })) as fc.Arbitrary<ExchangeResult>;
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const), content: text }),
    fc.record({ role: fc.constant('tool' as const), call: text, tool: text, content: text }),
  );

  test('whatever was said', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(message, { maxLength: 4 }), result, fc.boolean()), { maxLength: 6 }),
        (made) => {
          let before: ModelCall['messages'] = [];
          const all = made.map(([messages, came, goesOn], at) => {
            before = goesOn ? [...before, ...messages] : messages;
            return exchange(`step${at % 2}#1/model#${at + 1}`, { messages: before, settings: {} }, came);
          });
          const written = writeRecording(all);
          expect(exchangesIn(written)).toEqual(JSON.parse(JSON.stringify(all)));
          expect(writeRecording(exchangesIn(written))).toBe(written);
        },
      ),
      { numRuns: process.env.TOOLANG_DEEP ? 2000 : 60 },
    );
  });

  test('a very long text, in one line and in many', () => {
    const long = 'x'.repeat(2_000_000);
    const many = Array.from({ length: 20_000 }, (_, i) => `line ${i}`).join('\n');
    const all = [exchange('a#1/model#1', long, says(many)), exchange('b#1/model#1', many, says(long))];
    const written = writeRecording(all);
    expect(exchangesIn(written)).toEqual(all);
    expect(all[0]?.lines).toHaveLength(4);
    expect(all[0]?.lines.at(-1)).toMatch(/^… \d+ characters more, of the hash [0-9a-f]{16}$/);
  });
});

describe('a recording is reviewable', () => {
  test('a conversation is written once', () => {
    const first: ModelCall = {
      messages: [
        { role: 'system', content: 'Be brief.\nBe kind.' },
        { role: 'user', content: 'Read it.' },
      ],
      settings: {},
    };
    const calls = [{ id: '1', tool: 'filesystem/read', args: { path: 'a.md' } }];
    const second: ModelCall = {
      ...first,
      messages: [
        ...first.messages,
        { role: 'assistant', content: 'I look.', calls },
        { role: 'tool', call: '1', tool: 'filesystem/read', content: 'bees' },
      ],
    };
    const written = writeRecording([
      exchange('draft#1/model#1', first, { answer: { text: 'I look.', finish: 'calls', calls } }),
      exchange('draft#1/model#2', second, says('They\ndance.')),
    ]);
    expect(written.split('\n').slice(2).join('\n')).toBe(`replies[2]:
  - for: draft
    request:
      call: "draft#1/model#1"
      agent: writer
      hash: "6f782540315eb997"
      lines[6]:
        - "model openai/gpt-5"
        - "system"
        - "  Be brief."
        - "  Be kind."
        - "user"
        - "  Read it."
    text: I look.
    calls[1]:
      - tool: filesystem/read
        id: "1"
        args:
          path: a.md
  - for: draft
    request:
      call: "draft#1/model#2"
      agent: writer
      hash: d253b21f30100009
      after: "draft#1/model#1"
      same: 10
      lines[2]:
        - "tool filesystem/read"
        - "  bees"
    text[2]:
      - "They"
      - "dance."
`);
  });
});

describe('which recording answers', () => {
  const twice = [
    exchange('draft#1/model#1', 'Write.', says('one')),
    exchange('draft#2/model#1', 'Write.', says('two')),
    exchange('draft#1/model#1', 'Write.', says('three'), { case: 'b' }),
    exchange('fan/a#1/model#1', 'Other.', says('four')),
  ];
  const recording = read(writeRecording(twice));
  const hash = twice[0]?.hash ?? '';
  const answerTo = (call: string, input?: string) => {
    const found = findExchange(recording, hash, { call, case: input });
    return found && 'answer' in found.result ? found.result.answer.text : undefined;
  };

  test('that of the same command and the same case, else of the same attempt, else the first', () => {
    expect(answerTo('draft#1/model#1')).toBe('one');
    expect(answerTo('draft#2/model#1')).toBe('two');
    expect(answerTo('draft#1/model#1', 'b')).toBe('three');
    expect(answerTo('draft#2/model#1', 'b')).toBe('two');
    expect(answerTo('renamed#1/model#1')).toBe('one');
    expect(answerTo('renamed#2/model#1')).toBe('two');
    expect(answerTo('renamed#3/model#1')).toBe('one');
    expect(findExchange(recording, 'ffff', { call: 'draft#1/model#1' })).toBeUndefined();
  });

  test('one word that was changed is shown, with the recording that is nearest', () => {
    const missed = exchange('draft#2/model#1', 'Write!', says(''));
    expect(missText(recording, { ...missed, again: 'Record it again.' })).toBe(
      `release.record.toon has no answer to what "draft" (draft#2/model#1) asks now.
The nearest recording, draft#2/model#1, writer at release.record.toon:14:5, differs at line 3 of the request, in "user", column 6:
  recorded: Write.
  now:      Write!
Record it again.`,
    );
  });

  test('a line that is new, one that is gone, and a recording of nothing', () => {
    const words = (text: string, from = recording) =>
      missText(from, { ...exchange('draft#1/model#1', text, says('')), again: '' });
    expect(words('Write.\nMore.')).toContain('ended before line 4 of the request, in "user":\n  now:      More.');
    const two = read(writeRecording([exchange('draft#1/model#1', 'Write.\nMore.', says('x'))]));
    expect(words('Write.', two)).toContain('went on at line 4 of the request, in "user":\n  recorded: More.');
    expect(words('Write.', read(writeRecording([])))).toMatch(/^release.record.toon holds no recorded request/);
  });
});

describe('a recording that was changed by hand is told, with its place', () => {
  const written = writeRecording([
    exchange('draft#1/model#1', 'Write\nabout bees.\nNow.', says('one')),
    exchange('draft#2/model#1', 'Write\nabout bees.\nThen.', says('two')),
  ]);
  const wrong = (from: string | RegExp, to: string) =>
    readScript(createSource('a.record.toon', written.replace(from, to))).diagnostics.map(({ code, span, message }) => [
      code,
      positionAt(createSource('', written.replace(from, to)), span.start).line,
      message,
    ]);

  test.each<[string | RegExp, string, string, number, string]>([
    ['"  about bees."', '"  about wasps."', 'TOO7010', 5, 'the lines of this request do not have its hash'],
    [/after: .*/, 'after: other', 'TOO7010', 17, 'no request before this one is that of "other"'],
    [/same: .*/, 'same: 99', 'TOO7010', 17, 'has 7 lines, and this request begins with 99 of them'],
    [/hash: .*/, 'hahs: x', 'TOO7001', 8, 'unknown key "hahs" of "request"'],
    [/call: .*/, 'call: 5', 'TOO7003', 6, '"call" takes a text'],
    ['text: one', 'textFrom: x.md', 'TOO7004', 15, 'has no "textFrom"'],
    ['text: one', 'text: one\n    answer:\n      finish: stopp', 'TOO7003', 17, '"finish" takes one of'],
    ['text: one', 'text: one\n    answer:\n      meta: "{"', 'TOO7003', 17, '"meta" takes the JSON of an object'],
    ['text: one', 'text[2]: one,2', 'TOO7003', 15, '"text" takes a text'],
  ])('%s → %s', (from, to, code, line, message) => {
    const found = wrong(from, to);
    expect(found.map((each) => each.slice(0, 2))).toContainEqual([code, line]);
    expect(found.map((each) => each[2]).join('\n')).toContain(message);
  });

  test('no cut of it is read without a word, and none makes it throw', () => {
    for (let at = 0; at < written.lastIndexOf('two'); at++) {
      const { script, diagnostics } = readScript(createSource('a', written.slice(0, at)));
      if (script !== undefined) expect([at, script.replies.length, diagnostics.length]).not.toEqual([at, 2, 0]);
    }
  });
});
