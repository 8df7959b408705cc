import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { END } from '../marker.ts';
import type { ToolSpec } from '../tool.ts';
import { lintTools } from './lint.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };

function tool(name: string, properties: Record<string, unknown> = {}, required: string[] = [], more = {}): ToolSpec {
  return { name, description: 'Does it.', parameters: { type: 'object', properties, required }, ...more };
}

/** `code`, or `code:param`, of each. */
function codes(...tools: ToolSpec[]): string[] {
  return lintTools(tools).map(({ code, param }) => (param === undefined ? code : `${code}:${param}`));
}

function messages(...tools: ToolSpec[]): string[] {
  return lintTools(tools).map(({ message }) => message);
}

describe('a tool that the syntax carries well', () => {
  it.each([
    tool('ping'),
    tool('read-file', { path: string }, ['path']),
    tool('create_file', { path: string, encoding: string, content: string }, ['path', 'content']),
    tool('shell', { timeout: integer, command: string }, ['command']),
    tool('Range2', { path: string, start: integer, end: integer, numbers: { type: 'boolean' } }, ['path']),
    tool('short', { message: { ...string, maxLength: 80 } }),
    { name: 'none', description: 'Takes nothing.' },
  ])('has nothing to report: %j', (spec) => {
    expect(lintTools([spec])).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['result', 'reserved-name'],
    ['Result', 'reserved-name'],
    ['/end', 'reserved-name'],
    ['/END', 'reserved-name'],
    ['', 'unusable-name'],
    ['two words', 'unusable-name'],
    ['a]b', 'unusable-name'],
    ['a\nb', 'unusable-name'],
    [END, 'unusable-name'],
    ['weather.get', 'unusual-name'],
    ['2fast', 'unusual-name'],
    ['日本', 'unusual-name'],
    ['-', 'unusual-name'],
  ])('%j: %s', (name, code) => {
    expect(codes(tool(name))).toEqual([code]);
  });

  it('that are no strings are unusable', () => {
    expect(codes({ name: 5 } as unknown as ToolSpec)).toEqual(['unusable-name', 'no-description']);
  });

  it('say what to do instead', () => {
    expect(messages(tool('result'))).toEqual([
      'the name "result" is a word of the syntax itself; choose another, like "get-result"',
    ]);
    expect(messages(tool('a b'))[0]).toMatch(/white space in it; rename it$/);
  });

  it('that stand twice, or differ by letter case only, are reported where they come again', () => {
    const found = lintTools([tool('read'), tool('Read'), tool('read'), tool('write')]);
    expect(found.map(({ code, tool: name }) => `${name}: ${code}`)).toEqual([
      'Read: similar-name',
      'read: duplicate-name',
    ]);
    expect(found[0]?.message).toBe('the name differs from "read" by letter case only; rename one of them');
  });

  it.each(['a=b', 'a b', '"a"', "it's", 'a]', '[a', '', '🛠️[/end]'])('of parameters cannot be %j', (name) => {
    expect(codes(tool('x', { [name]: string }, [name]))).toEqual([`param-name:${name}`]);
  });

  it('of parameters that only JSON carries in a grammar', () => {
    expect(codes(tool('x', { 'a.b': string }))).toEqual(['unusual-param-name:a.b']);
  });
});

describe('parameters', () => {
  it('have one long text, which is the body', () => {
    const diff = tool('edit', { path: string, content: string, patch: string }, ['path', 'content', 'patch']);
    expect(codes(diff)).toEqual(['second-text:patch']);
    expect(messages(diff)).toEqual([
      '"patch" looks like a long text, but only one can be the body, and that is "content"; it must stand in one line or the call in JSON: make two tools, or one text of both',
    ]);
    expect(codes(tool('x', { path: string, notes: { ...string, maxLength: 5000 } }, ['path', 'notes']))).toEqual([
      'second-text:notes',
    ]);
    expect(messages(tool('x', { text: string }))).toEqual([
      '"text" looks like a long text; make it the body with body: "text" and required',
    ]);
    expect(codes(tool('x', { page: { ...string, contentMediaType: 'text/html' } }, ['page'], { body: null }))).toEqual([
      'second-text:page',
    ]);
  });

  it('are at most four in a header', () => {
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, integer]));
    expect(codes(tool('x', many))).toEqual(['many-params']);
    expect(codes(tool('x', { ...many, text: string }, ['text']))).toEqual(['many-params']);
  });

  it('that are required stand before those that are not', () => {
    const late = tool('x', { a: integer, b: integer, c: integer }, ['b']);
    expect(codes(late)).toEqual(['optional-first:b']);
    expect(messages(late)).toEqual([
      '"b" is required but stands behind "a", which is not, so it must be written by name when that is left out; declare what is required first',
    ]);
    expect(codes(tool('shell', { timeout: integer, command: string }, ['command']))).toEqual([]);
  });

  it('are plain values, or cost more', () => {
    const tags = tool('x', { url: string, tags: { type: 'array', items: string }, body: string }, ['url']);
    expect(codes(tags)).toEqual(['json-only:tags']);
    expect(messages(tags)).toEqual([
      '"tags" is no plain value, so all arguments are one JSON object, with every quote and line break of a text escaped; make it a string if you can, like "a, b, c"',
    ]);
    const open = { ...tool('x'), parameters: { type: 'object', additionalProperties: string } };
    expect(messages(open)[0]).toMatch(/^it takes other properties than those it always has, so all/);
    expect(messages(tool('x', { a: {}, b: {} }))[0]).toMatch(/^"a", "b" are no plain values/);
  });

  it('of a header have values that a header can carry', () => {
    const odd = { ...string, enum: ['()', '[]'] };
    expect(codes(tool('x', { kind: odd }))).toEqual(['header-value:kind']);
    expect(messages(tool('x', { kind: odd }))).toEqual([
      '"[]" is a value of "kind", but a header cannot carry brackets or line breaks, so it needs JSON; make "kind" the body, or use other values',
    ]);
    expect(codes(tool('x', { a: { ...string, default: 'a\nb' }, b: { ...string, examples: ['x', 'y]'] } }))).toEqual([
      'header-value:a',
      'header-value:b',
    ]);
    expect(codes(tool('x', { a: string, text: { ...string, default: 'a\nb' } }, ['text']))).toEqual([]);
  });

  it.each([
    ['count', 'its body is "count", which is no string'],
    ['nothing', 'its body is "nothing", which is no parameter'],
  ])('that are no text cannot be the body: %s', (body, message) => {
    const found = lintTools([tool('x', { count: integer }, ['count'], { body })]);
    expect(found.map(({ code, param }) => `${code}:${param}`)).toEqual([`body:${body}`]);
    expect(found[0]?.message).toContain(message);
  });
});

