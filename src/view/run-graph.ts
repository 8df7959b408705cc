/** The graph of a run: that of its plan, with what became of each node. */
import type { WorkflowPlan } from '../plan/index.ts';
import { elapsedText } from './elapsed.ts';
import { type Graph, type GraphNode, graphOf } from './graph.ts';
import type { RunTree } from './run-tree.ts';
import { type TreeNode, type TreeStatus, treeNodes } from './tree-node.ts';

/** `prefix`: what stands before the paths of the plan in those of the tree, of a sub-workflow. */
export function graphOfRun(plan: WorkflowPlan, tree: RunTree, prefix = ''): Graph {
  const graph = graphOf(plan);
  /** By path: the node of the last round. */
  const last = new Map<string, TreeNode>();
  for (const node of treeNodes(tree.nodes)) if (node.kind !== 'round') last.set(node.path.slice(prefix.length), node);
  return { ...graph, nodes: graph.nodes.map((node) => marked(node)) };

  /** `outer`: what became of what holds it. The tree does not open a sub-workflow that has not begun; the graph does. */
  function marked(node: GraphNode, outer?: TreeStatus): GraphNode {
    const found = last.get(node.path);
    const status = found?.status ?? (outer !== undefined && untouched.has(outer) ? outer : undefined);
    const parts = node.parts.map((part) => ({ ...part, nodes: part.nodes.map((inner) => marked(inner, status)) }));
    if (status === undefined) return { ...node, parts };
    const note = found === undefined ? status : noteOf(found);
    return { ...node, status, notes: [note, ...node.notes], parts };
  }
}

const untouched: ReadonlySet<TreeStatus> = new Set<TreeStatus>(['pending', 'unreached', 'skipped']);

function noteOf({ kind, status, startedAt, endedAt, attempts, fromCache, children }: TreeNode): string {
  const words: string[] = [status];
  if (kind === 'loop' && children.length > 0) words.push(`round ${children.length}`);
  // How long it took was told where it ran.
  if (status !== 'kept' && startedAt !== undefined && endedAt !== undefined)
    words.push(elapsedText(endedAt - startedAt));
  const last = attempts?.at(-1)?.number ?? 1;
  if (last > 1) words.push(`attempt ${last}`);
  if (fromCache) words.push('from the cache');
  return words.join(' ');
}
