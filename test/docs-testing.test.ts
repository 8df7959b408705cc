/** What `docs/testing.md` says of record and replay is so: its file is read, its tables are whole, its miss is what is said. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
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
  expect(`${said}\n`).toBe(blocks.find(({ words }) => words[0] === 'text')?.text.replace(':4:5', ':2:5'));
});

test.each(['request', 'answer'])('the table has every key of "%s"', (block) => {
  const text = `replies[1]:\n  - for: a\n    text: b\n    ${block}:\n      zzzzzzzz: 1\n`;
  const told = readScript(createSource('a', text)).diagnostics.find(({ code }) => code === 'TOO7001')?.help;
  const table =
    page.slice(page.indexOf(`| Key of a${block === 'answer' ? 'n' : ''} ${block} |`)).split('\n\n', 1)[0] ?? '';
  const keys = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
  expect(told).toBe(`Its keys are ${keys.join(', ')}.`);
});
