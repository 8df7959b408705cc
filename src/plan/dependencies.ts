/**
 * Which results each node's own result can depend on: what it reads, what decides whether it runs (the condition of a
 * branch, the end of a loop), and through `params` and the `input` of sub-workflows what their callers read.
 */
import type { Reference, WorkflowNode, WorkflowPlan } from './node.ts';
import { childrenOf, referencesOf } from './walk.ts';

/** By path from the root: the paths of nodes that are read. Nodes with children stand for all that they hold. */
export function dependenciesOf(plan: WorkflowPlan): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  /** Everything below a node, the node included: who reads the node reads that. */
  const below = new Map<string, readonly string[]>();
  visitPlan(plan, '', [], []);
  return new Map(
    [...found].map(([path, reads]) => [path, [...new Set(reads.flatMap((read) => below.get(read) ?? [read]))]]),
  );

  function visitPlan(
    each: WorkflowPlan,
    prefix: string,
    input: readonly string[],
    outer: readonly string[],
  ): readonly string[] {
    return visit(each.children, { plan: each, prefix, input, params: [], outer });
  }

  function visit(nodes: readonly WorkflowNode[], context: Context): string[] {
    return nodes.flatMap((node) => visitNode(node, context));
  }

  function visitNode(node: WorkflowNode, context: Context): string[] {
    const path = context.prefix + node.path;
    const own = referencesOf(node).flatMap((reference) => sourcesOf(reference, context));
    const decided = [...context.outer, ...own];
    found.set(path, decided);
    const inner = [...visit(childrenOf(node), innerOf(node, own, decided, context))];
    const called = node.kind === 'workflow' ? context.plan.workflows[node.use] : undefined;
    if (called) inner.push(...visitPlan(called, `${path}/`, own, context.outer));
    const all = [path, ...inner];
    below.set(path, all);
    return all;
  }
}

interface Context {
  readonly plan: WorkflowPlan;
  readonly prefix: string;
  /** What `input` and `params` were made from. */
  readonly input: readonly string[];
  readonly params: readonly string[];
  /** What decides whether the nodes here run. */
  readonly outer: readonly string[];
}

function sourcesOf({ target }: Reference, { prefix, input, params }: Context): readonly string[] {
  if (target.kind === 'input') return input;
  if (target.kind === 'params') return params;
  return target.kind === 'node' ? [prefix + target.node] : [];
}

function innerOf(node: WorkflowNode, own: readonly string[], decided: readonly string[], context: Context): Context {
  if (node.kind === 'component') return { ...context, params: own };
  if (node.kind === 'branch' || node.kind === 'loop' || node.kind === 'worktree') return { ...context, outer: decided };
  return context;
}
