/**
 * What keeps runs. Two forms, SQLite and memory, pass the same tests (`store-conformance.ts`).
 * 1. `write` is one transaction: durable when it returns, and not there at all when `work` or the commit throws. What is
 *    written `soon` everybody sees when it returns, and it outlives the process; it is on the disk with the next that is
 *    not, and where the machine fails before, it is not there at all.
 * 2. Events are only ever appended, and only under the lease of their root run: every append names the epoch of the lease
 *    it believes to hold, and throws `LeaseLost` if that is no longer the one.
 * 3. Giving up a lease and finding the inbox empty are one transaction, so nothing is posted to nobody.
 * 4. All is keyed by the root run: its sub-workflows are in its journal.
 */
import type { Json, RunError } from '../machine/index.ts';
import type { EventDraft, JournalEvent } from './event.ts';

export interface Store {
  /** How messages name it: the path of its file. */
  readonly name: string;
  readonly write: <T>(work: (writer: Writer) => T, when?: 'soon') => T;
  readonly run: (id: string) => RunRow | undefined;
  /** Newest first: in the order in which they were added. */
  readonly runs: (filter?: RunFilter) => readonly RunRow[];
  readonly runIds: () => readonly string[];
  /** Those before and after it in the order of their letters: what a beginning of it could be taken for. */
  readonly idsBeside: (id: string) => readonly string[];
  /** The root runs that have ended, the last first; without those of which a fork still goes on, and may want something. */
  readonly ended: () => readonly EndedRun[];
  /** The events of a root run with a `seq` over `after`, in order; never all of them in memory. */
  readonly events: (root: string, after?: number) => Iterable<JournalEvent>;
  /**
   * What a run is resumed from: all but the events of children, which follow from the others; but those that were kept. The
   * second is given, whatever it is: where it is there, the run or its segment was begun.
   */
  readonly replayed: (root: string, after?: number) => Iterable<JournalEvent>;
  readonly blob: (hash: string) => string | undefined;
  readonly lease: (root: string) => Lease | undefined;
  readonly inbox: (root: string) => readonly InboxItem[];
  readonly processes: (root: string) => readonly ProcessRow[];
  /** What was kept under a key for other runs. */
  readonly cached: (key: string) => CacheEntry | undefined;
  /** What is kept for other runs, the newest first, without the values. */
  readonly cacheEntries: (filter?: CacheFilter) => readonly CacheRow[];
  /** Removes the blobs that nothing names any more, in transactions of its own, and says how many they were. */
  readonly sweep: () => number;
  /** Gives space that is free back to the disk, and says how many bytes. */
  readonly shrink: () => number;
  /**
   * Goes up when another connection has written, and when something was posted through this one. Several may drive runs
   * through one connection: each remembers what it has seen.
   */
  readonly changes: () => number;
  readonly close: () => void;
}

export interface Writer {
  readonly addRun: (row: RunRow) => void;
  /** What the change does not name stays; what it names as undefined is taken away. */
  readonly updateRun: (id: string, change: RunChange) => void;
  /** Gives the `seq` of the last one. Values over 64 kB go to blobs by themselves. */
  readonly append: (root: string, epoch: number, events: readonly EventDraft[]) => number;
  /** Keeps a text by its hash, once. */
  readonly putBlob: (text: string) => string;
  /** Also works while nobody drives the run. */
  readonly post: (root: string, item: InboxDraft) => void;
  /** Removes what was taken from the inbox; under the lease. */
  readonly dropInbox: (root: string, epoch: number, ids: readonly number[]) => void;
  /** Takes the lease if it is free or still that of the epoch `from`; gives the new epoch, undefined if somebody else has it. */
  readonly takeLease: (root: string, owner: LeaseOwner, from: number | undefined, at: number) => number | undefined;
  /** False if it is no longer ours. */
  readonly beat: (root: string, epoch: number, at: number) => boolean;
  /** `kept`: the inbox holds something, so the lease stays. */
  readonly release: (root: string, epoch: number) => 'released' | 'kept' | 'lost';
  readonly addProcess: (root: string, row: ProcessRow) => void;
  readonly dropProcess: (root: string, pid: number) => void;
  /** Instead of what was kept under its key. Values over 64 kB go to blobs by themselves. */
  readonly putCache: (entry: CacheEntry) => void;
  /** Says how many were dropped. Blobs that nobody needs any more stay until `sweep`. */
  readonly dropCache: (filter: CacheFilter) => number;
  /** Removes a root run with all that belongs to it; false where there is none that has ended. Its blobs stay until `sweep`. */
  readonly removeRun: (root: string) => boolean;
}

export type RunStatus = 'running' | 'waiting' | 'failed' | 'cancelled' | 'done';

