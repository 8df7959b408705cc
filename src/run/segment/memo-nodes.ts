/**
 * Whether the node that a result belongs to is still there, defined as it was when that counted last. What is gone, or is
 * something else under its name now, will not ask for it.
 */
import { keyOf, keyParts, nodesOf, type WorkflowPlan } from '../../plan/index.ts';

export type PlanOf = (hash: string) => WorkflowPlan | undefined;

/** `path`: of a node, or of something inside of it; `plan`: the hash of the plan in which a result counted last. */
export interface NodesThere {
  /** Whether the node of the result is still there as it was; of a plan that nobody has: whether it is there. */
  readonly isThere: (path: string, plan: string) => boolean;
  /** Whether a node was there already, as it is now. */
  readonly wasThere: (path: string, plan: string) => boolean;
}

/** `planOf`: the plans of earlier segments, by their hashes. */
export function nodesThere(plan: WorkflowPlan, planOf: PlanOf): NodesThere {
  const keysNow = keysOf(plan);
  const earlier = new Map<string, ReadonlyMap<string, string> | undefined>();

  function keysThen(hash: string): ReadonlyMap<string, string> | undefined {
    if (!earlier.has(hash)) {
      const then = planOf(hash);
      earlier.set(hash, then && keysOf(then));
    }
    return earlier.get(hash);
  }

  function isSame(path: string, then: ReadonlyMap<string, string>): boolean {
    // What a prompt step does is not in the plan.
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const key = then.get(at);
      if (key !== undefined) return keysNow.get(at) === key;
    }
    return false;
  }

  return {
    isThere: (path, hash) => isSame(path, keysThen(hash) ?? keysNow),
    wasThere(path, hash) {
      const then = keysThen(hash);
      return then !== undefined && isSame(path, then);
    },
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
