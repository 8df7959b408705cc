/** A connection to the file of a store: it is opened only where it can be kept safely, checked, brought up to date. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { quotePath } from '../sys/index.ts';
import { type BlobTable, blobTable } from './blobs.ts';
import { type CacheTable, cacheTable } from './cache-table.ts';
import { type EventTable, eventTable } from './event-table.ts';
import { codeOf, failureOf, isWritable } from './failures.ts';
import { type InboxTable, inboxTable, type ProcessTable, processTable } from './inbox-table.ts';
import { type LeaseTable, leaseTable } from './lease-table.ts';
import { networkDisk } from './network-disk.ts';
import { type RunTable, runTable } from './run-table.ts';
import { migrate, migrations, versionOf } from './schema.ts';
import { type Database, openDatabase, openToRead, type Statement } from './sqlite.ts';
import { StoreFailure } from './store.ts';
import { stateOf } from './turn.ts';

export interface SqliteStoreOptions {
  /** How long the store may be held by somebody who writes nothing; 10 s if left out. Asked for with each transaction. */
  readonly busyMs?: number;
  /** How long it is waited while others write; a minute if left out. */
  readonly crowdMs?: number;
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
  readonly cache: CacheTable;
  readonly dataVersion: Statement;
  /** Which file it is, whatever stands at its path later. */
  readonly inode: number;
  /** Whether it was so when it was opened: SQLite does not look again. */
  readonly writable: boolean;
  /** Why it can only be read, where that is no matter of rights. */
  readonly full?: StoreFailure;
  /** Of a connection that sees nothing of what others write: what the file was like. When that is another, it is of no use. */
  readonly frozen?: string;
  seen: number;
  /** The log may become long before it is emptied. */
  hasLongLog?: true;
}

export function connect(file: string, options: SqliteStoreOptions): Connection {
  const folder = dirname(file);
  refuseNetwork(file, nearest(existsSync(file) ? file : folder), options.networkDisk ?? networkDisk);
  const isNew = !existsSync(file);
  if (!isNew && !isWritable(file)) return connectToRead(file, options);
  mkdirSync(folder, { recursive: true });
  mendModes(file);
  try {
    return prepared(file, openDatabase(file, 0), options, true, (db) => {
      // Changes nothing: a database that is no store of ours stays as it is.
      const version = versionOf(db, file, migrations.length);
      // What is removed later can then be given back to the disk. Said of a store that is there, it would wait for writers.
      if (version === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      setUp(db);
      migrate(db, file);
      if (isNew) syncFolder(folder);
    });
  } catch (error) {
    const failure = failureOf(error, file);
    if (isNew || !(failure instanceof StoreFailure) || failure.reason !== 'full') throw error;
    // Who only looks needs no room.
    return connectToRead(file, options, failure);
  }
}

/**
 * A store that this user may not write, or for which the disk has no room. SQLite reads it where the files of its writers lie beside it, or can be made. Where
 * there are none, all that was ever written is in the one file: that is read as it is, for as long as it stays so.
 */
function connectToRead(file: string, options: SqliteStoreOptions, full?: StoreFailure): Connection {
  const check = (db: Database) => {
    const version = versionOf(db, file, migrations.length);
    if (version === migrations.length) return;
    if (full) throw full;
    throw new StoreFailure(
      'read-only',
      `the store ${quotePath(file)} is of an older version, and is read-only for this user: who may write it has to open it once`,
    );
  };
  try {
    return { ...prepared(file, openToRead(file, false), options, false, check), ...(full && { full }) };
  } catch (error) {
    if (full === undefined && ![8, 14].includes(codeOf(error) & 0xff)) throw error;
    refuseUnreadable(file, error);
    const frozen = stateOf(file);
    if (full && hasLog(file)) throw full;
    if (hasLog(file)) {
      throw new StoreFailure(
        'read-only',
        `the store ${quotePath(file)} cannot be read by this user: what was written last lies in "${basename(file)}-wal", and to read that its folder must be writable`,
        error,
      );
    }
    return { ...prepared(file, openToRead(file, true), options, false, check), frozen, ...(full && { full }) };
  }
}

/** SQLite says only that it cannot open it. */
function refuseUnreadable(file: string, cause: unknown): void {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new StoreFailure('read-only', `the store ${quotePath(file)} cannot be read: this user may not`, cause);
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function prepared(
  file: string,
  db: Database,
  { onConnect }: SqliteStoreOptions,
  writable: boolean,
  check: (db: Database) => void,
): Connection {
  try {
    check(db);
    onConnect?.(db);
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
      cache: cacheTable(db, blobs),
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

function setUp(db: Database): void {
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() ?? {};
  if (mode !== 'wal') {
    throw new StoreFailure('io', `the file system of the store cannot share memory between processes (${mode})`);
  }
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  // A log that is begun anew is written in place, and that takes about half the time of one that grows: soon is better.
  db.exec('PRAGMA wal_autocheckpoint = 64');
  // What one huge transaction has left behind is given back.
  db.exec(`PRAGMA journal_size_limit = ${16 * 1024 * 1024}`);
}

/** Of many runs: what one transaction writes fills a short log, and emptying it each time takes longer than writing it. */
export function expectMuch(connection: Connection): void {
  if (connection.hasLongLog) return;
  connection.hasLongLog = true;
  connection.db.exec('PRAGMA wal_autocheckpoint = 1000');
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
