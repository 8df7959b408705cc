/**
 * Whether the node that a result belongs to is still there, defined as it was when that counted last. What is gone, or is
 * something else under its name now, will not ask for it.
 */
import { keyOf, keyParts, nodesOf, type WorkflowPlan } from '../plan/index.ts';

export type PlanOf = (hash: string) => WorkflowPlan | undefined;

/** `path`: of the node, or of something inside of it; `plan`: the hash of the plan in which the result counted last. */
export type IsThere = (path: string, plan: string) => boolean;

/** `planOf`: the plans of earlier segments, by their hashes. */
export function nodesThere(plan: WorkflowPlan, planOf: PlanOf): IsThere {
  let now: ReadonlyMap<string, string> | undefined;
  const earlier = new Map<string, ReadonlyMap<string, string>>();

  function keysThen(hash: string, otherwise: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const known = earlier.get(hash);
    if (known) return known;
    const then = planOf(hash);
    const keys = then === undefined ? otherwise : keysOf(then);
    earlier.set(hash, keys);
    return keys;
  }

  return (path, hash) => {
    now ??= keysOf(plan);
    const then = keysThen(hash, now);
    // What a prompt step does is not in the plan.
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const key = then.get(at);
      if (key !== undefined) return now.get(at) === key;
    }
    return false;
  };
}

/** The keys of the nodes as they are written, by paths. */
function keysOf(plan: WorkflowPlan): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { node, plan: own, path } of nodesOf(plan)) {
    const parts = keyParts(node, own);
    if (parts) keys.set(path, keyOf(parts));
  }
  return keys;
}
