/** What `docs/testing.md` says is so: its cases run, its recording is read, its tables are whole, what it shows is what is said. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { readCases } from '../src/cases/index.ts';
import { scratch } from '../src/cli/scratch.ts';
import { missText, readScript, recordingOf, requestText, writeRecording } from '../src/model/index.ts';
import { createSource } from '../src/text/index.ts';
import { formatToon } from '../src/toon/index.ts';

const page = readFileSync(new URL('../docs/testing.md', import.meta.url), 'utf8');
const blocks = readBlocks(page);
const sample = blocks.find(({ words }) => words.join(' ') === 'toon script')?.text ?? '';

function recording() {
  const source = createSource('release.record.toon', sample);
  const { script, diagnostics } = readScript(source);
  expect(diagnostics).toEqual([]);
  if (script === undefined) throw new Error('the sample is no recording');
  return recordingOf(script);
}

test('the file is what is written', () => {
  const written = writeRecording(recording().exchanges);
  expect(written.replaceAll(/^#.*\n/gm, '')).toBe(sample);
  expect(formatToon(createSource('', written)).text).toBe(written);
});

test('the miss is what is said', () => {
  const call = { messages: [{ role: 'user' as const, content: 'Write about wasps.' }], settings: {} };
  const asked = requestText(call, 'openai/gpt-5', (text) => text);
  const again = 'To record it again, with the same input: toolang run release.toon --record';
  const said = missText(recording(), { ...asked, call: 'draft#1/model#1', for: 'draft', agent: 'writer', again });
  expect(`${said}\n`).toBe(blocks.find(({ words }) => words.join(' ') === 'text')?.text.replace(':4:5', ':2:5'));
});

test.each(['request', 'answer'])('the table has every key of "%s"', (block) => {
  const text = `replies[1]:\n  - for: a\n    text: b\n    ${block}:\n      zzzzzzzz: 1\n`;
  const told = readScript(createSource('a', text)).diagnostics.find(({ code }) => code === 'TOO7001')?.help;
  const table =
    page.slice(page.indexOf(`| Key of a${block === 'answer' ? 'n' : ''} ${block} |`)).split('\n\n', 1)[0] ?? '';
  const keys = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
  expect(told).toBe(`Its keys are ${keys.join(', ')}.`);
});

const cases = blocks.find(({ words }) => words.join(' ') === 'toon test')?.text ?? '';
const example = (name: string) => readFileSync(new URL(`../examples/workflows/${name}`, import.meta.url), 'utf8');

test('the cases pass, reach all, and fail as is shown', async () => {
  const s = scratch();
  try {
    for (const name of ['publish.toon', 'publish.script.toon']) s.write(name, example(name));
    s.write('publish.test.toon', cases);
    const go = (...words: string[]) => s.cli(['test', ...words], { env: { PATH: process.env.PATH ?? '' } });
    expect((await go('--coverage=100')).code).toBe(0);
    expect(formatToon(createSource('', cases)).text).toBe(cases);
    s.write('publish.test.toon', cases.replace('note: ana', 'note: bo'));
    const { out } = await go('--filter', 'approved');
    const still = (text: string) => text.replace(/ {2}\d+\.\d+s$/gm, '  T');
    expect(still(out)).toBe(still(blocks.find(({ words }) => words.join(' ') === 'text test')?.text ?? ''));
  } finally {
    s.remove();
  }
});

/** What is wrong with a case, as the reader of test files tells its keys. */
const one = 'cases[1]:\n  - name: a\n    target: ./a.too\n';
test.each([
  ['a decision', `${one}    decisions[1]:\n      - zzzzzzzz: 1\n`],
  ['an answer of a tool', `${one}    tools[1]:\n      - zzzzzzzz: 1\n`],
  ['`expect`', `${one}    expect:\n      zzzzzzzz: 1\n`],
  ['a file', 'zzzzzzzz: 1\n'],
  ['a case', `${one}    zzzzzzzz: 1\n`],
])('the table has every key of %s', (what, text) => {
  const tableOf = (head: string) => {
    const table = page.slice(page.indexOf(`| Key of ${head} |`)).split('\n\n', 1)[0] ?? '';
    return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key ?? '');
  };
  const told = readCases(createSource('a', text)).diagnostics.find(({ code }) => code === 'TOO6301')?.help ?? '';
  const keys = told.replace(/^Its keys are |\.$/g, '').split(', ');
  const shared = what === 'a case' ? tableOf('a file').filter((key) => key !== 'cases') : [];
  expect([...tableOf(what), ...shared].sort()).toEqual(keys.sort());
});
