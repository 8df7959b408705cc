/** Every example is right, formatted, documented, and can be explained. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../src/cli/scratch.ts';

const folder = fileURLToPath(new URL('../examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.too'));

let s: Scratch;
beforeAll(() => {
  s = scratch();
  for (const name of names) s.write(name, readFileSync(join(folder, name), 'utf8'));
});
afterAll(() => s.remove());

it('shows enough of the language', () => {
  const all = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  for (const word of [
    'struct ',
    'psyche ',
    'skill ',
    'service ',
    'prompt ',
    'context ',
    'instruct ',
    'hands',
    'handoffs',
    'recall',
    '{{#',
  ]) {
    expect(all).toContain(word);
  }
});

describe.each(names)('%s', (name) => {
  it('checks without an error, a warning or a note', async () => {
    expect(await s.cli(['check', name])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
  });

  it('is in the usual layout and fits on a page', async () => {
    expect((await s.cli(['fmt', '--check', name])).code).toBe(0);
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(lines.length).toBeLessThanOrEqual(60);
  });

  it('says what it is, and what each of its thunks does', async () => {
    expect(JSON.parse((await s.cli(['parse', name, '--json'])).out).program.doc).toMatch(/^[A-Z].*\.$/s);
    const { thunks } = JSON.parse((await s.cli(['explain', name, '--json'])).out);
    expect(thunks.length).toBeGreaterThan(0);
    for (const thunk of thunks) {
      const { code, out, err } = await s.cli(['explain', name, thunk]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/^thunk .*\n {2}[A-Z].*\./);
    }
  });
});
