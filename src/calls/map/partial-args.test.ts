import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { mapCall } from './map.ts';
import { partialArgs } from './partial-args.ts';
import { planTool, type ToolPlan } from './plan.ts';

const E = '\u{1f6e0}';
const M = `${E}\ufe0f`;
const string = { type: 'string' };
const plan = (properties: object, required: string[] = [], body?: string) =>
  planTool({ name: 'tool', parameters: { type: 'object', properties, required }, ...(body ? { body } : {}) });

const plans: readonly ToolPlan[] = [
  plan({ path: string, mode: { enum: ['a', 'b'] }, content: string }, ['path', 'content']),
  plan({ path: string, content: string }, ['path', 'content']),
  plan({ path: string, n: { type: ['integer', 'null', 'boolean'] }, text: string }, ['path'], 'text'),
  plan({ command: string }, ['command']),
  plan({ path: string }, ['path']),
  plan({}),
  plan({ url: string, list: { type: 'array' } }, ['url']),
  plan({ path: string, content: { type: 'string', pattern: '^[a"]*$' } }, ['path', 'content']),
  plan({ text: { enum: ['', 'a', 'a\n', 'a\r'] } }, [], 'text'),
  plan({ text: { type: 'string', maxLength: 2 } }, ['text']),
];
const [listed] = plans.slice(-2) as [ToolPlan];
const [write, , note, command, read, none, json] = plans as [
  ToolPlan,
  ToolPlan,
  ToolPlan,
  ToolPlan,
  ToolPlan,
  ToolPlan,
  ToolPlan,
];

/** All that comes out, piece by piece. */
function run(of: ToolPlan, rawArgs: string, pieces: readonly string[]): string[] {
  const partial = partialArgs(of);
  return [partial.start(rawArgs), ...pieces.map((piece) => partial.body(piece)), partial.end()];
}

describe('partial arguments', () => {
  it('show a file as it is written', () => {
    expect(run(write, 'a.txt', ['line 1\n', 'li', 'ne "2"'])).toEqual([
      '{"path":"a.txt","content":"',
      'line 1\\n',
      'li',
      'ne \\"2\\"',
      '"}',
    ]);
  });

  it('hold back what may be an escaped end marker', () => {
    expect(run(write, 'a', [`x${M}`, '\\', '\\[/', 'end', '] y'])).toEqual([
      '{"path":"a","content":"',
      `x${M}`,
      '',
      '\\\\',
      '',
      '[/end] y',
      '"}',
    ]);
    expect(run(write, 'a', [`${M}\\[/en`])).toEqual(['{"path":"a","content":"', M, '\\\\[/en"}']);
  });

  it('have no body before there is one, if it is optional', () => {
    expect(run(note, 'a null', [])).toEqual(['{"path":"a","n":null', '}']);
    expect(run(note, '', ['', 'x'])).toEqual(['{', '', '"text":"x', '"}']);
  });

  it('wait while the header may have the value of the body', () => {
    expect(run(command, 'command=ls -la', [' ', '\n'])).toEqual(['', '', '', '{"command":"ls -la"}']);
    expect(run(write, 'a content=x', [' ', '\n', 'y'])).toEqual([
      '',
      '',
      '',
      '{"path":"a","mode":"content=x","content":" \\ny',
      '"}',
    ]);
  });

  it('pass the object of a JSON body through', () => {
    expect(run(json, '', ['```json\n', '{"url": "a}', '\\"}", "list": [{}', ']} ', '\n```'])).toEqual([
      '',
      '',
      '{"url": "a}',
      '\\"}", "list": [{}',
      ']}',
      '',
      '',
    ]);
    expect(run(write, '@json', [`{"path": "${E}`, '\\[/end', ']"}'])).toEqual([
      '',
      `{"path": "${E}`,
      '',
      '[/end]"}',
      '',
    ]);
    expect(run(json, '', ['\n'])).toEqual(['', '', '{}']);
    expect(run(json, '', ['no object'])).toEqual(['', '', '']);
  });

  it('hold back a line break that may not belong to the value', () => {
    expect(run(listed, '', ['a', '\r', '\n'])).toEqual(['{', '"text":"a', '', '', '"}']);
    expect(run(listed, '', ['a\n'])).toEqual(['{', '"text":"a', '\\n"}']);
    expect(run(listed, '', ['a\n', '\n'])).toEqual(['{', '"text":"a', '\\n', '"}']);
    expect(run(listed, '', ['\n'])).toEqual(['{', '', '"text":""}']);
    expect(run(listed, '', ['b\n'])).toEqual(['{', '"text":"b', '\\n"}']);
  });

  it('keep a character whole that comes in halves', () => {
    expect(run(write, 'a', ['\ud83d', '\ude00', '\ud83d'])).toEqual([
      '{"path":"a","content":"',
      '',
      '😀',
      '',
      '\\ud83d"}',
    ]);
  });

  it('end with a brace where there is no body', () => {
    expect(run(read, 'my file', ['\n'])).toEqual(['{"path":"my file"', '', '}']);
    expect(run(none, '', [])).toEqual(['{', '}']);
  });

  it('start with the header', () => {
    expect(() => partialArgs(read).body('x')).toThrow('call start(rawArgs) first');
  });
});

