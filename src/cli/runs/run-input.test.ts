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
      '"/tags/1" must be Text, but it is the number 2',
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
    expect(await wrong('topic=a', '{"words": }')).toEqual([expect.stringContaining('the JSON of --input: ')]);
  });

  it('takes one value where the input is no object', async () => {
    const whole = { types: {}, input: numberType };
    expect(await readRunInput(['5'], whole, read)).toMatchObject({ ok: true, value: 5 });
    expect(await readRunInput([], whole, read)).toMatchObject({ ok: false });
    expect(await readRunInput(['x'], whole, read)).toMatchObject({ ok: false });
  });
});
