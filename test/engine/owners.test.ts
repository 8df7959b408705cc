/** Who drives a run, when owners die, freeze, leave, and come at the same time. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { describe, expect, it, test } from 'vitest';
import { openDatabase } from '../../src/journal/sqlite.ts';
import { type Started, until } from './kit.ts';
import { began, begun, given, interrupted, timeOf } from './owned.ts';

/** Not beside others: it measures time. */
test.runIf(process.platform === 'linux')(
  'resume begins the next step within a second after a kill, without flags',
  async (context) => {
    let first = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    // Other work on the machine makes both slow: then a resume may take no longer than twice as long as a first start.
    const isIn = () => next < Math.max(1000, 2 * first);
    for (let round = 1; round <= 5 && !isIn(); round++) {
      await given(async (w) => {
        const { id, ms } = await interrupted(w);
        const resumed = w.start('resume', id);
        await begun(w, 2);
        first = Math.min(first, ms);
        next = Math.min(next, timeOf(w, 2) - resumed.at);
        w.write('go', '');
        expect(await resumed.exit).toMatchObject({ code: 0, out: 'ab\n' });
        expect(new Set(began(w).map((line) => line.split(' ')[1])).size).toBe(1);
      })(context);
    }
    console.log(`run began the step after ${first} ms, resume after ${next} ms`);
    expect(isIn(), `${next} ms, and ${first} ms for a first start`).toBe(true);
  },
);

describe.runIf(process.platform === 'linux').concurrent('owners', () => {
  it(
    'a run that waits for an approval holds no process',
    given(async (w) => {
      const run = w.start('run', 'ask.toon');
      expect((await run.exit).code).toBe(3);
      expect(w.processes()).toEqual([]);
      const id = w.store().runIds()[0] ?? '';
      expect(w.store().lease(id)?.owner).toBeUndefined();
      expect(await w.finish('approve', id)).toMatchObject({ code: 0, out: 'by ana\n' });
      expect(w.processes()).toEqual([]);
      expect(w.store().processes(id)).toEqual([]);
    }),
  );

  it(
    'an owner that was frozen while somebody took over writes nothing, ends its steps, and says who drives',
    given(async (w) => {
      const run = w.start('run', 'slow.toon');
      await begun(w, 1);
      await w.freeze(run);
      const db = openDatabase(w.at('.toolang/runs.db'), 5000);
      db.exec("UPDATE leases SET host = 'elsewhere', at = at - 120000");
      db.close();
      const id = await run.id();
      const second = w.start('resume', id);
      await begun(w, 2);
      const store = w.store();
      const root = store.runIds()[0] ?? '';
      const before = [...store.events(root)].length;
      const rows = store.processes(root);
      run.kill('SIGCONT');
      const end = await run.exit;
      expect(end.code).toBe(1);
      expect(end.err).toContain(`is driven by the process ${second.pid} on `);
      expect([...store.events(root)]).toHaveLength(before);
      expect(store.processes(root)).toEqual(rows);
      expect(store.lease(root)?.owner?.pid).toBe(second.pid);
      w.write('go', '');
      expect(await second.exit).toMatchObject({ code: 0, out: 'ab\n' });
      expect(w.processes()).toEqual([]);
    }),
  );

  it(
    'of two that resume a run at the same time one drives, and the other says which',
    given(async (w) => {
      const { id } = await interrupted(w);
      const both: readonly Started[] = [w.start('resume', id), w.start('resume', id)];
      const loser = await Promise.race(both.map((each) => each.exit.then((exit) => ({ each, exit }))));
      const winner = both.find((each) => each !== loser.each);
      expect(loser.exit.code).toBe(1);
      expect(loser.exit.err).toContain(`is driven by the process ${winner?.pid} on `);
      w.write('go', '');
      expect(await winner?.exit).toMatchObject({ code: 0, out: 'ab\n' });
      expect(began(w)).toHaveLength(2);
    }),
  );

  it(
    'who approves and stays takes over when the owner dies before it looks',
    given(async (w) => {
      const run = w.start('run', 'ask.toon', '--wait');
      await until(() => run.err().includes('waiting for you'), 'the question');
      await w.freeze(run);
      const approving = w.start('approve', await run.id(), '--wait');
      await until(() => approving.err().includes('it is driven by'), 'the approval');
      run.kill('SIGKILL');
      expect(await approving.exit).toMatchObject({ code: 0, out: 'by ana\n' });
    }),
  );
});
