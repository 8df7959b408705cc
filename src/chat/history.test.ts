/** What was typed before. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHistory, mostKept, mostText } from './history.ts';
import { openHistory, readEntries } from './history-file.ts';

describe('history', () => {
  it('goes back and forth, and what is being written waits at the end', () => {
    const history = createHistory(['one', 'two']);
    expect(history.before('draft')).toBe('two');
    expect(history.before('two, changed')).toBe('one');
    expect(history.before('one')).toBeUndefined();
    expect(history.after('one')).toBe('two, changed');
    expect(history.after('two, changed')).toBe('draft');
    expect(history.after('draft')).toBeUndefined();
  });

  it('begins at its end again with what was sent off, which is there once', () => {
    const history = createHistory(['one']);
    history.before('');
    history.add('two');
    history.add('two');
    history.add('  ');
    expect(history.before('')).toBe('two');
    expect(history.before('two')).toBe('one');
  });

  it('is bounded', () => {
    const history = createHistory(['a', 'b'], 2);
    history.add('c');
    expect([history.before(''), history.before('c'), history.before('b')]).toEqual(['c', 'b', undefined]);
  });
});

describe('its file', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'toolang-history-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const same = (text: string) => text;

  it('keeps what was typed, for its owner alone, without what is secret', async () => {
    const file = join(dir, 'state/chat-history');
    const history = await openHistory(file, (text) => text.replace('s3cret', '…'));
    expect(history.entries).toEqual([]);
    expect(await history.add('hello\n"you"')).toBeUndefined();
    await history.add('my key is s3cret');
    await history.add('x'.repeat(mostText + 1));
    expect((await openHistory(file, same)).entries).toEqual(['hello\n"you"', 'my key is …']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('is made shorter when it has grown, and bad lines are no entries', async () => {
    const file = join(dir, 'history');
    const lines = Array.from({ length: 2 * mostKept + 2 }, (_, i) => `${JSON.stringify(`line ${i}`)}\n`);
    writeFileSync(file, `${lines.join('')}{"a": 1}\n"half`);
    const { entries } = await openHistory(file, same);
    expect(entries.length).toBe(mostKept);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBe(mostKept);
    expect(readEntries('"a"\nnull\n"b\n\n"c"')).toEqual(['a', 'c']);
  });

  it('that cannot be used is told of, and ends nothing', async () => {
    const history = await openHistory(dir, same);
    expect(history.problem).toContain('what is typed is not kept');
    expect(await history.add('x')).toBeUndefined();
    writeFileSync(join(dir, 'file'), '');
    const other = await openHistory(join(dir, 'file/history'), same);
    expect(other.problem ?? (await other.add('x'))).toContain('is not kept');
  });
});
