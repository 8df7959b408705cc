/** A node in the tree of a run: what the plan says of it, and what became of it. */
import type { Json, RunError, Usage } from '../machine/index.ts';
import type { WorkflowNode } from '../plan/index.ts';
import type { RunAttempt, RunDecision } from './run-node.ts';
import { addUp } from './run-nodes.ts';
import type { RunRemark } from './run-remark.ts';
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
  /** `hand`: a thunk or a workflow that a step, or another hand, has called. */
  readonly kind: WorkflowNode['kind'] | 'round' | 'arm' | 'hand';
  /** What people call it. */
  readonly title: string;
  readonly status: TreeStatus;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly attempts?: readonly RunAttempt[];
  /** With that of all hands. */
  readonly usage?: Usage;
  readonly repairs?: readonly (readonly string[])[];
  readonly calls?: number;
  readonly model?: string;
  readonly passed?: readonly PassedModel[];
  /** Of an agent that is a program: what it calls the conversation; unknown where it is not there. */
  readonly session?: string;
  readonly tools?: readonly RunToolCall[];
  /** To whom it handed over, what it remembered, in order. */
  readonly remarks?: readonly RunRemark[];
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

/** Every node of the plan: what a step has called is left out. */
export function* planNodes(nodes: readonly TreeNode[]): Generator<TreeNode> {
  for (const node of nodes) {
    yield node;
    if (node.kind !== 'step') yield* planNodes(node.children);
  }
}

/** What was spent by them in all. A step has that of its hands in its own. */
export function usageOf(nodes: readonly TreeNode[]): Usage {
  return nodes.reduce((sum: Usage, { usage, children }) => addUp(sum, usage ?? usageOf(children)), {});
}

/** It was begun, and has not ended. */
export function isOpenStatus(status: TreeStatus): boolean {
  return status === 'waiting' || status === 'running' || status === 'interrupted';
}

/** Something in it has ended, and is not done again: it has called tools or hands, or a model more than once. */
export function hasPast({ calls = 0, tools = [], children }: TreeNode): boolean {
  return calls > 1 || tools.length > 0 || children.length > 0;
}
