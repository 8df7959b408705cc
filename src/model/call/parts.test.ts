/** The small parts of a request: layouts of answers, schemas, files. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssistantMessage, JsonRecord } from '../model.ts';
import { fitsStrict } from '../strict-schema.ts';
import { filePart } from './file-part.ts';
import { type AnswerPart, layoutOf, partsOf } from './layout.ts';
import { toolSchema } from './schema.ts';
import { createWireIds, wireId } from './wire-id.ts';

describe('layouts', () => {
  const meta = fc.option(fc.constant({ p: { sig: 's' } } as JsonRecord), { nil: undefined });
  const part = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text: fc.string({ minLength: 1 }), meta }),
    fc.record({ kind: fc.constant('reasoning' as const), reasoning: fc.record({ text: fc.string(), meta }) }),
    fc.record({
      kind: fc.constant('call' as const),
      call: fc.record({ id: fc.uuid(), tool: fc.constant('t'), args: fc.constant({}) }),
    }),
  );

  function messageOf(parts: readonly AnswerPart[]): AssistantMessage {
    const layout = layoutOf(parts);
    return {
      role: 'assistant',
      content: parts.map((each) => (each.kind === 'text' ? each.text : '')).join(''),
      calls: parts.flatMap((each) => (each.kind === 'call' ? [each.call] : [])),
      reasoning: parts.flatMap((each) => (each.kind === 'reasoning' ? [each.reasoning] : [])),
      ...(layout && { meta: layout }),
    };
  }

  test('parts that a provider marked come back in their order, by way of JSON', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (given) => {
        const parts = JSON.parse(JSON.stringify(given)) as AnswerPart[];
        const message = JSON.parse(JSON.stringify(messageOf(parts))) as AssistantMessage;
        if (message.meta !== undefined) expect(partsOf(message)).toEqual(parts);
        else expect(parts.some((each) => each.kind === 'text' && each.meta)).toBe(false);
      }),
    );
  });

  test('of a message that was changed since, the usual order counts', () => {
    const parts: AnswerPart[] = [
      { kind: 'text', text: 'abc', meta: { p: 1 } },
      { kind: 'call', call: { id: 'x', tool: 't', args: {} } },
    ];
    const message = messageOf(parts);
    for (const changed of [
      { ...message, content: 'abcd' },
      { ...message, calls: [] },
      { ...message, reasoning: [{ text: 'new' }] },
      { ...message, meta: { parts: ['nonsense'] } },
      { ...message, meta: { parts: 3 } },
    ]) {
      expect(partsOf(changed).some((each) => each.kind === 'text' && each.meta)).toBe(false);
      expect(partsOf(changed).filter(({ kind }) => kind === 'text')).toEqual([{ kind: 'text', text: changed.content }]);
    }
  });
});

describe('strict mode', () => {
  const deep = (levels: number): never => closed({ a: levels === 0 ? text : deep(levels - 1) });
  const closed = (properties: object, more: object = {}) =>
    ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more }) as never;
  const text = { type: 'string' };

  test.each([
    ['plain', closed({ a: text, b: { type: ['integer', 'null'] } })],
    ['nothing', closed({})],
    ['nested', closed({ a: { type: 'array', items: closed({ b: text }) } })],
    ['a choice inside', closed({ a: { anyOf: [text, { type: 'null' }] } })],
    ['an enum', closed({ a: { type: 'string', enum: ['x', 'y'] } })],
    [
      'a recursion',
      closed(
        { a: { $ref: '#/$defs/n' } },
        { $defs: { n: closed({ next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } }) } },
      ),
    ],
  ])('takes %s', (_, schema) => {
    expect(fitsStrict(schema)).toBe(true);
  });

  test.each([
    ['an optional property', closed({ a: text }, { required: [] })],
    ['an open object', closed({ a: text }, { additionalProperties: true })],
    ['an object that does not say', { type: 'object', properties: {} } as never],
    ['an open object inside', closed({ a: { type: 'object' } })],
    ['anything', closed({ a: {} })],
    ['a list of anything', closed({ a: { type: 'array' } })],
    ['a keyword beyond its few', closed({ a: { type: 'string', pattern: 'x' } })],
    ['allOf', closed({ a: { allOf: [text] } })],
    ['a choice at the root', { anyOf: [closed({ a: text })] } as never],
    ['a reference elsewhere', closed({ a: { $ref: 'https://a.example/x.json' } })],
    ['no object', text as never],
    [
      'more properties than it counts',
      closed(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, text]))),
    ],
    ['more depth than it takes', deep(6)],
    ['long names', closed({ ['x'.repeat(16_000)]: text })],
  ])('does not take %s', (_, schema) => {
    expect(fitsStrict(schema)).toBe(false);
  });

  test('whatever a schema is, it is only a question', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void expect(typeof fitsStrict((value ?? {}) as never)).toBe('boolean')),
    );
  });
});

describe('the parameters of a tool', () => {
  test('are an object with properties', () => {
    expect(toolSchema({})).toEqual({ type: 'object', properties: {} });
    const given = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(toolSchema(given)).toEqual(given);
  });

  test('a choice at the root becomes one object that offers all', () => {
    const branch = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] });
    const given = {
      $schema: 'x',
      type: 'object',
      required: ['c'],
      properties: { c: {} },
      oneOf: [branch('a'), branch('b')],
    };
    expect(toolSchema(given as never)).toEqual({
      type: 'object',
      properties: { c: {}, a: { type: 'string' }, b: { type: 'string' } },
      required: ['c'],
    });
    expect(toolSchema({ allOf: [branch('a'), branch('b')] } as never)).toMatchObject({ required: ['a', 'b'] });
  });
});

describe('files', () => {
  const file = (url: string, mediaType = 'image/png', name?: string) =>
    filePart({ type: 'file', url, mediaType, ...(name !== undefined && { name }) });

  test('of the web by their address, others by their content', () => {
    expect(file('https://a.example/x.png')).toEqual({
      type: 'file',
      mediaType: 'image/png',
      data: new URL('https://a.example/x.png'),
    });
    expect(file('data:image/png;base64,AAEC', 'image/png', 'x.png')).toEqual({
      type: 'file',
      mediaType: 'image/png',
      data: 'AAEC',
      filename: 'x.png',
    });
  });

  test('a text is a text', () => {
    const url = `data:text/markdown;base64,${Buffer.from('# Ü').toString('base64')}`;
    expect(file(url, 'text/markdown', 'a.md')).toEqual({ type: 'text', text: 'The file "a.md" (text/markdown):\n# Ü' });
    expect(file('data:application/json,%7B%22a%22:1%7D', 'application/json')).toMatchObject({
      text: expect.stringContaining('{"a":1}'),
    });
  });

  test.each(['file:///etc/passwd', 'a.png', 'data:image/png', 'data:text/plain,100%', ''])(
    '%s cannot be sent',
    (url) => {
      expect(() => file(url)).toThrow(/a file of a message has/);
    },
  );
});

test('ids that a wire does not take are replaced, always by the same', () => {
  expect(wireId('call_1-a')).toBe('call_1-a');
  expect(wireId('a/b')).toMatch(/^call_[0-9a-f]{32}$/);
  expect(wireId('a/b')).toBe(wireId('a/b'));
  expect(wireId('a/b')).not.toBe(wireId('a/c'));
  expect(wireId('x'.repeat(65))).toHaveLength(37);
});

test.each([undefined, 9])(
  'no two calls of a conversation have one id, and each result has that of its call: %s',
  (length) => {
    const ids = createWireIds(length);
    const pairs = ['call_1', 'call_1', 'call_2'].map((id) => [ids.ofCall(id), ids.ofResult(id)]);
    const both = ['call_1', 'call_1'].map(ids.ofCall);
    expect(['call_1', 'call_1'].map(ids.ofResult)).toEqual(both);
    expect(pairs.map(([call]) => call)).toEqual(pairs.map(([, result]) => result));
    const all = [...pairs.map(([call]) => call), ...both];
    expect(new Set(all).size).toBe(5);
    if (length === undefined)
      expect(all.slice(0, 3)).toEqual(['call_1', expect.stringMatching(/^call_[0-9a-f]{32}$/), 'call_2']);
    // However long a conversation is.
    for (let i = 0; i < 20_000; i++) ids.ofCall('call_1');
  },
);
