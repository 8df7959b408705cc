/** Walks over the nodes of a plan. */
import type { PromptAction, Reference, Text, Value, WorkflowNode, WorkflowPlan } from './node.ts';

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
export function* nodesOf(plan: WorkflowPlan): Generator<PlacedNode> {
  const open: { readonly nodes: readonly WorkflowNode[]; next: number; readonly plan: WorkflowPlan; prefix: string }[] =
    [{ nodes: plan.children, next: 0, plan, prefix: '' }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { plan: own, prefix } = top;
    const node = top.nodes[top.next++];
    if (node === undefined) {
      open.pop();
      continue;
    }
    const path = prefix + node.path;
    yield { node, plan: own, path, prefix };
    const called = node.kind === 'workflow' ? own.workflows[node.use] : undefined;
    if (called) open.push({ nodes: called.children, next: 0, plan: called, prefix: `${path}/` });
    const children = childrenOf(node);
    if (children.length > 0) open.push({ nodes: children, next: 0, plan: own, prefix });
  }
}

/** How many nodes there are, those of sub-workflows counted at each call. */
export function countNodes(plan: WorkflowPlan): number {
  const counts = new Map<WorkflowPlan, number>();
  const count = (each: WorkflowPlan): number => {
    const known = counts.get(each);
    if (known !== undefined) return known;
    let sum = 0;
    const todo = [...each.children];
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      sum++;
      for (const child of childrenOf(node)) todo.push(child);
      const called = node.kind === 'workflow' ? each.workflows[node.use] : undefined;
      if (called) sum += count(called);
    }
    counts.set(each, sum);
    return sum;
  };
  return count(plan);
}

/** What a node reads by itself, without its children. */
export function referencesOf(node: WorkflowNode): readonly Reference[] {
  const found: Reference[] = [];
  const add = (part: { readonly reads: readonly Reference[] } | undefined) => {
    for (const reference of part?.reads ?? []) found.push(reference);
  };
  switch (node.kind) {
    case 'step':
      if (node.action.kind === 'prompt') found.push(...promptReads(node.action));
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

/** What a prompt reads, with what a thunk is given beside it. */
export function promptReads(action: PromptAction): readonly Reference[] {
  if (action.with === undefined) return action.prompt.reads;
  return [...action.prompt.reads, ...textsOf(action.with).flatMap(({ reads }) => reads)];
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
