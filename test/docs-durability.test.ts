/** Every sample of `docs/durability.md` and of the part of the README about runs does what the page says. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { exit } from '../src/cli/exit.ts';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { createSource } from '../src/text/index.ts';
import { formatToon } from '../src/toon/index.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

test.each(['docs/durability.md', 'README.md'])('%s: commands print what it shows', async (file) => {
  const blocks = readBlocks(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  for (const { words, text } of blocks) {
    const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
    if (name === undefined) continue;
    expect(formatToon(createSource(name, text)).text).toBe(text);
    s.write(name, text);
  }
  const consoles = blocks.filter(({ words }) => words[0] === 'console');
  expect(consoles.length).toBeGreaterThan(0);
  /** What the pages call the run. */
  let id = '';
  for (const { text } of consoles) {
    for (const [line = '', ...shown] of commandsOf(text)) {
      const argv = wordsOf(line).map((word) => (word === '7f3a' ? id : word));
      const { out, err } = await s.cli(argv.slice(1), { env: { USER: 'ana', PATH: process.env.PATH } });
      id = / · run (\w+)/.exec(err)?.[1] ?? id;
      expect(still(`${err}${out}`.replaceAll(id, '7f3a'))).toBe(still(shown.join('\n')));
    }
  }
});

test('the exit codes are those of the program', () => {
  const page = readFileSync(new URL('../docs/durability.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('## Exit codes');
  const told = [...table.matchAll(/^\| (\d+)(?:, (\d+))? \|/gm)].flatMap(([, one, two]) =>
    two === undefined ? [Number(one)] : [Number(one), Number(two)],
  );
  expect(told).toEqual(Object.values(exit).sort((a, b) => a - b));
});

/** Each command with the lines that it prints. */
function commandsOf(text: string): string[][] {
  const commands: string[][] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) commands.push([line.slice(2)]);
    else commands.at(-1)?.push(line);
  }
  return commands;
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|\S)+/g)].map(([word]) => word.replaceAll('"', ''));
}

/** Times and the width of columns differ each time. */
function still(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'DATE')
    .replace(/\b\d+\.\d+s\b/g, 'T')
    .replace(/\b(?:just now|\d+s ago)\b/g, 'AGO')
    .replace(/ {2,}/g, '  ')
    .replace(/ +$/gm, '')
    .trimEnd();
}
