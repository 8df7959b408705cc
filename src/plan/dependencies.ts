/**
 * Which results each node's own result can depend on: what it reads, what decides whether it runs (the condition of a
 * branch, the end of a loop), and through `params` and the `input` of sub-workflows what their callers read.
 *
 * What many nodes share is said once: a node with children depends on them, so who reads it reads all that it holds; and
 * what a node gives to all that it holds has a name of its own, that of the node behind a mark.
 */
import type { Reference, WorkflowNode, WorkflowPlan } from './node.ts';
import { childrenOf, referencesOf } from './walk.ts';

/** By path from the root; what is shared by its mark and the path of who gives it. */
export function dependenciesOf(plan: WorkflowPlan): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  visit(plan.children, { plan, prefix: '' });
  return found;

  function visit(nodes: readonly WorkflowNode[], context: Context): void {
    for (const node of nodes) visitNode(node, context);
  }

  function visitNode(node: WorkflowNode, context: Context): void {
    const path = context.prefix + node.path;
    const own = [...new Set(referencesOf(node).flatMap((reference) => sourcesOf(reference, path, context)))];
    const decided = context.decides === undefined ? own : [...own, context.decides];
    const called = node.kind === 'workflow' ? context.plan.workflows[node.use] : undefined;
    const inner = called
      ? { plan: called, prefix: `${path}/`, input: share('given', path, own), decides: context.decides }
      : { ...context, ...sharedBy(node, path, own, decided) };
    const children = called?.children ?? childrenOf(node);
    found.set(path, children.length > 0 ? children.map((child) => inner.prefix + child.path) : decided);
    visit(children, inner);
  }

  function sharedBy(node: WorkflowNode, path: string, own: readonly string[], decided: readonly string[]) {
    if (node.kind === 'component') return { params: share('given', path, own) };
    const decides = node.kind === 'branch' || node.kind === 'loop' || node.kind === 'worktree';
    return decides ? { decides: share('decides', path, decided) } : {};
  }

  /** Paths have no line breaks, so none is the same. */
  function share(mark: 'given' | 'decides', path: string, all: readonly string[]): string {
    const name = sharedName(mark, path);
    found.set(name, all);
    return name;
  }
}

/** What all inside of a node depend on: what it gives them (`input`, `params`), or what decides whether they run. */
export function sharedName(mark: 'given' | 'decides', path: string): string {
  return `${mark}\n${path}`;
}

interface Context {
  readonly plan: WorkflowPlan;
  readonly prefix: string;
  /** What `input` and `params` were made from. */
  readonly input?: string | undefined;
  readonly params?: string | undefined;
  /** What decides whether the nodes here run. */
  readonly decides?: string | undefined;
}

function sourcesOf({ target }: Reference, path: string, { prefix, input, params }: Context): readonly string[] {
  if (target.kind === 'node') return [prefix + target.node];
  if (target.kind === 'loop') {
    const loop = prefix + target.node;
    // Behind a loop its rounds are what came of all in it; inside, the round is given with the name.
    return path === loop || path.startsWith(`${loop}/`) ? [] : [loop];
  }
  const shared = target.kind === 'input' ? input : target.kind === 'params' ? params : undefined;
  return shared === undefined ? [] : [shared];
}
