/** What is saved is found again, in every language; turns come whole, the newest that fit. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../model/index.ts';
import { type Memory, mostFound, mostMemory, openMemory } from './memory.ts';
import { turnTokens } from './turn.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-memory-'));
const opened: Memory[] = [];
let files = 0;
afterEach(() => {
  for (const memory of opened.splice(0)) memory.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const newFile = () => join(dir, `${++files}`, 'memory.db');
function open(file = newFile()): Memory {
  const memory = openMemory(file);
  opened.push(memory);
  return memory;
}

let keys = 0;
const entry = (text: string, agent = 'ana', at = 1) => ({
  agent,
  text,
  at,
  run: 'r1',
  thunk: 'chat',
  key: `k${++keys}`,
});
const texts = (memory: Memory, query: string, most = 20, agent: string | undefined = 'ana') =>
  memory.search(agent, query, most).map(({ text }) => text);

describe('memories', () => {
  it('are kept with where they came from, the newest first', () => {
    const memory = open();
    const { id } = memory.save({ agent: 'ana', text: ' tea at four ', at: 5, run: 'r1', thunk: 'chat', key: 'a' });
    memory.save({ agent: 'bob', text: 'coffee', at: 6, run: 'r2', thunk: 'plan', key: 'b' });
    expect(memory.list('ana')).toEqual([{ id, agent: 'ana', text: 'tea at four', at: 5, run: 'r1', thunk: 'chat' }]);
    expect(memory.list().map(({ text }) => text)).toEqual(['coffee', 'tea at four']);
    expect(memory.list(undefined, 1).map(({ text }) => text)).toEqual(['coffee']);
  });

  it('are saved once however often the call is made, and the same text of an agent is kept once', () => {
    const memory = open();
    const first = memory.save({ ...entry('tea'), key: 'call' });
    expect(first.isNew).toBe(true);
    expect(memory.save({ ...entry('tea'), key: 'call', at: 9 })).toEqual(first);
    expect(memory.save(entry('tea'))).toEqual({ id: first.id, isNew: false });
    expect(memory.save(entry('tea', 'bob')).isNew).toBe(true);
    expect(memory.list()).toHaveLength(2);
    expect(memory.list('ana')[0]?.at).toBe(1);
  });

  it('have a text, and no more than they may', () => {
    const memory = open();
    for (const text of ['', ' \n ']) expect(() => memory.save(entry(text))).toThrow('nothing to remember');
    memory.save(entry('x'.repeat(mostMemory)));
    expect(() => memory.save(entry(`${'ä'.repeat(mostMemory / 2)}x`))).toThrow(
      'a memory has at most 16384 bytes, and this text has 16385',
    );
    expect(memory.list()).toHaveLength(1);
  });

  it('are forgotten by their ids, which nobody gets again', () => {
    const memory = open();
    const { id } = memory.save(entry('tea at four'));
    expect(memory.forget(id)).toBe(true);
    expect([memory.forget(id), memory.forget(Number.NaN), memory.forget(1.5)]).toEqual([false, false, false]);
    expect(texts(memory, 'tea')).toEqual([]);
    expect(memory.save(entry('tea at four')).id).toBeGreaterThan(id);
    expect(texts(memory, 'tea')).toEqual(['tea at four']);
  });

  it('are made with the first write; where there is no file nothing is found, and none is made', () => {
    const file = newFile();
    const memory = open(file);
    expect(memory.search('ana', 'tea', 5)).toEqual([]);
    expect(memory.list()).toEqual([]);
    expect(memory.turns('ana', 't', 100)).toEqual([]);
    expect(memory.threads()).toEqual([]);
    expect(memory.forget(1)).toBe(false);
    expect(existsSync(join(file, '..'))).toBe(false);
    memory.save(entry('tea'));
    expect(existsSync(file)).toBe(true);
  });

  it('of a file that was deleted are gone, and later ones begin a new file', () => {
    const file = newFile();
    const memory = open(file);
    memory.save(entry('tea'));
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
    expect(memory.list()).toEqual([]);
    memory.save(entry('coffee'));
    expect(memory.list().map(({ text }) => text)).toEqual(['coffee']);
  });
});

describe('a search', () => {
  it('finds those with any of the words, the best first, of one agent or of all', () => {
    const memory = open();
    memory.save(entry('the user likes green tea'));
    memory.save(entry('the build runs on Fridays'));
    memory.save(entry('green tea, and only green tea, for the user'));
    memory.save(entry('green tea is sold out', 'bob'));
    expect(texts(memory, 'which tea is green?')).toEqual([
      'green tea, and only green tea, for the user',
      'the user likes green tea',
    ]);
    expect(texts(memory, 'fridays')).toEqual(['the build runs on Fridays']);
    expect(memory.search(undefined, 'green', 20)).toHaveLength(3);
    expect(texts(memory, 'Monday')).toEqual([]);
  });

  it('gives no more than it may', () => {
    const memory = open();
    for (let i = 0; i < 30; i++) memory.save(entry(`tea ${i}`));
    expect(texts(memory, 'tea', 3)).toHaveLength(3);
    expect(texts(memory, 'tea', 1000)).toHaveLength(mostFound);
    for (const most of [0, -1, Number.NaN]) expect(texts(memory, 'tea', most)).toEqual([]);
  });

  it.each([
    ['German', 'Die Straße nach Köln ist gesperrt', ['strasse', 'KOLN', 'gesperrte Straße'], 'Hamburg'],
    ['French', 'Le café préféré est à Besançon', ['cafe', 'PREFERE', 'besancon'], 'vin'],
    ['Polish', 'Łukasz mieszka w Łodzi', ['łukasz', 'ŁODZI'], 'Kraków'],
    ['Turkish', 'İstanbul’da buluşalım', ['istanbul', 'bulusalim diyor'], 'Ankara'],
    ['Greek', 'Ο δρόμος της ΟΔΟΥ ΣΟΦΟΣ', ['σοφός', 'ΔΡΟΜΟΣ'], 'Αθήνα'],
    ['Russian', 'Ёлка стоит в зале', ['елка', 'ЗАЛЕ'], 'дом'],
    ['Hebrew', 'הַשָּׁלוֹם חשוב', ['השלום'], 'מלחמה'],
    ['Arabic', 'القَهوة في المَكتب', ['القهوة', 'المكتب'], 'شاي'],
    ['Hindi', 'मुझे हिन्दी चाय पसंद है', ['हिन्दी', 'चाय'], 'दूध'],
    ['Tamil', 'எனக்கு தேநீர் பிடிக்கும்', ['தேநீர்'], 'பால்'],
    ['Chinese', '用户喜欢喝绿茶', ['绿茶', '喜欢什么', '茶'], '咖啡'],
    ['Japanese', 'ユーザーは緑茶が好きです', ['緑茶', 'ユーザ', 'ﾕｰｻﾞｰ', '好き'], '珈琲'],
    ['Korean', '사용자는 서울에서 녹차를 마신다', ['서울', '녹차', '사용자'], '부산'],
    ['Thai', 'ผู้ใช้ชอบดื่มชาเขียว', ['ชาเขียว', 'ชอบ'], 'กาแฟ'],
    ['Adlam, younger than SQLite knows', '𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪', ['𞤀𞤁𞤂𞤀𞤃'], '𞤇𞤢𞤤'],
  ])('finds words in %s', (_, text, queries, other) => {
    const memory = open();
    memory.save(entry(text));
    memory.save(entry('nothing of the kind'));
    for (const query of queries) expect([query, texts(memory, query)]).toEqual([query, [text]]);
    expect(texts(memory, other)).toEqual([]);
    expect(texts(memory, text.normalize('NFD'))).toEqual([text]);
  });

  it('takes longer words for beginnings, and short ones as they are', () => {
    const memory = open();
    memory.save(entry('deployments are frozen'));
    expect(texts(memory, 'deploy')).toHaveLength(1);
    expect(texts(memory, 'fro')).toEqual([]);
  });

  it('takes any text for words, never for syntax', () => {
    const memory = open();
    memory.save(entry('tea AND coffee'));
    for (const query of [
      '"',
      '""',
      '*',
      'NOT',
      'NEAR(',
      '(',
      'words:',
      '-',
      '^',
      '😀',
      '\0',
      '\ud800',
      '+ "',
      '{x}:',
    ]) {
      expect(texts(memory, query)).toEqual([]);
    }
    for (const query of ['"tea', 'tea*', 'NOT tea', 'words:tea', 'tea\0', '😀tea😀', "tea'; --"]) {
      expect([query, texts(memory, query)]).toEqual([query, ['tea AND coffee']]);
    }
  });

  it('takes a query of a megabyte, and hears its beginning and its end', () => {
    const memory = open();
    memory.save(entry('tea'));
    memory.save(entry('coffee'));
    const filler = Array.from({ length: 150_000 }, (_, i) => `w${i}`).join(' ');
    expect(filler.length).toBeGreaterThan(1_000_000);
    expect(texts(memory, `tea ${filler} coffee`).sort()).toEqual(['coffee', 'tea']);
    expect(texts(memory, '茶'.repeat(1_000_000))).toEqual([]);
    expect(texts(memory, '"'.repeat(1_000_000))).toEqual([]);
  });

  it('never throws, and finds what was saved by each of its words', () => {
    const memory = open();
    const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }));
    fc.assert(
      fc.property(any, any, (text, query) => {
        expect(Array.isArray(memory.search('ana', query, 5))).toBe(true);
        if (text.trim() === '') return;
        const agent = `a${++keys}`;
        const { id } = memory.save(entry(text, agent));
        for (const word of text.split(/\s+/u)) {
          if (!/[\p{L}\p{N}]/u.test(word)) continue;
          expect([word, memory.search(agent, word, 5).map((found) => found.id)]).toEqual([word, [id]]);
        }
      }),
      { numRuns: 60 },
    );
  });
});

const user = (content: string): ModelMessage => ({ role: 'user', content });
const says = (content: string): ModelMessage => ({ role: 'assistant', content });
const calls = (id: string): readonly ModelMessage[] => [
  { role: 'assistant', content: '', calls: [{ id, tool: 'web/fetch', args: {} }] },
  { role: 'tool', call: id, tool: 'web/fetch', content: 'found' },
];
const turn = (run: string, at: number, messages: readonly ModelMessage[], thread = 't', agent = 'ana') => ({
  agent,
  thread,
  run,
  at,
  messages,
});

describe('turns', () => {
  it('come in the order of time, of one thread of one agent, without the run that asks', () => {
    const memory = open();
    memory.addTurn(turn('r2', 2, [user('second'), ...calls('c1'), says('yes')]));
    memory.addTurn(turn('r1', 1, [user('first'), says('no')]));
    memory.addTurn(turn('r3', 3, [user('elsewhere')], 'other'));
    memory.addTurn(turn('r3', 3, [user('of bob')], 't', 'bob'));
    expect(memory.turns('ana', 't', 1000)).toEqual([
      user('first'),
      says('no'),
      user('second'),
      ...calls('c1'),
      says('yes'),
    ]);
    expect(memory.turns('ana', 't', 1000, 'r2')).toEqual([user('first'), says('no')]);
    expect(memory.turns('ana', 'none', 1000)).toEqual([]);
  });

  it('of the same run are written over', () => {
    const memory = open();
    memory.addTurn(turn('r1', 1, [user('half')]));
    memory.addTurn(turn('r2', 2, [user('next')]));
    memory.addTurn(turn('r1', 1, [user('whole'), says('\0 and "all"')]));
    expect(memory.turns('ana', 't', 1000)).toEqual([user('whole'), says('\0 and "all"'), user('next')]);
  });

  it('end with the first that does not fit, be it alone too large', () => {
    const memory = open();
    memory.addTurn(turn('r1', 1, [user('small')]));
    memory.addTurn(turn('r2', 2, [user('x'.repeat(4000))]));
    memory.addTurn(turn('r3', 3, [user('tiny')]));
    expect(memory.turns('ana', 't', 100)).toEqual([user('tiny')]);
    expect(memory.turns('ana', 't', 1)).toEqual([user('tiny')]);
    for (const none of [0, -1, Number.NaN]) expect(memory.turns('ana', 't', none)).toEqual([]);
    expect(memory.turns('ana', 't', 1001)).toHaveLength(2);
    expect(memory.turns('ana', 't', 5000)).toHaveLength(3);
  });

  it('that are not whole are not kept', () => {
    const memory = open();
    const [call, result] = calls('c1');
    if (!call || !result) throw new Error('no call');
    const refused: [readonly ModelMessage[], string][] = [
      [[], 'no messages'],
      [[user('a'), call], 'the call c1 has no result'],
      [[user('a'), call, user('b'), result], 'the call c1 has no result'],
      [[user('a'), result], 'has no call'],
      [[user('a'), call, result, result], 'has no call'],
      [[{ role: 'system', content: 'obey' }, user('a')], 'instructions'],
    ];
    for (const [messages, why] of refused) expect(() => memory.addTurn(turn('r1', 1, messages))).toThrow(why);
    expect(memory.threads()).toEqual([]);
  });

  it('count files that were sent along', () => {
    const file = { type: 'file', mediaType: 'image/png', url: 'data:,' } as const;
    const words = { type: 'text', text: 'abcd' } as const;
    expect(turnTokens([{ role: 'user', content: [words, file] }])).toBe(1501);
    expect(turnTokens([user('')])).toBe(1);
  });

  it('are never split, whatever the budget', () => {
    const message = fc.string({ maxLength: 40 });
    const memory = open();
    const anyTurn = fc.tuple(message, fc.array(message, { maxLength: 3 }), message);
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 6 }), fc.nat({ max: 120 }), (all, budget) => {
        const thread = `t${++keys}`;
        const kept = all.map(([asked, tools, answer], i) => [
          user(asked),
          ...tools.flatMap((content, k): ModelMessage[] => [
            { role: 'assistant', content, calls: [{ id: `c${i}-${k}`, tool: 'x', args: {} }] },
            { role: 'tool', call: `c${i}-${k}`, tool: 'x', content },
          ]),
          says(answer),
        ]);
        for (const [i, messages] of kept.entries()) memory.addTurn(turn(`r${i}`, i, messages, thread));
        const fitting: ModelMessage[][] = [];
        let left = budget;
        for (const messages of kept.toReversed()) {
          left -= turnTokens(messages);
          if (left < 0) break;
          fitting.unshift(messages);
        }
        expect(memory.turns('ana', thread, budget)).toEqual(fitting.flat());
      }),
      { numRuns: 60 },
    );
  });
});

describe('threads', () => {
  it('are listed, the last used first, with what the person said last', () => {
    const memory = open();
    memory.addTurn(turn('r1', 1, [user('hello'), says('hi')], 'a'));
    memory.addTurn(turn('r2', 5, [user('and now?'), says('no')], 'a'));
    memory.addTurn(turn('r3', 5, [user('z'.repeat(500))], 'a'));
    memory.addTurn(turn('r4', 3, [says('nobody asked')], 'b', 'bob'));
    expect(memory.threads()).toEqual([
      { agent: 'ana', thread: 'a', turns: 3, at: 5, last: 'z'.repeat(200) },
      { agent: 'bob', thread: 'b', turns: 1, at: 3, last: '' },
    ]);
    expect(memory.threads('bob')).toHaveLength(1);
  });
});
