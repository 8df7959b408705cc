import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualClock, realClock } from '../../sys/index.ts';
import { grepTool } from './grep.ts';
import { type Bench, createBench } from './kit.ts';
import { noGuard } from './off-limits.ts';
import { scanText } from './scan-text.ts';
import { createScanner } from './scanner.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench([grepTool(noGuard, { regexpMs: 200 })]);
});
afterEach(() => bench.remove());

const endless = { pattern: '^(a+)+$' };
const line = `${'a'.repeat(60)}!\n`;

test('a regular expression that would take for ever is ended, and the process goes on meanwhile', async () => {
  bench.file('a.txt', line);
  let turns = 0;
  const turning = setInterval(() => turns++, 5);
  const error = await bench.error('grep', endless);
  clearInterval(turning);
  expect(error.code).toBe('timeout');
  expect(error.message).toContain('took more than 0.2 s for one file');
  expect(turns).toBeGreaterThan(0);
});

test('an abort ends it at once, with its reason', async () => {
  bench.file('a.txt', line);
  const stop = new AbortController();
  const call = bench.call('grep', endless, { signal: stop.signal, clock: manualClock() });
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(call).rejects.toThrow('enough');
});

test('the thread sees no environment and finds what the same function finds here', async () => {
  const limits = { most: 10, context: 1, width: 50 };
  const text = 'one\ntwo\r\nthree\n\nfour two';
  const options = {
    literal: false,
    ignoreCase: false,
    mostMs: 5000,
    clock: realClock,
    signal: new AbortController().signal,
  };
  const scanner = createScanner({ ...options, pattern: 't[wh]' });
  expect(await scanner.scan(Buffer.from(text), limits)).toEqual(scanText(text, (each) => each.search(/t[wh]/), limits));
  await scanner.close();
  const plain = createScanner({ ...options, pattern: 'TWO', ignoreCase: true });
  expect((await plain.scan(Buffer.from(text), limits)).hits).toBe(2);
  const letters = createScanner({ ...options, pattern: '^\\p{Lu}' });
  expect((await letters.scan(Buffer.from('é\nÉ\n'), limits)).rows.map((row) => row.text)).toEqual(['é', 'É']);
  await letters.close();
});

test('only so many are found, and lines around several are given once', () => {
  const text = Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? `hit ${i}` : `${i}`)).join('\n');
  const found = scanText(text, (each) => each.indexOf('hit'), { most: 3, context: 2, width: 100 });
  expect(found.hits).toBe(4);
  expect(found.rows.map((row) => row.line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});
