/** Results that runs share, on the command line: taken, shown, listed, cleared. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { openSqliteStore } from '../../journal/index.ts';
import { openDatabase } from '../../journal/sqlite.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('kept.toon', kept);
  s.write('kept.script.toon', replies('tea is a drink'));
});
afterEach(() => s.remove());

/** One prompt and one piece of code that keep their results, and one that does not. */
const kept = `name: kept
input:
  term: string
agents:
  editor:
    type: scripted
steps[3]:
  - id: define
    agent: editor
    prompt: "Define {input.term}."
    output: string
    cache:
      by: "{input.term}"
  - id: count
    run: "await sh\`echo counted >> log\`; return define.length"
    output: number
    cache:
      by[2]: "{input.term}","{define}"
      version: 2
  - id: both
    run: "return define + ': ' + count"
    output: string
`;
const replies = (text: string) => `replies[1]:\n  - for: define\n    text: ${JSON.stringify(text)}\n`;

const go = (...argv: string[]): Promise<Ran> => s.cli(argv, { env: { PATH: process.env.PATH } });
const run = (term = 'tea', ...more: string[]): Promise<Ran> => go('run', 'kept.toon', '-i', `term=${term}`, ...more);
const counted = () => (existsSync(s.at('log')) ? s.read('log').split('\n').length - 1 : 0);

async function entries(): Promise<{ step: string; run: string }[]> {
  const { out } = await go('cache', '--json');
  expect(violations(JSON.parse(out), 'cache.schema.json')).toEqual([]);
  return JSON.parse(out).entries;
}
const steps = async () => (await entries()).map(({ step }) => step).sort();

describe('a run', () => {
  it('takes what an earlier one has kept, and says so', async () => {
    const first = JSON.parse((await run('tea', '--json')).out);
    expect(first.output).toBe('tea is a drink: 14');
    const second = await run();
    expect(second.code).toBe(0);
    expect(second.out).toBe('tea is a drink: 14\n');
    expect(second.err).toMatch(/define .*from the cache/);
    expect(second.err).toMatch(/count .*from the cache/);
    expect(second.err).not.toMatch(/both .*from the cache/);
    expect(counted()).toBe(1);
    const id = / · run (\w+)/.exec(second.err)?.[1] ?? '';
    const shown = await go('show', id);
    expect(shown.out.match(/from the cache/g)).toHaveLength(2);
    const json = JSON.parse((await go('show', id, '--json')).out);
    expect(violations(json, 'show.schema.json')).toEqual([]);
    expect(json.run.nodes.map((node: { fromCache?: true }) => node.fromCache)).toEqual([true, true, undefined]);
    const logged = (await go('logs', id, '--json')).out.trimEnd().split('\n');
    for (const line of logged) expect(violations(JSON.parse(line), 'logs-line.schema.json')).toEqual([]);
    expect((await go('logs', id)).out).toContain('cache');
    expect((await go('graph', id)).code).toBe(0);
    expect(await entries()).toMatchObject([{ run: first.run }, { run: first.run }]);
  });

  it('does all again with another value, another version, another script', async () => {
    await run();
    await run('milk');
    expect(counted()).toBe(2);
    s.write('kept.toon', kept.replace('version: 2', 'version: 3'));
    expect((await run()).err).toMatch(/define .*from the cache/);
    expect(counted()).toBe(3);
    s.write('kept.script.toon', replies('tea is a plant'));
    expect((await run()).out).toBe('tea is a plant: 14\n');
    expect(counted()).toBe(4);
    s.write('other.script.toon', replies('tea is hot'));
    expect((await run('tea', '--script', 'other.script.toon')).out).toBe('tea is hot: 10\n');
    expect((await run()).out).toBe('tea is a plant: 14\n');
    expect(counted()).toBe(5);
  });

  it('does a step again when its code or its type has changed', async () => {
    await run();
    s.write('kept.toon', kept.replace('return define.length', 'return define.length + 1'));
    expect((await run()).out).toBe('tea is a drink: 15\n');
    s.write('kept.toon', kept.replace('output: string', 'output: "tea is a drink" | "no"'));
    const other = await run();
    expect(other).toMatchObject({ code: 0, out: 'tea is a drink: 14\n' });
    expect(other.err).not.toMatch(/define .*from the cache/);
    expect(other.err).toMatch(/count .*from the cache/);
  });

  it('goes on with what it took, though that was cleared meanwhile', async () => {
    const asking = kept
      .replace('steps[3]', 'steps[4]')
      .replace('  - id: both', '  - kind: approval\n    id: ok\n    request:\n      title: Go on?\n  - id: both');
    s.write('kept.toon', asking);
    await run();
    const { err, code } = await run();
    expect(code).toBe(3);
    const id = / · run (\w+)/.exec(err)?.[1] ?? '';
    expect((await go('cache', 'clear', '--all', '--yes')).code).toBe(0);
    s.write('kept.script.toon', replies('something else'));
    expect((await go('approve', id)).out).toBe('tea is a drink: 14\n');
    expect(counted()).toBe(1);
  });

  it('keeps what it came to also when the run itself is removed', async () => {
    await run();
    const store = openSqliteStore(s.at('.toolang/runs.db'));
    store.write((w) => w.updateRun(store.runIds()[0] ?? '', { endedAt: 1 }));
    store.close();
    expect((await go('runs', 'prune', '--older', '1d', '--yes')).code).toBe(0);
    expect((await go('cache')).out).toContain('of a run that is gone');
    expect((await run()).out).toBe('tea is a drink: 14\n');
    expect(counted()).toBe(1);
  });
});

