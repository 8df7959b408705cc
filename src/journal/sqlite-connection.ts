/** A connection to a file of ours: it is opened only where it can be kept safely, checked, brought up to date. */
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
import type { DatabaseKind } from './database-kind.ts';
import { codeOf, failureOf, isWritable } from './failures.ts';
import { migrate, versionOf } from './migrate.ts';
import { networkDisk } from './network-disk.ts';
import { type Database, openDatabase, openToRead } from './sqlite.ts';
import { StoreFailure } from './store.ts';
import { stateOf } from './turn.ts';

export interface SqliteOptions {
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
  /** Which file it is, whatever stands at its path later. */
  readonly inode: number;
  /** Whether it was so when it was opened: SQLite does not look again. */
  readonly writable: boolean;
  /** Why it can only be read, where that is no matter of rights. */
  readonly full?: StoreFailure;
  /** Of a connection that sees nothing of what others write: what the file was like. When that is another, it is of no use. */
  readonly frozen?: string;
}

export function connect(file: string, kind: DatabaseKind, options: SqliteOptions): Connection {
  const folder = dirname(file);
  refuseNetwork(file, kind, nearest(existsSync(file) ? file : folder), options.networkDisk ?? networkDisk);
  const isNew = !existsSync(file);
  if (!isNew && !isWritable(file)) return connectToRead(file, kind, options);
  mkdirSync(folder, { recursive: true });
  mendModes(file);
  try {
    return prepared(file, openDatabase(file, 0), options, true, (db) => {
      // Changes nothing: a database that is none of ours stays as it is.
      const version = versionOf(db, file, kind);
      // What is removed later can then be given back to the disk. Said of a file that is there, it would wait for writers.
      if (version === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      setUp(db, kind);
      migrate(db, file, kind);
      if (isNew) syncFolder(folder);
    });
  } catch (error) {
    const failure = failureOf(error, file, kind);
    if (isNew || !(failure instanceof StoreFailure) || failure.reason !== 'full') throw error;
    // Who only looks needs no room.
    return connectToRead(file, kind, options, failure);
  }
}

/**
 * A file that this user may not write, or for which the disk has no room. SQLite reads it where the files of its writers lie beside it, or can be made. Where
 * there are none, all that was ever written is in the one file: that is read as it is, for as long as it stays so.
 */
function connectToRead(file: string, kind: DatabaseKind, options: SqliteOptions, full?: StoreFailure): Connection {
  const check = (db: Database) => {
    const version = versionOf(db, file, kind);
    if (version === kind.migrations.length) return;
    if (full) throw full;
    throw new StoreFailure(
      'read-only',
      `${kind.name} ${quotePath(file)} is of an older version, and is read-only for this user: who may write it has to open it once`,
    );
  };
  try {
    return { ...prepared(file, openToRead(file, false), options, false, check), ...(full && { full }) };
  } catch (error) {
    if (full === undefined && ![8, 14].includes(codeOf(error) & 0xff)) throw error;
    refuseUnreadable(file, kind, error);
    const frozen = stateOf(file);
    if (full && hasLog(file)) throw full;
    if (hasLog(file)) {
      throw new StoreFailure(
        'read-only',
        `${kind.name} ${quotePath(file)} cannot be read by this user: what was written last lies in "${basename(file)}-wal", and to read that its folder must be writable`,
        error,
      );
    }
    return { ...prepared(file, openToRead(file, true), options, false, check), frozen, ...(full && { full }) };
  }
}

/** SQLite says only that it cannot open it. */
function refuseUnreadable(file: string, kind: DatabaseKind, cause: unknown): void {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new StoreFailure('read-only', `${kind.name} ${quotePath(file)} cannot be read: this user may not`, cause);
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function prepared(
  file: string,
  db: Database,
  { onConnect }: SqliteOptions,
  writable: boolean,
  check: (db: Database) => void,
): Connection {
  try {
    check(db);
    onConnect?.(db);
    return { db, inode: statSync(file).ino, writable };
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

function setUp(db: Database, { name }: DatabaseKind): void {
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() ?? {};
  if (mode !== 'wal') {
    throw new StoreFailure('io', `the file system of ${name} cannot share memory between processes (${mode})`);
  }
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  // A log that is begun anew is written in place, and that takes about half the time of one that grows: soon is better.
  db.exec('PRAGMA wal_autocheckpoint = 64');
  // What one huge transaction has left behind is given back.
  db.exec(`PRAGMA journal_size_limit = ${16 * 1024 * 1024}`);
}

function refuseNetwork(
  file: string,
  kind: DatabaseKind,
  place: string,
  diskOf: (place: string) => string | undefined,
): void {
  const disk = diskOf(place);
  if (disk === undefined) return;
  throw new StoreFailure(
    'network',
    `${kind.name} ${quotePath(file)} is on a network file system (${disk}), where ${kind.holds} could be lost: ${kind.nearer}`,
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
