/** A connection to the file of a store: it is opened only where it can be kept safely, checked, brought up to date. */
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quotePath } from '../sys/index.ts';
import { type BlobTable, blobTable } from './blobs.ts';
import { type EventTable, eventTable } from './event-table.ts';
import { codeOf, isWritable } from './failures.ts';
import { type InboxTable, inboxTable, type ProcessTable, processTable } from './inbox-table.ts';
import { type LeaseTable, leaseTable } from './lease-table.ts';
import { networkDisk } from './network-disk.ts';
import { type RunTable, runTable } from './run-table.ts';
import { migrate, migrations, versionOf } from './schema.ts';
import { type Database, openDatabase, type Statement } from './sqlite.ts';
import { StoreFailure } from './store.ts';

export interface SqliteStoreOptions {
  /** How long a write waits for those of other processes; 5 s if left out. */
  readonly busyMs?: number;
  /** For tests: the kind of network file system that a folder is on. */
  readonly networkDisk?: (folder: string) => string | undefined;
  /** For tests: called with each new connection. */
  readonly onConnect?: (db: Database) => void;
}

export interface Connection {
  readonly db: Database;
  readonly runs: RunTable;
  readonly events: EventTable;
  readonly blobs: BlobTable;
  readonly leases: LeaseTable;
  readonly inbox: InboxTable;
  readonly processes: ProcessTable;
  readonly dataVersion: Statement;
  /** Which file it is, whatever stands at its path later. */
  readonly inode: number;
  /** Whether it was so when it was opened: SQLite does not look again. */
  readonly writable: boolean;
  seen: number;
}

export function connect(file: string, options: SqliteStoreOptions): Connection {
  const folder = dirname(file);
  refuseNetwork(file, nearest(existsSync(file) ? file : folder), options.networkDisk ?? networkDisk);
  const isNew = !existsSync(file);
  mkdirSync(folder, { recursive: true });
  mendModes(file);
  const writable = isWritable(file);
  const db = openDatabase(file, options.busyMs ?? 5000);
  try {
    // Changes nothing: a database that is no store of ours stays as it is.
    versionOf(db, file, migrations.length);
    setUp(db, options.busyMs ?? 5000);
    migrate(db, file);
    if (isNew) syncFolder(folder);
    options.onConnect?.(db);
    const blobs = blobTable(db);
    const leases = leaseTable(db);
    const dataVersion = db.prepare('PRAGMA data_version');
    return {
      db,
      blobs,
      leases,
      runs: runTable(db, blobs),
      events: eventTable(db, blobs, leases),
      inbox: inboxTable(db),
      processes: processTable(db),
      dataVersion,
      inode: statSync(file).ino,
      writable,
      seen: versionSeen(dataVersion),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * The library lets go of a file only when its statements were collected as garbage, so what SQLite does at the end is done
 * here: all goes into the one file. Others who use the store at this moment do it in their turn.
 */
export function closeDatabase(db: Database): void {
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // What is committed is safe without it.
  }
  db.close();
}

function setUp(db: Database, busyMs: number): void {
  toWal(db, busyMs);
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  // What one huge transaction has left behind is given back.
  db.exec(`PRAGMA journal_size_limit = ${16 * 1024 * 1024}`);
}

/** Where two processes make a store at once SQLite answers "busy" here without waiting. */
function toWal(db: Database, busyMs: number): void {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() ?? {};
      if (mode === 'wal') return;
      throw new StoreFailure('io', `the file system of the store cannot share memory between processes (${mode})`);
    } catch (error) {
      if ((codeOf(error) & 0xff) !== 5 || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function refuseNetwork(file: string, place: string, kindOf: (place: string) => string | undefined): void {
  const kind = kindOf(place);
  if (kind === undefined) return;
  throw new StoreFailure(
    'network',
    `the store ${quotePath(file)} is on a network file system (${kind}), where runs could be lost: name a file on a disk of this machine with --store`,
  );
}

/**
 * SQLite makes the files beside a read-only store read-only too. When the store may be written again, so must they be, or
 * it stays read-only without a reason that anybody could see.
 */
function mendModes(file: string): void {
  const writable = 0o200;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === 'win32' || (mode & writable) === 0) return;
  for (const beside of [`${file}-wal`, `${file}-shm`]) {
    const info = statSync(beside, { throwIfNoEntry: false });
    if (info && (info.mode & writable) === 0 && info.uid === process.getuid?.()) chmodSync(beside, mode & 0o777);
  }
}

/** The path itself, or the nearest folder above it that is there. */
function nearest(path: string): string {
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

/** A new file is there after a loss of power only when its folder is written too. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function versionSeen(statement: Statement): number {
  return Number(statement.get()?.data_version);
}
