/** Old runs go, with all that was kept for them; what others need stays. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { blobTable } from './blobs.ts';
import { createMemoryStore } from './memory-store.ts';
import { type PruneOptions, prunable, prune } from './prune.ts';
import { openDatabase } from './sqlite.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';
import { runRow } from './store-conformance.ts';
import { createSweep } from './sweep.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-prune-'));
const owner = { host: 'h', boot: 'b', pid: 1, started: 's' };
const opened: Store[] = [];
let files = 0;
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function sqlite(): Store {
  const store = openSqliteStore(join(dir, `${++files}`, 'runs.db'));
  opened.push(store);
  return store;
}

/** Runs that ended at these times, each with a result of its own that is as large. */
function filled(store: Store, ends: readonly (number | undefined)[], size = 10): Store {
  store.write((w) => {
    for (const [i, endedAt] of ends.entries()) {
      const id = `r${i}`;
      w.addRun(runRow(id, endedAt === undefined ? { status: 'waiting' } : { status: 'done', endedAt }));
      const epoch = w.takeLease(id, owner, undefined, 1) ?? 0;
      const plan = w.putBlob('plan');
      const body = { kind: 'run.started' as const, name: 'n', plan, source: plan, input: null, machine: 1, models: {} };
      const output = `${id} `.repeat(size);
      w.append(id, epoch, [
        { at: 1, run: id, body },
        { at: 2, run: id, node: 'a#1', body: { kind: 'node.done', output } },
      ]);
      if (endedAt !== undefined) w.release(id, epoch);
    }
  });
  return store;
}

const nobody: PruneOptions = { isDriven: () => false };
const ids = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id);

describe('what goes', () => {
  const store = filled(createMemoryStore(), [10, 40, undefined, 20, 30]);

  it('is what ended before a time', () => {
    expect(ids(prunable(store, { before: 30 }))).toEqual(['r3', 'r0']);
  });

  it('is all but the last so many', () => {
    expect(ids(prunable(store, { keep: 3 }))).toEqual(['r0']);
    expect(ids(prunable(store, { keep: 0 }))).toEqual(['r1', 'r4', 'r3', 'r0']);
  });

  it('is what both say', () => {
    expect(ids(prunable(store, { before: 40, keep: 2 }))).toEqual(['r3', 'r0']);
    expect(ids(prunable(store, { before: 15, keep: 2 }))).toEqual(['r0']);
  });
});

