/** The commands of docs/running.md print what the page says, ids, times and tokens aside. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exit } from '../src/cli/exit.ts';
import { type Workplace, workplace } from './cli/program.ts';
import { samplesOf, still } from './console-samples.ts';

const page = readFileSync(new URL('../docs/running.md', import.meta.url), 'utf8');

const samples = samplesOf(page);

describe('docs/running.md', () => {
  let w: Workplace;
  let id = '';
  let folder = '';
  beforeAll(() => {
    w = workplace();
  });
  afterAll(() => w.remove());

  it('has samples', () => expect(samples.length).toBe(6));

  it.each(samples)('%s', (command, printed) => {
    const own = id === '' ? command : command.replaceAll('7f3a', id);
    const ran = w.sh(`cd ./${folder} && { ${own}; } 2>&1`, { env: { USER: 'ana' } });
    if (/ && cd (\w+)$/.test(command)) folder = / && cd (\w+)$/.exec(command)?.[1] ?? '';
    id ||= / · run (\w+)/.exec(ran.stdout)?.[1] ?? '';
    expect(still(id === '' ? ran.stdout : ran.stdout.replaceAll(id, '7f3a'))).toBe(still(printed));
  });

  it('names every exit code', () => {
    const table = page.slice(page.indexOf('## Exit codes'));
    for (const code of Object.values(exit)) expect(table).toMatch(new RegExp(`\\| (?:\\d+, )?${code}(?:, \\d+)? \\|`));
  });
});
