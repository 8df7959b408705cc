import { describe, expect, it } from 'vitest';
import { assignable } from './assignable.ts';
import { toJsonSchema, wrapForProvider } from './json-schema.ts';
import { isMessage, messageText } from './message.ts';
import { printType, printTypeShort } from './print.ts';
import { sampleValue } from './sample.ts';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  messageType,
  numberType,
  refTo,
  resolve,
  type StructType,
  structOf,
  type Type,
  textType,
} from './type.ts';

const finding = structOf(
  [
    field('path', textType, { doc: 'Relative to the workspace.' }),
    field('line', numberType, { optional: true }),
    field('tags', arrayOf(textType)),
  ],
  { name: 'ReviewFinding', doc: 'One remark.' },
);
const result = structOf([field('summary', textType), field('findings', arrayOf(refTo('ReviewFinding')))], {
  name: 'ReviewResult',
});
const node = structOf([field('next', refTo('Node'), { optional: true, doc: 'The rest.' })], { name: 'Node' });
const table = new Map<string, StructType>([
  ['ReviewFinding', finding],
  ['ReviewResult', result],
  ['Node', node],
]);

function deepArray(levels: number): Type {
  let type: Type = numberType;
  for (let i = 0; i < levels; i++) type = arrayOf(type);
  return type;
}

/** S0 holds two S1, S1 two S2, and so on: 2^30 structs when written out. */
function doubling(): Map<string, StructType> {
  const structs = new Map<string, StructType>();
  for (let i = 0; i < 30; i++) {
    const inner = i === 29 ? textType : refTo(`S${i + 1}`);
    structs.set(`S${i}`, structOf([field('a', inner), field('b', inner)], { name: `S${i}` }));
  }
  return structs;
}

describe('printType', () => {
  it('prints types as .too writes them', () => {
    expect(printType(arrayOf(arrayOf(refTo('ReviewFinding'))))).toBe('ReviewFinding[][]');
    expect([textType, numberType, booleanType, jsonType, messageType].map((type) => printType(type))).toEqual([
      'Text',
      'Number',
      'Boolean',
      'Json',
      'Message',
    ]);
    expect(printType(finding)).toBe('ReviewFinding');
  });

  it('prints them as workflow files write them, where those are meant', () => {
    expect([textType, numberType, booleanType, jsonType].map((type) => printType(type, 'toon'))).toEqual([
      'string',
      'number',
      'boolean',
      'any',
    ]);
    expect(printType(structOf(finding.fields), 'toon')).toBe('{ path: string, line: number?, tags: string[] }');
    expect(printTypeShort(finding, 'toon')).toBe('ReviewFinding');
    const unnamed = structOf(finding.fields);
    expect([printTypeShort(unnamed), printTypeShort(unnamed, 'toon')]).toEqual([
      printType(unnamed),
      printType(unnamed, 'toon'),
    ]);
  });

  it('prints literals and unnamed structs', () => {
    expect(printType(literalOf('a', 'b "c"'))).toBe('"a" | "b \\"c\\""');
    expect(printType(arrayOf(literalOf('a', 'b')))).toBe('("a" | "b")[]');
    expect(printType(arrayOf(literalOf('a')))).toBe('"a"[]');
    expect(printType(structOf(finding.fields))).toBe('{ path: Text, line?: Number, tags: Text[] }');
    expect(printType(structOf([]))).toBe('{}');
  });
});

describe('toJsonSchema', () => {
  it('writes a struct with its docs, closed, and lets optional fields be null', () => {
    expect(toJsonSchema(refTo('ReviewFinding'), table)).toEqual({
      type: 'object',
      description: 'One remark.',
      properties: {
        path: { type: 'string', description: 'Relative to the workspace.' },
        line: { type: ['number', 'null'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['path', 'tags'],
      additionalProperties: false,
    });
  });

  it('writes named structs in place unless they lead to a recursion', () => {
    expect(toJsonSchema(refTo('ReviewResult'), table).$defs).toBeUndefined();
    expect(toJsonSchema(refTo('Node'), table)).toEqual({
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }], description: 'The rest.' } },
      required: [],
      additionalProperties: false,
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }], description: 'The rest.' } },
          required: [],
          additionalProperties: false,
        },
      },
    });
  });

  it('never puts anything beside a $ref', () => {
    const type = structOf([field('node', refTo('Node'), { doc: 'Where to start.' })]);
    expect(toJsonSchema(type, table).properties?.node).toEqual({
      anyOf: [{ $ref: '#/$defs/Node' }],
      description: 'Where to start.',
    });
  });

  it('stays small when structs multiply', () => {
    const schema = toJsonSchema(refTo('S0'), doubling());
    expect(Object.keys(schema.$defs ?? {})).toHaveLength(29);
    expect(JSON.stringify(schema).length).toBeLessThan(10_000);
  });

  it('writes ten thousand levels of arrays', () => {
    const type = deepArray(10_000);
    let schema = toJsonSchema(type, table);
    let levels = 0;
    for (; schema.items !== undefined; schema = schema.items) levels++;
    expect(levels).toBe(10_000);
    expect(schema).toEqual({ type: 'number' });
    expect(printType(type)).toHaveLength('Number'.length + 20_000);
    expect(assignable(type, deepArray(10_000), table)).toBe(true);
    expect(assignable(type, deepArray(10_001), table)).toBe(false);
    expect(JSON.stringify(sampleValue(type, table, 'x'))).toMatch(/^\[+\]+$/);
  });

  it('wraps for providers what is not an object', () => {
    expect(wrapForProvider(arrayOf(refTo('Node')), table)).toMatchObject({
      wrapped: true,
      schema: {
        type: 'object',
        properties: { value: { type: 'array', items: { $ref: '#/$defs/Node' } } },
        required: ['value'],
        additionalProperties: false,
        $defs: { Node: { type: 'object' } },
      },
    });
    expect(wrapForProvider(refTo('ReviewResult'), table).wrapped).toBe(false);
  });

  it('names the struct that is not in the table', () => {
    expect(() => toJsonSchema(arrayOf(refTo('Nope')), table)).toThrow('"Nope"');
    expect(() => resolve(refTo('constructor'), table)).toThrow('"constructor"');
  });
});

