/** What runs again in a preview, and who depends on it: by the plan. */
import { dependenciesOf, type WorkflowPlan } from '../../plan/index.ts';

export interface Spoiled {
  readonly add: (path: string) => void;
  /** All that was added. */
  readonly all: () => Iterable<string>;
  /** Those of them that any of these names is, or depends on. */
  readonly among: (names: Iterable<string>) => string[];
}

/** Of many so many are told. */
export const mostReasons = 10;

/** `isBarrier`: it gives what it gave whatever it reads, unless it is added itself. */
export function createSpoiled(plan: WorkflowPlan, isBarrier: (path: string) => boolean): Spoiled {
  const readers = new Map<string, string[]>();
  for (const [reader, reads] of dependenciesOf(plan)) {
    for (const read of reads) {
      const list = readers.get(read);
      if (list) list.push(reader);
      else readers.set(read, [reader]);
    }
  }
  /** By each of those that run again. */
  const reasons = new Map<string, Set<string>>();
  const own = new Set<string>();
  return {
    all: () => own,
    add(path) {
      if (own.has(path)) return;
      own.add(path);
      const reached = new Set(readers.get(path));
      for (const each of reached) {
        const all = reasons.get(each);
        // Then its readers have as many.
        if (all && (all.has(path) || all.size > mostReasons)) continue;
        if (all) all.add(path);
        else reasons.set(each, new Set([path]));
        if (!isBarrier(each)) for (const reader of readers.get(each) ?? []) reached.add(reader);
      }
    },
    among(names) {
      const found = new Set<string>();
      for (const name of names) {
        if (own.has(name)) found.add(name);
        for (const reason of reasons.get(name) ?? []) found.add(reason);
      }
      return [...found];
    },
  };
}
