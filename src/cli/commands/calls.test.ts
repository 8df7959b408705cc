/** `toolang calls`: an answer in, JSON lines out, and back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { END, START } from '../../calls/index.ts';
import { type Scratch, scratch } from '../scratch.ts';

const tools = JSON.stringify([
  {
    name: 'create-file',
    description: 'Create a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
]);
const answer = `Here:\n${START}create-file a.py]\nprint("é")\n${END}\nBye`;

let place: Scratch;
beforeAll(() => {
  place = scratch();
  for (const [name, text] of Object.entries({
    'tools.json': tools,
    'answer.txt': answer,
    'bad.json': '{',
    'no-name.json': '[{}]',
  })) {
    place.write(name, text);
  }
});
afterAll(() => place.remove());

async function cli(words: readonly string[], stdin: string | Uint8Array = '') {
  const ran = await place.cli(['calls', ...words], { stdin });
  const lines = () =>
    ran.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { ...ran, lines };
}

const segments = [
  { type: 'text', text: 'Here:\n' },
  { type: 'call', tool_name: 'create-file', raw_args: 'a.py', body: 'print("é")\n', complete: true },
  { type: 'text', text: '\nBye' },
];

describe('calls parse', () => {
  it('prints one line a segment, from standard input or a file', async () => {
    const piped = await cli(['parse'], answer);
    expect(piped).toMatchObject({ code: 0, err: '' });
    expect(piped.lines()).toEqual(segments);
    expect((await cli(['parse', 'answer.txt'])).out).toBe(piped.out);
    expect((await cli(['parse', '-'], answer)).out).toBe(piped.out);
  });

  it('prints nothing for nothing', async () => {
    expect(await cli(['parse'])).toMatchObject({ code: 0, out: '', err: '' });
  });

  it('prints a diagnostic behind the segment that it is about', async () => {
    const { lines } = await cli(['parse'], `${END} a ${START}t]\nx`);
    expect(lines().map(({ type, code }) => code ?? type)).toEqual(['text', 'stray-end', 'call', 'unterminated']);
  });

  it('says that the length limit cut a call off when told so', async () => {
    const { lines } = await cli(['parse', '--length', '--stream'], `${START}t]\nx`);
    expect(lines().find(({ type }) => type === 'call-end')).toMatchObject({ complete: false, reason: 'length' });
  });

  it('prints events with --stream, in the words of the specification', async () => {
    const { lines } = await cli(['parse', '--stream'], `${START}t a]\nxy${END}`);
    const [start, ...rest] = lines();
    expect(start).toEqual({
      type: 'call-start',
      index: 0,
      tool_name: 't',
      raw_args: 'a',
      start: 0,
      end: 8,
      inFence: false,
      lineStart: true,
    });
    expect(
      rest
        .filter(({ type }) => type === 'body')
        .map(({ text }) => text)
        .join(''),
    ).toBe('xy');
    expect(rest.at(-1)).toMatchObject({ type: 'call-end', complete: true, reason: 'end' });
  });

  it.each([
    ['--strict', '🛠[t]🛠[/end]', 't'],
    ['--multiline-header', `${START}t\na]${END}`, 'c'],
    ['--literal-header', `${START}t ${START}u]${END}`, 'c'],
    ['--repair', '\ufffd[t]\ufffd[/end]', 'c'],
    ['--max-header=3', `${START}tttt]${END}`, 't'],
    ['--max-body=1', `${START}t]xx${END}`, 'ct'],
    ['--tools=tools.json', `${START}t]\n${END}`, 't'],
  ])('takes %s', async (flag, text, order) => {
    const { lines } = await cli(['parse', flag], text);
    const kinds = lines().flatMap(({ type }) => (type === 'text' ? 't' : type === 'call' ? 'c' : []));
    expect(kinds.join('')).toBe(order);
  });

  it('takes calls of unknown tools when asked to', async () => {
    const { lines } = await cli(['parse', '--tools', 'tools.json', '--unknown-calls'], `${START}t]\n${END}`);
    expect(lines()[0]).toMatchObject({ type: 'call', tool_name: 't' });
    expect(await cli(['parse', '--unknown-calls'])).toMatchObject({ code: 2 });
  });
});

describe('calls map', () => {
  it('prints the arguments of an answer, and of the lines that parse prints', async () => {
    const { code, lines, out } = await cli(['map', '--tools', 'tools.json'], answer);
    expect(code).toBe(0);
    expect(lines()).toEqual([
      {
        type: 'arguments',
        index: 0,
        tool_name: 'create-file',
        run: true,
        args: { path: 'a.py', content: 'print("é")\n' },
        errors: [],
      },
    ]);
    const parsed = await cli(['parse'], answer);
    expect((await cli(['map', '--tools', 'tools.json'], parsed.out)).out).toBe(out);
  });

  it('says all that is wrong, and ends with 2', async () => {
    const text = `${START}creat-file a]\n${END}\n${START}create-file]\nx${END}\n${START}create-file a]\nx`;
    const { code, lines } = await cli(['map', '--tools', 'tools.json'], text);
    expect(code).toBe(2);
    const found = lines().map(({ run, errors }) => [
      run,
      errors.map((e: { code: string; param?: string }) => e.code + (e.param ?? '')),
    ]);
    expect(found).toEqual([
      [false, ['unknown-tool']],
      [false, ['missingpath']],
      [false, ['unterminated']],
    ]);
  });

  it('runs nothing of an answer that the length limit cut off', async () => {
    expect(await cli(['map', '--tools', 'tools.json', '--length'], answer)).toMatchObject({ code: 2 });
  });

  it.each([
    [['map'], 'needs --tools FILE'],
    [['map', '--tools', 'none.json'], 'none.json'],
    [['map', '--tools', 'bad.json'], 'is not JSON'],
    [['map', '--tools', 'no-name.json'], 'tool 1 has no "name"'],
  ])('%j is refused in words', async (words, message) => {
    const { code, out, err } = await cli(words, answer);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  it('knows by the lines of parse what it knows by the answer', async () => {
    const text = `${START}result 0 create-file ok]\n1\n${END}\n${START}create-file a]\nx${END}`;
    const whole = await cli(['map', '--tools', 'tools.json'], text);
    const parsed = await cli(['parse'], text);
    expect(whole).toMatchObject({ code: 2, out: expect.stringContaining('fabricated-result') });
    expect((await cli(['map', '--tools', 'tools.json'], parsed.out)).out).toBe(whole.out);
  });

  it('takes an answer that starts with JSON for an answer', async () => {
    const text = `{"type": "function", "name": "x"}\n${START}create-file a]\nx${END}`;
    expect((await cli(['map', '--tools', 'tools.json'], text)).lines()).toMatchObject([{ run: true }]);
  });

  it('refuses the events of parse --stream, and lines of other kinds', async () => {
    const { out } = await cli(['parse', '--stream'], answer);
    expect((await cli(['map', '--tools', 'tools.json'], out)).err).toContain('without --stream');
    const other = '{"tool_name":"create-file"}\n{"type":"joke"}';
    expect((await cli(['map', '--tools', 'tools.json'], other)).err).toContain('line 2: unknown type "joke"');
  });

  it('says which line is wrong', async () => {
    const { code, err } = await cli(['map', '--tools', 'tools.json'], '{"tool_name":"create-file"}\n{"raw_args":1}');
    expect(code).toBe(2);
    expect(err).toContain('line 2: "tool_name" is missing');
  });
});

describe('calls prompt', () => {
  it('prints the instructions on standard output, and what it says of them on standard error', async () => {
    const { code, out, err } = await cli(['prompt', '--tools', 'tools.json']);
    expect(code).toBe(0);
    expect(out).toContain('create-file <path> | body: content');
    expect(err).toMatch(/^about \d+ tokens\n/);
  });

  it('prints a grammar, or JSON', async () => {
    expect((await cli(['prompt', '--tools', 'tools.json', '--gbnf'])).out).toContain('root ::=');
    const both = JSON.parse((await cli(['prompt', '--tools', 'tools.json', '--json', '--gbnf'])).out);
    expect(both.grammar).toContain('root ::=');
    const json = JSON.parse((await cli(['prompt', '--tools', 'tools.json', '--json'])).out);
    expect(json).toMatchObject({ version: 1, estimated: true, lint: [] });
    expect(json.tokens).toBeGreaterThan(50);
  });
});

describe('calls write', () => {
  it('writes what parse printed as it was', async () => {
    const parsed = await cli(['parse'], answer);
    expect((await cli(['write'], parsed.out)).out).toBe(answer);
  });

  it('writes arguments where the schema wants them, and results, each on lines of its own', async () => {
    const lines = [
      { tool_name: 'create-file', args: { path: 'a', content: `x ${END}\n` } },
      { type: 'result', index: 0, tool_name: 'create-file', ok: false, content: 'no\n' },
    ];
    const { code, out } = await cli(
      ['write', '--tools=tools.json'],
      lines.map((line) => JSON.stringify(line)).join('\n'),
    );
    expect(code).toBe(0);
    expect(out).toBe(`${START}create-file a]\nx 🛠️\\[/end]\n${END}\n${START}result 0 create-file error]\nno\n${END}\n`);
  });

  it('writes what map printed', async () => {
    const mapped = await cli(['map', '--tools', 'tools.json'], answer);
    expect((await cli(['write', '--tools', 'tools.json'], mapped.out)).out).toContain(
      `${START}create-file a.py]\nprint`,
    );
  });

  it('takes the tools from standard input, when that is not the answer too', async () => {
    expect((await cli(['prompt', '--tools', '-'], tools)).out).toContain('create-file <path>');
    expect((await cli(['map', '--tools', '-', 'answer.txt'], tools)).lines()).toMatchObject([{ run: true }]);
    expect((await cli(['map', '--tools', '-'], tools)).err).toContain('cannot be both');
  });

  it.each([
    ['{"tool_name":"create-file","arguments":{}}', 'unknown field "arguments"'],
    ['{"type":"arguments","tool_name":"create-file","run":false,"args":{}}', 'may not run'],
    ['{"tool_name":"a","raw_args":"x]"}', 'line 1: '],
    ['\n{"tool_name":"a","args":{}}', 'line 2: no tool "a" is known'],
    ['{"tool_name":"a","complete":false}', 'not complete'],
    ['{"type":"joke"}', 'unknown type "joke"'],
    ['[]', 'line 1 is not a JSON object'],
    ['nonsense', 'line 1 is not JSON'],
  ])('%j is refused, and nothing is printed', async (line, message) => {
    const { code, out, err } = await cli(['write'], line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('the family', () => {
  it('says what there is', async () => {
    expect(await cli([])).toMatchObject({ code: 2, err: expect.stringContaining('parse, map, prompt, write') });
    expect(await cli(['prase'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean "parse"?') });
    const help = await cli(['--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect((await cli(['help'])).out).toBe(help.out);
    const early = await cli(['--tools', 'tools.json', 'parse', 'answer.txt']);
    expect(early).toMatchObject({ code: 2, err: expect.stringContaining('toolang calls parse --tools …') });
    for (const word of ['parse', 'map', 'prompt', 'write']) expect(help.out).toContain(`  ${word}`);
  });
});
