/**
 * Removes old runs from a store.
 * 1. Only what has ended goes, and nothing that somebody drives: that is looked at again in the transaction that removes.
 * 2. What a run has outside of the store is forgotten before its rows are: where that fails, the run stays and is told. A run goes
 *    before its forks: what it leaves to them is forgotten with them.
 * 3. Nobody waits for all of it: each transaction removes some hundred runs.
 */
import type { EndedRun, Store } from './store.ts';

export interface PruneWish {
  /** Only those that ended before this time. */
  readonly before?: number;
  /** So many of those that ended last stay, however old they are. */
  readonly keep?: number;
}

export interface PruneOptions {
  readonly isDriven: (root: string) => boolean;
  /** Removes what a run has outside of the store. May be called again for a run that it was called for before. */
  readonly forget?: (run: EndedRun) => void | Promise<void>;
}

export interface Pruned {
  readonly removed: readonly EndedRun[];
  /** What stays although it was to go, and why. */
  readonly stayed: readonly { readonly run: EndedRun; readonly why: string }[];
  /** The bytes by which the file became smaller. */
  readonly freed: number;
}

const mostAtOnce = 200;

/** What would go, the last that ended first. */
export function prunable(store: Store, { before = Number.POSITIVE_INFINITY, keep = 0 }: PruneWish): EndedRun[] {
  return store
    .ended()
    .slice(keep)
    .filter(({ endedAt }) => endedAt < before);
}

export async function prune(store: Store, runs: readonly EndedRun[], options: PruneOptions): Promise<Pruned> {
  const removed: EndedRun[] = [];
  const stayed: { run: EndedRun; why: string }[] = [];
  for (let from = 0; from < runs.length; from += mostAtOnce) {
    const batch = runs.slice(from, from + mostAtOnce);
    const forgotten = new Set<EndedRun>();
    for (const run of beforeForks(store, batch)) {
      try {
        // What is driven keeps what it has.
        if (!options.isDriven(run.id)) await options.forget?.(run);
        forgotten.add(run);
      } catch (error) {
        stayed.push({ run, why: error instanceof Error ? error.message : String(error) });
      }
    }
    const parted = store.write((writer) => {
      const gone = new Set<EndedRun>();
      for (const run of forgotten) if (!options.isDriven(run.id) && writer.removeRun(run.id)) gone.add(run);
      return gone;
    });
    for (const run of batch.filter((each) => forgotten.has(each))) {
      if (parted.has(run)) removed.push(run);
      // Who else was faster has removed it.
      else if (store.run(run.id)) stayed.push({ run, why: 'somebody goes on with it' });
    }
  }
  if (removed.length > 0) store.sweep();
  return { removed, stayed, freed: removed.length > 0 ? store.shrink() : 0 };
}

/** Each run behind the one that it was forked from. */
function beforeForks(store: Store, runs: readonly EndedRun[]): EndedRun[] {
  const open = new Map(runs.map((run) => [run.id, run]));
  return runs.flatMap(({ id }) => {
    const line: EndedRun[] = [];
    for (let run = open.get(id); run; run = open.get(store.run(run.id)?.forkOf ?? '')) {
      open.delete(run.id);
      line.push(run);
    }
    return line.reverse();
  });
}
