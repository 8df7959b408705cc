/**
 * Results that runs share: what a step with `cache` gave, for whoever reaches it again with all that it depends on the same.
 * 1. A slot says what the workflow knows of that. Here is added what only the run knows: the folder in which its steps work,
 *    and who answers for its models, so that what was tried out with a script is never taken for the answer of a model.
 * 2. A run of which that is not known shares nothing.
 * 3. A result is put in the transaction that writes it into the journal, and what is taken is written there whole: what
 *    becomes of the cache changes no run.
 */
import { type CacheEntry, type EventBody, type Store, StoreFailure, type Writer } from '../journal/index.ts';
import type { CacheSlot, Outcome } from '../machine/index.ts';
import { hashOf, nodesOf, type WorkflowPlan } from '../plan/index.ts';
import type { StoredRun } from './runs.ts';

export interface ResultCache {
  /** How the journal tells of the result that was found; undefined where there is none. */
  readonly find: (slot: CacheSlot) => CachedBody | undefined;
  /** What a command with a slot came to, at that time. What went wrong is not kept. */
  readonly offer: (slot: CacheSlot, outcome: Outcome, at: number) => void;
  /** Writes what was offered, in the transaction of its events; it counts here already. */
  readonly write: (writer: Writer) => void;
  /** The transaction is durable. */
  readonly written: () => void;
}

export type CachedBody = Extract<EventBody, { kind: 'node.done' }>;

/** `folder`: where its steps work. */
export function createResultCache(store: Store, { row, started }: StoredRun, folder: string): ResultCache | undefined {
  const { script, replies, models } = started;
  if (replies === undefined) return undefined;
  const scope = hashOf([folder, script ?? null, replies, models]);
  const keyOf = (slot: CacheSlot) => hashOf([scope, slot.key]);
  /** What is not written yet. */
  const offered = new Map<string, CacheEntry>();
  return {
    find(slot) {
      const key = keyOf(slot);
      const entry = offered.get(key) ?? found(key);
      if (entry === undefined) return undefined;
      const { output, run } = entry;
      const body = { kind: 'node.done', from: 'cache', origin: run, slot: slot.key } as const;
      return output === undefined ? body : { ...body, output };
    },
    offer(slot, outcome, at) {
      if ('err' in outcome) return;
      const { workflow, step } = slot;
      const value = 'ok' in outcome ? { output: outcome.ok } : {};
      const key = keyOf(slot);
      offered.set(key, { key, workflow, step, run: row.root, at, ...value });
    },
    write(writer) {
      for (const entry of offered.values()) writer.putCache(entry);
    },
    written: () => offered.clear(),
  };

  function found(key: string): CacheEntry | undefined {
    try {
      return store.cached(key);
    } catch (error) {
      // The step is done, and the next commit tells of the store, or puts another instead of what cannot be read.
      if (error instanceof StoreFailure || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

export function hasCache(plan: WorkflowPlan): boolean {
  for (const { node } of nodesOf(plan)) if (node.kind === 'step' && node.cache) return true;
  return false;
}
