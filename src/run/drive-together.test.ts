/** Many runs that one process drives: what they commit together, and that none of them suffers for another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  isFact,
  type LeaseOwner,
  openSqliteStore,
  type Store,
  StoreFailure,
} from '../journal/index.ts';
import { manualClock } from '../sys/index.ts';
import { type DriveEnd, type DriveMessage, drive } from './drive.ts';
import type { Execute } from './execute.ts';
import { makeRounds, roundsRef, step } from './round-machine.ts';
import { replay } from './state.ts';

const owner: LeaseOwner = { host: 'here', boot: 'b', pid: 1, started: 's' };
const ids = ['a#1', 'b#1', 'c#1'];
const ref = roundsRef(...ids.map((id) => [step(id)]));

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function openFile(): Store {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-drives-'));
  const store = openSqliteStore(join(dir, 'runs.db'));
  closing.push(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return store;
}

/** A store whose commits are counted, and fail when the test says so. */
function watched(store: Store) {
  const watch = { commits: 0, fail: undefined as (() => Error) | undefined };
  const write: Store['write'] = (work) => {
    watch.commits++;
    if (watch.fail) throw watch.fail();
    return store.write(work);
  };
  return { watch, store: { ...store, write } };
}

function begin(store: Store, roots: readonly string[]): void {
  store.write((writer) => {
    for (const root of roots) {
      writer.addRun({ id: root, root, name: 'test', status: 'running', startedAt: 1, updatedAt: 1 });
      const epoch = writer.takeLease(root, owner, undefined, 1) ?? 0;
      const start = { kind: 'run.started', name: 'test', plan: '', source: '', input: null, models: {} } as const;
      writer.append(root, epoch, [{ at: 1, run: root, body: { ...start, machine: 1 } }]);
    }
  });
}

const clock = manualClock(1000);

function own(store: Store, root: string, execute: Execute, tell?: (message: DriveMessage) => void): Promise<DriveEnd> {
  const epoch = store.lease(root)?.epoch ?? 0;
  const state = replay({ root, make: makeRounds, ref, events: store.events(root) });
  return drive({ store, root, epoch, state, executors: { test: execute }, clock, ...(tell && { tell }) });
}

const doneIn = (store: Store, root: string): unknown[] =>
  [...store.events(root)].flatMap(({ node, body }) => (body.kind === 'node.done' ? [node] : []));

const rootsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `r${i}`);

