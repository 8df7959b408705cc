import { describe, expect, it } from 'vitest';
import type { FinishInfo, ScanOptions } from '../event.ts';
import { parse } from '../scan/parse.ts';
import { writeErrors } from '../write/write.ts';
import { planTool } from './plan.ts';
import { judgeCall, type Verdict } from './verdict.ts';

const M = '\u{1f6e0}\ufe0f';
const END = `${M}[/end]`;
const string = { type: 'string' };
const tools = [
  {
    name: 'create-file',
    parameters: { type: 'object', properties: { path: string, content: string }, required: ['path', 'content'] },
  },
  { name: 'read-file', parameters: { type: 'object', properties: { path: string }, required: ['path'] } },
  {
    name: 'add',
    parameters: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a', 'b'],
    },
  },
];
const plans = new Map(tools.map((tool) => [tool.name, planTool(tool)]));

/** The verdict on each call of a text. */
function judge(text: string, finish: FinishInfo = { reason: 'stop' }, options: ScanOptions = {}): Verdict[] {
  const { calls, diagnostics } = parse(text, options, finish);
  return calls.map((call) => judgeCall(call, plans, { finish, diagnostics }));
}

const codes = (verdict: Verdict | undefined) =>
  verdict?.run === false ? verdict.problems.map(({ code }) => code) : 'runs';

describe('a call runs', () => {
  it('if it is complete, known and valid', () => {
    expect(judge(`${M}[create-file a.txt]\nx\n${END} ${M}[add 1 2]${END}`)).toEqual([
      { run: true, args: { path: 'a.txt', content: 'x\n' } },
      { run: true, args: { a: 1, b: 2 } },
    ]);
  });

  it('without anything known of its text', () => {
    const [call] = parse(`${M}[add 1 2]${END}`).calls;
    expect(call && judgeCall(call, plans)).toEqual({ run: true, args: { a: 1, b: 2 } });
  });

  it('although something before it was suspicious, or a result comes later', () => {
    const text = `${M} [x] ${END} ${M}[add 1 2]${END}\n${M}[result 0 add ok]\n3${END}`;
    expect(judge(text)).toEqual([{ run: true, args: { a: 1, b: 2 } }]);
  });
});

describe('a call does not run', () => {
  it('if its arguments are wrong: all that is wrong, and the usage', () => {
    const [verdict] = judge(`${M}[add x]\nbody${END}`);
    expect(codes(verdict)).toEqual(['body', 'missing', 'type']);
    expect(verdict).toMatchObject({ run: false, usage: 'add <a> <b>', hints: [] });
  });

  it('if there is no such tool: the closest names, and how the closest is called', () => {
    expect(judge(`${M}[create_file a]\nx${END}`)).toEqual([
      {
        run: false,
        problems: [{ code: 'unknown-tool', message: 'there is no tool "create_file"; did you mean "create-file"?' }],
        usage: 'create-file <path> | body: content',
        hints: [],
      },
    ]);
    expect(judge(`${M}[weather]${END}`)).toEqual([
      {
        run: false,
        problems: [
          {
            code: 'unknown-tool',
            message: 'there is no tool "weather"; the tools are "create-file", "read-file", "add"',
          },
        ],
        hints: [],
      },
    ]);
    const [call] = parse(`${M}[weather]${END}`).calls;
    expect(call && judgeCall(call, new Map())).toMatchObject({
      problems: [{ message: 'there is no tool "weather"; there are no tools' }],
    });
  });

  it('if it has no end: what is inside of it may say why', () => {
    const [verdict] = judge(`${M}[create-file a]\nx\n${M}[/END]\nmore`);
    expect(codes(verdict)).toEqual(['unterminated']);
    expect(verdict?.run === false && verdict.hints).toHaveLength(1);
    expect(verdict?.run === false && writeErrors(verdict)).toMatch(
      /^unterminated: .*\nusage: create-file .*\nhint: .*\n$/,
    );
  });

  it('if the message was cut off at its limit, in it or behind it', () => {
    const [first, second] = judge(`${M}[add 1 2]${END} ${M}[create-file a]\nx`, { reason: 'length' });
    expect(codes(first)).toEqual(['length']);
    expect(codes(second)).toEqual(['length']);
    expect(second?.run === false && second.problems[0]?.message).toContain('in the middle of this call');
    expect(first?.run === false && first.problems[0]?.message).toContain('none of its calls ran');
  });

  it('if its body is too long', () => {
    expect(judge(`${M}[create-file a]\nxxxx${END}`, {}, { maxBody: 3 }).map(codes)).toEqual([['too-long']]);
  });

  it('if a result that no tool gave stands before it', () => {
    const [first, second] = judge(`${M}[add 1 2]${END}${M}[result 0 add ok]\n3${END}${M}[add 3 4]${END}`);
    expect(codes(first)).toBe('runs');
    expect(codes(second)).toEqual(['fabricated-result']);
  });

  it('if its header was cut at a bracket, which is all that is said', () => {
    for (const text of [
      `${M}[add "a[1]" 2]${END}`,
      `${M}[create-file app/[slug]/page.tsx]\nexport {}\n${END}`,
      `${M}[read-file a[1].txt]\n${END}`,
    ]) {
      const [verdict] = judge(text);
      expect(codes(verdict)).toEqual(['header-bracket-suspect']);
      expect(verdict).toMatchObject({ hints: [], usage: expect.any(String) });
      expect(verdict?.run === false && verdict.problems[0]?.message).toMatch(/the first "\]" ended the header.*@json/);
    }
  });

  it('because of a lone quote or a backslash at the end of its header only if its arguments are wrong', () => {
    expect(codes(judge(`${M}[read-file C:\\dir\\]${END}`)[0])).toBe('runs');
    expect(codes(judge(`${M}[read-file 5" disk]${END}`)[0])).toBe('runs');
    const [verdict] = judge(`${M}[read-file "a]b"]\n${END}`);
    expect(codes(verdict)).toContain('quote');
    expect(verdict?.run === false && verdict.hints.join()).toContain('"]" ends a header');
  });

  it('and no message repeats the body', () => {
    const secret = 'secret'.repeat(3);
    for (const text of [
      `${M}[add 1 2]\n${secret}${END}`,
      `${M}[add @json]\n{"a": "${secret}x`,
      `${M}[create-file a]\n${secret}`,
    ]) {
      for (const verdict of judge(text)) expect(verdict.run ? '' : writeErrors(verdict)).not.toContain(secret);
    }
  });
});