describe('schemas', () => {
  it('are looked at even if the name is wrong', () => {
    expect(codes(tool('a b', { x: { type: 'text' } }))).toEqual(['unusable-name', 'schema']);
  });

  it.each([
    [{ type: 'string' }, /must be the JSON Schema of an object/],
    [[], /must be the JSON Schema of an object/],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/b' } } }, /refers to "#\/\$defs\/b", which is not there/],
  ])('that cannot be used: %j', (parameters, message) => {
    const found = lintTools([{ name: 'x', description: 'y', parameters: parameters as never }]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ code: 'schema', tool: 'x', message: expect.stringMatching(message) });
  });

  it('have parts that nobody checks', () => {
    const spec = tool('x', {
      a: { type: 'array', items: { type: 'object', propertyNames: { pattern: 'x' } }, contains: integer },
      b: { ...string, pattern: '(' },
      c: { type: 'object', unevaluatedProperties: false },
    });
    expect(codes(spec)).toEqual(['json-only:a', 'unchecked:a', 'unchecked:a', 'unchecked:c', 'unchecked']);
    expect(messages(tool('x', { a: { ...string, pattern: '^(?=.*\\d).+$' } }))).toEqual([
      'the pattern "^(?=.*\\\\d).+$" looks ahead or behind and is not checked; write another, or check it in the tool',
    ]);
    expect(
      messages({ ...tool('x'), parameters: { type: 'object', patternProperties: { '(a)\\1': integer } } }),
    ).toContain(
      'the pattern "(a)\\\\1" refers back to a group and is not checked; write another, or check it in the tool',
    );
    expect(codes(tool('x', { a: { ...string, pattern: '^#([0-9a-f]{3}){1,2}$' } }))).toEqual([]);
    expect(messages(spec)[1]).toBe(
      '"contains" of "a" is not checked; say it in the description, and check it in the tool',
    );
  });

  it('are not a table of properties', () => {
    const spec = { name: 'x', description: 'y', parameters: { path: string } };
    expect(codes(spec)).toEqual(['schema']);
    expect(messages(spec)[0]).toContain('look like a table of properties');
  });

  it('belong to tools, and those have texts as descriptions', () => {
    expect(codes(null as never, tool('x', {}, [], { description: 5 }))).toEqual(['schema', 'schema']);
    expect(messages(tool('x', {}, [], { description: 5 }))).toEqual(['its description is 5, but must be a text']);
  });

  it('may refer to themselves', () => {
    const spec: ToolSpec = {
      name: 'x',
      description: 'y',
      parameters: { type: 'object', properties: { a: { $ref: '#' } } },
    };
    expect(codes(spec)).toEqual(['json-only:a']);
  });
});

it('a description is asked for', () => {
  expect(codes({ name: 'x' }, { name: 'y', description: ' ' })).toEqual(['no-description', 'no-description']);
});

it('the tools of the token table are fine, but for those that show what JSON costs', () => {
  const text = readFileSync(new URL('../../../bench/tokens/calls.json', import.meta.url), 'utf8');
  const found = lintTools((JSON.parse(text) as { tools: ToolSpec[] }).tools);
  expect(found.map((lint) => `${lint.tool}: ${lint.code}`)).toEqual(['http: json-only', 'create-event: json-only']);
});
