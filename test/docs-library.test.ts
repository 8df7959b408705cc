/** The samples of docs/library.md run as printed, against the built package. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { built } from './built.ts';

const page = readFileSync(new URL('../docs/library.md', import.meta.url), 'utf8');
const samples = [...page.matchAll(/## (.+)\n[\s\S]*?```js\n([\s\S]*?)```\n\n```\n([\s\S]*?)```\n(?=\n|$)/g)];

describe('docs/library.md', () => {
  it('has samples', () => {
    expect(samples.length).toBe(page.split('```js\n').length - 1);
  });

  it.each(samples.map(([, title, code, output]) => [title, code ?? '', output]))('%s', (_, code, output) => {
    const entry = pathToFileURL(join(built(), 'toolang.js')).href;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', code.replaceAll("'toolang'", `'${entry}'`)], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe(output);
  });
});