describe.each([
  ['memory', (): Store => createMemoryStore()],
  ['SQLite', openFile],
])('runs that are driven together, in %s', (_, open) => {
  test('steps that end in one tick are one commit, whosever they are, and begin when that is done', async () => {
    const { store, watch } = watched(open());
    const roots = rootsOf(100);
    begin(store, roots);
    const early: string[] = [];
    const execute: Execute = async ({ id }, { runId }) => {
      const isDurable = [...store.events(runId)].some(({ node, body }) => node === id && body.kind === 'node.started');
      if (!isDurable) early.push(`${runId} ${id}`);
      return { outcome: { ok: 1 } };
    };
    watch.commits = 0;
    const ends = await Promise.all(roots.map((root) => own(store, root, execute)));
    expect(ends.map(({ kind }) => kind)).toEqual(roots.map(() => 'ended'));
    expect(early).toEqual([]);
    // Begins, and each of three steps with its end.
    expect(watch.commits).toBe(4);
    for (const root of roots) expect(doneIn(store, root)).toEqual(ids);
  });

  test('a run alone commits as before, without waiting for a turn of the event loop', async () => {
    const { store, watch } = watched(open());
    begin(store, ['r0']);
    watch.commits = 0;
    let turns = 0;
    const count = () => {
      turns++;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const end = await own(store, 'r0', async () => ({ outcome: { ok: 1 } }));
    clearImmediate(turn);
    expect([end.kind, watch.commits, turns]).toEqual(['ended', 4, 0]);
  });

  test('a process with the number of one that has ended is remembered', async () => {
    const { store } = watched(open());
    const roots = rootsOf(2);
    begin(store, roots);
    const known: unknown[] = [];
    const execute: Execute = async ({ id }, { runId, spawned, ended }) => {
      if (id === 'a#1') {
        spawned(process.pid);
        ended(process.pid);
        spawned(process.pid);
      } else if (id === 'b#1') known.push(...store.processes(runId).map(({ pid }) => pid));
      return { outcome: { ok: 1 } };
    };
    await Promise.all(roots.map((root) => own(store, root, execute)));
    expect(known).toEqual([process.pid, process.pid]);
  });

  test('one that lost its lease is told so, and the others go on', async () => {
    const { store } = watched(open());
    const roots = rootsOf(5);
    begin(store, roots);
    const execute: Execute = async ({ id }, { runId }) => {
      if (runId === 'r2' && id === 'b#1')
        store.write((writer) => writer.takeLease(runId, { ...owner, pid: 2 }, store.lease(runId)?.epoch, 2));
      return { outcome: { ok: 1 } };
    };
    const ends = await Promise.all(roots.map((root) => own(store, root, execute)));
    expect(ends.map(({ kind }) => kind)).toEqual(['ended', 'ended', 'lost', 'ended', 'ended']);
    expect(roots.map((root) => doneIn(store, root).length)).toEqual([3, 3, 1, 3, 3]);
  });

  test('a full disk is told to each, nothing begins, and all go on when there is space', async () => {
    const { store, watch } = watched(open());
    const roots = rootsOf(5);
    begin(store, roots);
    const told = new Map<string, string[]>();
    const began: string[] = [];
    const execute: Execute = async ({ id }) => {
      began.push(id);
      if (id === 'b#1') watch.fail = () => new StoreFailure('full', 'the disk is full');
      return { outcome: { ok: 1 } };
    };
    const ends = Promise.all(
      roots.map((root) =>
        own(store, root, execute, ({ kind }) => {
          if (kind !== 'events') told.set(root, [...(told.get(root) ?? []), kind]);
        }),
      ),
    );
    while (told.size < roots.length) await clock.advance(0);
    const tries = watch.commits;
    while (watch.commits < tries + 2 * roots.length) await clock.advance(1000);
    expect(roots.map((root) => told.get(root))).toEqual(roots.map(() => ['store']));
    expect(began).not.toContain('c#1');
    watch.fail = undefined;
    while (roots.some((root) => told.get(root)?.length !== 2)) await clock.advance(1000);
    expect((await ends).map(({ kind }) => kind)).toEqual(roots.map(() => 'ended'));
    expect(roots.map((root) => told.get(root))).toEqual(roots.map(() => ['store', 'stored']));
    for (const root of roots) expect(doneIn(store, root)).toEqual(ids);
  });
});

test('whenever the process dies, each run goes on from what is durable, and no recorded step runs again', async () => {
  const places = fc.record({
    roots: fc.integer({ min: 1, max: 6 }).map(rootsOf),
    after: fc.nat(8),
    when: fc.constantFrom('before' as const, 'after' as const),
    /** How many promises a step takes to end, so that they come in different ticks. */
    pace: fc.array(fc.nat(3), { minLength: 1, maxLength: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(places, async ({ roots, after, when, pace }) => {
      let left = Number.POSITIVE_INFINITY;
      const store = createMemoryStore({
        onCommit(now) {
          if (now === when && left-- <= 0) throw new Error('died');
        },
      });
      begin(store, roots);
      const facts = (root: string) => [...store.events(root)].flatMap(({ node, body }) => (isFact(body) ? [node] : []));
      const again: string[] = [];
      let steps = 0;
      const execute: Execute = async ({ id }, { runId }) => {
        if (facts(runId).includes(id)) again.push(id);
        for (let ticks = pace[steps++ % pace.length] ?? 0; ticks > 0; ticks--)
          await new Promise((resolve) => setImmediate(resolve));
        return { outcome: { ok: 1 } };
      };
      left = after;
      const first = store.connect();
      await Promise.allSettled(roots.map((root) => own(first, root, execute)));
      left = Number.POSITIVE_INFINITY;
      for (const root of roots) {
        const isOver = store.run(root)?.endedAt !== undefined;
        if (!isOver) expect((await own(store.connect(), root, execute)).kind).toBe('ended');
        expect(facts(root)).toEqual(ids);
      }
      expect(again).toEqual([]);
    }),
  );
});
