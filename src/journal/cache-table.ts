/** Results that other runs may take, in SQLite: one for each key, the last one that was put. */
import type { Json } from '../machine/index.ts';
import type { BlobTable } from './blobs.ts';
import { type Database, plain, type SqlValue } from './sqlite.ts';
import type { CacheEntry, CacheFilter, CacheRow } from './store.ts';

export interface CacheTable {
  readonly get: (key: string) => CacheEntry | undefined;
  readonly list: (filter: CacheFilter) => readonly CacheRow[];
  readonly put: (entry: CacheEntry) => void;
  readonly drop: (filter: CacheFilter) => number;
}

/** As `isMeant` says it for the store in memory. */
const meant = `(?1 IS NULL OR workflow = ?1) AND (?2 IS NULL OR step = ?2 OR substr(step, -length(?2) - 1) = '/' || ?2)
  AND (?3 IS NULL OR at < ?3)`;

const size = `iif(substr(result, 1, 1) = '#', (SELECT length(bytes) FROM blobs WHERE hash = substr(result, 2)),
  length(CAST(result AS BLOB)))`;

export function cacheTable(db: Database, blobs: BlobTable): CacheTable {
  const insert = db.prepare(
    'INSERT OR REPLACE INTO cache (key, workflow, step, run, at, result) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const select = db.prepare('SELECT key, workflow, step, run, at, result FROM cache WHERE key = ?');
  const selectSome = db.prepare(
    `SELECT key, workflow, step, run, at, ${size} AS size FROM cache WHERE ${meant} ORDER BY at DESC, key`,
  );
  const remove = db.prepare(`DELETE FROM cache WHERE ${meant}`);
  return {
    get(entryKey) {
      const row = select.get(entryKey);
      if (row === undefined) return undefined;
      const { key, workflow, step, run, at, result } = row;
      const json = blobs.unfold(result);
      return {
        key: String(key),
        workflow: String(workflow),
        step: String(step),
        run: String(run),
        at: Number(at),
        ...(json !== '' && { output: JSON.parse(json) }),
      };
    },
    list: (filter) =>
      selectSome.all(...valuesOf(filter)).map(({ key, workflow, step, run, at, size: bytes }) => ({
        key: String(key),
        workflow: String(workflow),
        step: String(step),
        run: String(run),
        at: Number(at),
        size: Number(bytes),
      })),
    put({ key, workflow, step, run, at, output }) {
      const result = blobs.fold(resultText(output));
      insert.run(plain(key), plain(workflow), plain(step), plain(run), at, result);
    },
    drop: (filter) => remove.run(...valuesOf(filter)).changes,
  };
}

/** Empty where there is no value. */
export function resultText(output: Json | undefined): string {
  return output === undefined ? '' : JSON.stringify(output);
}

/** Whether a filter means it. A step is named by its path, or by the end of it. */
export function isMeant({ workflow, step, at }: CacheRow | CacheEntry, filter: CacheFilter): boolean {
  if (filter.workflow !== undefined && workflow !== filter.workflow) return false;
  if (filter.step !== undefined && step !== filter.step && !step.endsWith(`/${filter.step}`)) return false;
  return filter.before === undefined || at < filter.before;
}

function valuesOf({ workflow, step, before }: CacheFilter): SqlValue[] {
  return [workflow ?? null, step ?? null, before ?? null];
}
