/** The tables of a store, over one connection. */
import { type BlobTable, blobTable } from './blobs.ts';
import { type CacheTable, cacheTable } from './cache-table.ts';
import { type EventTable, eventTable } from './event-table.ts';
import { type InboxTable, inboxTable, type ProcessTable, processTable } from './inbox-table.ts';
import { type LeaseTable, leaseTable } from './lease-table.ts';
import { type RunTable, runTable } from './run-table.ts';
import { type Database, type Statement, withLazyStatements } from './sqlite.ts';

export interface StoreTables {
  readonly db: Database;
  readonly runs: RunTable;
  readonly events: EventTable;
  readonly blobs: BlobTable;
  readonly leases: LeaseTable;
  readonly inbox: InboxTable;
  readonly processes: ProcessTable;
  readonly cache: CacheTable;
  readonly dataVersion: Statement;
  seen: number;
  /** The log may become long before it is emptied. */
  hasLongLog?: true;
}

export function storeTables(connection: Database): StoreTables {
  const db = withLazyStatements(connection);
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
    seen: versionSeen(dataVersion),
  };
}

/** Of many runs: what one transaction writes fills a short log, and emptying it each time takes longer than writing it. */
export function expectMuch(tables: StoreTables): void {
  if (tables.hasLongLog) return;
  tables.hasLongLog = true;
  tables.db.exec('PRAGMA wal_autocheckpoint = 1000');
}

export function versionSeen(statement: Statement): number {
  return Number(statement.get()?.data_version);
}
