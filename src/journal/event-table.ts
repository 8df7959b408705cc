/** The journals in SQLite: appended, and read a page at a time, so that no read stays open while others write. */
import type { BlobTable } from './blobs.ts';
import type { EventDraft, JournalEvent } from './event.ts';
import type { LeaseTable } from './lease-table.ts';
import { type Database, plain, type SqlRow } from './sqlite.ts';

export interface EventTable {
  readonly append: (root: string, epoch: number, events: readonly EventDraft[]) => number;
  /** A page of them. */
  readonly read: (root: string, after: number) => JournalEvent[];
}

/** Rows hold up to 64 k characters each. */
export const pageRows = 128;

export function eventTable(db: Database, blobs: BlobTable, leases: LeaseTable): EventTable {
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)');
  const last = db.prepare('SELECT max(seq) AS seq FROM events WHERE root = ?');
  const select = db.prepare(
    `SELECT seq, at, run, node, body FROM events WHERE root = ? AND seq > ? ORDER BY seq LIMIT ${pageRows}`,
  );
  return {
    append(root, epoch, events) {
      leases.need(root, epoch);
      let seq = Number(last.get(root)?.seq ?? 0);
      for (const { at, run, node, body } of events) {
        seq += 1;
        const other = run === root ? null : plain(run);
        insert.run(root, seq, at, other, node === undefined ? null : plain(node), blobs.fold(JSON.stringify(body)));
      }
      return seq;
    },
    read: (root, after) => select.all(root, after).map((row) => eventOf(row, root)),
  };

  function eventOf(row: SqlRow, root: string): JournalEvent {
    const seq = Number(row.seq);
    const at = Number(row.at);
    const run = row.run === null ? root : String(row.run);
    const body = JSON.parse(blobs.unfold(row.body));
    return row.node === null ? { seq, at, run, body } : { seq, at, run, node: String(row.node), body };
  }
}
