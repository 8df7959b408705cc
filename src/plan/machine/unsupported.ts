/** What a plan may hold and this machine does not run yet: told before anything begins, and again if it is reached. */
import type { Place, PluginNode, StepNode, WorkflowNode, WorkflowPlan, WorktreeNode } from '../node.ts';
import { nodesOf } from '../walk.ts';
import { nodeError, throwError } from './errors.ts';
import type { Frame } from './frame.ts';
import type { Kind, Work } from './work.ts';

export interface Unsupported {
  /** The node's path from the root; empty for what belongs to the whole plan. */
  readonly node: string;
  /** In words: `a worktree`, `a cache`. */
  readonly what: string;
  readonly at?: Place;
}

/** In written order, sub-workflows included. */
export function unsupportedIn(plan: WorkflowPlan): Unsupported[] {
  const found: Unsupported[] = [];
  const seen = new Set<WorkflowPlan>();
  const look = (each: WorkflowPlan) => {
    if (seen.has(each)) return;
    seen.add(each);
    const { services, plugins } = each;
    if (services.length > 0) found.push({ node: '', what: `services (${services.map(({ as }) => as).join(', ')})` });
    if (plugins.length > 0) {
      found.push({ node: '', what: `plugins (${plugins.map(({ module }) => module).join(', ')})` });
    }
  };
  look(plan);
  for (const { node, plan: from, path } of nodesOf(plan)) {
    look(from);
    const what = unsupported(node);
    if (what !== undefined) found.push(node.at ? { node: path, what, at: node.at } : { node: path, what });
  }
  return found;
}

/** Fails a node that this machine cannot run. */
export function refuse(frame: Frame, node: WorkflowNode, work: Work): void {
  const what = unsupported(node);
  if (what === undefined) return;
  throwError(nodeError(work.nameOf(frame), node, 'unsupported', `${what} cannot be run yet`));
}

export const unsupportedKind: Kind<WorktreeNode | PluginNode> = { begin: refuse };

function unsupported(node: WorkflowNode): string | undefined {
  if (node.kind === 'worktree') return 'a worktree';
  if (node.kind === 'plugin') return `a node of a plugin (${node.type})`;
  return node.kind === 'step' && hasCache(node) ? 'a step with a cache' : undefined;
}

function hasCache({ cache }: StepNode): boolean {
  return cache !== undefined;
}
