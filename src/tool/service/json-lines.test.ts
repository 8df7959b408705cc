import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIdScan, createJsonLines, type MessageId } from './json-lines.ts';

fc.configureGlobal({ seed: 31 });

interface Heard {
  readonly lines: string[];
  readonly tooLong: [MessageId | undefined, number][];
}

function read(bytes: Uint8Array, most: number, sizes: readonly number[]): Heard {
  const heard: Heard = { lines: [], tooLong: [] };
  const lines = createJsonLines(most, {
    line: (text) => heard.lines.push(text),
    tooLong: (id, size) => heard.tooLong.push([id, size]),
  });
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % Math.max(1, sizes.length)] ?? 1);
    lines.push(bytes.subarray(at, at + size));
    at += size;
  }
  return heard;
}

function scanned(text: string): MessageId | undefined {
  const scan = createIdScan();
  scan.push(Buffer.from(text));
  return scan.id();
}

describe('lines of messages', () => {
  test('come out whole, in whatever pieces they come', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (texts, sizes) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const expected = texts.map((text) => Buffer.from(text).toString('utf8').trim()).filter((text) => text !== '');
        expect(read(bytes, 1_000_000, sizes).lines).toEqual(expected);
      }),
    );
  });

  test('blank lines and line ends of Windows do not count', () => {
    expect(read(Buffer.from('\r\n  \n{"a":1}\r\n\n'), 100, [3]).lines).toEqual(['{"a":1}']);
  });

  test('one that is too long is dropped with its id, and the next is read', () => {
    const long = JSON.stringify({ result: { text: 'x'.repeat(500) }, jsonrpc: '2.0', id: 7 });
    const heard = read(Buffer.from(`${long}\n{"ok":true}\n`), 100, [11]);
    expect(heard).toEqual({ lines: ['{"ok":true}'], tooLong: [[7, long.length]] });
  });

  test('one of exactly the limit is read', () => {
    expect(read(Buffer.from('12345\n123456\n'), 5, [4])).toEqual({ lines: ['12345'], tooLong: [[undefined, 6]] });
  });

  test('what has no end is not held', () => {
    const heard: number[] = [];
    const lines = createJsonLines(1024, { line: () => undefined, tooLong: (_id, size) => heard.push(size) });
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 600; i++) lines.push(chunk);
    expect(process.memoryUsage().rss - before).toBeLessThan(25_000_000);
    lines.push(Buffer.from('\n'));
    expect(heard).toEqual([600 * chunk.length]);
  });
});

describe('the id of a message', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":3,"result":{}}', 3],
    ['{ "result" : {"id": 9, "a": [{"id": 8}]} , "id" : 4 }', 4],
    ['{"id":"a\\"b\\\\","x":1}', 'a"b\\'],
    ['{"x":"\\"id\\":5","y":"id","id":"é😀"}', 'é😀'],
    ['{"i\\u0064":6}', 6],
    ['{"id":null}', undefined],
    ['{"id":{"id":1}}', undefined],
    ['[{"id":1}]', undefined],
    ['{"id":-1.5e2', undefined],
    ['not json', undefined],
    ['', undefined],
  ])('of %s', (text, id) => {
    expect(scanned(text)).toBe(id);
  });

  test('is the one that JSON.parse finds', () => {
    const id = fc.oneof(fc.integer(), fc.string({ maxLength: 20 }), fc.constant(null), fc.constant(undefined));
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue()), id, (rest, value) => {
        const message = { ...rest, ...(value !== undefined && { id: value }) };
        const own: unknown = message.id;
        const expected = typeof own === 'string' || typeof own === 'number' ? own : undefined;
        const text = JSON.stringify(message);
        const parsed = typeof expected === 'number' ? (JSON.parse(text) as { id: number }).id : expected;
        expect(scanned(text)).toBe(parsed);
      }),
    );
  });
});
