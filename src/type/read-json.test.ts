import { describe, expect, it } from 'vitest';
import { readJson } from './read-json.ts';
import { readText } from './read-text.ts';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  messageType,
  numberType,
  refTo,
  structOf,
  type Type,
  textType,
} from './type.ts';

const point = structOf([field('x', numberType), field('note', textType, { optional: true })], { name: 'Point' });
const table = new Map([['Point', point]]);
const Point = refTo('Point');

function value(text: string, type: Type, wrapped = false): unknown {
  const result = readJson(text, type, table, { wrapped });
  if (!result.ok) throw new Error(result.errors.map((e) => e.message).join('\n'));
  return result.value;
}

function error(text: string, type: Type, wrapped = false): string {
  const result = readJson(text, type, table, { wrapped });
  return result.ok ? `read ${JSON.stringify(result.value)}` : result.errors.map((e) => e.message).join('\n');
}

describe('readJson finds the value', () => {
  it('in the whole text, in a fence, in prose', () => {
    expect(value('{"x":1}', Point)).toEqual({ x: 1 });
    expect(value('Here:\n```json\n{"x":1}\n```\nBye', Point)).toEqual({ x: 1 });
    expect(value('```{"x":1}```', Point)).toEqual({ x: 1 });
    expect(value('I think {"x":1} is right.', Point)).toEqual({ x: 1 });
  });

  it('even when it holds a fence itself', () => {
    const json = '{"x":1,"note":"```js\\n{\\n```"}';
    expect(value(`\`\`\`json\n${json}\n\`\`\``, Point)).toEqual({ x: 1, note: '```js\n{\n```' });
  });

  it('takes the last struct that fits, a fenced one first', () => {
    expect(value('Draft {"x":1}, better {"x":2}. Not {"y":3}.', Point)).toEqual({ x: 2 });
    expect(value('```\n{"x":1}\n```\nor rather\n```\n{"x":2}\n```\nnot {"x":3}', Point)).toEqual({ x: 2 });
  });

  it('takes the longest list or Json that fits', () => {
    expect(value('The values [1, 2, 3] are from [4].', arrayOf(numberType))).toEqual([1, 2, 3]);
    expect(value('See [1]: {"a": {"b": 2}} and {}', jsonType)).toEqual({ a: { b: 2 } });
    expect(value('none: []', arrayOf(Point))).toEqual([]);
  });

  it('passes over examples that are not JSON', () => {
    expect(value('The shape is {"x": <number>, ...}. So: {"x": 5}', Point)).toEqual({ x: 5 });
    expect(value('Use { and } with [care: {"x":1}', Point)).toEqual({ x: 1 });
  });

  it('says that there were several, and which one it took', () => {
    const repairs = (text: string, type: Type) => {
      const result = readJson(text, type, table);
      return result.ok ? result.repairs : [];
    };
    const around = 'took the JSON out of the text around it';
    const fence = 'took the JSON out of a code fence';
    expect(repairs('{"x":1} {"x":2}', Point)).toEqual(['took the last of 2 values that fit', around]);
    expect(repairs('[1, 2] and [3]', arrayOf(numberType))).toEqual(['took the longest of 2 values that fit', around]);
    expect(repairs('```\n{"x":1}\n```\nor {"x":3}', Point)).toEqual([
      'took the one in a code fence of 2 values that fit',
      fence,
    ]);
    expect(repairs('```\n{"x":1}\n```\n```\n{"x":2}\n```\nor {"x":3}', Point)).toEqual([
      'took the last in a code fence of 3 values that fit',
      fence,
    ]);
    expect(repairs('{"y":1} then {"x":2}', Point)).toEqual([around]);
  });

  it('says what it left out around the whole, and what it read from a text', () => {
    const left = ['left out comments'];
    expect(readJson('{"x":1} // so', Point, table)).toMatchObject({ value: { x: 1 }, repairs: left });
    expect(readJson('/* so */ {"x":1 /* or so */}', Point, table)).toMatchObject({ repairs: left });
    expect(readJson('"42"', numberType, table)).toEqual({
      ok: true,
      value: 42,
      repairs: ['read the text "42" as a number (the value)'],
    });
    expect(readJson(' 42\n', numberType, table)).toEqual({ ok: true, value: 42, repairs: [] });
    expect(readJson('True', booleanType, table)).toEqual({ ok: true, value: true, repairs: ['read "True" as true'] });
  });

  it('says what it did', () => {
    const result = readJson('Sure: {x: \'1\', /* so */ "note": "a\nb",}', Point, table);
    expect(result).toEqual({
      ok: true,
      value: { x: 1, note: 'a\nb' },
      repairs: [
        'took the JSON out of the text around it',
        'read keys without quotes',
        'read text in single quotes',
        'left out comments',
        'kept raw line breaks or control characters in text',
        'left out a trailing comma',
        'read the text "1" as a number ("/x")',
      ],
    });
  });
});

