/** For tests: graphs without what does not belong to their meaning. */
import type { WorkflowPlan } from '../../plan/index.ts';

/** The plan without places, and without the places of what it imports. */
export function graphOf(plan: WorkflowPlan): unknown {
  return JSON.parse(
    JSON.stringify(plan, (key, value: unknown) => (key === 'at' || key === 'from' ? undefined : value)),
  );
}
