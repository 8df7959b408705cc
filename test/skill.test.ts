/** Every sample of SKILL.md is what it says: right, wrong with that code, and run with what it prints. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { commandWords, samplesOf } from './console-samples.ts';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('SKILL.md', root), 'utf8');
const blocks = readBlocks(page).map(({ words, text }) => ({
  language: words[0] ?? '',
  text,
  file: words.find((word) => word.startsWith('file='))?.slice('file='.length),
  wrong: words[1] === 'wrong' ? words[2] : undefined,
  isRight: words[1] === 'right',
}));

let s: Scratch;
beforeAll(() => {
  s = scratch();
  for (const { file, text } of blocks) if (file !== undefined) s.write(file, text);
});
afterAll(() => s.remove());

it('is a skill as agents read them: a name, a description that says when, and a body that fits into a context', () => {
  const [, name, description] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(page) ?? [];
  expect(name).toMatch(/^[a-z][a-z0-9-]{0,63}$/);
  expect(description).toContain('Use this skill whenever');
  expect(description?.length).toBeLessThanOrEqual(1024);
  expect(page.split('\n').length).toBeLessThanOrEqual(500);
});

it('comes with the package, and names pages that do too', () => {
  const { files } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  expect(files).toEqual(expect.arrayContaining(['SKILL.md', 'docs']));
  for (const [, name = ''] of page.slice(page.indexOf('More is in')).matchAll(/`([a-z-]+(?:\.md|\/))`/g)) {
    if (name !== 'docs/')
      expect([name, existsSync(fileURLToPath(new URL(`docs/${name}`, root)))]).toEqual([name, true]);
  }
});

describe('files', () => {
  const files = blocks.flatMap(({ file }) => (file === undefined ? [] : [file]));

  it('are right, and in the usual layout', async () => {
    expect(await s.cli(['check', '.'])).toEqual({ code: 0, out: '', err: `no problems in ${files.length} files\n` });
    expect((await s.cli(['fmt', '--check', '.'])).code).toBe(0);
  });

  it('the cases pass', async () => {
    const ran = await s.cli(['test'], { env: { PATH: process.env.PATH } });
    expect({ code: ran.code, out: ran.out }).toMatchObject({ code: 0 });
  });

  it('run, and give what is shown', async () => {
    let id = '';
    for (const [command, shown] of samplesOf(page)) {
      const [, ...argv] = commandWords(command.replaceAll('7f3a', id));
      const ran = await s.cli(argv, { env: { USER: 'ana', PATH: process.env.PATH } });
      id = / · run (\w+)/.exec(ran.err)?.[1] ?? id;
      expect({ command, out: ran.out, code: ran.code }).toEqual({ command, out: shown, code: shown === '' ? 3 : 0 });
    }
  });
});

describe('mistakes', () => {
  const wrong = blocks.filter((block) => block.wrong !== undefined);
  const right = blocks.filter(({ isRight }) => isRight);

  it('are ten, each with what to write instead', () => {
    expect([wrong.length, right.length]).toEqual([10, 10]);
    expect([...page.matchAll(/^\*\*(\d+)\. /gm)].map(([, n]) => Number(n))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each(wrong)('$wrong', async ({ language, text, wrong: code }) => {
    const { out } = await s.cli(['check', '-', '--stdin-name', `x.${language}`, '--json'], { stdin: text });
    expect(JSON.parse(out).files[0].diagnostics.map((each: { code: string }) => each.code)).toEqual([code]);
  });

  it.each(right)('$language: $text', async ({ language, text }) => {
    const { out } = await s.cli(['check', '-', '--stdin-name', `x.${language}`, '--json'], { stdin: text });
    expect(JSON.parse(out)).toMatchObject({ errors: 0, warnings: 0 });
  });
});

it('names commands that there are', async () => {
  for (const [, name = ''] of page.matchAll(/`toolang ([a-z]+)/g)) expect((await s.cli([name, '--help'])).code).toBe(0);
});