describe('readJson mends only what is certain', () => {
  it('reads what models write for JSON', () => {
    expect(value('[True, False, None]', jsonType)).toEqual([true, false, null]);
    expect(value('["\\d+ \\u12 \\\' \\u00e9 \\q"]', jsonType)).toEqual(["\\d+ \\u12 ' é \\q"]);
    expect(value('{"a":1,"a":2}', jsonType)).toEqual({ a: 2 });
    expect(readJson('{"a":1,"a":2}', jsonType, table)).toMatchObject({ repairs: [expect.stringContaining('twice')] });
    expect(JSON.stringify(value('{"__proto__":{"a":1}}', jsonType))).toBe('{"__proto__":{"a":1}}');
  });

  it.each([
    ['{"x": 1', 'the text ends before its "{" is closed (opened at line 1, column 1)'],
    ['{"x": 1, "note": "abc', 'the text ends before one of its strings is closed (opened at line 1, column 18)'],
    ['{"x":1, "note": "say "hi" now"}', 'line 1, column 23: "," or "}" is missing here'],
    ['{"x":1 "note":"a"}', '"," or "}" is missing here'],
    ['{"x":\n NaN}', 'line 2, column 2: this word is not JSON'],
    ['{"x":01}', 'this is not a number as JSON writes it'],
    ['{"x":1,,}', 'a key in double quotes is missing here'],
    ['{"x" 1}', '":" is missing after the key'],
    ['[{"x":1} {"x":2}]', '"," or "]" is missing here'],
    ['Final: {"x":1} no, {"x":2, "note": "a', 'the text ends before one of its strings'],
  ])('%s', (text, message) => {
    expect(error(text, Point)).toContain(message);
  });

  it('takes nothing out of broken JSON', () => {
    expect(error('{"points":[{"x":1},{"x":2}], "note": "say "hi""}', Point)).toContain('the JSON is broken');
    expect(error('{"points":[{"x":1},{"x":2},{"x":', Point)).toContain('the JSON is broken');
  });

  it('gives all errors of the value that is there', () => {
    const result = readJson('So: {"x":"one","nte":2}', Point, table);
    expect(!result.ok && result.errors.map((e) => e.pointer)).toEqual(['/nte', '/x']);
  });

  it('says so when there is none', () => {
    expect(error('I cannot do that.', Point)).toBe(
      'the answer must be JSON for Point, but it is text without JSON, "I cannot do that.".',
    );
    expect(error('  ', jsonType)).toContain('nothing');
  });
});

