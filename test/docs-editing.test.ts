/** The commands of docs/editing-runs.md print what the page says, ids, times and tokens aside. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Workplace, workplace } from './cli/program.ts';
import { samplesOf, still } from './console-samples.ts';

const page = readFileSync(new URL('../docs/editing-runs.md', import.meta.url), 'utf8');
const samples = samplesOf(page);

/** What the page calls its runs, in the order in which they begin. */
const names = ['7f3a', 'k2m8'];

describe('docs/editing-runs.md', () => {
  let w: Workplace;
  const ids: string[] = [];
  let folder = '';
  beforeAll(() => {
    w = workplace();
  });
  afterAll(() => w.remove());

  it('has samples', () => expect(samples.length).toBe(7));

  it.each(samples)('%s', (command, printed) => {
    const own = ids.reduce((text, id, i) => text.replaceAll(names[i] ?? '', id), command);
    const ran = w.sh(`cd ./${folder} && { ${own}; } 2>&1`, { env: { USER: 'ana' } });
    if (/ && cd (\w+)$/.test(command)) folder = / && cd (\w+)$/.exec(command)?.[1] ?? '';
    const id = / · run (\w+)/.exec(ran.stdout)?.[1];
    if (id !== undefined && !ids.includes(id)) ids.push(id);
    const told = ids.reduce((text, each, i) => text.replaceAll(each, names[i] ?? ''), ran.stdout);
    expect(still(told)).toBe(still(printed));
  });
});
