/** What agents remember, on the command line: listed, found, forgotten. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { openMemory } from '../../run/index.ts';
import { painter } from '../../text/index.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';
import { memoryListText } from './print.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const go = (...argv: string[]): Promise<Ran> => s.cli(['memory', ...argv]);

function remember(...texts: readonly [agent: string, text: string][]): void {
  s.write('.toolang/config.toml', '');
  const memory = openMemory(s.at('.toolang/memory.db'));
  for (const [i, [agent, text]] of texts.entries()) {
    memory.save({ agent, text, at: i, run: `run${i}`, thunk: 'chat', key: `k${i}` });
  }
  memory.close();
}

async function json(...argv: string[]): Promise<{ file?: string; memories: { id: number; text: string }[] }> {
  const { out, code } = await go(...argv, '--json');
  expect(code).toBe(0);
  expect(violations(JSON.parse(out), 'memory.schema.json')).toEqual([]);
  return JSON.parse(out);
}

describe('toolang memory list', () => {
  it('shows what is remembered, the newest first, of all agents or of one', async () => {
    remember(['ana', 'tea at four'], ['bob', 'coffee\nat five'], ['ana', 'no \u001b[2Jsugar']);
    const { out, code } = await go('list');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/ {2}\d+d ago {2}/, '  AGO  '))).toEqual([
      '3  ana  AGO  no ␛[2Jsugar',
      '2  bob  AGO  coffee at five',
      '1  ana  AGO  tea at four',
    ]);
    expect((await go('list', 'bob')).out).toMatch(/^2 {2}bob/);
    expect((await json('list', 'ana')).memories.map(({ id }) => id)).toEqual([3, 1]);
    expect((await json('list')).file).toBe(s.at('.toolang/memory.db'));
  });

  it('says where there is none, and makes nothing', async () => {
    for (const prepare of [() => undefined, () => s.write('.toolang/config.toml', '')]) {
      prepare();
      expect(await go('list')).toMatchObject({
        code: 0,
        out: '',
        err: 'nothing is remembered here: thunks with "recall += memory" save what matters again\n',
      });
      expect(await json('list')).toEqual({ version: 1, memories: [] });
    }
    expect(existsSync(s.at('.toolang/memory.db'))).toBe(false);
  });

  it('knows the agents that remember something', async () => {
    remember(['reviewer', 'tea']);
    const { code, err } = await go('list', 'reviewr');
    expect(code).toBe(2);
    expect(err).toContain('nothing is remembered of an agent "reviewr". Did you mean "reviewer"?');
  });

  it('says what to do with a file that is no memory', async () => {
    s.write('.toolang/memory.db', 'Dear diary. '.repeat(500));
    for (const argv of [['list'], ['search', 'tea'], ['forget', '1']]) {
      const { code, err } = await go(...argv);
      expect(code).toBe(1);
      expect(err).toMatch(/the memory .* is no database of memories, or is damaged .* --home/);
    }
  });

  it('takes another home', async () => {
    remember(['ana', 'tea']);
    const elsewhere = await s.cli(['memory', 'list', '--home', s.home]);
    expect(elsewhere.out).toBe('');
  });
});

describe('toolang memory search', () => {
  it('finds memories by any of the words, of all agents or of one', async () => {
    remember(['ana', 'green tea'], ['bob', 'black tea'], ['ana', 'coffee']);
    expect((await json('search', 'which', 'tea?')).memories.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect((await json('search', 'tea', '--agent', 'bob')).memories.map(({ id }) => id)).toEqual([2]);
    expect((await json('search', 'tea', '--limit', '1')).memories).toHaveLength(1);
    expect((await go('search', '"tea" OR (')).out).toContain('green tea');
    expect(await go('search', 'milk')).toMatchObject({ code: 0, out: '', err: 'no memory has any of these words\n' });
    expect((await go('search', 'tea', '--agent', 'bobb')).code).toBe(2);
    expect((await go('search')).code).toBe(2);
  });
});

describe('toolang memory forget', () => {
  it('forgets one, and says which', async () => {
    remember(['ana', 'tea'], ['ana', 'coffee']);
    expect(await go('forget', '1')).toMatchObject({ code: 0, out: '', err: 'forgot 1: tea\n' });
    expect((await json('list')).memories.map(({ text }) => text)).toEqual(['coffee']);
    expect((await json('search', 'tea')).memories).toEqual([]);
  });

  it('refuses what is no number, and a number that no memory has', async () => {
    remember(['ana', 'tea']);
    for (const [word, why] of [
      ['7', 'there is no memory 7 here.'],
      ['tea', '"tea" is no number of a memory.'],
      ['1.5', '"1.5" is no number'],
      ['9'.repeat(30), 'is no number'],
    ] as const) {
      const { code, err } = await go('forget', word);
      expect([word, code]).toEqual([word, 2]);
      expect(err).toContain(why);
      expect(err).toContain('toolang memory list');
    }
    expect((await json('list')).memories).toHaveLength(1);
  });
});

describe('a list', () => {
  const one = { id: 1, agent: 'a'.repeat(40), text: 'word '.repeat(100), at: 0, run: 'r', thunk: 'chat' };
  const options = { paint: painter(false), now: 5000 };

  it('fits a terminal, and is whole elsewhere', () => {
    for (const columns of [60, 80, 120]) {
      const text = memoryListText([one], { ...options, columns });
      expect(text.trimEnd().length).toBeLessThanOrEqual(columns);
      expect(text).toContain('…');
    }
    const whole = memoryListText([one], { ...options, columns: undefined });
    expect(whole).toBe(`1  ${one.agent}  5s ago  ${one.text.trim()}\n`);
  });
});
