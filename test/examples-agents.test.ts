/** Every agent in `examples/agents/` is right, and its commands print what its page says: no key, no network. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { memoryContext } from '../src/cli/memory-context.ts';
import { runCli } from '../src/cli/run.ts';
import { asShown, commandWords, samplesOf } from './console-samples.ts';
import { command, harness } from './fake-services/kit.ts';

const folder = fileURLToPath(new URL('../examples/agents', import.meta.url));
const names = readdirSync(folder).filter((name) => !name.includes('.'));

/** What of a run shows that the example shows what it says. */
const shows: Readonly<Record<string, readonly string[]>> = {
  reviewer: ['repaired once: "/approve" is missing', '"severity": "blocker"'],
  router: ['→ default handed over to billing'],
  researcher: ['✓ collect[2]', '✓ filesystem/read notes/dance.md'],
  'skill-user': ['✓ skill release-notes', 'template.md', '**New:**'],
  'service-user': ['There are 7 bells', '2 saddles are reserved, 1 is left.'],
  'bracket-model': ['✓ filesystem/write', 'wrote "notes.md": 1 line, 12 bytes'],
  rememberer: ['remembered: The garden has bees', 'Ada looks after the bees in the garden.'],
  'two-agents': ['2 points, sure: 0.9', '(2 facts, 90 % sure)'],
};

let top: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-agents-')));
  // They keep what they did beside themselves, so a copy is run.
  cpSync(folder, join(top, 'agents'), { recursive: true });
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

async function cli(argv: readonly string[], cwd: string) {
  const context = memoryContext({ cwd, env: { HOME: top, USER: 'ana', PATH: process.env.PATH } });
  const code = await runCli(argv, context);
  return { code, out: context.out(), err: context.err() };
}

it('the list of them is whole', () => {
  expect(names).toEqual(Object.keys(shows).sort());
  const listed = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| \[([a-z-]+)\]/gm)];
  expect(listed.map(([, name]) => name).sort()).toEqual(names);
});

it('all of them are right and in the usual layout', async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.toon?$/.test(name));
  expect(await cli(['check', '.'], folder)).toEqual({
    code: 0,
    out: '',
    err: `no problems in ${files.length} files\n`,
  });
  expect((await cli(['fmt', '--check', '.'], folder)).code).toBe(0);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toMatch(/^##? ?!?.*[A-Z].*\.\n/);
    expect(text.split('\n').length).toBeLessThanOrEqual(60);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
  }
});

describe.each(names)('%s', (name) => {
  it('prints what its page says', async () => {
    const text = readFileSync(join(folder, name, 'README.md'), 'utf8');
    const [place, ...others] = readBlocks(text);
    expect(place?.text).toContain(`cd examples/agents/${name}\n`);
    let id = '';
    let all = '';
    const run = async (line: string) => {
      const [, ...argv] = commandWords(line.replaceAll('7f3a', id));
      const ran = await cli(argv, join(top, 'agents', name));
      expect({ line, code: ran.code, err: ran.code === 0 ? '' : ran.err }).toEqual({ line, code: 0, err: '' });
      id = / · run (\w+)/.exec(ran.err)?.[1] ?? id;
      all += ran.err + ran.out;
      return ran;
    };
    // Where the order in which lines come is chance, the page has the result alone.
    const [, bare] = place?.text.split('\n') ?? [];
    if (bare) expect((await run(bare)).out).toBe(others.find(({ words }) => words[0] === 'json')?.text);
    const samples = samplesOf(text);
    expect(samples.length).toBeGreaterThan(0);
    for (const [line, page] of samples) {
      const ran = await run(line);
      const { printed, shown } = asShown(ran.err + ran.out, id, page);
      expect(`$ ${line}\n${printed}`).toBe(`$ ${line}\n${shown}`);
    }
    for (const words of shows[name] ?? []) expect(all).toContain(words);
  });
});

describe('what they show', () => {
  const logs = async (name: string, which: number) => {
    const cwd = join(top, 'agents', name);
    const { runs } = JSON.parse((await cli(['runs', '--json'], cwd)).out);
    return (await cli(['logs', runs.at(which).run, '--json'], cwd)).out;
  };

  it('a memory is found with whatever a later thunk is given', async () => {
    expect(await logs('rememberer', 0)).toMatch(/recall#1.*"memories":\[\{"text":"The garden has bees/);
  });

  it('a tool of a service that is not named cannot be called', async () => {
    const all = await logs('service-user', -1);
    expect(all).toContain('there is no tool \\"stock/reserve\\", so nothing was done');
    expect(all).not.toContain('reserved 7');
  });

  it.each([
    ['newer', 'initialize: ()'],
    ['older', "'server/discover': ()"],
  ])('the server of the service can be called in the %s era alone', async (era, other) => {
    const text = readFileSync(join(folder, 'service-user/stock-server.mjs'), 'utf8');
    expect(text).toContain(other);
    const file = join(top, `${era}.mjs`);
    writeFileSync(file, text.replace(other, 'unknown: ()'));
    const { services, call } = harness([command('stock', [file])]);
    try {
      expect(await call('stock/count', { item: 'bell' })).toMatchObject({ ok: true, text: 'bell: 7' });
      expect(await call('stock/reserve', { item: 'bell', pieces: 9 })).toMatchObject({ ok: false });
      expect(await call('stock/count', { item: 'horn' })).toMatchObject({ ok: false });
    } finally {
      await services.close();
    }
  });
});
