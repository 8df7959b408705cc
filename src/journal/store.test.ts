/** Both stores against the same suite, and what only the one in memory can do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { type Store, StoreFailure } from './store.ts';
import { runRow, storeConformance } from './store-conformance.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-store-'));
const open: Store[] = [];
let files = 0;

afterEach(() => {
  for (const store of open.splice(0)) store.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('SQLite', () => {
  storeConformance(() => {
    const file = join(dir, `${++files}`, 'runs.db');
    const connect = () => {
      const store = openSqliteStore(file);
      open.push(store);
      return store;
    };
    return { store: connect(), connect };
  });
});

describe('memory', () => {
  storeConformance(() => {
    const store = createMemoryStore();
    return { store, connect: store.connect };
  });

  it('lets the next commit fail, of whatever connection, and keeps nothing of it', () => {
    const store = createMemoryStore();
    store.failNextCommit();
    expect(() => store.connect().write((w) => w.addRun(runRow('r1')))).toThrow(StoreFailure);
    expect(store.runIds()).toEqual([]);
    store.write((w) => w.addRun(runRow('r1')));
    store.failNextCommit(new Error('mine'));
    expect(() => store.write((w) => w.addRun(runRow('r2')))).toThrow('mine');
    expect(store.runIds()).toEqual(['r1']);
  });

  it('a crash before the commit keeps nothing, one after it keeps all', () => {
    let crash: 'before' | 'after' | undefined;
    const store = createMemoryStore({
      onCommit(when) {
        if (when === crash) throw new Error(`crash ${when}`);
      },
    });
    crash = 'before';
    expect(() => store.write((w) => w.addRun(runRow('r1')))).toThrow('crash before');
    crash = 'after';
    expect(() => store.write((w) => w.addRun(runRow('r2')))).toThrow('crash after');
    expect(store.runIds()).toEqual(['r2']);
  });

  it('a process that has died writes and reads nothing any more, and what it had committed stays', () => {
    const store = createMemoryStore();
    store.write((w) => w.addRun(runRow('r1')));
    const dead = () =>
      store.write((w) => {
        w.addRun(runRow('r2'));
        store.crash();
      });
    expect(dead).toThrow('crashed');
    expect(() => store.runs()).toThrow('crashed');
    expect(store.connect().runIds()).toEqual(['r1']);
  });
});
