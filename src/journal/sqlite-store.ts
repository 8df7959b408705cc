/**
 * The store in one SQLite file. Its job: transactions, and what to do when one fails. Its neighbours open the file
 * (`sqlite-connection.ts`) and keep the tables.
 * 1. One `write` is one transaction and one fsync: WAL, `synchronous=FULL`, and `fullfsync`, without which macOS promises
 *    nothing.
 * 2. Writers wait for each other at the beginning of a transaction (`turn.ts`), never inside of it: what it reads stays true.
 * 3. Nothing is written into a file that is no store of a version that we know, and no file is ever deleted.
 * 4. A store that this user may not write can be read, as it is at that moment.
 * 5. A file that could not be written when it was opened is opened anew before the next write: for SQLite it would stay
 *    read-only. After other failures the connection goes on: SQLite has undone the transaction.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { quotePath } from '../sys/index.ts';
import type { JournalEvent } from './event.ts';
import { pageRows } from './event-table.ts';
import { failureOf } from './failures.ts';
import type { Database } from './sqlite.ts';
import {
  type Connection,
  closeDatabase,
  connect,
  expectMuch,
  type SqliteStoreOptions,
  versionSeen,
} from './sqlite-connection.ts';
import { type Store, StoreFailure, type Writer } from './store.ts';
import { createSweep, freeBytes, giveBack } from './sweep.ts';
import { inTurn, stateOf } from './turn.ts';

/** More of them in one transaction are those of many runs. */
const fewAppends = 8;

