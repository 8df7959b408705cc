/** What `--input` says: every form, and every mistake at once. */
import { describe, expect, it } from 'vitest';
import { arrayOf, booleanType, field, literalOf, numberType, structOf, textType } from '../../type/index.ts';
import { readRunInput, type TextSource } from './run-input.ts';

const plan = {
  types: {},
  input: structOf([
    field('topic', textType),
    field('words', numberType, { optional: true }),
    field('draft', booleanType, { optional: true }),
    field('tags', arrayOf(textType), { optional: true }),
    field('tone', literalOf('dry', 'warm'), { optional: true }),
  ]),
};

const files: Readonly<Record<string, string>> = {
  'in.json': '{"topic": "from a file", "words": 5}',
  'list.json': '[1]',
  '-': '{"topic": "piped"}',
};
const read: TextSource = async (name) => {
  const text = files[name];
  return text === undefined ? { ok: false, message: `"${name}" is not there` } : { ok: true, text };
};

async function good(...words: string[]): Promise<unknown> {
  const given = await readRunInput(words, plan, read);
  if (!given.ok) throw new Error(given.problems.join('\n'));
  return given.value;
}

async function wrong(...words: string[]): Promise<readonly string[]> {
  const given = await readRunInput(words, plan, read);
  return given.ok ? [] : given.problems;
}

