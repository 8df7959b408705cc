/** Writes of one tick are one transaction, on both stores, and nobody suffers for another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import type { Database } from './sqlite.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { LeaseLost, type Store, StoreFailure, type Writer } from './store.ts';
import { runRow } from './store-conformance.ts';
import { joinWriters } from './together.ts';

interface Watched {
  readonly store: Store;
  readonly connect: () => Store;
  /** How many transactions were begun to be committed, also in vain. */
  readonly commits: () => number;
  /** Called at each commit; what it throws, the commit throws. */
  onCommit: (when: 'before' | 'after') => void;
}

const owner = { host: 'h', boot: 'b', pid: 1, started: 's' };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function inMemory(): Watched {
  let commits = 0;
  const onCommit = (when: 'before' | 'after') => {
    if (when === 'before') commits++;
    watched.onCommit(when);
  };
  const store = createMemoryStore({ onCommit });
  const watched: Watched = { store, connect: store.connect, commits: () => commits, onCommit: () => undefined };
  return watched;
}

function inSqlite(): Watched {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-together-'));
  const file = join(dir, 'runs.db');
  const stores: Store[] = [];
  closing.push(() => {
    for (const store of stores) store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  let commits = 0;
  const spy = (db: Database) => {
    const exec = db.exec.bind(db);
    const value = (sql: string) => {
      if (sql !== 'COMMIT') return exec(sql);
      commits++;
      watched.onCommit('before');
      exec(sql);
      watched.onCommit('after');
    };
    // It cannot be assigned.
    Object.defineProperty(db, 'exec', { value });
  };
  const open = (onConnect?: (db: Database) => void) => {
    const store = openSqliteStore(file, onConnect && { onConnect });
    stores.push(store);
    return store;
  };
  const watched: Watched = {
    store: open(spy),
    connect: () => open(),
    commits: () => commits,
    onCommit: () => undefined,
  };
  return watched;
}

/** Runs r0, r1, … that are driven under epoch 1, each with somebody who writes. */
function begin(store: Store, count: number) {
  store.write((w) => {
    for (let i = 0; i < count; i++) {
      w.addRun(runRow(`r${i}`));
      w.takeLease(`r${i}`, owner, undefined, 1);
    }
  });
  return Array.from({ length: count }, () => joinWriters(store));
}

const said =
  (run: string, text: string) =>
  (writer: Writer): number =>
    writer.append(run, 1, [{ at: 1, run, node: 's#1', body: { kind: 'node.printed', text } }]);

function texts(store: Store, run: string): unknown[] {
  return [...store.events(run)].map(({ body }) => (body.kind === 'node.printed' ? body.text : body.kind));
}

const full = () => Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });

