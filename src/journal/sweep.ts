/**
 * Takes away what nobody needs any more of a store in SQLite: blobs that nothing names, and free space of its file.
 * 1. What names a blob is not known by kinds: every text in the journals that is a hash counts. So no word that is added to
 *    the journal can lose something.
 * 2. The journals are read while others write. What they have appended since is looked at in the transaction that removes,
 *    and only that: it holds up nobody for long.
 */
import type { BlobTable } from './blobs.ts';
import type { Database } from './sqlite.ts';

export interface Sweep {
  /** Looks at a page of journals; false when there is none left. */
  readonly look: () => boolean;
  /** In a transaction: removes some of what nobody names, and says how many; 0 when there is nothing left. */
  readonly remove: () => number;
}

const pageRows = 128;
const mostAtOnce = 2000;
const hash = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

/** What may be the name of a blob in a text. */
export function hashesIn(text: string): Iterable<string> {
  return text.match(hash) ?? [];
}

export function createSweep(db: Database, blobs: BlobTable): Sweep {
  const page = db.prepare(
    `SELECT root, seq, body FROM events WHERE (root, seq) > (?, ?) ORDER BY root, seq LIMIT ${pageRows}`,
  );
  /** Whoever appends to a journal has its lease. */
  const ends = db.prepare(
    'SELECT root, (SELECT max(seq) FROM events WHERE events.root = leases.root) AS seq FROM leases',
  );
  const since = db.prepare('SELECT body FROM events WHERE root = ? AND seq > ?');
  const elsewhere = db.prepare(
    ['runs.waiting', 'runs.error', 'runs.output', 'cache.result']
      .map((column) => `SELECT ${column} AS body FROM ${column.split('.')[0]} WHERE substr(${column}, 1, 1) = '#'`)
      .join(' UNION ALL '),
  );
  const drop = db.prepare('DELETE FROM blobs WHERE hash = ?');
  /** Those that nobody was seen to name. */
  const left = new Set(
    db
      .prepare('SELECT hash FROM blobs')
      .all()
      .map((row) => String(row.hash)),
  );
  /** Up to where each journal was looked at. */
  const seen = new Map<string, number>();
  let last: readonly [root: string, seq: number] = ['', 0];

  function mark(body: unknown): void {
    if (typeof body !== 'string') return;
    if (!body.startsWith('#')) for (const found of hashesIn(body)) left.delete(found);
    // What was too large for its row may name others.
    else if (left.delete(body.slice(1))) mark(blobs.get(body.slice(1)));
  }

  return {
    look() {
      if (left.size === 0) return false;
      const rows = page.all(...last);
      for (const { root, seq, body } of rows) {
        mark(body);
        last = [String(root), Number(seq)];
        seen.set(...last);
      }
      return rows.length === pageRows;
    },
    remove() {
      if (left.size === 0) return 0;
      for (const { root, seq } of ends.all()) {
        const before = seen.get(String(root)) ?? 0;
        if (seq === null || Number(seq) <= before) continue;
        for (const { body } of since.all(String(root), before)) mark(body);
        seen.set(String(root), Number(seq));
      }
      for (const { body } of elsewhere.all()) mark(body);
      let removed = 0;
      for (const each of left) {
        if (removed === mostAtOnce) break;
        drop.run(each);
        left.delete(each);
        removed++;
      }
      return removed;
    },
  };
}

/** How many bytes of the file are free. */
export function freeBytes(db: Database): number {
  const number = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  return number('freelist_count') * number('page_size');
}

/** Gives some free space back to the disk; a file that was not made for it keeps its size, and uses the space again. */
export function giveBack(db: Database): void {
  db.exec('PRAGMA incremental_vacuum(2048)');
}
