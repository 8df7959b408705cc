/** Texts by their hash, each once: what runs name (plans, sources, messages), and what is too large for a row. */
import { createHash } from 'node:crypto';
import type { Database, SqlValue } from './sqlite.ts';
import { StoreFailure } from './store.ts';

export interface BlobTable {
  readonly put: (text: string) => string;
  readonly get: (hash: string) => string | undefined;
  /** What a row holds for a JSON text: itself, or where it is. */
  readonly fold: (json: string) => string;
  readonly unfold: (kept: SqlValue | undefined) => string;
}

/** Characters of JSON; above, a row holds `#` and a hash. */
export const rowLimit = 64 * 1024;

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function blobTable(db: Database): BlobTable {
  const insert = db.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)');
  const select = db.prepare('SELECT bytes FROM blobs WHERE hash = ?');

  function put(text: string): string {
    const hash = hashOf(text);
    insert.run(hash, Buffer.from(text));
    return hash;
  }

  function get(hash: string): string | undefined {
    const bytes = select.get(hash)?.bytes;
    if (!(bytes instanceof Uint8Array)) return undefined;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }

  return {
    put,
    get,
    fold: (json) => (json.length > rowLimit ? `#${put(json)}` : json),
    unfold(kept) {
      const text = String(kept);
      const json = text.startsWith('#') ? get(text.slice(1)) : text;
      if (json === undefined) throw new StoreFailure('corrupt', `the store has lost a value: blob ${text.slice(1)}`);
      return json;
    },
  };
}
