/** A journal that somebody else wrote into: which event it is. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './sqlite.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

let dir: string;
let store: Store;
const owner = { host: 'h', boot: 'b', pid: 1, started: 's' };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-unreadable-'));
  store = openSqliteStore(join(dir, 'runs.db'));
  for (const id of ['r1', 'r2']) {
    store.write((writer) => {
      writer.addRun({ id, root: id, name: 'n', status: 'running', startedAt: 1, updatedAt: 1 });
      const epoch = writer.takeLease(id, owner, undefined, 1) ?? 0;
      const long = 'x'.repeat(70_000);
      const texts = ['a', 'b', long];
      writer.append(
        id,
        epoch,
        texts.map((text) => ({ at: 1, run: id, node: 's#1', body: { kind: 'node.printed', text } as const })),
      );
    });
  }
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

test.each([
  ["UPDATE events SET body = '{oops' WHERE root = 'r1' AND seq = 2", 'event 2 is no event'],
  ["UPDATE events SET body = 'null' WHERE root = 'r1' AND seq = 2", 'event 2 is no event'],
  ['DELETE FROM blobs', 'what event 3 holds is not in the store'],
])('%s', (statement, message) => {
  const db = openDatabase(join(dir, 'runs.db'), 1000);
  db.exec(statement);
  db.close();
  const read = () => [...store.events('r1')];
  expect(read).toThrow(expect.objectContaining({ code: 'TOO6001', message: expect.stringContaining(message) }));
  if (statement.includes('r1')) expect([...store.events('r2')]).toHaveLength(3);
});
