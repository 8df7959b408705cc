import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import type { ToolSpec } from '../tool.ts';
import { mapCall } from './map.ts';
import { errorKey } from './map-error.ts';
import { planTool } from './plan.ts';

interface Vector {
  readonly name: string;
  readonly tool: ToolSpec;
  readonly raw_args: string;
  readonly body: string;
  readonly expected: { readonly args: Record<string, unknown>; readonly errors: readonly string[] };
}

const read = (file: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`../../../spec/calls/${file}`, import.meta.url), 'utf8')).vectors;

describe.each(['calls-mapping.json', 'calls-arguments.json'])('%s', (file) => {
  it.each(read(file).map((vector) => [vector.name, vector] as const))('%s', (_, { tool, raw_args, body, expected }) => {
    const { args, errors } = mapCall({ toolName: tool.name, rawArgs: raw_args, body }, planTool(tool));
    expect(errors.map(errorKey)).toEqual(expected.errors);
    // Vitest does not see `__proto__`.
    if (!isDeepStrictEqual(args, expected.args)) expect(JSON.stringify(args)).toBe(JSON.stringify(expected.args));
  });
});

const string = { type: 'string' };
const plan = (properties: object, required: string[] = [], more: object = {}) =>
  planTool({ name: 'tool', parameters: { type: 'object', properties, required, ...more } });

describe('what mapCall says', () => {
  const words = (rawArgs: string, body: string, of = plan({ path: string, limit: { type: 'integer' } }, ['path'])) =>
    mapCall({ toolName: 'tool', rawArgs, body }, of).errors.map(({ code, message }) => `${code}: ${message}`);

  it('names the value, and what must stand there', () => {
    expect(words('a ten', '')).toEqual(['type: "limit" must be an integer, but is "ten"']);
  });

  it('never repeats a long value, nor the body', () => {
    const long = 'x'.repeat(81);
    expect(words(`a ${long}`, '')).toEqual(['type: "limit" must be an integer, but is a string of 81 characters']);
    const secret = plan({ content: { type: 'string', pattern: '^a' } }, ['content']);
    expect(words('', 'secret', secret)).toEqual([
      'pattern: "content" must match the pattern "^a", but is a string of 6 characters',
    ]);
    expect(words(`a 1 ${long}`, '').join()).not.toContain(long);
    expect(words(`"${long}`, '').join()).not.toContain(long);
    const json = plan({ list: { type: 'array', items: string } }, ['list']);
    expect(words(long, `{"list":[{"a":"${long}"}]}`, json).join()).not.toContain(long);
    expect(words('', `{"${long}":1}`, json).join()).not.toContain(long);
  });

  it('never repeats a value of a JSON body', () => {
    const all = plan(
      { token: { type: 'string', pattern: '^x' }, list: { type: 'array' }, n: { type: 'integer' }, on: { const: 1 } },
      [],
    );
    const body = '{"token":"secret-1","list":"secret-2","n":"secret-3","on":true,"more":[{"a":"secret-4"}]}';
    const said = words('', body, all);
    expect(said).toEqual([
      'pattern: "token" must match the pattern "^x", but is a string of 8 characters',
      'type: "list" must be an array, but is a string of 8 characters',
      'type: "n" must be an integer, but is a string of 8 characters',
      'enum: "on" must be 1, but is a boolean',
    ]);
    const query = plan({ limit: { type: 'integer' }, query: { type: 'string', pattern: '^SELECT' } }, ['query']);
    expect(words('@json', '{"limit":1234.5,"query":"secret"}', query)).toEqual([
      'type: "limit" must be an integer, but is a number',
      'pattern: "query" must match the pattern "^SELECT", but is a string of 6 characters',
    ]);
  });

  it('tells what to write instead of what is surely not meant', () => {
    const two = plan({ source: string, max_length: { type: 'integer' }, content: string }, ['source']);
    const say = (rawArgs: string) => words(rawArgs, '', two).join('\n');
    expect(say('@json {"source":"a"}')).toMatch(/^slip: @json stands alone in the header.* goes in the body$/);
    expect(say('{"source":"a"}')).toMatch(/^slip: .*write @json in the header instead, and the object in the body$/);
    expect(say('source: a')).toMatch(
      /^slip: "source:" does not name .* write source=value, .*in quotes if it is a value$/,
    );
    expect(say('--max-length=5')).toMatch(/write max_length=value/);
    expect(say('a maxLength=5')).toMatch(/^slip: there is no parameter "maxLength"; did you mean max_length=\.\.\.\?/);
    expect(say('a, 5')).toMatch(/^slip: "a," ends with a comma; values are separated by blanks alone/);
    expect(say('`a` 5')).toMatch(/^slip: "`a`" is in backticks.*; use "quotes" or nothing$/);
  });

  it('says which value belongs in the body', () => {
    const bash = plan({ timeout: { type: 'number' }, command: string }, ['command']);
    const help = '"command" is the body: write it on the lines behind the header, and then the end marker';
    expect(words('ls -la', '', bash)).toEqual([
      `extra: the header takes one value, and "-la" is one too many; ${help}`,
      'type: "timeout" must be a number, but is "ls"',
    ]);
    expect(words('ls', '\n', bash)).toEqual([`type: "timeout" must be a number, but is "ls"; ${help}`]);
    expect(words('ls', 'ls', bash)).toEqual(['type: "timeout" must be a number, but is "ls"']);
  });

  it('names null among the values that are allowed', () => {
    const level = plan({ level: { type: 'string', enum: ['a'], nullable: true }, n: { type: 'integer' } });
    expect(words('"null"', '', level)).toEqual(['enum: "level" must be one of "a", null, but is "null"']);
  });

  it('stays on one line, whatever the names are', () => {
    const odd = plan({ 'a\nb': { type: 'integer' }, x: { type: 'integer' } }, ['a\nb']);
    for (const line of words('"c\nd" "e\nf" "g\nh"', 'i\nj', odd)) expect(line).not.toContain('\n');
  });

  it('helps with names that were mistyped', () => {
    const json = plan({ url: string, list: { type: 'array' } }, ['url']);
    expect(words('', '{"ulr":"x"}', json)).toEqual(['missing: "url" is missing; there is "ulr": write "url" instead']);
    expect(words('a 1 limt=3', '')).toEqual([
      'extra: the header takes at most 2 values, and "limt=3" is one too many; did you mean "limit"?',
    ]);
    expect(words('a 1 limit=3', '')).toEqual([
      'extra: the header takes at most 2 values, and "limit=3" is one too many; "limit" has a value already',
    ]);
  });
});

