/** For tests: the same plan without its limits. What limits keep back may begin later, and nothing else may differ. */
import type { WorkflowNode, WorkflowPlan } from '../node.ts';

export function withoutLimits(plan: WorkflowPlan): WorkflowPlan {
  const workflows = Object.entries(plan.workflows).map(([name, each]) => [name, withoutLimits(each)] as const);
  return { ...plan, workflows: Object.fromEntries(workflows), children: plan.children.map(unlimited) };
}

function unlimited(node: WorkflowNode): WorkflowNode {
  if (node.kind === 'branch') {
    // biome-ignore lint/suspicious/noThenProperty: the word of the language; a list is no promise.
    return { ...node, then: node.then.map(unlimited), else: node.else.map(unlimited) };
  }
  if (!('children' in node)) return node;
  const children = node.children.map(unlimited);
  if (node.kind !== 'parallel') return { ...node, children };
  const { maxConcurrency: _, ...others } = node;
  return { ...others, children };
}
