/** Runs that are recorded and replayed, by the commands of people, and what their journals have in common. */
import type { Scratch } from '../../src/cli/scratch.ts';
import { openSqliteStore } from '../../src/journal/index.ts';

export function idIn(text: string): string {
  return /run ([0-9a-z]{4,})/.exec(text)?.[1] ?? '';
}

/** Who answers and where that is recorded; deadlines; and whether the source was old enough to be known by its hash. */
const others: ReadonlySet<string> = new Set(['script', 'replay', 'record', 'replies', 'until', 'files']);

/**
 * The events of a run by the commands they belong to, each list in order, without times and ids; steps that run side by side end
 * in any order. Who answers is no part of it: that is what differs.
 */
export function journalOf(s: Scratch, id: string): Record<string, unknown[]> {
  const store = openSqliteStore(s.at('.toolang/runs.db'), {});
  try {
    const run = store.runIds().find((each) => each.startsWith(id)) ?? '';
    const lists: Record<string, unknown[]> = {};
    for (const { node = '', body } of store.events(run)) {
      const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !others.has(name)));
      const list = lists[node] ?? [];
      list.push(JSON.parse(JSON.stringify(kept).replaceAll(run, '<run>')));
      lists[node] = list;
    }
    return lists;
  } finally {
    store.close();
  }
}
