/** The samples of `docs/worktrees.md` do what the page says. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { createSource } from '../src/text/index.ts';
import { formatToon } from '../src/toon/index.ts';
import { gitEnv } from './repository.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const blocks = readBlocks(readFileSync(new URL('../docs/worktrees.md', import.meta.url), 'utf8'));

test('commands print what it shows', async () => {
  for (const { words, text } of blocks) {
    const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
    if (name === undefined) continue;
    expect(formatToon(createSource(name, text)).text).toBe(text);
    s.write(name, text);
  }
  let id = '';
  const lines = blocks.filter(({ words }) => words[0] === 'console').flatMap(({ text }) => text.trimEnd().split('\n'));
  expect(lines.length).toBeGreaterThan(0);
  for (let at = 0; at < lines.length; ) {
    const [program, ...args] = (lines[at++] ?? '').slice('$ '.length).split(' ');
    const shown: string[] = [];
    while (at < lines.length && !lines[at]?.startsWith('$ ')) shown.push(lines[at++] ?? '');
    const printed = program === 'git' ? git(...args) : await toolang(args);
    expect(still(printed.replaceAll(id === '' ? '7f3a' : id, '7f3a'))).toBe(still(shown.join('\n')));
  }
  expect(existsSync(join(s.dir, '../tidy'))).toBe(false);
  const [sample = ''] = blocks.filter(({ words }) => words[0] === 'sh').map(({ text }) => text);
  const run = git('for-each-ref', '--format=%(refname)').match(/refs\/toolang\/(\w+)\//)?.[1] ?? '';
  expect(git(...sample.trim().replaceAll('RUN', run).split(' ').slice(1))).toContain('+clean');

  async function toolang(args: readonly string[]): Promise<string> {
    const { out, err } = await s.cli(args, { env: { USER: 'ana', PATH: process.env.PATH } });
    id = / · run (\w+)/.exec(err)?.[1] ?? id;
    return err + out;
  }
});

function git(...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: s.dir,
    env: gitEnv(s.home),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Times and the width of columns differ each time. */
function still(text: string): string {
  return text
    .replace(/\b\d+\.\d+s\b/g, 'T')
    .replace(/ {2,}/g, '  ')
    .replace(/ +$/gm, '')
    .trimEnd();
}
