/** The driver's promises, on both stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, openSqliteStore } from '../journal/index.ts';
import { conformance } from './conformance.ts';

conformance('the store in memory', () => {
  const store = createMemoryStore();
  return { store, connect: store.connect, close: store.close };
});

conformance('SQLite', () => {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-drive-'));
  const file = join(dir, 'runs.db');
  const stores = [openSqliteStore(file)];
  const connect = () => {
    const store = openSqliteStore(file);
    stores.push(store);
    return store;
  };
  const close = () => {
    for (const store of stores) store.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { store: stores[0] as ReturnType<typeof openSqliteStore>, connect, close };
});
