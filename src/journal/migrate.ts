/**
 * How a file of an older version becomes one of this version.
 * 1. It is changed only in one transaction, after its version was looked at in that transaction.
 * 2. A file of a newer version, and a database of some other kind, are not touched.
 */
import { quotePath } from '../sys/index.ts';
import type { DatabaseKind } from './database-kind.ts';
import type { Database } from './sqlite.ts';
import { StoreFailure } from './store.ts';

/** Changes nothing. 0: it is empty. */
export function versionOf(db: Database, file: string, kind: DatabaseKind): number {
  const known = kind.migrations.length;
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n;
  if (tables === 0) return 0;
  if (db.prepare('PRAGMA application_id').get()?.application_id !== kind.applicationId) {
    throw new StoreFailure(
      'foreign',
      `${quotePath(file)} is a database of some other program, not ${kind.is}; ${kind.another}`,
    );
  }
  const version = Number(db.prepare("SELECT value FROM meta WHERE key = 'version'").get()?.value);
  if (!Number.isSafeInteger(version) || version < 1) {
    throw new StoreFailure('corrupt', `${kind.name} ${quotePath(file)} does not say which version it has`);
  }
  if (version <= known) return version;
  throw new StoreFailure(
    'newer',
    `${kind.name} ${quotePath(file)} has version ${version}, and this toolang knows versions up to ${known}: use a newer toolang, or ${kind.another}`,
  );
}

export function migrate(db: Database, file: string, kind: DatabaseKind): void {
  const { migrations: steps, applicationId } = kind;
  if (versionOf(db, file, kind) === steps.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster.
    const from = versionOf(db, file, kind);
    for (const step of steps.slice(from)) db.exec(step);
    if (from === 0) db.exec(`PRAGMA application_id = ${applicationId}`);
    db.prepare("INSERT OR REPLACE INTO meta VALUES ('version', ?)").run(String(steps.length));
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
