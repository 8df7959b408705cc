/** What others tell the driver of a run, and the processes that its steps have started, in SQLite. */
import { type Database, plain } from './sqlite.ts';
import type { InboxDraft, InboxItem, ProcessRow } from './store.ts';

export interface InboxTable {
  readonly post: (root: string, item: InboxDraft) => void;
  readonly drop: (root: string, ids: readonly number[]) => void;
  readonly list: (root: string) => readonly InboxItem[];
  readonly isEmpty: (root: string) => boolean;
}

export interface ProcessTable {
  readonly add: (root: string, row: ProcessRow) => void;
  readonly drop: (root: string, pid: number) => void;
  readonly list: (root: string) => readonly ProcessRow[];
}

export function inboxTable(db: Database): InboxTable {
  const insert = db.prepare('INSERT INTO inbox (root, at, sender, message) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM inbox WHERE id = ? AND root = ?');
  const select = db.prepare('SELECT id, at, sender, message FROM inbox WHERE root = ? ORDER BY id');
  const one = db.prepare('SELECT 1 FROM inbox WHERE root = ? LIMIT 1');
  return {
    post: (root, { at, by, message }) => void insert.run(plain(root), at, plain(by), JSON.stringify(message)),
    drop(root, ids) {
      for (const id of ids) remove.run(id, root);
    },
    list: (root) =>
      select.all(root).map(({ id, at, sender, message }) => ({
        id: Number(id),
        at: Number(at),
        by: String(sender),
        message: JSON.parse(String(message)),
      })),
    isEmpty: (root) => one.get(root) === undefined,
  };
}

export function processTable(db: Database): ProcessTable {
  // The system uses a pid again when its process is gone, so the new row says what is true.
  const insert = db.prepare('INSERT OR REPLACE INTO processes VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM processes WHERE root = ? AND pid = ?');
  const select = db.prepare('SELECT pid, node, started FROM processes WHERE root = ? ORDER BY pid');
  return {
    add: (root, { pid, node, started }) => void insert.run(plain(root), pid, plain(node), plain(started)),
    drop: (root, pid) => void remove.run(root, pid),
    list: (root) =>
      select
        .all(root)
        .map(({ pid, node, started }) => ({ node: String(node), pid: Number(pid), started: String(started) })),
  };
}
