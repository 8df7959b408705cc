/** The samples of docs/library.md and docs/tool-calls.md run as printed, against the built package. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { built } from './built.ts';
import { type Workplace, workplace } from './cli/program.ts';

/** The names that the samples import, and the files that are meant. */
const entries = { toolang: 'toolang.js', 'toolang/calls': 'calls.js' };

describe.each(['library', 'tool-calls'])('docs/%s.md', (name) => {
  const page = readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8');
  const samples = [...page.matchAll(/```js\n([\s\S]*?)```\n\n```\n([\s\S]*?)```\n(?=\n|$)/g)];

  it('has samples', () => {
    expect(samples.length).toBe(page.split('```js\n').length - 1);
    expect(samples.length).toBeGreaterThan(2);
  });

  it.each(samples.map(([, code = '', output]) => [headingOf(page, code), code, output]))('%s', (_, sample, output) => {
    const code = Object.entries(entries).reduce((text, [from, file]) => {
      return text.replaceAll(`'${from}'`, `'${pathToFileURL(join(built(), file)).href}'`);
    }, sample);
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe(output);
  });
});

describe('the commands of docs/tool-calls.md', () => {
  const page = readFileSync(new URL('../docs/tool-calls.md', import.meta.url), 'utf8');
  const samples = [...page.matchAll(/```\n\$ (.+)\n([\s\S]*?)```/g)].map(([, command = '', output]) => [
    command,
    output,
  ]);
  let w: Workplace;
  beforeAll(() => {
    w = workplace();
  });
  afterAll(() => w.remove());

  it('are there', () => expect(samples.length).toBe(2));
  it.each(samples)('%s', (command = '', output = '') => expect(w.sh(command).stdout).toBe(output));
});

function headingOf(page: string, code: string): string {
  const before = page.slice(0, page.indexOf(code));
  return [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? '';
}