const words = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '"',
      "'",
      '=',
      'path=',
      ' content=',
      'command=',
      ' text=',
      '5',
      'null',
      'true',
      '@json',
      '\\',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const bodies = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '\n',
      '"',
      '\\',
      M,
      `${E}\\`,
      '[/end]',
      '[/e',
      '{',
      '}',
      '{"path":"x"}',
      '{"url":',
      '"u"',
      '[',
      ']',
      '```json\n',
      '```',
      '😀',
      '\ud83d',
      '\u2028',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('whatever the header and the body are', () => {
  const cases = fc.tuple(fc.constantFrom(...plans), fc.oneof(words, fc.constant('@json')), bodies);

  it('the text is the JSON of the arguments, if nothing is wrong with them', () => {
    let right = 0;
    fc.assert(
      fc.property(cases, ([of, rawArgs, body]) => {
        const { args, errors } = mapCall({ toolName: 'tool', rawArgs, body }, of);
        if (errors.length > 0) return;
        right++;
        const text = run(of, rawArgs, [body]).join('');
        if (of.json || rawArgs.trim() === '@json') expect(JSON.parse(text)).toEqual(args);
        else expect(text).toBe(JSON.stringify(args));
      }),
      { numRuns: 5000 },
    );
    expect(right).toBeGreaterThan(500);
  });

  it('every cut gives the same text, and nothing is taken back', () => {
    fc.assert(
      fc.property(cases, ([of, rawArgs, body]) => {
        const whole = run(of, rawArgs, [body]).join('');
        const characters = [...body];
        expect(run(of, rawArgs, characters).join('')).toBe(whole);
        expect(run(of, rawArgs, body.split('')).join('')).toBe(whole);
        for (let i = 0; i <= characters.length; i++) {
          const pieces = [characters.slice(0, i).join(''), characters.slice(i).join('')];
          expect(run(of, rawArgs, pieces).join('')).toBe(whole);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('what was given out is the start of what every continuation gives', () => {
    fc.assert(
      fc.property(cases, bodies, ([of, rawArgs, body], more) => {
        const partial = partialArgs(of);
        const soFar = partial.start(rawArgs) + partial.body(body);
        expect(
          run(of, rawArgs, [body + more])
            .join('')
            .startsWith(soFar),
        ).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

it('time is linear in pieces of one unit', () => {
  const time = (length: number) => {
    const start = cpuMs();
    for (const [of, rawArgs, unit] of [
      [write, 'a', 'x'],
      [write, 'a content=x', ' '],
      [write, 'a', '\\'],
      [json, '', '['],
    ] as const) {
      const partial = partialArgs(of);
      partial.start(rawArgs);
      if (of === json) partial.body('{"list":');
      for (let i = 0; i < length; i++) partial.body(unit);
      partial.end();
    }
    return cpuMs() - start;
  };
  time(20_000);
  expect(time(400_000)).toBeLessThan(4000);
});
