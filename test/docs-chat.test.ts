/** The files of docs/chat.md are right, its chat goes as the page shows it, and its commands print what it says. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { mostKept, mostText } from '../src/chat/history.ts';
import { chatCommands } from '../src/chat/index.ts';
import { typedTerminal } from '../src/chat/screen-kit.ts';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { asShown, commandWords, samplesOf, still } from './console-samples.ts';

const page = readFileSync(new URL('../docs/chat.md', import.meta.url), 'utf8');
const blocks = readBlocks(page);
const files = blocks.flatMap(({ words, text }) => {
  const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
  return name === undefined ? [] : [{ name, text }];
});

describe('docs/chat.md', () => {
  let s: Scratch;
  beforeAll(() => {
    s = scratch();
    for (const { name, text } of files) s.write(name, text);
  });
  afterAll(() => s.remove());

  it('has files that are right as they are written', async () => {
    const written = files.filter(({ name }) => !name.endsWith('.txt')).length;
    expect(await s.cli(['check', '.'])).toEqual({ code: 0, out: '', err: `no problems in ${written} files\n` });
    expect((await s.cli(['fmt', '--check', '.'])).code).toBe(0);
  });

  it('shows a chat as it is', async () => {
    const own = scratch();
    try {
      for (const { name, text } of files) own.write(name, text);
      const shown = blocks.find(({ words }) => words.includes('chat'))?.text.trimEnd() ?? '';
      const [first = '', ...rest] = shown.split('\n');
      const terminal = typedTerminal();
      const [, , ...argv] = commandWords(first);
      const running = own.cli(argv, { terminal, typed: true, shown: true });
      const ended = () => terminal.text().match(/ · \d+ tokens\n\n>$/g)?.length;
      await expect.poll(() => terminal.line()).toBe('>');
      for (const line of rest) {
        if (!line.startsWith('> ')) continue;
        const before = terminal.text();
        terminal.type(`${line.slice(2)}\r`);
        await expect.poll(() => ended() !== undefined && terminal.text() !== before).toBe(true);
      }
      const plain = (text: string) => still(text).replace(/run \w+ ·/g, 'run R ·');
      expect(plain(terminal.text())).toBe(plain(rest.join('\n')));
      terminal.type('\x04');
      expect((await running).code).toBe(0);
    } finally {
      own.remove();
    }
  });

  it.each(samplesOf(page))('%s', async (command, shown) => {
    const [line = '', from] = command.split(' < ');
    const [, ...argv] = commandWords(line);
    const ran = await s.cli(argv, from === undefined ? {} : { stdin: s.read(from) });
    const { printed, shown: wanted } = asShown(ran.err + ran.out, '', shown);
    expect(printed).toBe(wanted);
  });

  it('has a row for each command of the chat, and the numbers of the code', () => {
    const rows = [...page.matchAll(/^\| `\/([a-z]+)/gm)].map(([, name]) => name);
    expect([...new Set(rows)]).toEqual(chatCommands.map(({ name }) => name));
    expect(page).toContain(`the last ${mostKept} entries`);
    expect(page).toContain(`than ${mostText.toLocaleString('en')} characters`);
  });
});
