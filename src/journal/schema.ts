/**
 * The tables, and how a store of an older version becomes one of this version.
 * 1. A store is changed only in one transaction, after its version was looked at in that transaction.
 * 2. A store of a newer version, and a database that is no store, are not touched.
 * 3. What is released is never edited: a change of the tables is a further migration.
 */
import { quotePath } from '../sys/index.ts';
import type { Database } from './sqlite.ts';
import { StoreFailure } from './store.ts';

/** Says that a database is ours: "tool". */
const applicationId = 0x746f6f6c;

/** The one at index n leads from version n to n + 1. */
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
];

/** Changes nothing. 0: it is empty. */
export function versionOf(db: Database, file: string, known: number): number {
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n;
  if (tables === 0) return 0;
  if (db.prepare('PRAGMA application_id').get()?.application_id !== applicationId) {
    throw new StoreFailure(
      'foreign',
      `${quotePath(file)} is a database of some other program, not a store of runs; name another file with --store`,
    );
  }
  const version = Number(db.prepare("SELECT value FROM meta WHERE key = 'version'").get()?.value);
  if (!Number.isSafeInteger(version) || version < 1) {
    throw new StoreFailure('corrupt', `the store ${quotePath(file)} does not say which version it has`);
  }
  if (version <= known) return version;
  throw new StoreFailure(
    'newer',
    `the store ${quotePath(file)} has version ${version}, and this toolang knows versions up to ${known}: use a newer toolang, or another store with --store`,
  );
}

export function migrate(db: Database, file: string, steps: readonly string[] = migrations): void {
  if (versionOf(db, file, steps.length) === steps.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster.
    const from = versionOf(db, file, steps.length);
    for (const step of steps.slice(from)) db.exec(step);
    if (from === 0) db.exec(`PRAGMA application_id = ${applicationId}`);
    db.prepare("INSERT OR REPLACE INTO meta VALUES ('version', ?)").run(String(steps.length));
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
