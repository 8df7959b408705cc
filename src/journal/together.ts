/**
 * Those who drive runs of one store in one process write together: what they want to write in one tick of the event loop is
 * one transaction, and one fsync.
 * 1. Whoever is alone writes at once, as if nobody had ever thought of others.
 * 2. Nobody is told of a write before it is durable, or at least `soon` where that is enough for all of them.
 * 3. What one of them does wrong undoes nothing of the others: where a work throws, the transaction is undone and each is
 *    written by itself. That is rare; a savepoint for each would cost every write something (a tenth of it).
 * 4. A store that fails, fails for all: each is told so. Whoever tries again does so by itself.
 * 5. What somebody wrote is written in that order.
 */
import { type Store, StoreFailure, type Writer } from './store.ts';

export interface Together {
  /** At the end of this tick, with all that others write in it. Whoever writes waits for it before it writes again. */
  readonly write: <T>(work: (writer: Writer) => T, when?: 'soon') => T | Promise<T>;
  /** At once, after what it wants to write already. */
  readonly writeNow: Store['write'];
  readonly leave: () => void;
}

interface Job {
  readonly work: (writer: Writer) => unknown;
  readonly when: 'soon' | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  members: number;
  jobs: Job[];
}

const groups = new WeakMap<Store, Group>();

/** Somebody begins to drive a run of the store. */
export function joinWriters(store: Store): Together {
  const group = groups.get(store) ?? { members: 0, jobs: [] };
  groups.set(store, group);
  group.members++;
  let isHere = true;
  let mine: Job | undefined;
  return {
    write(work, when) {
      if (group.members === 1) return store.write(work, when);
      return new Promise((resolve, reject) => {
        if (group.jobs.length === 0) setImmediate(flush, store, group);
        mine = { work, when, resolve, reject };
        group.jobs.push(mine);
      });
    },
    writeNow(work) {
      if (mine !== undefined && group.jobs.includes(mine)) flush(store, group);
      return store.write(work);
    },
    leave() {
      if (isHere) group.members--;
      isHere = false;
    },
  };
}

function flush(store: Store, group: Group): void {
  const { jobs } = group;
  if (jobs.length === 0) return;
  group.jobs = [];
  if (jobs.length === 1) writeEach(store, jobs);
  else writeAll(store, jobs);
}

function writeAll(store: Store, jobs: readonly Job[]): void {
  let results: unknown[] = [];
  const isSoon = jobs.every(({ when }) => when === 'soon');
  try {
    store.write(
      (writer) => {
        // A store that was busy begins again.
        results = [];
        for (const { work } of jobs) results.push(work(writer));
      },
      isSoon ? 'soon' : undefined,
    );
  } catch (error) {
    // Where all have done their work it is the commit that failed, and some of it may be there.
    if (error instanceof StoreFailure || results.length === jobs.length) for (const { reject } of jobs) reject(error);
    else writeEach(store, jobs);
    return;
  }
  for (let i = 0; i < jobs.length; i++) jobs[i]?.resolve(results[i] as never);
}

function writeEach(store: Store, jobs: readonly Job[]): void {
  for (const { work, when, resolve, reject } of jobs) {
    try {
      resolve(store.write(work, when) as never);
    } catch (error) {
      reject(error);
    }
  }
}
