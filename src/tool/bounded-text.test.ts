import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedText, createBounded, leftOutMark, mostText } from './bounded-text.ts';

function collected(chunks: readonly (string | Uint8Array)[], most?: number): string {
  const bounded = createBounded(most);
  for (const chunk of chunks) bounded.push(chunk);
  return bounded.text();
}

/** What a cut text kept, and the number that it says is missing. */
function parts(text: string): { head: string; tail: string; missing: number } {
  const found = /\n\[… (\d+) characters? left out here …\]\n/.exec(text);
  if (!found) throw new Error('no mark');
  return {
    head: text.slice(0, found.index),
    tail: text.slice(found.index + found[0].length),
    missing: Number(found[1]),
  };
}

test('a text that fits comes back as it is, to the last character', () => {
  for (const text of ['', 'a', 'x'.repeat(mostText)]) {
    expect(boundedText(text)).toBe(text);
    expect(collected([text])).toBe(text);
  }
  const cut = boundedText('x'.repeat(mostText + 1));
  expect(cut.length).toBeGreaterThan(mostText - 16);
  expect(cut.length).toBeLessThanOrEqual(mostText);
});

test('a text that does not fit keeps its head and its tail, and counts what is missing', () => {
  const text = `${'a'.repeat(500)}${'b'.repeat(500)}`;
  const cut = boundedText(text, 200);
  expect(cut.length).toBeLessThanOrEqual(200);
  const { head, tail, missing } = parts(cut);
  expect(head).toMatch(/^a{60,}$/);
  expect(tail).toMatch(/^b{60,}$/);
  expect(head.length + tail.length + missing).toBe(1000);
  expect(cut).toContain(leftOutMark(missing));
});

test('whatever comes in whatever chunks: bounded, counted, no pair split, the same as at once', () => {
  const text = fc.array(fc.constantFrom('a', 'é', '🚀', '\n', '漢'), { maxLength: 600 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 128, max: 300 }),
      fc.array(fc.integer({ min: 1, max: 90 })),
      (whole, most, cuts) => {
        const chunks: string[] = [];
        const bytes: Uint8Array[] = [];
        const encoded = Buffer.from(whole);
        let at = 0;
        let byte = 0;
        for (const cut of [...cuts, whole.length + 1]) {
          chunks.push(whole.slice(at, at + cut));
          at += cut;
        }
        for (const cut of [...cuts, encoded.length + 1]) {
          bytes.push(encoded.subarray(byte, byte + cut));
          byte += cut;
        }
        const once = boundedText(whole, most);
        expect(collected(chunks, most)).toBe(once);
        expect(collected(bytes, most)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(most);
        expect(Buffer.from(once).toString()).toBe(once);
        if (whole.length <= most) return void expect(once).toBe(whole);
        const { head, tail, missing } = parts(once);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(head.length + tail.length + missing).toBe(whole.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('100 MB go through a collector without being held', () => {
  const chunk = Buffer.alloc(1024 * 1024, 'y');
  const bounded = createBounded();
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 100; i++) bounded.push(chunk);
  bounded.push('the end');
  expect(bounded.length).toBe(100 * 1024 * 1024 + 7);
  expect(bounded.cut).toBe(true);
  const text = bounded.text();
  expect(text.length).toBeLessThanOrEqual(mostText);
  expect(text.endsWith('the end')).toBe(true);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1024 * 1024);
});

test('a million chunks of one character take linear time', () => {
  const bounded = createBounded();
  for (let i = 0; i < 1_000_000; i++) bounded.push('z');
  expect(parts(bounded.text()).missing).toBeGreaterThan(1_000_000 - mostText);
  expect(bounded.length).toBe(1_000_000);
});

test('bytes that are no UTF-8, and a character that never ends, are shown as such', () => {
  expect(collected([Uint8Array.of(0x61, 0xff, 0x62)])).toBe('a\ufffdb');
  expect(collected([Uint8Array.of(0xf0, 0x9f, 0x9a)])).toBe('\ufffd');
  expect(collected([Uint8Array.of(0xf0, 0x9f), 'x'])).toBe('\ufffdx');
});

test('a bound that leaves no room for words is a mistake of the program', () => {
  expect(() => boundedText('x', 10)).toThrow(RangeError);
  expect(() => createBounded(Number.NaN)).toThrow(RangeError);
});