describe('cache', () => {
  it('lists what is kept, the same with "list"', async () => {
    expect(await go('cache')).toEqual({
      code: 0,
      out: '',
      err: 'no results are kept here: a step with "cache" keeps its own\n',
    });
    expect(await entries()).toEqual([]);
    const { err } = await run();
    const short = / · run (\w+)/.exec(err)?.[1];
    const listed = await go('cache', 'list');
    const lines = listed.out.split('\n');
    expect(lines[0]).toMatch(new RegExp(`^kept  count   2 bytes   (just now|\\d+s ago) +of run ${short}$`));
    expect(lines[1]).toMatch(/^kept {2}define {2}16 bytes /);
    expect(lines[2]).toBe('2 results, 18 bytes');
    expect((await go('cache', 'lst')).err).toContain('Did you mean "list"?');
  });

  it('is cleared by step, by workflow, by age, or as a whole', async () => {
    await run();
    await run('milk');
    expect(await steps()).toEqual(['count', 'count', 'define', 'define']);
    const cleared = await go('cache', 'clear', 'count', '--yes', '--json');
    expect(violations(JSON.parse(cleared.out), 'cache-clear.schema.json')).toEqual([]);
    expect(JSON.parse(cleared.out)).toMatchObject({ cleared: 2 });
    expect(await steps()).toEqual(['define', 'define']);
    expect(await go('cache', 'clear', '--older', '1h', '--yes')).toMatchObject({
      code: 0,
      err: 'there is nothing to clear\n',
    });
    expect(await go('cache', 'clear', 'define', '--workflow', 'kept', '--older', '0d', '--yes')).toMatchObject({
      code: 0,
      err: 'cleared 2 results\n',
    });
    expect(await steps()).toEqual([]);
    await run();
    expect(await go('cache', 'clear', '--all', '--yes')).toMatchObject({ err: 'cleared 2 results\n' });
    expect(await steps()).toEqual([]);
  });

  it('gives the room of large results back', async () => {
    const large = kept
      .replace('return define.length', 'return 1; /* large */')
      .replace("define + ': ' + count", 'define');
    s.write('kept.toon', large);
    s.write('kept.script.toon', replies('x'.repeat(300_000)));
    await run();
    const [first] = JSON.parse((await go('runs', '--json')).out).runs;
    const blobs = () => {
      const store = openSqliteStore(s.at('.toolang/runs.db'));
      const db = openDatabase(store.name, 1000);
      const n = Number(db.prepare('SELECT sum(length(bytes)) AS n FROM blobs').get()?.n ?? 0);
      db.close();
      store.close();
      return n;
    };
    const store = openSqliteStore(s.at('.toolang/runs.db'));
    store.write((w) => w.updateRun(first.run, { endedAt: 1 }));
    store.close();
    await go('runs', 'prune', '--older', '1d', '--yes');
    expect(blobs()).toBeGreaterThan(300_000);
    expect((await go('cache', 'clear', 'define', '--yes')).err).toBe('cleared 1 result\n');
    expect(blobs()).toBe(0);
    expect(await steps()).toEqual(['count']);
  });

  it('asks before it is cleared', async () => {
    await run();
    const unasked = await go('cache', 'clear', '--all');
    expect([unasked.code, unasked.err]).toEqual([
      2,
      'toolang: nobody can be asked here, and nothing was done.\n  To do it unasked: --yes\n',
    ]);
    const asked = (stdin: string) => s.cli(['cache', 'clear', '--all'], { typed: true, stdin });
    const no = await asked('n\n');
    expect([no.code, no.err]).toEqual([
      1,
      'Clear 2 results (18 bytes)? The steps run again when they are reached. [y/N] nothing was cleared\n',
    ]);
    expect(await steps()).toEqual(['count', 'define']);
    expect(await asked('y\n')).toMatchObject({ code: 0 });
    expect(await steps()).toEqual([]);
  });

  it('is told what to clear, by names that there are', async () => {
    await run();
    const wrong = async (...words: string[]) => (await go('cache', 'clear', ...words, '--yes')).err;
    expect(await wrong()).toBe(
      'toolang: cache clear needs to know what.\n  Write STEP, --workflow NAME, --older 7d, or --all.\n',
    );
    expect(await wrong('count', '--all')).toContain('--all leaves nothing to choose.');
    expect(await wrong('cuont')).toContain('nothing is kept of a step "cuont". Did you mean "count"?');
    expect(await wrong('--workflow', 'kpet')).toContain('nothing is kept of a workflow "kpet". Did you mean "kept"?');
    expect(await steps()).toEqual(['count', 'define']);
  });
});
