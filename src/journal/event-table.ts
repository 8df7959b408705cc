/** The journals in SQLite: appended, and read a page at a time, so that no read stays open while others write. */
import type { BlobTable } from './blobs.ts';
import { bodyText, type EventBody, type EventDraft, type JournalEvent, type KeptBody, keptFrom } from './event.ts';
import type { LeaseTable } from './lease-table.ts';
import { type Database, plain, type SqlValue, type Statement } from './sqlite.ts';
import { unreadableRun } from './unreadable.ts';

export interface EventTable {
  readonly append: (root: string, epoch: number, events: readonly EventDraft[]) => number;
  /** A page of them; `own`: without those of children, but for `second`. What an event took from another is read from there. */
  readonly read: (root: string, after: number, own: boolean, second: number) => JournalEvent[];
}

/** Rows hold up to 64 k characters each. */
export const pageRows = 128;

/** A round of a run writes a few events: one statement takes them together. */
const mostAtOnce = 8;

/** A page is read as one text of JSON: that takes half the time of as many rows. A value that is a blob stays a text. */
const rowText = `'[' || seq || ',' || at || ',' || iif(run IS NULL, 'null', json_quote(run)) || ','
  || iif(node IS NULL, 'null', json_quote(node)) || ',' || iif(substr(body, 1, 1) = '#', json_quote(body), body) || ']'`;

type Row = readonly [
  seq: number,
  at: number,
  run: string | null,
  node: string | null,
  body: EventBody | KeptBody | string,
];

export function eventTable(db: Database, blobs: BlobTable, leases: LeaseTable): EventTable {
  /** By how many rows they write. */
  const inserts: Statement[] = [];
  /** Who holds the lease, and where its journal ends, at once. */
  const last = db.prepare(
    `SELECT (SELECT max(seq) FROM events WHERE root = ?1) AS seq FROM leases
    WHERE root = ?1 AND epoch = ?2 AND pid IS NOT NULL`,
  );
  const [selectAll, selectOwn] = ['', `AND (seq = ?3 OR body NOT GLOB '{"kind":"child.*')`].map((also) =>
    db.prepare(
      `SELECT '[' || group_concat(${rowText}, ',' ORDER BY seq) || ']' AS page FROM (
        SELECT seq, at, run, node, body FROM events WHERE root = ?1 AND seq > ?2 ${also} ORDER BY seq LIMIT ${pageRows}
      )`,
    ),
  ) as [Statement, Statement];
  const selectOne = db.prepare('SELECT body FROM events WHERE root = ? AND seq = ?');
  return {
    append(root, epoch, events) {
      const held = last.get(root, epoch);
      if (held === undefined) throw leases.lost(root);
      let seq = Number(held.seq ?? 0);
      for (let from = 0; from < events.length; from += mostAtOnce) {
        const count = Math.min(mostAtOnce, events.length - from);
        const values: SqlValue[] = [];
        for (let i = from; i < from + count; i++) {
          const { at, run, node, body } = events[i] as EventDraft;
          seq += 1;
          const other = run === root ? null : plain(run);
          const id = node === undefined ? null : plain(node);
          values.push(root, seq, at, other, id, blobs.fold(bodyText(body)));
        }
        insertOf(count).run(...values);
      }
      return seq;
    },
    read(root, after, own, second) {
      const page = (own ? selectOwn.get(root, after, second) : selectAll.get(root, after))?.page;
      return typeof page === 'string' ? rowsOf(page, root, after).map((row) => eventOf(row, root)) : [];
    },
  };

  function rowsOf(page: string, root: string, after: number): Row[] {
    try {
      return JSON.parse(page) as Row[];
    } catch (cause) {
      // Which of them it is, is looked for only now.
      const rows = db.prepare('SELECT seq, body FROM events WHERE root = ? AND seq > ? ORDER BY seq').all(root, after);
      const wrong = rows.find(({ body }) => !isJson(body));
      throw unreadableRun(root, `event ${wrong?.seq ?? '?'} is no event`, cause);
    }
  }

  function insertOf(count: number): Statement {
    let insert = inserts[count];
    if (insert === undefined) {
      insert = db.prepare(`INSERT INTO events VALUES ${Array(count).fill('(?, ?, ?, ?, ?, ?)').join(', ')}`);
      inserts[count] = insert;
    }
    return insert;
  }

  function eventOf([seq, at, run, node, kept]: Row, root: string): JournalEvent {
    const own = typeof kept === 'string' ? unfolded(kept, root, seq) : kept;
    if (typeof own?.kind !== 'string') throw unreadableRun(root, `event ${seq} is no event`);
    const body = own.kind === 'kept' ? original(own, root, seq) : own;
    return node === null ? { seq, at, run: run ?? root, body } : { seq, at, run: run ?? root, node, body };
  }

  /** What an event of an earlier segment holds. */
  function original(kept: KeptBody, root: string, seq: number): EventBody {
    const { of } = kept;
    const text = selectOne.get(root, of)?.body;
    if (typeof text !== 'string')
      throw unreadableRun(root, `event ${seq} took its result from event ${of}, which is not there`);
    const body = unfolded(text, root, of);
    if (body.kind === 'kept')
      throw unreadableRun(root, `event ${seq} took its result from event ${of}, which has none`);
    return keptFrom(body, kept);
  }

  function unfolded(kept: string, root: string, seq: number): EventBody | KeptBody {
    try {
      return JSON.parse(blobs.unfold(kept)) as EventBody | KeptBody;
    } catch (cause) {
      throw unreadableRun(root, `what event ${seq} holds is not in the store`, cause);
    }
  }
}

function isJson(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  if (text.startsWith('#')) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
