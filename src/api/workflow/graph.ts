/** For tests: graphs without what does not belong to their meaning. */
import type { WorkflowPlan } from '../../plan/index.ts';

/** The plan without places, and without the places of what it imports: a program has no files for its sub-workflows. */
export function graphOf(plan: WorkflowPlan): unknown {
  const places = new Set(['at', 'from', 'workflow']);
  return JSON.parse(JSON.stringify(plan, (key, value: unknown) => (places.has(key) ? undefined : value)));
}
