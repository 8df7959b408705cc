/** The store in one SQLite file: what is read and written in its tables. How the file is reached: `sqlite-access.ts`. */
import type { JournalEvent } from './event.ts';
import { pageRows } from './event-table.ts';
import { storeKind } from './schema.ts';
import { createAccess } from './sqlite-access.ts';
import type { SqliteOptions } from './sqlite-connection.ts';
import type { Store, Writer } from './store.ts';
import { expectMuch, storeTables, versionSeen } from './store-tables.ts';
import { createSweep, freeBytes, giveBack } from './sweep.ts';

/** More of them in one transaction are those of many runs. */
const fewAppends = 8;

/** Opens the store, and makes it with its folder if it is not there. Throws `StoreFailure`. */
export function openSqliteStore(file: string, options: SqliteOptions = {}): Store {
  const { name, use, inside, takeMissed, ...access } = createAccess(file, storeKind, options, storeTables);
  let changes = 0;
  /** How often the open transaction has appended. */
  let appends = 0;

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

  function write<T>(work: (writer: Writer) => T, when?: 'soon'): T {
    return access.write((tables) => {
      appends = 0;
      const result = work(writer);
      if (appends > fewAppends) expectMuch(tables);
      return result;
    }, when);
  }

  /** Alone on the connection that it was begun with: what it has seen counts only there. */
  function sweep(): number {
    const { db, sweeping } = use((c) => ({ db: c.db, sweeping: createSweep(c.db, c.blobs) }));
    while (use((c) => c.db === db && sweeping.look()));
    for (let removed = 0; ; ) {
      const some = write(() => (inside().db === db ? sweeping.remove() : 0));
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
    idsBeside: (id) => use((c) => c.runs.idsBeside(id)),
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
        if (takeMissed() || version !== c.seen) changes++;
        c.seen = version;
        return changes;
      }),
    close: access.close,
  };
}
