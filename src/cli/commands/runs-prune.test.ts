/** Which runs go, what is asked before, and that nothing else goes. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { openSqliteStore } from '../../journal/index.ts';
import { type Scratch, scratch } from '../scratch.ts';

const day = 86_400_000;
let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('one.toon', 'name: one\ninput:\nsteps[1]:\n  - id: a\n    run: return 1\n    output: number\n');
  s.write(
    'ask.toon',
    'name: ask\ninput:\nsteps[1]:\n  - kind: approval\n    id: ok\n    request:\n      title: Go on?\n',
  );
});
afterEach(() => s.remove());

const storeFile = () => s.at('.toolang/runs.db');

/** A run that has ended so many days ago; gives its id. */
async function ended(days: number): Promise<string> {
  const { out } = await s.cli(['run', 'one.toon', '--json']);
  const id: string = JSON.parse(out).run;
  const store = openSqliteStore(storeFile());
  store.write((w) => w.updateRun(id, { endedAt: Date.now() - days * day }));
  store.close();
  return id;
}

async function runIds(): Promise<string[]> {
  const { out } = await s.cli(['runs', '--json', '--limit', '100']);
  return JSON.parse(out).runs.map(({ run }: { run: string }) => run);
}

describe('runs prune', () => {
  it('removes what ended so long ago, and only that; what waits is never old', async () => {
    await s.cli(['run', 'ask.toon']);
    const [waiting] = await runIds();
    const old = await ended(40);
    const young = await ended(20);
    const ran = await s.cli(['runs', 'prune', '--older', '30d', '--yes']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toBe(`${old.slice(0, 4)}  one  ended 40d ago\n`);
    expect(ran.err).toMatch(/^removed 1 run(, and gave .* back to the disk)?\n$/);
    expect(await runIds()).toEqual([young, waiting]);
    expect((await s.cli(['show', old])).err).toContain('no run');
    expect((await s.cli(['approve', waiting ?? ''])).code).toBe(0);
  });

  it('keeps the last ones, however old they are', async () => {
    const [a, b, c] = [await ended(50), await ended(30), await ended(40)];
    const ran = await s.cli(['runs', 'prune', '--keep', '1', '--older', '35d', '--yes', '--json']);
    const result = JSON.parse(ran.out);
    expect(violations(result, 'runs-prune.schema.json')).toEqual([]);
    expect(result).toMatchObject({ store: storeFile(), dryRun: false, removed: [c, a], stayed: [] });
    expect(await runIds()).toEqual([b]);
  });

  it('only says what would go with --dry-run', async () => {
    const old = await ended(3);
    const ran = await s.cli(['runs', 'prune', '--keep', '0', '--dry-run']);
    expect(ran).toMatchObject({ code: 0, err: '1 run would be removed\n' });
    const json = JSON.parse((await s.cli(['runs', 'prune', '--keep', '0', '--dry-run', '--json'])).out);
    expect(violations(json, 'runs-prune.schema.json')).toEqual([]);
    expect(json).toMatchObject({ dryRun: true, removed: [old] });
    expect(await runIds()).toEqual([old]);
  });

  it('asks on a terminal, and does nothing where nobody can be asked', async () => {
    const old = await ended(3);
    const asked = (stdin: string) => s.cli(['runs', 'prune', '--older', '1d'], { typed: true, stdin });
    const refused = await s.cli(['runs', 'prune', '--older', '1d']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('nobody can be asked here, and nothing was done.\n  To do it unasked: --yes\n');
    for (const answer of ['', '\n', 'n\n', 'yellow\n']) {
      expect(await asked(answer)).toMatchObject({ code: 1 });
      expect(await runIds()).toEqual([old]);
    }
    const done = await asked('y\n');
    expect(done.err).toContain('Remove 1 run, with all that was kept of them? [y/N] removed 1 run');
    expect(await runIds()).toEqual([]);
  });

  it('takes its age from the configuration, and wants one', async () => {
    const old = await ended(8);
    const young = await ended(6);
    const { code, err } = await s.cli(['runs', 'prune', '--yes']);
    expect([code, err]).toEqual([
      2,
      'toolang: runs prune needs to know which runs are old.\n  Write --older 30d or --keep 100, or keep_days under [runs] in config.toml.\n',
    ]);
    s.write('.toolang/config.toml', '[runs]\nkeep_days = 7\n');
    expect((await s.cli(['runs', 'prune', '--yes'])).out).toContain(old.slice(0, 4));
    expect(await runIds()).toEqual([young]);
  });

  it('leaves the configuration out where it is said what goes', async () => {
    s.write('.toolang/config.toml', '[runs]\nkeep_days = 7\n');
    const young = [await ended(1), await ended(2)];
    await s.cli(['runs', 'prune', '--keep', '1', '--yes']);
    expect(await runIds()).toEqual([young[0]]);
  });

  it('removes the log of a run that nobody saw', async () => {
    const id = await ended(3);
    const other = await ended(1);
    for (const run of [id, other]) s.write(`.toolang/logs/${run}.log`, 'secret');
    await s.cli(['runs', 'prune', '--older', '2d', '--yes']);
    expect([id, other].map((run) => existsSync(s.at(`.toolang/logs/${run}.log`)))).toEqual([false, true]);
  });

  it('says what an age is', async () => {
    await ended(1);
    for (const age of ['30', 'd', '1y', '-1d', '1.5d']) {
      const { code, err } = await s.cli(['runs', 'prune', `--older=${age}`]);
      expect([code, err]).toEqual([
        2,
        `toolang: "${age}" is no age.\n  Write minutes, hours, days or weeks: --older 12h, --older 30d\n`,
      ]);
    }
  });

  it('has nothing to do where there are no runs, and never looks elsewhere', async () => {
    const none = await s.cli(['runs', 'prune', '--keep', '0', '--yes']);
    expect(none).toEqual({
      code: 0,
      out: '',
      err: 'there is no home with runs here: nothing was removed\n  Name one: --home DIR\n',
    });
    expect(await s.cli(['runs', 'prune', '--yes'])).toMatchObject({ code: 2 });
    await ended(40);
    const young = await s.cli(['runs', 'prune', '--older', '60d', '--json']);
    expect(violations(JSON.parse(young.out), 'runs-prune.schema.json')).toEqual([]);
    expect(JSON.parse(young.out)).toMatchObject({ removed: [], stayed: [] });
    expect(await runIds()).toHaveLength(1);
  });

  it('is a command: flags before it are a mistake', async () => {
    expect(await s.cli(['runs', '--json', 'prune'])).toEqual({
      code: 2,
      out: '',
      err: 'toolang: flags stand before the command prune\n  write flags behind it: toolang runs prune …\n',
    });
    expect((await s.cli(['runs', 'prnue'])).err).toContain('Did you mean "prune"?');
  });
});
