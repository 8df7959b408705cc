/** A node in the tree of a run: what the plan says of it, and what became of it. */
import type { Json, RunError, Usage } from '../machine/index.ts';
import type { WorkflowNode } from '../plan/index.ts';
import type { RunAttempt, RunDecision } from './run-nodes.ts';
import type { RunRequest } from './run-request.ts';
import type { PassedModel, RunToolCall } from './run-tools.ts';

/** `pending`: waits to start. `unreached`: all ended before it. `interrupted`: it ran when the owner of the run died. */
export type TreeStatus =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  | 'kept'
  | 'unreached'
  | 'interrupted';

export interface TreeNode {
  /** In the run: `polish[2]/review`. */
  readonly name: string;
  /** In the plan, from the root: the same in all rounds. */
  readonly path: string;
  readonly id?: string;
  readonly kind: WorkflowNode['kind'] | 'round' | 'arm';
  /** What people call it. */
  readonly title: string;
  readonly status: TreeStatus;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly attempts?: readonly RunAttempt[];
  readonly usage?: Usage;
  readonly repairs?: readonly (readonly string[])[];
  readonly calls?: number;
  readonly model?: string;
  readonly passed?: readonly PassedModel[];
  readonly tools?: readonly RunToolCall[];
  readonly request?: RunRequest;
  readonly decision?: RunDecision;
  readonly until?: number;
  readonly output?: Json;
  readonly error?: RunError;
  /** Why it was left out, or what it waits for where nobody is asked. */
  readonly why?: string;
  readonly printed?: string;
  readonly fromCache?: true;
  /** The run of a sub-workflow, and what it was given. */
  readonly run?: string;
  readonly input?: Json;
  /** Where it is written, as `file:line:column`. */
  readonly at?: string;
  readonly children: readonly TreeNode[];
}

/** Every node, outer ones first. */
export function* treeNodes(nodes: readonly TreeNode[]): Generator<TreeNode> {
  for (const node of nodes) {
    yield node;
    yield* treeNodes(node.children);
  }
}

/** It was begun, and has not ended. */
export function isOpenStatus(status: TreeStatus): boolean {
  return status === 'waiting' || status === 'running' || status === 'interrupted';
}
