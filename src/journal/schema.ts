/** The tables of a store. What is released is never edited: a change of the tables is a further migration. */
import type { DatabaseKind } from './database-kind.ts';

export const migrations: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE runs (
    id TEXT NOT NULL UNIQUE, root TEXT NOT NULL, parent TEXT, node TEXT, name TEXT NOT NULL, file TEXT,
    status TEXT NOT NULL, started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, ended_at INTEGER,
    waiting TEXT, error TEXT, output TEXT, cost REAL, input_tokens INTEGER, output_tokens INTEGER
  );
  -- run: missing where it is the root. body: JSON, or "#" and the hash of a blob.
  CREATE TABLE events (
    root TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, run TEXT, node TEXT, body TEXT NOT NULL,
    PRIMARY KEY (root, seq)
  ) WITHOUT ROWID;
  CREATE TABLE blobs (hash TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
  -- host, boot, pid, started: missing when nobody holds it.
  CREATE TABLE leases (
    root TEXT PRIMARY KEY, epoch INTEGER NOT NULL, at INTEGER NOT NULL, host TEXT, boot TEXT, pid INTEGER, started TEXT
  ) WITHOUT ROWID;
  -- An id is never used again, so that nobody takes a new message for one that was read.
  CREATE TABLE inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT NOT NULL, at INTEGER NOT NULL, sender TEXT NOT NULL,
    message TEXT NOT NULL
  );
  CREATE INDEX inbox_root ON inbox (root);
  CREATE TABLE processes (
    root TEXT NOT NULL, pid INTEGER NOT NULL, node TEXT NOT NULL, started TEXT NOT NULL, PRIMARY KEY (root, pid)
  ) WITHOUT ROWID;`,
  `ALTER TABLE runs ADD COLUMN segment INTEGER;
  ALTER TABLE runs ADD COLUMN fork_of TEXT;
  -- Results that other runs may take: JSON, or "#" and the hash of a blob; empty: without a value.
  CREATE TABLE cache (
    key TEXT NOT NULL UNIQUE, workflow TEXT NOT NULL, step TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
    result TEXT NOT NULL
  );
  CREATE INDEX runs_inside ON runs (root) WHERE root <> id;`,
  // The words of tools: tool.asked, tool.answered, model.skipped. Whoever does not know them could not replay a run.
  `UPDATE meta SET value = value;`,
  // So for those of thunks: handoff, memory.saved.
  `UPDATE meta SET value = value;`,
  // And for what people are told of them: service.left, calls.refused.
  `UPDATE meta SET value = value;`,
];

export const storeKind: DatabaseKind = {
  // "tool"
  applicationId: 0x746f6f6c,
  migrations,
  name: 'the store',
  is: 'a store of runs',
  holds: 'runs',
  another: 'name another file with --store',
  nearer: 'name a file on a disk of this machine with --store',
};