/** The summary of a run, written in the same transaction as the events that change it. */
export interface RunRow {
  readonly id: string;
  /** Itself, or the run whose journal and lease it shares. */
  readonly root: string;
  readonly parent?: string;
  /** The command of the parent that began it. */
  readonly node?: string;
  readonly name: string;
  /** The file it was started from, absolute; builder programs have none. */
  readonly file?: string;
  readonly status: RunStatus;
  readonly startedAt: number;
  /** Of its last event; while it goes on this, and what was spent, may be a tenth of a second behind the journal. */
  readonly updatedAt: number;
  readonly endedAt?: number;
  /** What is awaited: commands, with the words to show. */
  readonly waiting?: readonly WaitingRow[];
  readonly error?: RunError;
  readonly output?: Json;
  /** Where its last segment begins: the `seq` of that event. Missing while it has only the first. */
  readonly segment?: number;
  /** The run that it was forked from. */
  readonly forkOf?: string;
  readonly cost?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

export type RunChange = { readonly [K in Exclude<keyof RunRow, 'id' | 'root'>]?: RunRow[K] | undefined };

export interface WaitingRow {
  readonly node: string;
  readonly kind: 'approval' | 'permission' | 'limit' | 'timer';
  readonly title: string;
  readonly since: number;
  readonly until?: number;
  /** Of the request: a decision names it. */
  readonly hash?: string;
  /** Of a limit: what must be added at least, in dollars or tokens. */
  readonly least?: number;
  readonly unit?: 'usd' | 'tokens';
}

export interface RunFilter {
  readonly status?: RunStatus;
  readonly roots?: boolean;
  /** Those that share the journal of this one, itself included. */
  readonly root?: string;
  /** Those that were made from this one. */
  readonly forkOf?: string;
  readonly limit?: number;
}

export interface LeaseOwner {
  readonly host: string;
  /** Changes when the machine is started again. */
  readonly boot: string;
  readonly pid: number;
  /** When the process was started, as the system tells it: pids are used again. */
  readonly started: string;
}

export interface Lease {
  readonly epoch: number;
  /** Missing when nobody holds it. */
  readonly owner?: LeaseOwner;
  /** The last heartbeat. */
  readonly at: number;
}

export type InboxDraft = Omit<InboxItem, 'id'>;

export interface InboxItem {
  readonly id: number;
  readonly at: number;
  readonly by: string;
  readonly message:
    | {
        readonly kind: 'decide';
        readonly node: string;
        readonly hash: string;
        readonly approved: boolean;
        readonly note?: string;
        readonly value?: Json;
      }
    | {
        readonly kind: 'answer';
        readonly node: string;
        readonly hash: string;
        readonly approved: boolean;
        readonly add?: number;
      }
    | { readonly kind: 'cancel'; readonly reason: string }
    | { readonly kind: 'steer'; readonly message: string };
}

/** A process group that a step has started. */
export interface ProcessRow {
  readonly node: string;
  readonly pid: number;
  readonly started: string;
}

/** A result that other runs may take. */
export interface CacheEntry {
  readonly key: string;
  /** The name of the workflow, and the path of the step in its plan. */
  readonly workflow: string;
  readonly step: string;
  /** The root run that came to it, and when. */
  readonly run: string;
  readonly at: number;
  /** Missing where the step gave no value. */
  readonly output?: Json;
}

/** `size`: of the value as JSON, in bytes. */
export type CacheRow = Omit<CacheEntry, 'output'> & { readonly size: number };

/** What is named must fit; a filter that names nothing means all. */
export interface CacheFilter {
  readonly workflow?: string;
  /** Its path, or the end of it. */
  readonly step?: string;
  /** Those that were put before this time. */
  readonly before?: number;
}

/** Of a root run that has ended, what is shown before it is removed. */
export interface EndedRun {
  readonly id: string;
  readonly name: string;
  readonly file?: string;
  readonly endedAt: number;
}

/** Somebody else drives the run now. */
export class LeaseLost extends Error {
  readonly root: string;
  readonly by: LeaseOwner | undefined;

  constructor(root: string, by: LeaseOwner | undefined) {
    super(`the run ${root} is driven by somebody else now`);
    this.name = 'LeaseLost';
    this.root = root;
    this.by = by;
  }
}

/**
 * Why a store cannot be used now. The first four may pass, and then the same store works again; `gone`: its file was
 * moved or deleted; `foreign`: a database of some other program; `platform`: there is no SQLite for this machine.
 */
export type StoreReason =
  | 'full'
  | 'read-only'
  | 'busy'
  | 'io'
  | 'gone'
  | 'newer'
  | 'corrupt'
  | 'foreign'
  | 'network'
  | 'platform';

/** A commit that did not happen, or a store that was not opened, for a reason outside. */
export class StoreFailure extends Error {
  readonly reason: StoreReason;

  constructor(reason: StoreReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreFailure';
    this.reason = reason;
  }
}
