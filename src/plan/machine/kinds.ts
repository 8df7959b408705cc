/** The kinds of nodes. */
import type { WorkflowNode } from '../node.ts';
import { approvalKind } from './approval.ts';
import { branchKind } from './branch.ts';
import { callKind } from './call.ts';
import { componentKind } from './component.ts';
import { sequenceKind } from './list.ts';
import { loopKind } from './loop.ts';
import { parallelKind } from './parallel.ts';
import { pluginKind } from './plugin.ts';
import { stepKind } from './step.ts';
import type { Kind } from './work.ts';
import { worktreeKind } from './worktree.ts';

const kinds: { readonly [K in WorkflowNode['kind']]: Kind<Extract<WorkflowNode, { readonly kind: K }>> } = {
  step: stepKind,
  sequence: sequenceKind,
  parallel: parallelKind,
  loop: loopKind,
  approval: approvalKind,
  branch: branchKind,
  worktree: worktreeKind,
  workflow: callKind,
  component: componentKind,
  plugin: pluginKind,
};

/** The table pairs each kind with its nodes, so what comes out takes the node that went in. */
export function kindOf(node: WorkflowNode): Kind {
  return kinds[node.kind] as Kind;
}
