/**
 * Which way a branch went in which nothing began. No event says so, but it follows from the plan where only one of its
 * arms can be gone through without a trace; an arm that is not there is one.
 */
import type { BranchNode, WorkflowNode } from '../plan/index.ts';

export type ArmName = 'then' | 'else';

const armNames: readonly ArmName[] = ['then', 'else'];

/** Undefined where both could be. `isDenied`: it needs an approval that was not given. */
export function emptyArm(node: BranchNode, isDenied: (node: WorkflowNode) => boolean): ArmName | undefined {
  const [first, ...others] = armNames.filter((arm) => node[arm].every((child) => leavesNoTrace(child, isDenied)));
  return others.length === 0 ? first : undefined;
}

function leavesNoTrace(node: WorkflowNode, isDenied: (node: WorkflowNode) => boolean): boolean {
  if (isDenied(node)) return true;
  const isEmpty = (child: WorkflowNode) => leavesNoTrace(child, isDenied);
  switch (node.kind) {
    case 'step':
      return node.skipIf !== undefined;
    case 'branch':
      return armNames.some((arm) => node[arm].every(isEmpty));
    case 'loop':
    case 'parallel':
    case 'sequence':
    case 'component':
      return node.children.every(isEmpty);
    default:
      return false;
  }
}
