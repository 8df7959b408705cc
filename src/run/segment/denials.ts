/**
 * Which decisions of people a retry asks for again: the denials that let the run fail. With others the workflow goes on,
 * as it was meant to: a round that was not approved is done, and so is what was skipped.
 */
import { nodesOf } from '../../plan/index.ts';
import { pathOf } from './memo-key.ts';
import type { PlanOf } from './memo-nodes.ts';

/** `identity`: of an approval that was denied; `plan`: the hash of the plan in which that counted last. */
export type IsFailure = (identity: string, plan: string) => boolean;

/** Of a plan that nobody has nothing is known: there people are asked. */
export function createDenials(planOf: PlanOf): IsFailure {
  const byPlan = new Map<string, ReadonlySet<string>>();

  /** The paths of the approvals with whose denial a workflow goes on. */
  function passedIn(hash: string): ReadonlySet<string> {
    let paths = byPlan.get(hash);
    if (paths === undefined) {
      const found = new Set<string>();
      const plan = planOf(hash);
      for (const { node, path } of plan ? nodesOf(plan) : []) {
        if (node.kind === 'approval' && node.onDeny !== 'fail') found.add(path);
      }
      byPlan.set(hash, found);
      paths = found;
    }
    return paths;
  }

  return (identity, plan) => !passedIn(plan).has(pathOf(identity));
}