for (const [name, make] of [
  ['memory', createMemoryStore],
  ['SQLite', sqlite],
] as const) {
  describe(`pruning in ${name}`, () => {
    it('removes runs with their journals, and leaves the others whole', async () => {
      const store = filled(make(), [10, 40, undefined]);
      const rest = ['r1', 'r2'].map((id) => [...store.events(id)]);
      const { removed, stayed } = await prune(store, prunable(store, { before: 20 }), nobody);
      expect([ids(removed), stayed]).toEqual([['r0'], []]);
      expect(store.runIds()).toEqual(['r1', 'r2']);
      expect([...store.events('r0')]).toEqual([]);
      expect(['r1', 'r2'].map((id) => [...store.events(id)])).toEqual(rest);
      const [first] = store.events('r1');
      expect(first?.body.kind === 'run.started' && store.blob(first.body.plan)).toBe('plan');
    });

    it('forgets what is outside before a run is removed, and leaves a run for which that fails', async () => {
      const store = filled(make(), [10, 20, 30]);
      const forgotten: string[] = [];
      const { removed, stayed } = await prune(store, prunable(store, {}), {
        ...nobody,
        async forget({ id }) {
          await Promise.resolve();
          if (id === 'r1') throw new Error('git is missing');
          forgotten.push(`${id} ${store.run(id)?.status}`);
        },
      });
      expect(forgotten).toEqual(['r2 done', 'r0 done']);
      expect(ids(removed)).toEqual(['r2', 'r0']);
      expect(stayed.map(({ run, why }) => [run.id, why])).toEqual([['r1', 'git is missing']]);
      expect(store.runIds()).toEqual(['r1']);
    });

    it('forgets what a run has outside before what its forks have, which it leaves that to', async () => {
      const store = make();
      const forks = [['a'], ['b', 'a'], ['c', 'b']] as const;
      store.write((w) => {
        for (const [i, [id, forkOf]] of forks.entries())
          w.addRun(runRow(id, { status: 'done', endedAt: [20, 30, 10][i] ?? 0, ...(forkOf && { forkOf }) }));
      });
      const forgotten: string[] = [];
      const runs = prunable(store, {});
      expect(ids(runs)).toEqual(['b', 'a', 'c']);
      const { removed } = await prune(store, runs, { ...nobody, forget: ({ id }) => void forgotten.push(id) });
      expect(forgotten).toEqual(['a', 'b', 'c']);
      expect(ids(removed)).toEqual(['b', 'a', 'c']);
    });

    it('leaves what is driven, and what somebody went on with meanwhile', async () => {
      const store = filled(make(), [10, 20, 30]);
      const forgotten: string[] = [];
      const { removed, stayed } = await prune(store, prunable(store, {}), {
        isDriven: (id) => id === 'r0',
        forget({ id }) {
          forgotten.push(id);
          if (id === 'r2') store.write((w) => w.updateRun('r1', { status: 'running', endedAt: undefined }));
        },
      });
      expect(forgotten).not.toContain('r0');
      expect(ids(removed)).toEqual(['r2']);
      expect(stayed.map(({ run }) => run.id).sort()).toEqual(['r0', 'r1']);
      expect(store.runIds()).toEqual(['r0', 'r1']);
    });

    it('says nothing of a run that another one has removed', async () => {
      const store = filled(make(), [10, 20]);
      const runs = prunable(store, {});
      await prune(store, runs, nobody);
      expect(await prune(store, runs, nobody)).toEqual({ removed: [], stayed: [], freed: 0 });
    });

    it('removes more runs than one transaction takes', async () => {
      const store = filled(
        make(),
        Array.from({ length: 450 }, (_, i) => i),
      );
      const { removed } = await prune(store, prunable(store, { keep: 1 }), nobody);
      expect(removed).toHaveLength(449);
      expect(store.runIds()).toEqual(['r449']);
    });
  });
}

describe('a file', () => {
  it('becomes smaller', async () => {
    const store = filled(
      sqlite(),
      Array.from({ length: 60 }, (_, i) => i),
      30_000,
    );
    store.close();
    const before = statSync(store.name).size;
    const again = openSqliteStore(store.name);
    const { freed } = await prune(again, prunable(again, { keep: 1 }), nobody);
    expect([...again.events('r59')]).toHaveLength(2);
    again.close();
    expect(freed).toBeGreaterThan(before * 0.9);
    expect(statSync(store.name).size).toBeLessThan(before * 0.1);
  });

  it('keeps what somebody names again while it is swept', () => {
    const store = filled(sqlite(), [10]);
    const planOf = (root: string) => {
      const [first] = store.events(root);
      return first?.body.kind === 'run.started' ? store.blob(first.body.plan) : undefined;
    };
    store.write((w) => w.removeRun('r0'));
    const db = openDatabase(store.name, 1000);
    const sweep = createSweep(db, blobTable(db));
    while (sweep.look());
    // Nobody names the plan: now another one begins a run with it, and keeps a large result.
    filled(store, [undefined], 30_000);
    store.write((w) =>
      w.putCache({ key: 'k', workflow: 'w', step: 's', run: 'r0', at: 1, output: 'x'.repeat(70_000) }),
    );
    expect(sweep.remove()).toBe(0);
    expect(planOf('r0')).toBe('plan');
    expect([...store.events('r0')]).toHaveLength(2);
    store.write((w) => w.updateRun('r0', { status: 'done', endedAt: 1 }));
    store.write((w) => w.removeRun('r0'));
    // What came after it began is for the next one.
    expect(sweep.remove()).toBe(0);
    expect(store.sweep()).toBe(2);
    expect(store.cached('k')?.output).toHaveLength(70_000);
    db.close();
  });
});
