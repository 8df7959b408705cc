import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapCall } from '../map/map.ts';
import { planTool } from '../map/plan.ts';
import { END } from '../marker.ts';
import { parse } from '../scan/parse.ts';
import { unescapeBody } from './escape.ts';
import { writeCall, writeErrors, writeRawCall, writeResult } from './write.ts';

const E = '\u{1f6e0}';
const M = `${E}\ufe0f`;
const string = { type: 'string' };
const plan = (properties: object, required: string[] = [], body?: string) =>
  planTool({ name: 'tool', parameters: { type: 'object', properties, required }, ...(body ? { body } : {}) });

const file = plan({ path: string, encoding: string, content: string }, ['path', 'content']);
const read = plan({ path: string }, ['path']);
const range = plan({
  path: string,
  start: { type: 'integer' },
  end: { type: ['integer', 'null'] },
  all: { type: 'boolean' },
});
const json = plan({ url: string, list: { type: 'array' } }, ['url']);
const mode = plan({ mode: { enum: ['fast', 'slow'] } }, ['mode'], 'mode');
const note = plan({ title: string, text: string }, ['title'], 'text');

describe('writeCall', () => {
  it.each([
    [file, { path: 'a.py', content: 'x\n' }, `${M}[tool a.py]\nx\n${M}[/end]`],
    [file, { path: 'a.py', content: '' }, `${M}[tool a.py]\n${M}[/end]`],
    [file, { path: 'my file.py', encoding: 'utf-8', content: '\nx' }, `${M}[tool "my file.py" utf-8]\n\nx${M}[/end]`],
    [file, { path: 'say "hi" x', content: 'x' }, `${M}[tool 'say "hi" x']\nx${M}[/end]`],
    [file, { path: 'encoding=x', content: 'x' }, `${M}[tool "encoding=x"]\nx${M}[/end]`],
    [file, { path: "don't", content: `see ${END}` }, `${M}[tool don't]\nsee ${M}\\[/end]${M}[/end]`],
    [read, { path: 'my file.txt' }, `${M}[tool my file.txt]\n${M}[/end]`],
    [read, { path: ' x' }, `${M}[tool " x"]\n${M}[/end]`],
    [read, { path: '' }, `${M}[tool ""]\n${M}[/end]`],
    [read, { path: '@json' }, `${M}[tool "@json"]\n${M}[/end]`],
    [read, { path: 'path=x' }, `${M}[tool "path=x"]\n${M}[/end]`],
    [read, { path: '"x"' }, `${M}[tool '"x"']\n${M}[/end]`],
    [read, { path: 'C:\\dir\\' }, `${M}[tool "C:\\dir\\"]\n${M}[/end]`],
    [read, { path: 'a[1]' }, `${M}[tool @json]\n{"path":"a[1]"}\n${M}[/end]`],
    [read, { path: 'a\nb' }, `${M}[tool @json]\n{"path":"a\\nb"}\n${M}[/end]`],
    [read, { path: END }, `${M}[tool @json]\n{"path":"${M}\\[/end]"}\n${M}[/end]`],
    [read, { path: '\ud83d' }, `${M}[tool @json]\n{"path":"\\ud83d"}\n${M}[/end]`],
    [range, { path: 'a', start: 1, end: null, all: true }, `${M}[tool a 1 null true]\n${M}[/end]`],
    [range, { path: 'a', all: false }, `${M}[tool a all=false]\n${M}[/end]`],
    [range, { end: 5 }, `${M}[tool end=5]\n${M}[/end]`],
    [range, {}, `${M}[tool]\n${M}[/end]`],
    [range, { path: '--path' }, `${M}[tool "--path"]\n${M}[/end]`],
    [range, { path: 'a,', start: 1 }, `${M}[tool "a," 1]\n${M}[/end]`],
    [range, { path: 'Start=1' }, `${M}[tool "Start=1"]\n${M}[/end]`],
    [read, { path: 'path: x' }, `${M}[tool "path: x"]\n${M}[/end]`],
    [read, { path: '`x`' }, `${M}[tool "\`x\`"]\n${M}[/end]`],
    [read, { path: '@json x' }, `${M}[tool "@json x"]\n${M}[/end]`],
    [read, { path: '{"path":1}' }, `${M}[tool '{"path":1}']\n${M}[/end]`],
    [mode, { mode: 'fast' }, `${M}[tool]\nfast${M}[/end]`],
    [json, { url: 'u', list: [1] }, `${M}[tool]\n{"url":"u","list":[1]}\n${M}[/end]`],
    [note, { title: 'a b' }, `${M}[tool a b]\n${M}[/end]`],
    [note, { title: 'a b', text: '' }, `${M}[tool @json]\n{"title":"a b","text":""}\n${M}[/end]`],
  ])('%#: %o %j', (of, args, text) => {
    expect(writeCall(args, of)).toBe(text);
    const [call] = parse(text).calls;
    expect(call && mapCall(call, of)).toEqual({ args, errors: [] });
  });

  it('uses JSON for what is too long for a header', () => {
    const path = 'x'.repeat(4096 - 'tool '.length);
    expect(writeCall({ path }, read)).toContain(`[tool ${path}]`);
    expect(writeCall({ path: `${path}x` }, read)).toContain('[tool @json]');
  });

  it('keeps arguments that do not fit as they are', () => {
    for (const args of [{ path: 1 }, { path: 'a', end: 'x' }, { all: 'true' }, { more: {} }, { start: 1.5 }]) {
      const [call] = parse(writeCall(args, range)).calls;
      expect(call && mapCall(call, range).args).toEqual(args);
    }
  });

  it('keeps a last line break that does not fit', () => {
    const text = writeCall({ mode: 'fast\n' }, mode);
    expect(text).toBe(`${M}[tool @json]\n{"mode":"fast\\n"}\n${M}[/end]`);
    const [call] = parse(text).calls;
    expect(call && mapCall(call, mode)).toMatchObject({ args: { mode: 'fast\n' }, errors: [{ code: 'enum' }] });
  });

  it('leaves out what is undefined', () => {
    expect(writeCall({ path: 'a', start: undefined }, range)).toBe(`${M}[tool a]\n${M}[/end]`);
  });

  it('refuses what is no JSON', () => {
    expect(() => writeCall({ path: () => 1 }, read)).toThrow(TypeError);
    expect(() => writeCall({ path: Number.NaN }, read)).toThrow('"path" must be JSON, but is NaN');
    expect(() => writeCall(null as never, read)).toThrow('must be an object');
  });
});

