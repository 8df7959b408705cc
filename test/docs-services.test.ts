/** The samples of docs/effect.md and docs/plugins.md are right, stand in the usual layout, and do what the pages say. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { codes, createSource } from '../src/text/index.ts';
import { formatToon } from '../src/toon/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe.each(['docs/effect.md', 'docs/plugins.md'])('%s', (name) => {
  const page = readFileSync(join(root, name), 'utf8');
  const blocks = readBlocks(page);
  const toons = blocks.filter(({ words }) => words[0] === 'toon');
  const commands = blocks
    .filter(({ words }) => words[0] === 'console')
    .map(({ text }) => {
      const [first = '', ...printed] = text.trimEnd().split('\n');
      return [first.replace(/^\$ toolang /, ''), printed] as const;
    });

  let s: Scratch;
  beforeAll(() => {
    s = scratch();
    mkdirSync(s.at('node_modules'));
    symlinkSync(join(root, 'node_modules/effect'), s.at('node_modules/effect'), 'junction');
    for (const { words, text } of blocks) {
      const file = words.find((word) => word.startsWith('file='))?.slice('file='.length);
      if (file !== undefined) s.write(file, text);
    }
  });
  afterAll(() => s.remove());

  it('has samples, in the usual layout', () => {
    expect(commands.length).toBeGreaterThan(0);
    for (const { text } of toons) expect(formatToon(createSource('sample.toon', text)).text).toBe(text);
  });

  it('has workflows without a problem, and those that are wrong as they say', async () => {
    for (const [index, { words, text }] of toons.entries()) {
      s.write(`sample-${index}.toon`, text);
      const { out } = await s.cli(['check', `sample-${index}.toon`, '--json'], { env: { PATH: process.env.PATH } });
      const found = JSON.parse(out).files.flatMap((file: { diagnostics: { code: string }[] }) =>
        file.diagnostics.map(({ code }) => code),
      );
      expect(found).toEqual(words.includes('wrong') ? [words[words.indexOf('wrong') + 1]] : []);
    }
  });

  it.each(commands)('toolang %s', async (command, printed) => {
    const { out, err } = await s.cli(command.split(' '), { env: { USER: 'ana', PATH: process.env.PATH } });
    // What happens on the way is told on standard error, the result on standard output.
    const said = `${err}\n${out}`.split('\n');
    let at = 0;
    for (const line of printed) {
      const next = said.findIndex((each, index) => index >= at && each.startsWith(line));
      expect(next === -1 ? `${line} is not in\n${said.join('\n')}` : line).toBe(line);
      at = next + 1;
    }
  });

  it('names codes that there are', () => {
    for (const [code] of page.matchAll(/TOO\d{4}/g)) expect(Object.keys(codes)).toContain(code);
  });
});