describe('assignable', () => {
  const cases: [Type, Type, boolean][] = [
    [textType, messageType, true],
    [messageType, textType, false],
    [literalOf('a'), textType, true],
    [literalOf('a'), messageType, true],
    [literalOf('a'), literalOf('a', 'b'), true],
    [literalOf('a', 'c'), literalOf('a', 'b'), false],
    [textType, literalOf('a'), false],
    [numberType, textType, false],
    [jsonType, textType, false],
    [finding, jsonType, true],
    [arrayOf(literalOf('a')), arrayOf(textType), true],
    [arrayOf(textType), textType, false],
    [structOf(finding.fields), refTo('ReviewFinding'), true],
    [structOf(finding.fields.slice(0, 2)), finding, false],
    [structOf([...finding.fields, field('x', textType)]), finding, false],
    [structOf([field('a', textType)]), structOf([field('a', textType, { optional: true })]), true],
    [structOf([field('a', textType, { optional: true })]), structOf([field('a', textType)]), false],
    [refTo('Unknown'), numberType, true],
  ];
  it.each(cases)('%j to %j: %j', (from, to, expected) => {
    expect(assignable(from, to, table)).toBe(expected);
  });

  it('compares structs that contain themselves', () => {
    const other = new Map(table).set('Other', structOf([field('next', refTo('Other'), { optional: true })]));
    expect(assignable(refTo('Node'), refTo('Other'), other)).toBe(true);
    other.set('Third', structOf([field('next', arrayOf(refTo('Third')), { optional: true })]));
    expect(assignable(refTo('Node'), refTo('Third'), other)).toBe(false);
  });
});

describe('sampleValue', () => {
  it('is readable and always the same', () => {
    expect(sampleValue(refTo('ReviewResult'), table, 'output')).toEqual({
      summary: '<summary>',
      findings: [{ path: '<path>', line: 1, tags: ['<tag>'] }],
    });
    expect(sampleValue(literalOf('ok', 'bad'), table, 'x')).toBe('ok');
  });

  it('ends where a type contains itself, or is too big', () => {
    expect(sampleValue(refTo('Node'), table, 'x')).toEqual({});
    const impossible = new Map([['A', structOf([field('a', refTo('A'))])]]);
    expect(sampleValue(refTo('A'), impossible, 'x')).toEqual({ a: '…' });
    expect(JSON.stringify(sampleValue(refTo('S0'), doubling(), 'x')).length).toBeLessThan(20_000);
  });
});

describe('messages', () => {
  it('are text, or a role and content', () => {
    expect(isMessage('hi')).toBe(true);
    expect(isMessage({ role: 'user', content: 'hi' })).toBe(true);
    const file = { type: 'file', mediaType: 'image/png', url: 'data:,' };
    expect(isMessage({ role: 'user', content: [{ type: 'text', text: 'a' }, file] })).toBe(true);
    for (const bad of [1, null, [], {}, { role: 'user' }, { role: 'boss', content: '' }, { content: '' }]) {
      expect(isMessage(bad)).toBe(false);
    }
    for (const part of [1, {}, { type: 'text' }, { type: 'image' }, { ...file, size: 1 }, { ...file, name: 1 }]) {
      expect(isMessage({ role: 'user', content: [part] })).toBe(false);
    }
  });

  it('have a text', () => {
    expect(messageText('hi')).toBe('hi');
    expect(messageText({ role: 'user', content: 'hi' })).toBe('hi');
    expect(
      messageText({
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'file', mediaType: 'image/png', url: 'data:,' },
          { type: 'text', text: 'b' },
        ],
      }),
    ).toBe('a\nb');
  });
});