describe('readJson of plain types', () => {
  it('Text and Message are the text itself', () => {
    expect(value(' a {"x":1}\n', textType)).toBe(' a {"x":1}\n');
    expect(value('"a\\nb"', textType)).toBe('a\nb');
    expect(value('"a" and "b"', textType)).toBe('"a" and "b"');
    expect(value('"a"', messageType)).toBe('"a"');
    expect(value('{"role":"system","content":"x"}', messageType)).toBe('{"role":"system","content":"x"}');
  });

  it('numbers, booleans and literals stand alone or on a line of their own', () => {
    expect(value(' 42\n', numberType)).toBe(42);
    expect(value('"42"', numberType)).toBe(42);
    expect(value('The answer is:\n\n**-4.5e1**\n', numberType)).toBe(-45);
    expect(value('```\n42\n```', numberType)).toBe(42);
    expect(value('True', booleanType)).toBe(true);
    expect(value('`approve`.', literalOf('approve', 'reject'))).toBe('approve');
    expect(value('"so \\"so\\""', literalOf('so "so"'))).toBe('so "so"');
  });

  it('is not picked out of a sentence, nor chosen among several', () => {
    expect(error('I need 3 days until 2030.', numberType)).toContain('must be Number and nothing else');
    expect(error('It is true that it is false.', booleanType)).toContain('must be Boolean');
    expect(error('low\nhigh', literalOf('low', 'high'))).toContain('"low" and "high"');
    expect(error('1e999', numberType)).toContain('must be Number');
  });

  it('comes out of the wrapper a provider needed', () => {
    expect(value('{"value": "a"}', textType, true)).toBe('a');
    expect(value('```json\n{"value": "3"}\n```', numberType, true)).toBe(3);
    expect(value('{"value": [1]}', arrayOf(numberType), true)).toEqual([1]);
    expect(value('[1]', arrayOf(numberType), true)).toEqual([1]);
    expect(value('{"a": 1}', jsonType, true)).toEqual({ a: 1 });
    expect(value('plain words', textType, true)).toBe('plain words');
    expect(error('{"value": "cut o', textType, true)).toContain('the JSON is broken');
    expect(error('{"value": ["a"]}', arrayOf(numberType), true)).toContain('"/0" must be Number');
  });
});

describe('readJson of long bad text', () => {
  const size = 400_000;
  const units = [
    '{',
    '[',
    '"',
    '```',
    '```\n',
    '{"a":',
    '[{',
    '["',
    "['",
    '[/*',
    '[//',
    '{a',
    '[1,',
    '{"a":<',
    '\\"',
    '[]',
    '{}',
    ' [',
    '[\n',
    '`',
  ];
  it.each(units)('%j', (unit) => {
    const text = unit.repeat(size / unit.length);
    // Anything but linear would not end before the test is stopped.
    readJson(text, Point, table);
    readJson(`x ${text} "`, arrayOf(numberType), table);
    readJson(text, literalOf('a'), table);
  });

  it('refuses deep nesting in plain words', () => {
    expect(error('['.repeat(size), jsonType)).toContain('nested more than 512 levels deep');
    expect(value(`${'['.repeat(500)}${']'.repeat(500)}`, jsonType)).toBeInstanceOf(Array);
  });
});

describe('readText', () => {
  it.each([
    [' a ', textType, ' a '],
    ['"a"', messageType, '"a"'],
    ['42', numberType, 42],
    ['+4.5', numberType, 4.5],
    ['TRUE', booleanType, true],
    ['low', literalOf('low'), 'low'],
    ['["a"]', arrayOf(textType), ['a']],
    ['{"x":"1"}', Point, { x: 1 }],
    ['hello', jsonType, 'hello'],
    ['12', jsonType, 12],
    ['12 apples', jsonType, '12 apples'],
    ['null', jsonType, null],
    ['[1]', jsonType, [1]],
  ] as [string, Type, unknown][])('%s as %j', (raw, type, expected) => {
    expect(readText(raw, type, table)).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    ['4x', numberType, 'write a number such as 42'],
    ['', numberType, 'write a number'],
    ['yes', booleanType, 'write true or false'],
    ['hgih', literalOf('low', 'high'), 'Did you mean "high"?'],
    ['a,b', arrayOf(textType), 'write a JSON list such as ["a", "b"]'],
    ['x', Point, 'write a JSON object'],
    ['{"x":', jsonType, 'the JSON is broken at line 1'],
    ['{"y":1}', Point, '"/y" is not a field of "Point"'],
    ['see {"x":1}', Point, 'write a JSON object'],
  ] as [string, Type, string][])('%s is not %j', (raw, type, message) => {
    const result = readText(raw, type, table);
    expect(result.ok ? 'ok' : result.errors.map((e) => e.message).join('\n')).toContain(message);
  });
});
