/** The graph of a run: that of its plan, with what became of each node. */
import type { WorkflowPlan } from '../plan/index.ts';
import { elapsedText } from './elapsed.ts';
import { type Graph, type GraphNode, graphOf } from './graph.ts';
import type { RunTree } from './run-tree.ts';
import { type TreeNode, treeNodes } from './tree-node.ts';

/** `prefix`: what stands before the paths of the plan in those of the tree, of a sub-workflow. */
export function graphOfRun(plan: WorkflowPlan, tree: RunTree, prefix = ''): Graph {
  const graph = graphOf(plan);
  /** By path: the node of the last round. */
  const last = new Map<string, TreeNode>();
  for (const node of treeNodes(tree.nodes)) if (node.kind !== 'round') last.set(node.path.slice(prefix.length), node);
  return { ...graph, nodes: graph.nodes.map(marked) };

  function marked(node: GraphNode): GraphNode {
    const found = last.get(node.path);
    const parts = node.parts.map((part) => ({ ...part, nodes: part.nodes.map(marked) }));
    if (found === undefined) return { ...node, parts };
    return { ...node, status: found.status, notes: [noteOf(found), ...node.notes], parts };
  }
}

function noteOf({ kind, status, startedAt, endedAt, attempts, children }: TreeNode): string {
  const words: string[] = [status];
  if (kind === 'loop' && children.length > 0) words.push(`round ${children.length}`);
  // How long it took was told where it ran.
  if (status !== 'kept' && startedAt !== undefined && endedAt !== undefined)
    words.push(elapsedText(endedAt - startedAt));
  const last = attempts?.at(-1)?.number ?? 1;
  if (last > 1) words.push(`attempt ${last}`);
  return words.join(' ');
}
