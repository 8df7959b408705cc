/** The files of docs/agents.md are right, and its commands print what the page says: ids, times and tokens aside. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { mostHandoffs, mostRepairs } from '../src/agent/index.ts';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { asShown, commandWords, samplesOf } from './console-samples.ts';

const page = readFileSync(new URL('../docs/agents.md', import.meta.url), 'utf8');
const files = readBlocks(page).flatMap(({ words, text }) => {
  const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
  return name === undefined ? [] : [{ name, text }];
});

describe('docs/agents.md', () => {
  let s: Scratch;
  /** The runs of the page, by the ids that it gives them. */
  const ids = new Map<string, string>();
  beforeAll(() => {
    s = scratch();
    for (const { name, text } of files) s.write(name, text);
  });
  afterAll(() => s.remove());

  it('has files that are right as they are written', async () => {
    expect(await s.cli(['check', '.'])).toEqual({
      code: 0,
      out: '',
      err: `no problems in ${files.length - 1} files\n`,
    });
    expect((await s.cli(['fmt', '--check', '.'])).code).toBe(0);
  });

  it.each(samplesOf(page))('%s', async (command, shown) => {
    const own = [...ids].reduce((text, [as, id]) => text.replaceAll(as, id), command);
    const [, ...argv] = commandWords(own);
    const ran = await s.cli(argv, { env: { USER: 'ana', PATH: process.env.PATH } });
    const text = ran.err + ran.out;
    const [as, id] = [shown, text].map((each) => / · run (\w+)/.exec(each)?.[1]);
    if (as !== undefined && id !== undefined) ids.set(as, id);
    const named = [...ids].reduce((all, [name, run]) => all.replaceAll(run, name), text);
    const { printed, shown: wanted } = asShown(named, '', shown);
    expect(printed).toBe(wanted);
  });

  it('says numbers that are those of the code', () => {
    expect(page).toContain(`passed on ${mostHandoffs} times at most`);
    expect(page).toContain(`| ${mostRepairs} repairs, ${mostHandoffs} handoffs |`);
  });
});
