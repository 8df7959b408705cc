/**
 * The store in memory: for tests, and for the simulator, which lets commits fail and processes die. It keeps texts, as
 * SQLite does, so that nothing that was given to it can be changed from outside. Events, which are read again and again, are
 * parsed once, and frozen.
 */
import { hashOf } from './blobs.ts';
import { isMeant, resultText } from './cache-table.ts';
import { bodyText, type EventBody, type JournalEvent, type KeptBody, keptFrom } from './event.ts';
import {
  type CacheEntry,
  type CacheFilter,
  type EndedRun,
  type InboxItem,
  type Lease,
  LeaseLost,
  type ProcessRow,
  type RunRow,
  type Store,
  StoreFailure,
  type Writer,
} from './store.ts';
import { hashesIn } from './sweep.ts';

export interface MemoryStoreOptions {
  readonly name?: string;
  /**
   * Called around each commit of each connection. What it throws `before` undoes the transaction; what it throws `after`
   * leaves it done, as when a process dies before it learns of that.
   */
  readonly onCommit?: (when: 'before' | 'after') => void;
}

export interface MemoryStore extends Store {
  /** Another connection to the same data, as another process has it. */
  readonly connect: () => MemoryStore;
  /** The next commit, of whatever connection, throws this (a full disk, if left out) and keeps nothing. */
  readonly failNextCommit: (error?: Error) => void;
  /** As if its process had died: an open transaction is undone, and every later use throws. */
  readonly crash: () => void;
}

type StoredEvent = Omit<JournalEvent, 'body' | 'seq'> & { readonly body: EventBody | KeptBody };

interface EventText {
  readonly text: string;
  parsed: StoredEvent | undefined;
}

interface Data {
  readonly options: MemoryStoreOptions;
  /** JSON, in the order in which they were added. */
  readonly runs: Map<string, string>;
  readonly events: Map<string, EventText[]>;
  readonly blobs: Map<string, string>;
  readonly leases: Map<string, Lease>;
  readonly inbox: Map<number, { readonly root: string; readonly item: string }>;
  readonly processes: Map<string, ProcessRow & { readonly root: string }>;
  /** JSON, by keys. */
  readonly cache: Map<string, string>;
  lastInbox: number;
  commits: number;
  failure: Error | undefined;
  writing: boolean;
}

export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return connectTo({
    options,
    runs: new Map(),
    events: new Map(),
    blobs: new Map(),
    leases: new Map(),
    inbox: new Map(),
    processes: new Map(),
    cache: new Map(),
    lastInbox: 0,
    commits: 0,
    failure: undefined,
    writing: false,
  });
}

