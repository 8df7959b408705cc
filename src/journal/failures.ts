/** What went wrong in SQLite or the file system, as a failure of the store that people can act upon. */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { quotePath, systemCode } from '../sys/index.ts';
import type { DatabaseKind } from './database-kind.ts';
import { StoreFailure, type StoreReason } from './store.ts';

/** The primary result codes of SQLite, by what it says: the library leaves the code out when a query fails half way. */
const codes: ReadonlyMap<string, number> = new Map([
  ['access permission denied', 3],
  ['database is locked', 5],
  ['database table is locked', 6],
  ['out of memory', 7],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['locking protocol', 15],
  ['file is not a database', 26],
]);
/** A page is not there: the file was cut. */
const shortRead = 522;

/** Gives a `StoreFailure` for what the outside did, and anything else as it was: that is a mistake of ours. */
export function failureOf(error: unknown, file: string, kind: DatabaseKind): unknown {
  const reason = reasonOf(error, file);
  return reason === undefined ? error : new StoreFailure(reason, messageOf(reason, file, kind, error), error);
}

function reasonOf(error: unknown, file: string): StoreReason | undefined {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'full';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'read-only';
    case 'ERR_SQLITE_ERROR':
      return sqliteReason(codeOf(error), file);
    default:
      return /^E[A-Z]+$/.test(systemCode(error) ?? '') ? 'io' : undefined;
  }
}

function sqliteReason(code: number, file: string): StoreReason | undefined {
  if (code === shortRead) return 'corrupt';
  switch (code & 0xff) {
    case 3:
    case 14:
      return isWritable(file) ? 'io' : 'read-only';
    case 5:
    case 6:
    case 15:
      return 'busy';
    case 8:
      return 'read-only';
    case 10:
      // The shared memory and a late flush tell of a full disk so.
      return isFull(file) ? 'full' : 'io';
    case 7:
      return 'io';
    case 11:
    case 26:
      return 'corrupt';
    case 13:
      return 'full';
    default:
      return undefined;
  }
}

function messageOf(reason: StoreReason, file: string, kind: DatabaseKind, error: unknown): string {
  const store = `${kind.name} ${quotePath(file)}`;
  const said = error instanceof Error ? error.message : String(error);
  switch (reason) {
    case 'full':
      return `${store} cannot be written: the disk is full`;
    case 'read-only':
      return `${store} cannot be written: it or its folder is read-only for this user`;
    case 'busy':
      return `${store} cannot be used: another process has locked it`;
    case 'corrupt':
      return `${store} is no database of ${kind.holds}, or is damaged (${said}); it was left as it is: move it away or ${kind.another}`;
    default:
      return `${store} cannot be used: ${troubleOf(error, said)}`;
  }
}

/** What SQLite and the system call by numbers and letters. */
const troubles: ReadonlyMap<string | number, string> = new Map<string | number, string>([
  [7, 'there is no memory left'],
  [10, 'the disk has failed'],
  [14, 'it cannot be opened'],
  [266, 'the disk could not be read'],
  [778, 'the disk took nothing more: perhaps a file may not grow any further (ulimit -f)'],
  [1034, 'the disk did not confirm what was written'],
  [1546, 'the file cannot be cut'],
  [3850, 'the file cannot be locked'],
  [4874, 'the memory that processes share cannot be opened'],
  [5130, 'the memory that processes share cannot grow: perhaps a file may not (ulimit -f)'],
  [5386, 'the memory that processes share cannot be locked'],
  [5642, 'the memory that processes share cannot be had'],
  ['EEXIST', 'a part of its path is a file, not a folder'],
  ['ENOTDIR', 'a part of its path is a file, not a folder'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'its path is a link that leads to itself'],
  ['ENAMETOOLONG', 'its path is too long'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EFBIG', 'a file may not grow any further (ulimit -f)'],
  ['EIO', 'the disk has failed'],
]);

function troubleOf(error: unknown, said: string): string {
  const code = codeOf(error) || systemCode(error) || '';
  const words = troubles.get(code) ?? (typeof code === 'number' ? troubles.get(code & 0xff) : undefined);
  if (words === undefined) return code === '' ? said : `${said} (${code})`;
  return `${words} (${typeof code === 'number' ? `SQLite ${code}` : code})`;
}

/** Somebody else has the store at the moment. Many who open it at once may also be told of a wrong protocol. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error) & 0xff;
  return code === 5 || code === 15;
}

/** 0: none is known. */
export function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : (codes.get(error.message) ?? 0);
}

/** The file if it is there, and its folder. */
export function isWritable(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isFull(file: string): boolean {
  try {
    return statfsSync(dirname(file)).bavail === 0;
  } catch {
    return false;
  }
}
