/** Rows of runs in SQLite. */
import type { BlobTable } from './blobs.ts';
import { type Database, plain, type SqlRow, type SqlValue, type Statement } from './sqlite.ts';
import type { EndedRun, RunChange, RunFilter, RunRow } from './store.ts';

export interface RunTable {
  readonly add: (row: RunRow) => void;
  readonly update: (id: string, change: RunChange) => void;
  readonly get: (id: string) => RunRow | undefined;
  readonly list: (filter: RunFilter) => readonly RunRow[];
  readonly ids: () => readonly string[];
  readonly idsBeside: (id: string) => readonly string[];
  /** As `Store.ended` says it. */
  readonly ended: () => readonly EndedRun[];
  /** A root run that has ended, and those inside of it; false where there is none. */
  readonly remove: (root: string) => boolean;
}

/** The column of each field. */
const columns = {
  id: 'id',
  root: 'root',
  parent: 'parent',
  node: 'node',
  name: 'name',
  file: 'file',
  status: 'status',
  startedAt: 'started_at',
  updatedAt: 'updated_at',
  endedAt: 'ended_at',
  waiting: 'waiting',
  error: 'error',
  output: 'output',
  segment: 'segment',
  forkOf: 'fork_of',
  cost: 'cost',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
} as const satisfies Record<keyof RunRow, string>;

type Field = keyof typeof columns;
const fields = Object.keys(columns) as Field[];
const inJson: ReadonlySet<Field> = new Set<Field>(['waiting', 'error', 'output']);

export function runTable(db: Database, blobs: BlobTable): RunTable {
  const names = fields.map((field) => columns[field]).join(', ');
  const insert = db.prepare(`INSERT INTO runs (${names}) VALUES (${fields.map(() => '?').join(', ')})`);
  const select = db.prepare(`SELECT ${names} FROM runs WHERE id = ?`);
  const selectIds = db.prepare('SELECT id FROM runs ORDER BY rowid');
  const selectBeside = db.prepare(
    'SELECT max(id) AS id FROM runs WHERE id < ?1 UNION ALL SELECT min(id) FROM runs WHERE id > ?1',
  );
  const removeRoot = db.prepare('DELETE FROM runs WHERE id = ? AND id = root AND ended_at IS NOT NULL');
  const removeInside = db.prepare('DELETE FROM runs WHERE root = ? AND root <> id');
  const selectEnded = db.prepare(
    `SELECT id, name, file, ended_at FROM runs WHERE id = root AND ended_at IS NOT NULL
      AND id NOT IN (SELECT fork_of FROM runs WHERE fork_of IS NOT NULL AND ended_at IS NULL)
      ORDER BY ended_at DESC, rowid DESC`,
  );
  const selectSome = db.prepare(
    `SELECT ${names} FROM runs WHERE (?1 IS NULL OR status = ?1) AND (?2 = 0 OR id = root) AND (?4 IS NULL OR root = ?4)
      AND (?5 IS NULL OR fork_of = ?5)
      ORDER BY rowid DESC LIMIT ?3`,
  );
  /** By the fields that change: a driver changes the same ones again and again. */
  const updates = new Map<string, Statement>();

  function encode(field: Field, value: RunRow[Field] | undefined): SqlValue {
    if (value === undefined) return null;
    if (inJson.has(field)) return blobs.fold(JSON.stringify(value));
    return typeof value === 'string' ? plain(value) : (value as number);
  }

  function update(id: string, change: RunChange): void {
    const changed = Object.keys(change) as (keyof RunChange)[];
    if (changed.length === 0) return;
    const key = changed.join();
    let statement = updates.get(key);
    if (statement === undefined) {
      for (const field of changed) if (!(field in columns)) throw new Error(`runs have no field "${field}"`);
      const sets = changed.map((field) => `${columns[field]} = ?`).join(', ');
      statement = db.prepare(`UPDATE runs SET ${sets} WHERE id = ?`);
      updates.set(key, statement);
    }
    const values = changed.map((field) => encode(field, change[field]));
    if (statement.run(...values, id).changes !== 1) throw new Error(`there is no run ${id}`);
  }

  return {
    update,
    add(row) {
      if (select.get(row.id)) throw new Error(`the run ${row.id} is there already`);
      insert.run(...fields.map((field) => encode(field, row[field])));
    },
    get(id) {
      const row = select.get(id);
      return row && rowOf(row, blobs);
    },
    list: ({ status, roots, limit, root, forkOf }) =>
      selectSome
        .all(status ?? null, roots === true ? 1 : 0, limit ?? -1, root ?? null, forkOf ?? null)
        .map((row) => rowOf(row, blobs)),
    ids: () => selectIds.all().map(({ id }) => String(id)),
    idsBeside: (id) => selectBeside.all(id).flatMap(({ id }) => (typeof id === 'string' ? [id] : [])),
    ended: () =>
      selectEnded.all().map(({ id, name, file, ended_at: at }) => ({
        id: String(id),
        name: String(name),
        ...(file !== null && { file: String(file) }),
        endedAt: Number(at),
      })),
    remove(root) {
      if (removeRoot.run(root).changes === 0) return false;
      removeInside.run(root);
      return true;
    },
  };
}

function rowOf(row: SqlRow, blobs: BlobTable): RunRow {
  const out: Record<string, unknown> = {};
  for (const field of fields) {
    const value = row[columns[field]];
    if (value === null || value === undefined) continue;
    out[field] = inJson.has(field) ? JSON.parse(blobs.unfold(value)) : value;
  }
  return out as unknown as RunRow;
}
