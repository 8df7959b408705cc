import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, createSource, hasErrors, rangeOf } from '../text/index.ts';
import { readScript } from './read-script.ts';

const numRuns = process.env.TOOLANG_DEEP ? 20_000 : 300;

function read(text: string) {
  return readScript(createSource('flow.script.toon', text));
}

/** `line:column CODE message`. */
function found(text: string): string[] {
  return read(text).diagnostics.map(({ source, span, code, message }) => {
    const { start } = rangeOf(source, span);
    return `${start.line}:${start.column} ${code} ${message}`;
  });
}

function reply(...lines: string[]): string {
  return `replies[1]:\n  - for: draft\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** A file with all that a script can have. */
const whole = `# What the models answer.
replies[10]:
  - for: research
    json:
      keyPoints[2]: a,b
      nested:
        ok: true
  - for: draft
    text: "# Agents that survive"
    pace: 20ms

  - for: polish[2]/review
    textFrom: ./review.md
    usage:
      inputTokens: 12
      outputTokens: 3
    price: 0.02
  - for: fan/b
    error: 429
  - for: writer
    error: the connection was lost
  - for: draft
    text: "half of"
    cut: true
  - for: judge
    json[2]: 1,2
  - for: coder
    reasoning: I must look.
    text: I look.
    calls[3]:
      - tool: filesystem/read
        args:
          path: README.md
          lines[2]: 1,2
      - tool: skill
        id: c7
      - tool: shell/run
        raw: "{not json"
  - for: coder
    calls[1]{tool,raw}:
      a,"[1]"
    bracket: true
  - for: coder
    text: half of
    cut: 529
`;

test('every key of a reply is read, in document order', () => {
  const { script, diagnostics } = read(whole);
  expect(diagnostics).toEqual([]);
  expect(script?.replies).toEqual([
    {
      for: 'research',
      at: 'flow.script.toon:3:5',
      answer: { kind: 'text', text: '{"keyPoints":["a","b"],"nested":{"ok":true}}' },
      cut: false,
    },
    {
      for: 'draft',
      at: 'flow.script.toon:8:5',
      answer: { kind: 'text', text: '# Agents that survive' },
      paceMs: 20,
      cut: false,
    },
    {
      for: 'polish[2]/review',
      at: 'flow.script.toon:12:5',
      answer: { kind: 'file', path: './review.md' },
      usage: { inputTokens: 12, outputTokens: 3 },
      price: 0.02,
      cut: false,
    },
    { for: 'fan/b', at: 'flow.script.toon:18:5', answer: { kind: 'error', status: 429 }, cut: false },
    {
      for: 'writer',
      at: 'flow.script.toon:20:5',
      answer: { kind: 'failure', message: 'the connection was lost' },
      cut: false,
    },
    { for: 'draft', at: 'flow.script.toon:22:5', answer: { kind: 'text', text: 'half of' }, cut: true },
    { for: 'judge', at: 'flow.script.toon:25:5', answer: { kind: 'text', text: '[1,2]' }, cut: false },
    {
      for: 'coder',
      at: 'flow.script.toon:27:5',
      answer: { kind: 'text', text: 'I look.' },
      reasoning: 'I must look.',
      calls: [
        { tool: 'filesystem/read', args: '{"path":"README.md","lines":[1,2]}' },
        { tool: 'skill', args: '{}', id: 'c7' },
        { tool: 'shell/run', args: '{not json' },
      ],
      cut: false,
    },
    {
      for: 'coder',
      at: 'flow.script.toon:39:5',
      answer: { kind: 'text', text: '' },
      calls: [{ tool: 'a', args: '[1]' }],
      bracket: true,
      cut: false,
    },
    {
      for: 'coder',
      at: 'flow.script.toon:43:5',
      answer: { kind: 'text', text: 'half of' },
      cut: true,
      cutBy: { kind: 'error', status: 529 },
    },
  ]);
  expect([...(script?.lists ?? [])].map(([name, list]) => [name, list.length])).toEqual([
    ['research', 1],
    ['draft', 2],
    ['polish[2]/review', 1],
    ['fan/b', 1],
    ['writer', 1],
    ['judge', 1],
    ['coder', 3],
  ]);
});

test('replies may be a table', () => {
  const { script } = read('replies[2]{for,text}:\n  draft,one\n  draft,two words\n');
  expect(script?.lists.get('draft')?.map(({ answer }) => answer)).toEqual([
    { kind: 'text', text: 'one' },
    { kind: 'text', text: 'two words' },
  ]);
});

test('the scripts of the examples are right', () => {
  const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.script.toon'),
  );
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const { diagnostics } = readScript(createSource(file, readFileSync(join(folder, file), 'utf8')));
    expect(diagnostics.map(({ code }) => `${file} ${code}`)).toEqual([]);
  }
});

test('an empty list of replies is a script', () => {
  expect(read('replies: []\n').script?.replies).toEqual([]);
});

describe('mistakes are told with their place', () => {
  test.each<[string, string, string[]]>([
    ['an unknown key', reply('txt: a'), ['3:5 TOO7001 unknown key "txt" of a reply. Did you mean "text"?']],
    ['a key like no other', reply('text: a', 'wonderful: b'), ['4:5 TOO7001 unknown key "wonderful" of a reply']],
    [
      'an unknown key of the file',
      'replys[1]:\n  - for: a\n    text: b\n',
      ['1:1 TOO7001 unknown key "replys" of a script. Did you mean "replies"?'],
    ],
    [
      'an unknown key of usage',
      reply('text: a', 'usage:', '  input: 1'),
      ['5:7 TOO7001 unknown key "input" of "usage"'],
    ],
    ['no replies', '# nothing\n', ['2:1 TOO7002 a script needs "replies"']],
    ['no for', 'replies[1]:\n  - text: a\n', ['2:5 TOO7002 a reply needs "for"']],
    [
      'no answer',
      'replies[1]:\n  - for: a\n',
      ['2:5 TOO7002 a reply needs "text", "json", "textFrom", "calls" or "error"'],
    ],
    ['a script that is a list', '[1]: a\n', ['1:1 TOO7003 a script is a block with the key "replies"']],
    ['replies that are a text', 'replies: a\n', ['1:10 TOO7003 "replies" takes a list of replies, not a text']],
    ['a reply that is a text', 'replies[1]:\n  - hello\n', ['2:5 TOO7003 a reply is a block of keys']],
    ['a text that is a number', reply('text: 42'), ['3:11 TOO7003 "text" takes a text, not the number 42']],
    ['a text that is a block', reply('text:', '  a: 1'), ['3:5 TOO7003 "text" takes a text, not a block of keys']],
    [
      'a union in json',
      reply('json:', '  kind: "a" | "b"'),
      ['4:13 TOO7003 "json" takes a value, not a choice of texts'],
    ],
    ['two answers', reply('text: a', 'error: 500'), ['4:5 TOO7004 a reply has either "text" or "error"']],
    [
      'a pace without words',
      reply('error: 500', 'pace: 1s'),
      ['4:5 TOO7004 a reply with "error" has no words, so "pace" means nothing'],
    ],
    [
      'a name with an attempt',
      'replies[1]:\n  - for: draft#2\n    text: a\n',
      ['2:10 TOO7005 "draft#2" names one attempt; replies are for all attempts of a node'],
    ],
    [
      'a name with blanks',
      'replies[1]:\n  - for: my draft\n    text: a\n',
      ['2:10 TOO7005 "my draft" is no name of a step, an agent or a node'],
    ],
    ['a status that is none', reply('error: 200'), ['3:12 TOO7006 "error" takes a number from 400 to 599, not 200']],
    ['a negative price', reply('text: a', 'price: -1'), ['4:12 TOO7006 "price" takes dollars, 0 or more, not -1']],
    [
      'half a token',
      reply('text: a', 'usage:', '  inputTokens: 1.5'),
      ['5:20 TOO7006 "inputTokens" takes a number of tokens, not 1.5'],
    ],
    ['calls that are no list', reply('calls: a'), ['3:12 TOO7003 "calls" takes a list of calls, not a text']],
    ['no calls at all', reply('calls: []'), ['3:5 TOO7003 "calls" takes a list of calls, not a list']],
    ['a call that is a text', reply('calls[1]: a'), ['3:15 TOO7003 a call is a block of keys']],
    ['a call without its tool', reply('calls[1]:', '  - args:', '      path: a'), ['4:9 TOO7002 a call needs "tool"']],
    [
      'an unknown key of a call',
      reply('calls[1]:', '  - tool: a', '    arguments:', '      b: 1'),
      ['5:9 TOO7001 unknown key "arguments" of a call'],
    ],
    [
      'arguments that are a text',
      reply('calls[1]:', '  - tool: a', '    args: b'),
      ['5:15 TOO7003 "args" takes a block of keys, not a text'],
    ],
    [
      'a union in arguments',
      reply('calls[1]:', '  - tool: a', '    args:', '      b: "c" | "d"'),
      ['6:14 TOO7003 "args" takes a value, not a choice of texts'],
    ],
    [
      'arguments twice',
      reply('calls[1]:', '  - tool: a', '    args:', '      b: 1', '    raw: c'),
      ['7:9 TOO7004 a call has either "args" or "raw"'],
    ],
    [
      'brackets without calls',
      reply('text: a', 'bracket: true'),
      ['4:5 TOO7004 a reply without "calls" has none to write as text, so "bracket" means nothing'],
    ],
    [
      'brackets with ids',
      reply('calls[1]{tool,id}:', '  a,b', 'bracket: true'),
      ['5:5 TOO7004 a call that is written as text has no "id"'],
    ],
    [
      'calls beside an error',
      reply('error: 500', 'calls[1]{tool}:', '  a'),
      ['4:5 TOO7004 a reply with "error" has no words, so "calls" means nothing'],
    ],
    [
      'reasoning that is a number',
      reply('text: a', 'reasoning: 1'),
      ['4:16 TOO7003 "reasoning" takes a text, not the number 1'],
    ],
    [
      'a cut by a wrong number',
      reply('text: a', 'cut: 99'),
      ['4:10 TOO7006 "cut" takes a number from 400 to 599, not 99'],
    ],
    ['a cut of nothing', reply('text: a', 'cut: null'), ['4:10 TOO7003 "cut" takes true or false, not null']],
    [
      'a pace that is none',
      reply('text: a', 'pace: fast'),
      ['4:11 TOO7008 "pace" takes a duration like 20ms or 1s; this is not one'],
    ],
    [
      'a pace without a unit',
      reply('text: a', 'pace: 20'),
      ['4:11 TOO7003 "pace" takes a duration like 20ms or 1s, not the number 20'],
    ],
    ['a wrong count', 'replies[2]:\n  - for: a\n    text: b\n', ['1:9 TOO3031 "replies" says 2 items, but there is 1']],
  ])('%s', (_, text, expected) => {
    const said = found(text);
    expect(said).toEqual(
      expected.map((each) => (each.includes('TOO3031') ? expect.stringContaining('TOO3031') : each)),
    );
    expect(read(text).script).toBeUndefined();
  });

  test('several at once, each one once', () => {
    expect(found('replies[2]{for,txt}:\n  a,b\n  c,d\n').map((each) => each.split(' ', 2).join(' '))).toEqual([
      '1:16 TOO7001',
    ]);
  });
});

test('fixes leave a script without the mistake', () => {
  for (const text of [
    reply('txt: a'),
    reply('text: 42'),
    'replies[1]:\n  - for: "draft#2"\n    text: a\n',
    reply('text: a', 'pace: 20'),
  ]) {
    const [first] = read(text).diagnostics;
    expect(read(applyEdits(text, first?.fix?.edits ?? []).text).diagnostics).toEqual([]);
  }
});

describe('whatever the file holds', () => {
  const words = [...new Set(whole.match(/[A-Za-z]+/g)), '- ', ': ', '[2]', '"', '\n', '  ', '429', '{', '#'];
  const soup = fc
    .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.string() }))
    .map((parts) => parts.join(''));
  const mutated = fc
    .array(fc.tuple(fc.nat(whole.length), fc.nat(12), fc.oneof(fc.constantFrom(...words), fc.string())), {
      maxLength: 4,
    })
    .map((edits) =>
      edits.reduce((text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length), whole),
    );

  test('reading it never throws, and every place is inside of it', () => {
    fc.assert(
      fc.property(fc.oneof(soup, mutated), (text) => {
        const { script, diagnostics } = read(text);
        expect(script === undefined).toBe(hasErrors(diagnostics));
        for (const { span, message, fix } of diagnostics) {
          expect(0 <= span.start && span.start <= span.end && span.end <= text.length, message).toBe(true);
          expect(message).not.toMatch(/undefined|\[object/);
          if (fix) expect(applyEdits(text, fix.edits).skipped).toEqual([]);
        }
        expect(read(text).diagnostics).toEqual(diagnostics);
        for (const each of script?.replies ?? []) expect(each.for).toMatch(/^[^\s#]+$/);
      }),
      { numRuns },
    );
  });
});
