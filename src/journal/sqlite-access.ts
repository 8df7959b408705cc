/**
 * The way to a file that others use too: transactions, and what to do when one fails. `sqlite-connection.ts` opens the file.
 * 1. One `write` is one transaction and one fsync: WAL, `synchronous=FULL`, and `fullfsync`, without which macOS promises
 *    nothing. What is written `soon` is on the disk with the next fsync: the log is one file, written in order.
 * 2. Writers wait for each other at the beginning of a transaction (`turn.ts`), never inside of it: what it reads stays true.
 * 3. Nothing is written into a file that is not of the kind and of a version that we know, and no file is ever deleted.
 * 4. A file that this user may not write can be read, as it is at that moment.
 * 5. A file that could not be written when it was opened is opened anew before the next write: for SQLite it would stay
 *    read-only. After other failures the connection goes on: SQLite has undone the transaction.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { quotePath } from '../sys/index.ts';
import type { DatabaseKind } from './database-kind.ts';
import { failureOf } from './failures.ts';
import type { Database } from './sqlite.ts';
import { type Connection, closeDatabase, connect, type SqliteOptions } from './sqlite-connection.ts';
import { StoreFailure } from './store.ts';
import { inTurn, stateOf } from './turn.ts';

/** `Tables`: what is prepared once for each connection. All of it throws `StoreFailure` for what the outside did. */
export interface Access<Tables> {
  /** The absolute path. */
  readonly name: string;
  /** Opens the file, and makes it with its folder if it is not there. It may be done twice: it only reads. */
  readonly use: <T>(work: (tables: Tables) => T) => T;
  readonly write: <T>(work: (tables: Tables) => T, when?: 'soon') => T;
  /** Inside of a `write`; throws elsewhere. */
  readonly inside: () => Tables;
  /** Whether a connection was given up since this was asked last: what others did meanwhile was not seen. */
  readonly takeMissed: () => boolean;
  readonly close: () => void;
}

export function createAccess<Tables>(
  file: string,
  kind: DatabaseKind,
  options: SqliteOptions,
  prepare: (db: Database) => Tables,
): Access<Tables> {
  const name = resolve(file);
  let opened: { readonly connection: Connection; readonly tables: Tables } | undefined;
  let writing = false;
  let closed = false;
  let missed = false;

  /** Whoever opened the file may become less patient later. */
  const patience = {
    get quietMs() {
      return options.busyMs ?? 10_000;
    },
    mostMs: options.crowdMs ?? 60_000,
  };

  function use<T>(work: (tables: Tables, connection: Connection) => T): T {
    if (closed) throw new Error(`${kind.name} ${quotePath(name)} was closed`);
    try {
      return inTurn(name, kind, patience, () => seeing(work));
    } catch (error) {
      const failure = failureOf(error, name, kind);
      if (failure instanceof StoreFailure && (failure.reason === 'read-only' || opened?.connection.full)) giveUp();
      throw failure;
    }
  }

  function open(): NonNullable<typeof opened> {
    const connection = connect(name, kind, options);
    try {
      return { connection, tables: prepare(connection.db) };
    } catch (error) {
      connection.db.close();
      throw error;
    }
  }

  /** What a frozen connection read counts only if nobody has written meanwhile. */
  function seeing<T>(work: (tables: Tables, connection: Connection) => T): T {
    for (;;) {
      opened ??= open();
      const { connection, tables } = opened;
      const { frozen } = connection;
      if (frozen === undefined) return work(tables, connection);
      let result: { readonly value: T } | { readonly error: unknown };
      try {
        result = { value: work(tables, connection) };
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
      opened?.connection.db.close();
    } catch {
      // The failure that led here says more.
    }
    opened = undefined;
    missed = true;
  }

  function transaction<T>({ db, inode, writable, full }: Connection, work: () => T, isSoon: boolean): T {
    if (full) throw full;
    if (!writable) {
      throw new StoreFailure(
        'read-only',
        `${kind.name} ${quotePath(name)} cannot be written: it or its folder is read-only for this user`,
      );
    }
    // SQLite would go on writing into a file that no path leads to.
    if (statSync(name, { throwIfNoEntry: false })?.ino !== inode) {
      throw new StoreFailure('gone', `${kind.name} ${quotePath(name)} was moved or deleted while it was in use`);
    }
    try {
      if (isSoon) db.exec('PRAGMA synchronous = NORMAL');
      db.exec('BEGIN IMMEDIATE');
      writing = true;
      const result = work();
      if (isPromise(result)) throw new Error(`a transaction of ${kind.name} cannot wait for a promise`);
      db.exec('COMMIT');
      if (isSoon) db.exec('PRAGMA synchronous = FULL');
      return result;
    } catch (error) {
      undo(db, isSoon);
      throw error;
    } finally {
      writing = false;
    }
  }

  /** Some failures have ended the transaction already. */
  function undo(db: Database, isSoon: boolean): void {
    try {
      if (db.isTransaction) db.exec('ROLLBACK');
      if (isSoon) db.exec('PRAGMA synchronous = FULL');
    } catch {
      // Closing undoes it too.
      giveUp();
    }
  }

  return {
    name,
    use,
    write(work, when) {
      if (writing) throw new Error(`a transaction of ${kind.name} is open already`);
      if (opened?.connection.writable === false) giveUp();
      return use((tables, connection) => transaction(connection, () => work(tables), when === 'soon'));
    },
    inside() {
      if (!writing || opened === undefined) throw new Error('a writer was used outside of its transaction');
      return opened.tables;
    },
    takeMissed() {
      const was = missed;
      missed = false;
      return was;
    },
    close() {
      if (writing) throw new Error(`${kind.name} cannot be closed inside of a transaction`);
      closed = true;
      if (opened) closeDatabase(opened.connection.db);
      opened = undefined;
    },
  };
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
