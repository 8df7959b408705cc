/**
 * The engines of this process: one for each store, whoever runs something in it, so that runs of one store share its
 * connection, its commits and the hosts.
 */

import type { Engine } from '../../run/index.ts';
import { version } from '../version.ts';
import { pathFrom } from './paths.ts';

export interface OpenedEngine {
  readonly engine: Engine;
  readonly isMemory: boolean;
  readonly release: () => void;
}

interface Shared {
  readonly engine: Engine;
  users: number;
}

const memory = 'memory';
const shared = new Map<string, Shared>();

export async function openStore(store: string | URL = memory): Promise<OpenedEngine> {
  const isMemory = store === memory;
  const name = isMemory ? memory : pathFrom(store);
  // Loaded before anything is shared: from here on nothing waits.
  const [journal, { openEngine }] = await Promise.all([import('../../journal/index.ts'), import('../../run/index.ts')]);
  let entry = shared.get(name);
  if (entry === undefined) {
    const opened = isMemory ? journal.createMemoryStore({ name: memory }) : journal.openSqliteStore(name);
    entry = { engine: openEngine({ store: opened, cwd: process.cwd(), version }), users: 0 };
    shared.set(name, entry);
  }
  const { engine } = entry;
  const own = entry;
  own.users++;
  return { engine, isMemory, release };

  function release(): void {
    own.users--;
    // What waits in memory is there as long as the process is.
    if (own.users > 0 || (isMemory && engine.store.runIds().length > 0)) return;
    shared.delete(name);
    engine.store.close();
  }
}