describe('writeRawCall', () => {
  it('writes the parts as they stand', () => {
    expect(writeRawCall({ toolName: 'run', rawArgs: 'a  b', body: '\nx\n' })).toBe(`${M}[run a  b]\n\nx\n${M}[/end]`);
    expect(writeRawCall({ toolName: 'run', rawArgs: '', body: '' })).toBe(`${M}[run]\n${M}[/end]`);
  });

  it.each([
    ['"]" in it', 'run', 'a]', ''],
    ['a line break in it', 'run', 'a\nb', ''],
    ['the start of a call', 'run', `a${E}\ufe0e[`, ''],
    ['white space at their ends', 'run', ' a', ''],
    ['white space at their ends', 'run', 'a\u00a0', ''],
    ['longer than 4096', 'run', 'a'.repeat(4093), ''],
    ['an end marker in it', 'run', 'a', `x${E}[/end]`],
    ['must have a name', '', 'a', ''],
    ['white space in it', 'a b', '', ''],
    ['is taken by the syntax', 'result', '1', ''],
    ['is taken by the syntax', '/End', '', ''],
    ['the name of a tool must not have "]"', 'a]b', '', ''],
  ])('refuses %s', (message, toolName, rawArgs, body) => {
    expect(() => writeRawCall({ toolName, rawArgs, body })).toThrow(TypeError);
    expect(() => writeRawCall({ toolName, rawArgs, body })).toThrow(message);
  });

  it('is read back exactly, or refused', () => {
    const part = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\r\n',
      ']',
      '[',
      M,
      E,
      '/end]',
      '[/end]',
      '\\',
      '\ud83d',
      '\udee0',
      '\ufe0f',
    );
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    let written = 0;
    fc.assert(
      fc.property(text, text, text, (name, rawArgs, body) => {
        const toolName = `t${name.replaceAll(/\s/g, '')}`;
        let out: string;
        try {
          out = writeRawCall({ toolName, rawArgs, body });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        written++;
        expect(parse(out).segments).toMatchObject([{ type: 'call', toolName, rawArgs, body, complete: true }]);
      }),
      { numRuns: 3000 },
    );
    expect(written).toBeGreaterThan(300);
  });
});

describe('writeResult', () => {
  it('puts the content, and nothing else, between header and end', () => {
    expect(writeResult({ index: 0, tool: 'read', ok: true, content: 'a\n' })).toBe(
      `${M}[result 0 read ok]\na\n${M}[/end]`,
    );
    expect(writeResult({ index: 12, tool: 'read', ok: false, content: '' })).toBe(
      `${M}[result 12 read error]\n${M}[/end]`,
    );
  });

  it('keeps the content so that it can be read back, whatever it is', () => {
    const part = fc.constantFrom('a', '\n', END, M, E, '\\', '[/end]', `${M}[result 0 read ok]`, '\r\n');
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join('')),
        (content) => {
          const out = writeResult({ index: 1, tool: 'read', ok: true, content });
          expect(out.indexOf(END)).toBe(out.length - END.length);
          expect(unescapeBody(out.slice(out.indexOf('\n') + 1, -END.length))).toBe(content);
        },
      ),
    );
  });

  it('answers whatever name a model wrote', () => {
    for (const name of ['a'.repeat(4093), `a${M}[b`, `${E}[${'😀'.repeat(2000)}`, `x${'😀'.repeat(300)}`]) {
      const out = writeResult({ index: 0, tool: name, ok: false, content: 'x' });
      expect(out.length).toBeLessThan(400);
      expect(parse(out, {}).diagnostics.map(({ code }) => code)).toEqual(['fabricated-result']);
      expect(out).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('refuses an index or a name that is none', () => {
    expect(() => writeResult({ index: -1, tool: 'a', ok: true, content: '' })).toThrow(TypeError);
    expect(() => writeResult({ index: 1.5, tool: 'a', ok: true, content: '' })).toThrow(TypeError);
    expect(() => writeResult({ index: 1, tool: 'a b', ok: true, content: '' })).toThrow(TypeError);
  });
});

describe('writeErrors', () => {
  it('has a line for each problem, then the usage and the hints', () => {
    const text = writeErrors({
      problems: [
        { code: 'missing', message: '"path" is missing' },
        { code: 'type', message: 'two\nlines' },
      ],
      usage: 'tool <path>',
      hints: [`Write ${END} behind it.`, `Write ${END} behind it.`],
    });
    expect(text).toBe(
      'missing: "path" is missing\ntype: two lines\nusage: tool <path>\nhint: Write 🛠️ directly followed by "[/end]" behind it.\n',
    );
  });

  it('needs no usage and no hints', () => {
    expect(writeErrors({ problems: [{ code: 'a', message: 'b' }] })).toBe('a: b\n');
  });
});
