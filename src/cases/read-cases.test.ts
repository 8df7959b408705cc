/** Test files: what is read of them, and that whatever is written is read to its end, with its places. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSource, positionAt } from '../text/index.ts';
import { parseToon, toPlain, writeToon } from '../toon/index.ts';
import { readCases } from './read-cases.ts';

const read = (text: string) => readCases(createSource('a.test.toon', text));
const told = (text: string) =>
  read(text).diagnostics.map(({ code, message, source, span }) => {
    const { line, column } = positionAt(source, span.start);
    return `${line}:${column} ${code} ${message}`;
  });

const whole = `target: ./release.toon
workspace: ..
script: ./release.script.toon
timeout: 10s
env:
  MODE: test
cases[2]:
  - name: first
    input:
      topic: bees
    decisions[2]:
      - for: publish
        approve: false
        by: ana
        note: no
      - for: limit
        add: 1.5
    tools[1]:
      - tool: web/fetch
        args:
          url: "https://*"
        result: hello
    real[1]: shell
    expect:
      output:
        title: bees
      steps:
        draft: text
      calls[1]:
        - tool: filesystem/read
          args:
            path: "*.md"
          step: draft
      callsHave[1]:
        - tool: filesystem
      neverCalls[2]: shell,web
      modelCalls: 3
      assert[2]: "{output.title} == 'bees'",calls.length == 1
  - name: second
    target: "./helper.too#sum"
    input: hi
    with:
      a: 1
    replies[1]:
      - for: sum
        text: "3"
    skip: not yet
    expect:
      error:
        code: denied
`;

describe('a test file', () => {
  it('is read with what its cases have in common', () => {
    const { suite, diagnostics } = read(whole);
    expect(diagnostics).toEqual([]);
    const [first, second] = suite?.cases ?? [];
    expect(first).toMatchObject({
      name: { text: 'first' },
      target: { file: './release.toon' },
      workspace: { text: '..' },
      answers: { kind: 'script', text: './release.script.toon' },
      timeoutMs: 10_000,
      env: { MODE: 'test' },
      input: { value: { topic: 'bees' } },
      decisions: [
        { for: { text: 'publish' }, approve: false, by: 'ana', note: 'no' },
        { for: { text: 'limit' }, approve: true, add: 1.5 },
      ],
      tools: [{ tool: 'web/fetch', result: { text: 'hello', isError: false } }],
      real: [{ text: 'shell' }],
      expect: {
        calls: { calls: [{ tool: { text: 'filesystem/read' }, step: { text: 'draft' } }] },
        modelCalls: { count: 3 },
        neverCalls: [{ text: 'shell' }, { text: 'web' }],
        assert: [{ text: "{output.title} == 'bees'" }, { text: 'calls.length == 1' }],
      },
    });
    expect(second).toMatchObject({
      target: { file: './helper.too', thunk: 'sum' },
      skip: 'not yet',
      answers: { kind: 'replies' },
    });
  });

  it('replies in a case are a script, with the lines where they stand', () => {
    const { suite } = read(whole);
    const answers = suite?.cases[1]?.answers;
    const script = answers?.kind === 'replies' ? answers.script : '';
    expect(script.trim()).toBe('replies[1]:\n  - for: sum\n    text: "3"');
    expect(script.split('\n').indexOf('replies[1]:')).toBe(whole.split('\n').indexOf('    replies[1]:'));
    const beginning = read(
      'cases[1]:\n  - replies[1]:\n      - for: a\n        text: x\n    name: n\n    target: ./a.toon\n',
    );
    expect(beginning.diagnostics).toEqual([]);
    const own = beginning.suite?.cases[0]?.answers;
    const { document, diagnostics } = parseToon(createSource('s', own?.kind === 'replies' ? own.script : ''), {
      profile: true,
    });
    expect(diagnostics).toEqual([]);
    expect(toPlain(document.root)).toEqual({ replies: [{ for: 'a', text: 'x' }] });
  });

  const one = (more: string) => `cases[1]:\n  - name: a\n    target: ./a.toon\n${more}`;

  it.each([
    ['nothing', '', ['1:1 TOO6302 a test file needs "cases"']],
    [
      'another block',
      'casses[1]:\n  - name: a\n',
      ['1:1 TOO6301 unknown key "casses" of a test file. Did you mean "cases"?', '2:5 TOO6302 a case needs "target"'],
    ],
    [
      'no name and no target',
      'cases[1]:\n  - input: 1\n',
      ['2:5 TOO6302 a case needs "name"', '2:5 TOO6302 a case needs "target"'],
    ],
    [
      'a target of another kind',
      'cases[1]:\n  - name: a\n    target: ./a.md\n',
      ['3:13 TOO6303 "./a.md" is neither a workflow (.toon) nor an agent (.too)'],
    ],
    [
      'a thunk of a workflow',
      'cases[1]:\n  - name: a\n    target: "./a.toon#b"\n',
      ['3:13 TOO6303 a workflow has no thunks: only of an agent (.too) one is named behind "#"'],
    ],
    [
      'two who answer',
      one('    script: ./a\n    recording: ./b\n'),
      ['5:5 TOO6304 a case has either "script" or "recording"'],
    ],
    [
      'arguments of a workflow',
      one('    with:\n      a: 1\n'),
      ['4:5 TOO6304 "with" is for thunks: a workflow has all that it takes in "input"'],
    ],
    ['a decision of nobody', one('    decisions[1]:\n      - approve: true\n'), ['5:9 TOO6302 a decision needs "for"']],
    [
      'a decision without one',
      one('    decisions[1]:\n      - for: a\n'),
      ['5:9 TOO6302 a decision needs "approve", or "add" where a limit is reached'],
    ],
    [
      'a tool that says nothing',
      one('    tools[1]:\n      - tool: a/b\n'),
      ['5:9 TOO6302 the answer of a tool needs "result" or "error"'],
    ],
    [
      'outputs of what fails',
      one('    expect:\n      error: no\n      output: 1\n'),
      ['6:7 TOO6304 "expect" has either "error" or "output": a run that does not end well has no output'],
    ],
    [
      'a count that is none',
      one('    expect:\n      modelCalls: -1\n'),
      ['5:19 TOO6303 "modelCalls" takes a whole number, 0 or more, not the number -1'],
    ],
    [
      'a time that is none',
      one('    timeout: soon\n'),
      ['4:14 TOO6303 "timeout" takes a duration like 500ms, 10s or 2m, not a text'],
    ],
    [
      'mistakes of replies, as of scripts',
      one('    replies[1]:\n      - for: a\n        txt: b\n'),
      ['6:9 TOO7001 unknown key "txt" of a reply. Did you mean "text"?'],
    ],
    ['an item that is no case', 'cases[1]: 1\n', ['1:11 TOO6303 a case is a block of keys']],
    ['no list at all', 'cases: 1\n', ['1:8 TOO6303 "cases" takes a list of cases, not the number 1']],
  ])('%s is told at its place', (_, text, expected) => {
    expect(told(text)).toEqual(expected);
    expect(read(text).suite).toBeUndefined();
  });

  it('is read to its end, whatever is written, and what is told stands in it', () => {
    const lines = whole.split('\n');
    const piece = fc.oneof(
      fc.constantFrom(...lines),
      fc.constantFrom('  - ', '    ', 'cases[', ']:', '"', '\t', '#', 'expect:', '{', '}', '\\', '[0]:', '😀'),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.constantFrom('\n', '\r\n', '', ' ')), { maxLength: 40 }), (pieces) => {
        const text = pieces.map(([a, b]) => a + b).join('');
        const { suite, diagnostics } = read(text);
        expect(suite === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
        for (const { span } of diagnostics) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes any JSON as input and as output, and gives it as it is', () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), json),
        json,
        (input, output) => {
          const text = writeToon({ cases: [{ name: 'a', target: './a.toon', input, expect: { output } }] } as never);
          const { suite, diagnostics } = read(text);
          // Numbers that are too large to be exact are warned of.
          expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
          const [only] = suite?.cases ?? [];
          expect(only?.input?.value).toEqual(normal(input));
          expect(only?.expect.output?.value).toEqual(normal(output));
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** There is one zero in TOON. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