describe('--input', () => {
  it('reads name=value by the declared type', async () => {
    expect(await good('topic=42', 'words=42', 'draft=true', 'tags=["a","b"]', 'tone=dry')).toEqual({
      topic: '42',
      words: 42,
      draft: true,
      tags: ['a', 'b'],
      tone: 'dry',
    });
    expect(await good('topic=a=b {c}')).toEqual({ topic: 'a=b {c}' });
    expect(await good('topic=')).toEqual({ topic: '' });
  });

  it('reads an object, a file, and standard input', async () => {
    expect(await good('{"topic": "x", "words": null}')).toEqual({ topic: 'x' });
    expect(await good('@in.json')).toEqual({ topic: 'from a file', words: 5 });
    expect(await good('-')).toEqual({ topic: 'piped' });
  });

  it('puts several together: what comes later wins over an object', async () => {
    expect(await good('@in.json', 'topic=mine')).toEqual({ topic: 'mine', words: 5 });
  });

  it('tells all that is wrong at once', async () => {
    expect(await wrong('topik=x', 'words=many', 'draft=yes', 'tone=dri', 'color=red')).toEqual([
      '"topik" is not a field of the input. Did you mean "topic"?',
      '"words" must be number, but it is the text "many": write a number such as 42 or -0.5',
      '"draft" must be boolean, but it is the text "yes": write true or false',
      '"tone" must be "dry" | "warm", but it is the text "dri": write one of them. Did you mean "dry"?',
      '"color" is not a field of the input; its fields are topic, words, draft, tags, tone',
    ]);
  });

  it('tells what is wrong in an object', async () => {
    expect(await wrong('{"topic": 1, "wordz": 2, "tags": ["a", 2]}')).toEqual([
      '"wordz" is not a field of the input. Did you mean "words"?',
      '"topic" must be string, but it is the number 1',
      '"tags[1]" must be string, but it is the number 2',
    ]);
  });

  it('tells what is no input at all', async () => {
    expect(await wrong()).toEqual(['"topic" is missing; it must be string']);
    expect(await wrong('topic=a', 'topic=b')).toEqual(['"topic" is given twice']);
    expect(await wrong('topic=a', 'hello')).toEqual([
      '"hello" is no input: write name=value, a JSON object, @FILE or -',
    ]);
    expect(await wrong('topic=a', '@list.json')).toEqual(['"list.json" is not a JSON object']);
    expect(await wrong('topic=a', '@gone.json')).toEqual(['"gone.json" is not there']);
    expect(await wrong('topic=a', '{"words": }')).toEqual([
      'the JSON of --input is broken at line 1, column 11: a value is missing here',
    ]);
  });

  const nested = {
    types: { Point: structOf([field('x', numberType)], { name: 'Point' }) },
    input: structOf([
      field('s', textType),
      field('ns', arrayOf(numberType), { optional: true }),
      field('nest', structOf([field('a', textType), field('c', numberType, { optional: true })])),
      field('points', arrayOf({ kind: 'ref', name: 'Point' } as const), { optional: true }),
    ]),
  };
  const tried = (...words: string[]) => readRunInput(words, nested, read);
  const problemsOf = async (...words: string[]) => {
    const given = await tried(...words);
    return given.ok ? [] : given.problems;
  };

  it('does not call missing what may stand in what could not be read', async () => {
    for (const word of ['@gone.json', '{"s": "x",, }', '[1]', '@', 'hello']) {
      const given = await tried(word);
      expect(given).toMatchObject({ ok: false, isUnread: true });
      expect(given.ok ? [] : given.problems).toHaveLength(1);
    }
    expect(await problemsOf('@')).toEqual(['"@" names no file: write @FILE']);
    expect(await tried('s=x')).toMatchObject({
      isUnread: false,
      problems: [expect.stringContaining('"nest" is missing')],
    });
  });

  it('takes a value by its name as strictly as in an object', async () => {
    const base = ['s=x', 'nest={"a":"q"}'];
    const inObject = (more: string) => `{"s":"x","nest":{"a":"q"},${more}}`;
    for (const [pair, inside] of [
      ['ns=["1"]', '"ns":["1"]'],
      ['points=[{"x":"5"}]', '"points":[{"x":"5"}]'],
      ['points=[{"y":5}]', '"points":[{"y":5}]'],
    ] as const) {
      const told = await problemsOf(...base, pair);
      expect(told).not.toEqual([]);
      expect(await problemsOf(inObject(inside))).toEqual(told);
    }
    expect(await problemsOf('s=x', 'nest={"a":"q","c":"5"}')).toEqual([
      '"nest.c" must be number, but it is the text "5"',
    ]);
    expect(await tried(...base, 'ns=null')).toEqual({ ok: true, value: { s: 'x', nest: { a: 'q' } } });
    expect(await tried('s=null', 'nest={"a":"q"}')).toMatchObject({ value: { s: 'null' } });
  });

  it('tells of a key that is given twice, wherever it stands', async () => {
    expect(await problemsOf('{"s":"x","s":"y","nest":{"a":"q"}}')).toEqual([
      '"s" is given twice in the JSON of --input',
    ]);
    expect(await problemsOf('s=x', 'nest={"a":"q","a":"r"}')).toEqual(['"a" is given twice in the JSON of "nest"']);
  });

  it('says what to write, and where it is wrong, in the words of workflow files', async () => {
    expect(await problemsOf('s=x', 'nest=q', 'ns=1,2')).toEqual([
      '"ns" must be number[], but it is the text "1,2": write a JSON list such as [1, 2]',
      '"nest" must be { a: string, c: number? }, but it is the text "q": write a JSON object',
    ]);
    expect(await problemsOf('s=x', 'nest={"b":1}', 'points=[{"x":true}]', 'ns=[1')).toEqual([
      expect.stringMatching(/^the JSON of "ns" is broken at line 1, column 3: /),
      '"nest.b" is not a field of "nest"; its fields are a, c',
      '"nest.a" is missing; it must be string',
      '"points[0].x" must be number, but it is the boolean true',
    ]);
  });

  it('takes one value where the input is no object', async () => {
    const whole = { types: {}, input: numberType };
    expect(await readRunInput(['5'], whole, read)).toMatchObject({ ok: true, value: 5 });
    expect(await readRunInput([], whole, read)).toMatchObject({ ok: false });
    expect(await readRunInput(['x'], whole, read)).toMatchObject({
      ok: false,
      problems: ['the input must be number, but it is the text "x": write a number such as 42 or -0.5'],
    });
    const list = { types: {}, input: arrayOf(numberType) };
    expect(await readRunInput(['[1, 2]'], list, read)).toMatchObject({ ok: true, value: [1, 2] });
    expect(await readRunInput(['["1"]'], list, read)).toMatchObject({
      problems: ['"[0]" must be number, but it is the text "1"'],
    });
  });
});