/** Opens the store, and makes it with its folder if it is not there. Throws `StoreFailure`. */
export function openSqliteStore(file: string, options: SqliteStoreOptions = {}): Store {
  const name = resolve(file);
  let connection: Connection | undefined;
  let writing = false;
  let closed = false;
  /** Nobody has looked since the connection was given up. */
  let missed = false;
  let changes = 0;
  /** How often the open transaction has appended. */
  let appends = 0;

  /** Whoever opened the store may become less patient later. */
  const patience = {
    get quietMs() {
      return options.busyMs ?? 10_000;
    },
    mostMs: options.crowdMs ?? 60_000,
  };

  function use<T>(work: (connection: Connection) => T): T {
    if (closed) throw new Error(`the store ${quotePath(name)} was closed`);
    try {
      return inTurn(name, patience, () => seeing(work));
    } catch (error) {
      const failure = failureOf(error, name);
      if (failure instanceof StoreFailure && (failure.reason === 'read-only' || connection?.full)) giveUp();
      throw failure;
    }
  }

  /** What a frozen connection read counts only if nobody has written meanwhile. */
  function seeing<T>(work: (connection: Connection) => T): T {
    for (;;) {
      connection ??= connect(name, options);
      const { frozen } = connection;
      if (frozen === undefined) return work(connection);
      let result: { readonly value: T } | { readonly error: unknown };
      try {
        result = { value: work(connection) };
      } catch (error) {
        result = { error };
      }
      if (stateOf(name) === frozen) {
        if ('error' in result) throw result.error;
        return result.value;
      }
      giveUp();
    }
  }

  function giveUp(): void {
    try {
      connection?.db.close();
    } catch {
      // The failure that led here says more.
    }
    connection = undefined;
    missed = true;
  }

  function transaction<T>(current: Connection, work: () => T): T {
    const { db, inode, writable, full } = current;
    if (full) throw full;
    if (!writable) {
      throw new StoreFailure(
        'read-only',
        `the store ${quotePath(name)} cannot be written: it or its folder is read-only for this user`,
      );
    }
    // SQLite would go on writing into a file that no path leads to.
    if (statSync(name, { throwIfNoEntry: false })?.ino !== inode) {
      throw new StoreFailure('gone', `the store ${quotePath(name)} was moved or deleted while it was in use`);
    }
    db.exec('BEGIN IMMEDIATE');
    writing = true;
    appends = 0;
    try {
      const result = work();
      if (isPromise(result)) throw new Error('a transaction of the store cannot wait for a promise');
      if (appends > fewAppends) expectMuch(current);
      db.exec('COMMIT');
      return result;
    } catch (error) {
      undo(db);
      throw error;
    } finally {
      writing = false;
    }
  }

  /** Some failures have ended the transaction already. */
  function undo(db: Database): void {
    try {
      if (db.isTransaction) db.exec('ROLLBACK');
    } catch {
      // Closing undoes it too.
      giveUp();
    }
  }

  function inside(): Connection {
    if (!writing || connection === undefined) throw new Error('a writer was used outside of its transaction');
    return connection;
  }

  const writer: Writer = {
    addRun: (row) => inside().runs.add(row),
    updateRun: (id, change) => inside().runs.update(id, change),
    append(root, epoch, events) {
      appends++;
      return inside().events.append(root, epoch, events);
    },
    putBlob: (text) => inside().blobs.put(text),
    post(root, item) {
      const { runs, inbox } = inside();
      if (runs.get(root)?.root !== root) throw new Error(`there is no root run ${root}`);
      inbox.post(root, item);
      changes++;
    },
    dropInbox(root, epoch, ids) {
      const { leases, inbox } = inside();
      leases.need(root, epoch);
      inbox.drop(root, ids);
    },
    takeLease: (root, owner, from, at) => inside().leases.take(root, owner, from, at),
    beat: (root, epoch, at) => inside().leases.beat(root, epoch, at),
    release(root, epoch) {
      const { leases, inbox } = inside();
      if (!leases.isHeld(root, epoch)) return 'lost';
      if (!inbox.isEmpty(root)) return 'kept';
      leases.free(root, epoch);
      return 'released';
    },
    addProcess: (root, row) => inside().processes.add(root, row),
    dropProcess: (root, pid) => inside().processes.drop(root, pid),
    putCache: (entry) => inside().cache.put(entry),
    dropCache: (filter) => inside().cache.drop(filter),
    removeRun(root) {
      const { db, runs } = inside();
      if (!runs.remove(root)) return false;
      for (const table of ['events', 'inbox', 'processes', 'leases']) {
        db.prepare(`DELETE FROM ${table} WHERE root = ?`).run(root);
      }
      return true;
    },
  };

  function* pages(root: string, after: number, own: boolean): Generator<JournalEvent> {
    for (let last = after; ; ) {
      const page = use((c) => c.events.read(root, last, own, after + 2));
      yield* page;
      last = page.at(-1)?.seq ?? last;
      if (page.length < pageRows) return;
    }
  }

  function write<T>(work: (writer: Writer) => T): T {
    if (writing) throw new Error('a transaction of the store is open already');
    if (connection?.writable === false) giveUp();
    return use((c) => transaction(c, () => work(writer)));
  }

  /** Alone on the connection that it was begun with: what it has seen counts only there. */
  function sweep(): number {
    const { db, sweeping } = use((c) => ({ db: c.db, sweeping: createSweep(c.db, c.blobs) }));
    while (use((c) => c.db === db && sweeping.look()));
    for (let removed = 0; ; ) {
      const some = write(() => (connection?.db === db ? sweeping.remove() : 0));
      if (some === 0) return removed;
      removed += some;
    }
  }

  function shrink(): number {
    const free = use((c) => freeBytes(c.db));
    for (let before = free; before > 0; ) {
      const left = use((c) => {
        giveBack(c.db);
        return freeBytes(c.db);
      });
      if (left >= before) break;
      before = left;
    }
    return free - use((c) => freeBytes(c.db));
  }

  use(() => {});
  return {
    name,
    write,
    run: (id) => use((c) => c.runs.get(id)),
    runs: (filter = {}) => use((c) => c.runs.list(filter)),
    runIds: () => use((c) => c.runs.ids()),
    ended: () => use((c) => c.runs.ended()),
    events: (root, after = 0) => pages(root, after, false),
    replayed: (root, after = 0) => pages(root, after, true),
    blob: (hash) => use((c) => c.blobs.get(hash)),
    lease: (root) => use((c) => c.leases.get(root)),
    inbox: (root) => use((c) => c.inbox.list(root)),
    processes: (root) => use((c) => c.processes.list(root)),
    cached: (key) => use((c) => c.cache.get(key)),
    cacheEntries: (filter = {}) => use((c) => c.cache.list(filter)),
    sweep,
    shrink,
    changes: () =>
      use((c) => {
        const version = versionSeen(c.dataVersion);
        if (missed || version !== c.seen) changes++;
        c.seen = version;
        missed = false;
        return changes;
      }),
    close() {
      if (writing) throw new Error('the store cannot be closed inside of a transaction');
      closed = true;
      if (connection) closeDatabase(connection.db);
      connection = undefined;
    },
  };
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