function connectTo(data: Data): MemoryStore {
  const name = data.options.name ?? 'memory';
  /** How to take back what the open transaction has done, the last first. */
  let undo: (() => void)[] | undefined;
  let closed: 'closed' | 'crashed' | undefined;
  let own = 0;
  let posted = 0;

  function use(): Data {
    if (closed) throw new Error(`the store "${name}" was ${closed}`);
    return data;
  }

  function inside(): (() => void)[] {
    if (undo === undefined) throw new Error('a writer was used outside of its transaction');
    return undo;
  }

  function set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
    const before = map.get(key);
    inside().push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  function needLease(root: string, epoch: number): void {
    inside();
    const lease = data.leases.get(root);
    if (lease?.owner === undefined || lease.epoch !== epoch) throw new LeaseLost(root, lease?.owner);
  }

  function inboxOf(root: string): InboxItem[] {
    const items: InboxItem[] = [];
    for (const [id, { root: other, item }] of use().inbox) if (other === root) items.push({ id, ...JSON.parse(item) });
    // What an undone transaction has taken out comes back at the end.
    return items.sort((a, b) => a.id - b.id);
  }

  const writer: Writer = {
    addRun(row) {
      if (data.runs.has(row.id)) throw new Error(`the run ${row.id} is there already`);
      set(data.runs, row.id, JSON.stringify(row));
    },
    updateRun(id, change) {
      const row = data.runs.get(id);
      if (row === undefined) throw new Error(`there is no run ${id}`);
      set(data.runs, id, JSON.stringify({ ...JSON.parse(row), ...change }));
    },
    append(root, epoch, events) {
      needLease(root, epoch);
      let list = data.events.get(root);
      if (list === undefined) {
        list = [];
        set(data.events, root, list);
      }
      const kept = list;
      const before = kept.length;
      inside().push(() => {
        kept.length = before;
      });
      for (const { body, ...event } of events) {
        const text = `${JSON.stringify(event).slice(0, -1)},"body":${bodyText(body)}}`;
        kept.push({ text, parsed: undefined });
      }
      return kept.length;
    },
    putBlob(text) {
      const hash = hashOf(text);
      set(data.blobs, hash, text);
      return hash;
    },
    post(root, item) {
      const row = data.runs.get(root);
      if (row === undefined || (JSON.parse(row) as RunRow).root !== root)
        throw new Error(`there is no root run ${root}`);
      // An id is never used again, not even that of an undone transaction.
      data.lastInbox += 1;
      set(data.inbox, data.lastInbox, { root, item: JSON.stringify(item) });
      posted += 1;
    },
    dropInbox(root, epoch, ids) {
      needLease(root, epoch);
      for (const id of ids) if (data.inbox.get(id)?.root === root) set(data.inbox, id, undefined);
    },
    takeLease(root, owner, from, at) {
      const lease = data.leases.get(root);
      if (lease?.owner !== undefined && lease.epoch !== from) return undefined;
      const epoch = (lease?.epoch ?? 0) + 1;
      set(data.leases, root, { epoch, owner: { ...owner }, at });
      return epoch;
    },
    beat(root, epoch, at) {
      inside();
      const lease = data.leases.get(root);
      if (lease?.owner === undefined || lease.epoch !== epoch) return false;
      set(data.leases, root, { ...lease, at });
      return true;
    },
    release(root, epoch) {
      inside();
      const lease = data.leases.get(root);
      if (lease?.owner === undefined || lease.epoch !== epoch) return 'lost';
      if (inboxOf(root).length > 0) return 'kept';
      set(data.leases, root, { epoch, at: lease.at });
      return 'released';
    },
    addProcess: (root, row) => set(data.processes, `${root} ${row.pid}`, { root, ...row }),
    dropProcess: (root, pid) => set(data.processes, `${root} ${pid}`, undefined),
    putCache: (entry) => set(data.cache, entry.key, JSON.stringify(entry)),
    dropCache(filter) {
      const dropped = cacheOf(filter);
      for (const { key } of dropped) set(data.cache, key, undefined);
      return dropped.length;
    },
    removeRun(root) {
      inside();
      const row: Partial<RunRow> = JSON.parse(data.runs.get(root) ?? '{}');
      if (row.root !== root || row.endedAt === undefined) return false;
      for (const [id, text] of data.runs) if ((JSON.parse(text) as RunRow).root === root) set(data.runs, id, undefined);
      for (const [id, item] of data.inbox) if (item.root === root) set(data.inbox, id, undefined);
      for (const [id, each] of data.processes) if (each.root === root) set(data.processes, id, undefined);
      set(data.events, root, undefined);
      set(data.leases, root, undefined);
      return true;
    },
  };

  function ended(): EndedRun[] {
    const roots = runs({ roots: true });
    const wanted = new Set(roots.flatMap(({ forkOf, endedAt }) => (endedAt === undefined ? [forkOf] : [])));
    const rows = roots.flatMap(({ id, name, file, endedAt }) =>
      endedAt === undefined || wanted.has(id) ? [] : [{ id, name, ...(file !== undefined && { file }), endedAt }],
    );
    return rows.sort((a, b) => b.endedAt - a.endedAt);
  }

  function cacheOf(filter: CacheFilter): CacheEntry[] {
    const entries = [...use().cache.values()].map((text): CacheEntry => JSON.parse(text));
    return entries.filter((entry) => isMeant(entry, filter)).sort((a, b) => b.at - a.at || (a.key < b.key ? -1 : 1));
  }

  /** Here only what events name is a blob. */
  function sweep(): number {
    return write(() => {
      const left = new Set(data.blobs.keys());
      for (const list of data.events.values())
        for (const { text } of list) for (const hash of hashesIn(text)) left.delete(hash);
      for (const hash of left) set(data.blobs, hash, undefined);
      return left.size;
    });
  }

  function write<T>(work: (writer: Writer) => T): T {
    use();
    if (data.writing) throw new Error('a transaction of the store is open already');
    data.writing = true;
    undo = [];
    try {
      const result = work(writer);
      if (result instanceof Promise) throw new Error('a transaction of the store cannot wait for a promise');
      data.options.onCommit?.('before');
      const { failure } = data;
      data.failure = undefined;
      if (failure) throw failure;
      use();
      undo = undefined;
      data.commits += 1;
      own += 1;
      data.options.onCommit?.('after');
      return result;
    } finally {
      for (const step of undo?.reverse() ?? []) step();
      undo = undefined;
      data.writing = false;
    }
  }

  function* events(root: string, after = 0): Generator<JournalEvent> {
    for (let seq = after + 1; ; seq++) {
      const list = use().events.get(root);
      const stored = list?.[seq - 1];
      if (list === undefined || stored === undefined) return;
      const { body, ...event } = parsed(stored);
      yield { seq, ...event, body: body.kind === 'kept' ? original(list, body) : body };
    }
  }

  function parsed(stored: EventText): StoredEvent {
    stored.parsed ??= frozen(JSON.parse(stored.text) as StoredEvent);
    return stored.parsed;
  }

  function original(list: readonly EventText[], kept: KeptBody): EventBody {
    const stored = list[kept.of - 1];
    if (stored === undefined) throw new Error(`there is no event ${kept.of}`);
    return keptFrom(parsed(stored).body as EventBody, kept);
  }

  function* replayed(root: string, after = 0): Generator<JournalEvent> {
    for (const event of events(root, after)) {
      const { body } = event;
      const isKept = 'of' in body && body.of !== undefined;
      if (event.seq === after + 2 || isKept || !body.kind.startsWith('child.')) yield event;
    }
  }

  function runs(filter: Parameters<Store['runs']>[0] = {}): RunRow[] {
    const { status, roots, root, forkOf, limit = Number.POSITIVE_INFINITY } = filter;
    const rows = [...use().runs.values()].reverse().map((text): RunRow => JSON.parse(text));
    return rows
      .filter(
        (row) =>
          (!status || row.status === status) &&
          (!roots || row.id === row.root) &&
          (!root || row.root === root) &&
          (!forkOf || row.forkOf === forkOf),
      )
      .slice(0, limit);
  }

  return {
    name,
    write,
    run(id) {
      const text = use().runs.get(id);
      return text === undefined ? undefined : JSON.parse(text);
    },
    runs,
    runIds: () => [...use().runs.keys()],
    idsBeside(id) {
      const sorted = [...use().runs.keys()].sort();
      return [sorted.findLast((each) => each < id), sorted.find((each) => each > id)].filter(
        (each) => each !== undefined,
      );
    },
    ended,
    events,
    replayed,
    blob: (hash) => use().blobs.get(hash),
    lease: (root) => use().leases.get(root),
    inbox: inboxOf,
    processes: (root) =>
      [...use().processes.values()]
        .filter((row) => row.root === root)
        .map(({ node, pid, started }) => ({ node, pid, started }))
        .sort((a, b) => a.pid - b.pid),
    cached(key) {
      const text = use().cache.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    cacheEntries: (filter = {}) =>
      cacheOf(filter).map(({ output, ...row }) => ({ ...row, size: Buffer.byteLength(resultText(output)) })),
    sweep,
    shrink: () => 0,
    changes: () => use().commits - own + posted,
    close() {
      if (undo) throw new Error('the store cannot be closed inside of a transaction');
      closed = 'closed';
    },
    connect: () => connectTo(data),
    failNextCommit(error = new StoreFailure('full', `the store "${name}" cannot be written: the disk is full`)) {
      data.failure = error;
    },
    crash() {
      closed = 'crashed';
    },
  };
}

/** Whoever reads it shares it. What is deep is no deeper than what JSON was made of. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
