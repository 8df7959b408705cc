/** Walks over the nodes of a plan. */
import type { Reference, Text, Value, WorkflowNode, WorkflowPlan } from './node.ts';

/** The nodes directly below a node, in written order. */
export function childrenOf(node: WorkflowNode): readonly WorkflowNode[] {
  if (node.kind === 'branch') return [...node.then, ...node.else];
  return 'children' in node ? node.children : [];
}

/** A node of a plan or of one of its sub-workflows. */
export interface PlacedNode {
  readonly node: WorkflowNode;
  /** The plan that it stands in: sub-workflows have their own agents and types. */
  readonly plan: WorkflowPlan;
  /** Its path from the root: that of the call, then its own. */
  readonly path: string;
  /** What stands before the paths that its references name. */
  readonly prefix: string;
}

/** Every node in written order, those of sub-workflows behind their calls. */
export function* nodesOf(plan: WorkflowPlan, prefix = ''): Generator<PlacedNode> {
  // Plans come from files, whose nesting is limited, so the stack holds.
  function* visit(nodes: readonly WorkflowNode[]): Generator<PlacedNode> {
    for (const node of nodes) {
      const path = prefix + node.path;
      yield { node, plan, path, prefix };
      yield* visit(childrenOf(node));
      const called = node.kind === 'workflow' ? plan.workflows[node.use] : undefined;
      if (called) yield* nodesOf(called, `${path}/`);
    }
  }
  yield* visit(plan.children);
}

/** What a node reads by itself, without its children. */
export function referencesOf(node: WorkflowNode): readonly Reference[] {
  const found: Reference[] = [];
  const add = (part: { readonly reads: readonly Reference[] } | undefined) => {
    for (const reference of part?.reads ?? []) found.push(reference);
  };
  switch (node.kind) {
    case 'step':
      if (node.action.kind === 'prompt') add(node.action.prompt);
      if (node.action.kind === 'run') add(node.action);
      node.cache?.by.forEach(add);
      add(node.skipIf);
      break;
    case 'loop':
      add(node.until);
      break;
    case 'approval':
      add(node.request.title);
      add(node.request.summary);
      break;
    case 'branch':
      add(node.condition);
      break;
    case 'worktree':
      [node.folder, node.branch, node.base].forEach(add);
      break;
    case 'workflow':
      for (const text of textsOf(node.input)) add(text);
      break;
    case 'component':
      for (const text of textsOf(node.params)) add(text);
      break;
    case 'plugin':
      for (const text of textsOf(node.fields)) add(text);
      break;
    default:
  }
  return found;
}

/** The texts in a value. */
export function textsOf(value: Value): Text[] {
  switch (value.kind) {
    case 'text':
      return [value.text];
    case 'list':
      return value.items.flatMap(textsOf);
    case 'record':
      return Object.values(value.fields).flatMap(textsOf);
    default:
      return [];
  }
}
