import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import type { ToolSpec } from '../tool.ts';
import { planTool } from './plan.ts';

const string = { type: 'string' };
const object = (properties: object, required: string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const usage = (parameters: ToolSpec['parameters'], body?: string | null) =>
  planTool({ name: 'tool', ...(parameters ? { parameters } : {}), ...(body === undefined ? {} : { body }) }).usage;

describe('the usage line', () => {
  it.each([
    ['tool', undefined],
    ['tool | body: JSON object', {}],
    ['tool', object({})],
    [
      'tool <path> [encoding] | body: content',
      object({ path: string, encoding: string, content: string }, ['path', 'content']),
    ],
    ['tool [timeout] | body: command', object({ timeout: { type: 'integer' }, command: string }, ['command'])],
    [
      'tool <city> [unit=celsius|fahrenheit]',
      object({ city: string, unit: { enum: ['celsius', 'fahrenheit'] } }, ['city']),
    ],
    ['tool <level=1|2|auto>', object({ level: { enum: [1, 2, 'auto'] } }, ['level'])],
    ['tool [unit]', object({ unit: { enum: ['two words', 'x'] } })],
    ['tool [many]', object({ many: { enum: [...'abcdefghij'] } })],
    ['tool ["my file"] ["a=b"]', object({ 'my file': string, 'a=b': string })],
    ['tool | body: JSON {url, headers?}', object({ url: string, headers: { type: 'object' } }, ['url'])],
    ['tool | body: JSON {"a b"?}', object({ 'a b': { type: 'array' } })],
    ['tool | body: JSON object', object({}, [], { additionalProperties: string })],
    ['tool [a]', object({ a: string }, [], { additionalProperties: string })],
    ['tool | body: JSON object', object({}, [], { additionalProperties: {} })],
    ['tool | body: JSON object', object({}, [], { patternProperties: { '^x-': string } })],
    ['tool | body: JSON {x}', object({}, ['x'])],
    ['tool [a]', object({ a: string, never: false })],
  ])('is %s', (line, parameters) => {
    expect(usage(parameters)).toBe(line);
  });
});

describe('the body', () => {
  it('is the first required string with one of the names for it', () => {
    expect(usage(object({ query: string, content: string }, ['content', 'query']))).toBe(
      'tool <content> | body: query',
    );
    expect(usage(object({ content: string, text: string }, ['text']))).toBe('tool [content] | body: text');
  });

  it('is found only if it is a string and nothing else', () => {
    expect(usage(object({ content: { type: ['string', 'null'] } }, ['content']))).toBe('tool <content>');
    expect(usage(object({ content: { type: 'integer' } }, ['content']))).toBe('tool <content>');
    expect(usage(object({ content: { enum: ['a', 'b'] } }, ['content']))).toBe('tool <content=a|b>');
    expect(usage(object({ Content: string }, ['Content']))).toBe('tool <Content>');
  });

  it('can be chosen, or refused', () => {
    const parameters = object({ title: string, note: string, content: string }, ['content']);
    expect(usage(parameters, 'note')).toBe('tool [title] <content> | body: [note]');
    expect(usage(parameters, null)).toBe('tool [title] [note] <content>');
    expect(usage(object({ value: {} }, ['value']), 'value')).toBe('tool | body: value');
  });
});

describe('a tool takes JSON', () => {
  it.each([
    ['an array', { type: 'array' }],
    ['an object', { type: 'object' }],
    ['anything', true],
    ['anything, with words', { description: 'x' }],
    ['a string or an array', { type: ['string', 'array'] }],
    ['a union with an object', { anyOf: [{ type: 'object' }, { type: 'null' }] }],
    ['a reference to an object', { $ref: '#/properties/other' }],
  ])('if a parameter is %s', (_, schema) => {
    const plan = planTool({ name: 'tool', parameters: object({ a: string, p: schema, other: { type: 'object' } }) });
    expect(plan).toMatchObject({ json: true, header: [] });
    expect(plan.body).toBeUndefined();
  });

  it('if its properties depend on the form', () => {
    const forms = { type: 'object', anyOf: [object({ a: string }), object({ b: string })] };
    expect(usage(forms)).toBe('tool | body: JSON {a?, b?}');
    const needs = object({ a: string, b: string }, [], { anyOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(usage(needs)).toBe('tool [a] [b]');
  });
});

describe('parameters', () => {
  it('are read through references and parts', () => {
    const parameters = {
      $ref: '#/$defs/Args',
      $defs: {
        Args: { allOf: [object({ a: { $ref: '#/$defs/Name' } }, ['a']), object({ b: { $ref: '#/$defs/x~1y%20z' } })] },
        Name: string,
        'x/y z': { type: 'integer' },
      },
    };
    expect(planTool({ name: 'tool', parameters }).header).toEqual([
      { name: 'a', required: true, types: ['string'] },
      { name: 'b', required: false, types: ['integer'] },
    ]);
  });

  it('carry the types and values that are left', () => {
    const parameters = object({
      a: { anyOf: [{ const: 1 }, { enum: ['x', 'y'] }], description: 'one' },
      b: { type: 'integer', nullable: true },
      c: { allOf: [{ type: ['string', 'integer'] }, { type: ['integer', 'null'] }] },
      d: { type: 'string', enum: ['x', 5, null] },
      __proto__: null,
    });
    expect(planTool({ name: 'tool', parameters }).header).toEqual([
      { name: 'a', description: 'one', required: false, types: ['integer', 'string'], values: [1, 'x', 'y'] },
      { name: 'b', required: false, types: ['integer', 'null'] },
      { name: 'c', required: false, types: ['integer'] },
      { name: 'd', required: false, types: ['string'], values: ['x'] },
    ]);
  });
});

describe('a plan', () => {
  it('is frozen plain data that does not follow the schema', () => {
    const properties: Record<string, unknown> = { path: { type: 'string' } };
    const plan = planTool({ name: 'tool', description: 'words', parameters: { type: 'object', properties } });
    properties.more = string;
    expect(plan.schema).toEqual({ type: 'object', properties: { path: string } });
    expect(structuredClone(plan)).toEqual(plan);
    for (const part of [plan, plan.header, plan.header[0], plan.schema, plan.schema.properties, plan.notes]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('names the patterns that it cannot check', () => {
    const { notes } = planTool({ name: 'tool', parameters: object({ a: { type: 'string', pattern: '(?i)x' } }) });
    expect(notes).toEqual(['the pattern "(?i)x" is no regular expression of JavaScript and is not checked']);
  });

  it('keeps a property with the name __proto__', () => {
    const parameters = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(planTool({ name: 'tool', parameters }).usage).toBe('tool [__proto__]');
  });
});

describe('a tool that cannot be called is refused', () => {
  const parameters = (schema: unknown): ToolSpec => ({ name: 'tool', parameters: schema as object }) as ToolSpec;
  it.each<[string, ToolSpec]>([
    ['must be the JSON Schema of an object', parameters({ type: 'string' })],
    ['its parameters are null', parameters(null)],
    ['its parameters are an array', parameters([])],
    ['its parameters are true', parameters(true)],
    ['"properties" of its parameters must be an object', parameters({ properties: [] })],
    ['"required" of its parameters must be an array of names', parameters({ properties: {}, required: true })],
    ['has the type "float"', parameters(object({ a: { type: 'float' } }))],
    ['refers to "#/$defs/x", which is not there', parameters(object({ a: { $ref: '#/$defs/x' } }))],
    ['refers to "#/toString", which is not there', parameters(object({ a: { $ref: '#/toString' } }))],
    ['only references like "#/$defs/name" are known', parameters(object({ a: { $ref: 'https://x.test/y' } }))],
    ['refers to itself', parameters({ $ref: '#' })],
    [
      'refers to itself',
      parameters(object({ a: { $ref: '#/properties/b' }, b: { anyOf: [string, { $ref: '#/properties/a' }] } })),
    ],
    [
      'refers to itself',
      parameters(object({ list: { type: 'array', items: { not: { $ref: '#/properties/list/items' } } } })),
    ],
    [
      'its body is "x", which is no parameter; there are "a"',
      { name: 'tool', parameters: object({ a: string }), body: 'x' },
    ],
    ['which is no string', { name: 'tool', parameters: object({ a: { type: 'integer' } }), body: 'a' }],
    ['"b" is no plain value', { name: 'tool', parameters: object({ a: string, b: { type: 'array' } }), body: 'a' }],
    ['a tool must have a name', { name: ' ' }],
    ['must not have white space', { name: 'a b' }],
    ['which ends a header', { name: 'a]' }],
    ['a line break', { name: 'a\nb' }],
    ['the start of a call', { name: 'a\u{1f6e0}[b' }],
    ['is taken by the syntax', { name: 'result' }],
    ['is taken by the syntax', { name: '/END' }],
    ['must not be longer', { name: 'a'.repeat(5000) }],
  ])('%s', (message, tool) => {
    expect(() => planTool(tool)).toThrow(TypeError);
    expect(() => planTool(tool)).toThrow(message);
  });

  it('by an error that names it', () => {
    expect(() => planTool(parameters({ type: 'array' }))).toThrow(/^the tool "tool": its parameters/);
  });

  it('if its schema is an object that contains itself', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema.properties = { a: schema };
    expect(() => planTool(parameters(schema))).toThrow('contains itself; write it with $defs and $ref');
    const shared = { type: 'string' };
    expect(planTool(parameters(object({ a: shared, b: shared }))).usage).toBe('tool [a] [b]');
  });
});

it('schemas that grow when they are followed are planned in time', () => {
  const defs: Record<string, unknown> = { d0: { enum: ['a', 'b'] } };
  for (let i = 1; i <= 60; i++) {
    const ref = { $ref: `#/$defs/d${i - 1}` };
    defs[`d${i}`] = i % 2 ? { anyOf: [ref, ref] } : { allOf: [ref, ref] };
  }
  const start = cpuMs();
  const plan = planTool({ name: 'tool', parameters: object({ a: { $ref: '#/$defs/d60' } }, [], { $defs: defs }) });
  expect(plan.header[0]?.values).toEqual(['a', 'b']);
  expect(cpuMs() - start).toBeLessThan(1000);
});
