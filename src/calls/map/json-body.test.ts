import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { readJsonBody } from './json-body.ts';
import { errorKey } from './map-error.ts';
import { maxDepth } from './value.ts';

const messageOf = (body: string) => readJsonBody(body).errors.map(({ message }) => message.replace(/^.*?; at /, ''));

describe('a JSON body', () => {
  it.each([
    '{}',
    ' \n{ "a" : [ 1 , -2.5e3 , true , false , null , "x" ] , "b" : { } , "c" : [ ] }\n',
    '{"\\u0061\\n\\"\\\\\\/\\b\\f\\r\\t":"é😀\\ud83d"}',
    '{"__proto__":{"x":1},"constructor":2,"":3}',
    '{"a":1e5,"b":-0,"c":0.1}',
  ])('reads %s as JSON.parse does', (body) => {
    expect(JSON.stringify(readJsonBody(body))).toBe(JSON.stringify({ value: JSON.parse(body), errors: [] }));
    expect(Object.getPrototypeOf(readJsonBody(body).value)).toBe(Object.prototype);
  });

  it('reads what JSON.stringify writes, and fails where JSON.parse fails', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(),
        fc.string({ maxLength: 2 }),
        (value, at, put) => {
          const body = JSON.stringify(value);
          expect(readJsonBody(body)).toEqual({ value: JSON.parse(body), errors: [] });
          const place = at % (body.length + 1);
          const broken = body.slice(0, place) + put + body.slice(place + 1);
          const { errors } = readJsonBody(broken);
          if (errors.some(({ code }) => code !== 'json')) return;
          expect(errors.length === 0, broken).toBe(parses(broken));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['', []],
    [' \n ', []],
    ['hello', ['1:1: here stands "h", but an object must start with "{"']],
    ['{"a":1', ['1:7: the text ends, but "," or "}" must follow']],
    ['{', ['1:2: the text ends, but a name in double quotes must follow']],
    ['{\n "a": 1,\n}', ['2:8: no comma may stand before "}"']],
    ['{"a" 1}', ['1:6: here stands "1", but ":" must follow']],
    ['{"a":\n[1 2]}', ['2:4: here stands "2", but "," or "]" must follow']],
    ['{"a":nul}', ['1:6: here stands "n", but a value must follow']],
    ['{"a":01}', ['1:6: here stands "0", but a value must follow']],
    ['{"a":"x}', ['1:6: the string that starts here has no end']],
    ['{"a":"C:\\dir"}', ['1:9: this is no escape of JSON; a backslash is written \\\\']],
    ['{"a":"\\u12g4"}', ['1:7: four hexadecimal digits must follow \\u']],
    ['{"a":"x\ty"}', ['1:8: a string must not hold a tab as it is; write \\t instead']],
    ['{"a":"x\u0001y"}', ['1:8: a string must not hold "\\u0001" as it is; write \\u0001 instead']],
    ['{} 😀', ['1:4: the object has ended, and nothing may stand behind it']],
    ['```json {"a":1}```', ['1:1: here stands "`", but an object must start with "{"']],
    ['```json\n{}\n``', ['3:1: ``` must close the fence']],
    ['```\n{}\n```\nx', ['4:1: the object has ended, and nothing may stand behind it']],
    ['```json\n', ['2:1: the text ends, but an object must start with "{"']],
    ['{// no\n}', ['1:2: here stands "/", but a name in double quotes must follow']],
  ])('that is %j has %j', (body, messages) => {
    expect(messageOf(body)).toEqual(messages);
    expect(readJsonBody(body).value).toEqual({});
  });

  it('may stand in a fence of any length, with blank lines', () => {
    for (const body of ['```json\n{"a":1}\n```', '````JSON  \r\n\n {"a":1}\n\n````\n', '\n```\n{"a":1}```']) {
      expect(readJsonBody(body)).toEqual({ value: { a: 1 }, errors: [] });
    }
  });

  it('keeps the last of two values of a name, and reports it', () => {
    const { value, errors } = readJsonBody('{"a":{"b":1,"b":2},"c":9007199254740993}');
    expect(value).toEqual({ a: { b: 2 }, c: 9007199254740992 });
    expect(errors.map(errorKey)).toEqual(['duplicate:a/b', 'precision:c']);
  });

  it('may be nested up to a limit, and no depth breaks the stack', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(readJsonBody(nested(maxDepth - 1)).errors).toEqual([]);
    expect(messageOf(nested(maxDepth))).toEqual([
      `1:105: objects and arrays are nested deeper than ${maxDepth} levels`,
    ]);
    expect(readJsonBody(`{"a":${'['.repeat(1_000_000)}`).errors.map(errorKey)).toEqual(['json']);
    expect(readJsonBody('{"a":'.repeat(1_000_000)).errors.map(errorKey)).toEqual(['json']);
  });

  it('takes linear time', () => {
    const start = cpuMs();
    readJsonBody(`{"a":${'9'.repeat(1_000_000)}}`);
    readJsonBody(`{"a":"${'\\n'.repeat(500_000)}"}`);
    readJsonBody(`{${'"a":1,'.repeat(200_000)}"a":1}`);
    readJsonBody(`${'\n'.repeat(1_000_000)}x`);
    readJsonBody('`'.repeat(1_000_000));
    expect(cpuMs() - start).toBeLessThan(4000);
  });
});

function parses(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // Blank is an empty object here.
    return text.trim() === '';
  }
}
