/** The graph of a run: that of its plan, with what became of each node. */
import type { WorkflowPlan } from '../plan/index.ts';
import { elapsedText } from './elapsed.ts';
import { type Graph, type GraphNode, graphOf } from './graph.ts';
import { type RunTree, type TreeNode, treeNodes } from './run-tree.ts';

export function graphOfRun(plan: WorkflowPlan, tree: RunTree): Graph {
  const graph = graphOf(plan);
  /** By path: the node of the last round. */
  const last = new Map<string, TreeNode>();
  const rounds = new Map<string, number>();
  for (const node of treeNodes(tree.nodes)) {
    if (node.kind === 'round') rounds.set(node.path, (rounds.get(node.path) ?? 0) + 1);
    else last.set(node.path, node);
  }
  return { ...graph, nodes: graph.nodes.map(marked) };

  function marked(node: GraphNode): GraphNode {
    const found = last.get(node.path);
    const parts = node.parts.map((part) => ({ ...part, nodes: part.nodes.map(marked) }));
    if (found === undefined) return { ...node, parts };
    const note = noteOf(found, rounds.get(node.path));
    return { ...node, status: found.status, notes: [note, ...node.notes], parts };
  }
}

function noteOf({ status, startedAt, endedAt, attempts }: TreeNode, rounds: number | undefined): string {
  const words: string[] = [status];
  if (rounds !== undefined) words.push(`round ${rounds}`);
  if (startedAt !== undefined && endedAt !== undefined) words.push(elapsedText(endedAt - startedAt));
  const last = attempts?.at(-1)?.number ?? 1;
  if (last > 1) words.push(`attempt ${last}`);
  return words.join(' ');
}