it('arguments come in the order of the header, then the body', () => {
  const order = plan({ a: string, b: string, content: string, d: string }, ['content']);
  const { args } = mapCall({ toolName: 'tool', rawArgs: 'd=1 b=2 a=3', body: 'x' }, order);
  expect(Object.keys(args)).toEqual(['a', 'b', 'd', 'content']);
});

it('what is inherited is no argument', () => {
  const { args, errors } = mapCall(
    { toolName: 'tool', rawArgs: '', body: '{}' },
    plan({ list: { type: 'array' } }, ['toString', 'constructor', '__proto__']),
  );
  expect(args).toEqual({});
  expect(errors.map(errorKey)).toEqual(['missing:toString', 'missing:constructor', 'missing:__proto__']);
});

it('never throws, and takes linear time', () => {
  const tool = plan({ path: string, limit: { type: 'integer' }, content: string }, ['path', 'content']);
  const sole = plan({ path: string, content: string }, ['path', 'content']);
  const nasty = ["'a ", '"', '" ', 'path=', ' content=', '=', '\ud83d', '\u{1f6e0}\\', '\\', '[', ' ', '\n'];
  const start = cpuMs();
  for (const part of nasty) {
    const text = part.repeat(100_000);
    for (const of of [tool, sole]) {
      mapCall({ toolName: 'tool', rawArgs: text, body: text }, of);
      mapCall({ toolName: 'tool', rawArgs: text, body: '' }, of);
      mapCall({ toolName: 'tool', rawArgs: '@json', body: text }, of);
    }
  }
  expect(cpuMs() - start).toBeLessThan(8000);
});

describe('a tool whose schema lets any object through', () => {
  it.each([{}, { type: 'object' }, { type: 'object', additionalProperties: true }])(
    '%j takes one as its body',
    (parameters) => {
      const any = planTool({ name: 'any', parameters });
      expect(any.usage).toBe('any | body: JSON object');
      expect(mapCall({ toolName: 'any', rawArgs: '', body: '{"a":[1]}\n' }, any)).toEqual({
        args: { a: [1] },
        errors: [],
      });
      expect(mapCall({ toolName: 'any', rawArgs: '', body: '' }, any)).toEqual({ args: {}, errors: [] });
    },
  );
});

describe('a comma behind a quote', () => {
  const weather = planTool({
    name: 'weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string' } },
      required: ['city'],
    },
  });
  it.each(['city="Paris", unit="celsius"', '"Paris", "celsius"', '"Paris","celsius"'])(
    'in %s is a slip, not a value',
    (rawArgs) => {
      expect(mapCall({ toolName: 'weather', rawArgs, body: '' }, weather).errors.map(({ code }) => code)).toEqual([
        'slip',
      ]);
    },
  );
  it('in quotes of the other kind is a part of the value', () => {
    const { args, errors } = mapCall({ toolName: 'weather', rawArgs: `'say "a", "b"'`, body: '' }, weather);
    expect({ args, errors }).toEqual({ args: { city: 'say "a", "b"' }, errors: [] });
  });
});

describe('words that a model can act on', () => {
  const grep = planTool({
    name: 'grep',
    parameters: {
      type: 'object',
      properties: { pattern: { type: 'string' }, limit: { type: 'integer' } },
      required: ['pattern'],
    },
  });
  const told = (rawArgs: string, body = '') =>
    mapCall({ toolName: 'grep', rawArgs, body }, grep).errors.map(({ message }) => message);

  it('name what stands behind a closed quote', () => {
    expect(told('pattern="a b", limit=5')[0]).toContain('"," stands right behind the quote');
    expect(told('"a b')[0]).toContain('is not closed');
  });

  it('name @json when the body is JSON and the tool takes none', () => {
    expect(told('', '{"pattern":"x"}\n')[0]).toContain('write @json in the header');
    expect(told('x', 'text')[0]).not.toContain('@json');
  });

  it('name @json when the body is the arguments as JSON', () => {
    const shell = planTool({
      name: 'shell',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
        required: ['command'],
      },
    });
    const codesOf = (rawArgs: string, body: string) =>
      mapCall({ toolName: 'shell', rawArgs, body }, shell).errors.map(({ code }) => code);
    expect(codesOf('', '{"command": "ls", "timeout": 5}\n')).toEqual(['slip']);
    // A text of its own that is JSON.
    expect(codesOf('', '{"other": 1}\n')).toEqual([]);
    expect(codesOf('5', '{"command": "ls"}\n')).toEqual([]);
  });
});