describe.each([
  ['memory', inMemory, () => new StoreFailure('full', 'the disk is full')],
  ['SQLite', inSqlite, full],
] as const)('those who write together, in %s', (_, make, noSpace) => {
  it('make one commit of what they write in one tick, and are told when it is durable', async () => {
    const { store, connect, commits } = make();
    const writers = begin(store, 100);
    const before = commits();
    const other = connect();
    const told: number[] = [];
    const writes = writers.map(async (writer, i) => {
      // They need not come at the same moment.
      for (let hops = i % 7; hops > 0; hops--) await undefined;
      const seq = await writer.write(said(`r${i}`, 'a'));
      expect(texts(other, `r${i}`)).toEqual(['a']);
      told.push(seq);
    });
    await Promise.resolve();
    expect(texts(other, 'r0')).toEqual([]);
    await Promise.all(writes);
    expect(commits() - before).toBe(1);
    expect(told).toEqual(writers.map(() => 1));
    await Promise.all(writers.map((writer, i) => writer.write(said(`r${i}`, 'b'))));
    expect(commits() - before).toBe(2);
  });

  it('wait for the disk where one of them has to', async () => {
    const { store } = make();
    const whens: unknown[] = [];
    const write: Store['write'] = (work, when) => {
      whens.push(when);
      return store.write(work, when);
    };
    const [first, second] = begin({ ...store, write }, 2);
    whens.length = 0;
    await Promise.all([first?.write(said('r0', 'a'), 'soon'), second?.write(said('r1', 'a'), 'soon')]);
    await Promise.all([first?.write(said('r0', 'b'), 'soon'), second?.write(said('r1', 'b'))]);
    second?.leave();
    first?.write(said('r0', 'c'), 'soon');
    expect(whens).toEqual(['soon', undefined, 'soon']);
  });

  it('write at once where they are alone, before others come and after they have left', async () => {
    const { store, commits } = make();
    const [first] = begin(store, 1);
    const before = commits();
    expect(first?.write(said('r0', 'a'))).toBe(1);
    expect(commits() - before).toBe(1);
    const second = joinWriters(store);
    expect(await first?.write(said('r0', 'b'))).toBe(2);
    second.leave();
    second.leave();
    expect(first?.write(said('r0', 'c'))).toBe(3);
    expect(texts(store, 'r0')).toEqual(['a', 'b', 'c']);
  });

  it('lose nothing when one of them has lost its lease, or makes a mistake', async () => {
    const { store } = make();
    const writers = begin(store, 5);
    store.write((w) => w.takeLease('r1', { ...owner, pid: 2 }, 1, 2));
    const ends = await Promise.allSettled(
      writers.map((writer, i) =>
        writer.write((w) => {
          if (i === 3) w.updateRun('r3', { name: 'half done' });
          const seq = said(`r${i}`, 'a')(w);
          if (i === 3) throw new Error('a mistake');
          return seq;
        }),
      ),
    );
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))).toEqual([
      1,
      expect.any(LeaseLost),
      1,
      new Error('a mistake'),
      1,
    ]);
    expect([0, 1, 2, 3, 4].map((i) => texts(store, `r${i}`).length)).toEqual([1, 0, 1, 0, 1]);
    expect(store.run('r3')?.name).toBe('notes');
  });

  it('are all told when the store fails, and none is written', async () => {
    const watched = make();
    const { store, commits } = watched;
    const writers = begin(store, 3);
    const before = commits();
    watched.onCommit = () => {
      throw noSpace();
    };
    const write = () => Promise.allSettled(writers.map((writer, i) => writer.write(said(`r${i}`, 'a'))));
    for (const end of await write()) expect(end).toMatchObject({ reason: expect.any(StoreFailure) });
    expect(commits() - before).toBe(1);
    expect(texts(store, 'r0')).toEqual([]);
    watched.onCommit = () => undefined;
    expect(await write()).toEqual(writers.map(() => ({ status: 'fulfilled', value: 1 })));
  });

  it('write nothing twice when a commit fails after it was done', async () => {
    const watched = make();
    const { store, connect, commits } = watched;
    const writers = begin(store, 3);
    const before = commits();
    watched.onCommit = (when) => {
      if (when === 'after') throw new Error('died');
    };
    const ends = await Promise.allSettled(writers.map((writer, i) => writer.write(said(`r${i}`, 'a'))));
    for (const end of ends) expect(end).toMatchObject({ reason: new Error('died') });
    expect(commits() - before).toBe(1);
    expect(texts(connect(), 'r2')).toEqual(['a']);
  });

  it('keep the order of what each writes, also of what cannot wait', async () => {
    const { store, commits } = make();
    const [first, second, third] = begin(store, 3);
    const before = commits();
    const waiting = [first?.write(said('r0', 'a')), second?.write(said('r1', 'a'))];
    // It has nothing to wait for, and nobody else has to hurry for it.
    third?.writeNow(said('r2', 'a'));
    expect(texts(store, 'r0')).toEqual([]);
    first?.writeNow(said('r0', 'b'));
    expect(texts(store, 'r0')).toEqual(['a', 'b']);
    expect(await Promise.all(waiting)).toEqual([1, 1]);
    expect(commits() - before).toBe(3);
    await Promise.all([first?.write(said('r0', 'c')), second?.write(said('r1', 'b'))]);
    expect(texts(store, 'r0')).toEqual(['a', 'b', 'c']);
    expect(texts(store, 'r1')).toEqual(['a', 'b']);
  });
});
