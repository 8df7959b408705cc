/** The samples of `docs/caps.md` are right, and its commands print what it shows. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { fillHub, type Kit, makeKit, skillText } from './caps/kit.ts';
import { samplesOf } from './console-samples.ts';

const page = readFileSync(new URL('../docs/caps.md', import.meta.url), 'utf8');

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
  fillHub(kit);
  for (const { words, text } of readBlocks(page)) {
    const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
    if (name !== undefined) kit.write(`work/${name}`, text);
  }
});
afterEach(() => kit.remove());

test('files are right as they are written', async () => {
  const { code, out } = await kit.cli('check . .toolang --json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ errors: 0, warnings: 0 });
  expect((await kit.cli('fmt --check .')).code).toBe(0);
});

test('commands print what it shows', async () => {
  const samples = samplesOf(page);
  expect(samples.length).toBeGreaterThan(8);
  for (const [command, shown] of samples) {
    const [, words = '', file = ''] = /^echo (.*) > (.*)$/.exec(command) ?? [];
    if (file !== '') {
      kit.write(`work/${file}`, `${words}\n`);
      continue;
    }
    // Somebody has changed the skill in the meantime.
    if (command.includes('--update')) {
      kit.hub.commit('acme/skills', {
        'skills/review/SKILL.md': skillText('Look twice.'),
        'skills/review/scripts/count.sh': { executable: '#!/bin/sh\nwc -l\n' },
      });
    }
    const { all } = await kit.cli(command.replace(/^toolang /, ''), { typed: true, stdin: 'y\n' });
    expect(`$ ${command}\n${all}`).toBe(`$ ${command}\n${shown.replace('[y/N] y\n', '[y/N] ')}`);
  }
});

test('every command of the page is one', async () => {
  const lines = [...page.matchAll(/`toolang ([^`]+)`/g)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const words = line.replace(/^<kind>/, 'skill').split(' ');
    const command = ['skill', 'caps'].includes(words[0] ?? '') ? words.slice(0, 2) : words.slice(0, 1);
    expect((await kit.cli(`${command.join(' ')} --help`)).code, line).toBe(0);
  }
});
