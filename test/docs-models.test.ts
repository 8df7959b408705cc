/** The samples of `docs/models.md` are right, its commands print what it shows, and its tables are those of the code. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { ollamaAnswers } from '../src/model/choose/choose-kit.ts';
import { mostAnswerTokens, mostTokensOf, providers } from '../src/model/index.ts';
import { samplesOf } from './console-samples.ts';

const page = readFileSync(new URL('../docs/models.md', import.meta.url), 'utf8');

let s: Scratch;
beforeEach(() => {
  s = scratch();
  for (const { words, text } of readBlocks(page)) {
    const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
    if (name !== undefined) s.write(name, text);
  }
});
afterEach(() => s.remove());

/** Ollama with one model, and nothing else. */
const fetch: typeof globalThis.fetch = async (url, init) => {
  const { port, pathname } = new URL(String(url));
  if (port !== '11434') throw new TypeError('fetch failed');
  const answers = ollamaAnswers({ 'qwen3:8b': { tools: true, context: 40_960 } });
  return new Response(JSON.stringify(answers(pathname, String(init?.body ?? '')) ?? null));
};

const env = { OPENAI_API_KEY: 'sk-secret' };

/** The words of a line, without the quotes around them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

test('files are right as they are written', async () => {
  expect(await s.cli(['check', '.', '--no-code'])).toMatchObject({ code: 0 });
  expect(await s.cli(['fmt', '--check', '.'])).toMatchObject({ code: 0 });
  expect((await s.cli(['models', '--json'], { env })).code).toBe(0);
});

test('commands print what it shows', async () => {
  const samples = samplesOf(page);
  expect(samples.length).toBeGreaterThan(5);
  for (const [command, shown] of samples) {
    const [, ...argv] = wordsOf(command);
    const isBare = command.endsWith('--usable');
    if (isBare) s.write('.toolang/config.toml', '');
    const { out, err } = await s.cli(argv, isBare ? {} : { env, fetch });
    expect(`$ ${command}\n${out}${err}`).toBe(`$ ${command}\n${shown}`);
  }
});

test('the table of providers is that of the code', () => {
  const head = '| Provider | Key in | Other address in | Model where none is named |\n|---|---|---|---|\n';
  const from = page.indexOf(head);
  expect(from).toBeGreaterThan(0);
  const rows = page.slice(from + head.length).split('\n\n', 1)[0];
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ');
  const wanted = providers.map(
    ({ name, keyEnv, endpointEnv, model }) => `| \`${name}\` | ${list(keyEnv)} | ${list(endpointEnv)} | \`${model}\` |`,
  );
  expect(rows?.split('\n')).toEqual(wanted);
});

test('names of the table mean what it says', async () => {
  const head = '| Written | Means |\n|---|---|\n';
  const rows = page.slice(page.indexOf(head) + head.length).split('\n\n', 1)[0] ?? '';
  const names = rows.split('\n').map((row) => row.split('`')[1] ?? '');
  expect(names.length).toBe(6);
  const keys = { ...env, ANTHROPIC_API_KEY: 'k', OPENROUTER_API_KEY: 'k' };
  for (const name of names) {
    expect([name, (await s.cli(['models', '--usable', name], { env: keys, fetch })).code]).toEqual([name, 0]);
  }
});

test('selectors of the page are some', async () => {
  const found = [...page.matchAll(/`((?:\[[a-z]+:[a-z]+\])*[a-z0-9/-]*\*?)`/g)].flatMap(([, text = '']) =>
    /[*[]/.test(text) ? [text] : [],
  );
  expect(found.length).toBeGreaterThan(5);
  for (const selector of found) {
    const { err } = await s.cli(['models', selector], { env, fetch });
    expect([selector, err]).toEqual([selector, '']);
  }
});

test('numbers of the page are those of the code', () => {
  expect(page).toContain(`at ${mostAnswerTokens.toLocaleString('en-US')} tokens`);
  expect(mostTokensOf('abcde')).toBe(2);
  expect(mostTokensOf('é')).toBe(2);
  expect(page).toContain('at 2.5 characters a token (two tokens for each character');
});
