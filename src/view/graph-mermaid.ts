/**
 * A graph as a Mermaid flowchart: subgraphs for what holds nodes, solid arrows for the order, dotted ones for who reads
 * whom. Nodes have ids of our own, and nothing of a label is left that Mermaid, Markdown or HTML would read.
 */
import { type Graph, type GraphNode, overlap, placesOf, titleOf } from './graph.ts';
import { oneLine, shorten } from './shorten.ts';

const cells = 60;

/** Of a run: what is usual looks as ever. */
const styles: Readonly<Record<string, string>> = {
  pending: 'opacity:0.5',
  unreached: 'opacity:0.5',
  skipped: 'opacity:0.35,stroke-dasharray:4 3',
  done: 'stroke:#1a7f37,stroke-width:2px',
  kept: 'stroke:#1a7f37',
  running: 'stroke:#0969da,stroke-width:3px',
  waiting: 'stroke:#bf6b00,stroke-width:3px',
  interrupted: 'stroke:#bf6b00,stroke-width:2px',
  cancelled: 'stroke:#bf6b00',
  failed: 'stroke:#cf222e,stroke-width:3px',
};

export function graphMermaid(graph: Graph): string {
  const places = placesOf(graph.nodes);
  const lines = ['flowchart TB'];
  const links: string[] = [];
  const ordered = new Set<string>();
  const byStatus = new Map<string, string[]>();
  const idOf = (path: string) => `n${places.get(path)?.first}`;
  drawAll(graph.nodes, '  ', true);
  for (const { from, to, again } of graph.edges) {
    const [source, target] = [places.get(from), places.get(to)];
    // An arrow from a box to what it holds is more than Mermaid can lay out.
    if (!source || !target || overlap(source, target)) continue;
    if (ordered.has(`${from} ${to}`)) continue;
    links.push(`  ${idOf(from)} ${again ? '-. "next round" .->' : '-.->'} ${idOf(to)}`);
  }
  const classes = [...byStatus].flatMap(([status, ids]) => {
    const style = styles[status];
    return style === undefined ? [] : [`  classDef ${status} ${style}`, `  class ${ids.join(',')} ${status}`];
  });
  return `${[...lines, ...links, ...classes].join('\n')}\n`;

  function drawAll(nodes: readonly GraphNode[], margin: string, inOrder: boolean): void {
    for (const [i, node] of nodes.entries()) {
      draw(node, margin);
      const before = nodes[i - 1];
      if (!inOrder || before === undefined) continue;
      links.push(`  ${idOf(before.path)} --> ${idOf(node.path)}`);
      ordered.add(`${before.path} ${node.path}`);
    }
  }

  function draw(node: GraphNode, margin: string): void {
    const id = idOf(node.path);
    const label = labelOf(node);
    if (node.status !== undefined) {
      const ids = byStatus.get(node.status);
      if (ids) ids.push(id);
      else byStatus.set(node.status, [id]);
    }
    if (node.parts.length === 0) {
      lines.push(`${margin}${id}${shapeOf(node, label)}`);
      return;
    }
    lines.push(`${margin}subgraph ${id}["${label}"]`, `${margin}  direction TB`);
    for (const [i, part] of node.parts.entries()) {
      if (part.label === undefined) {
        drawAll(part.nodes, `${margin}  `, node.kind !== 'parallel');
        continue;
      }
      lines.push(`${margin}  subgraph ${id}p${i}["${part.label}"]`, `${margin}    direction TB`);
      drawAll(part.nodes, `${margin}    `, true);
      lines.push(`${margin}  end`);
    }
    lines.push(`${margin}end`);
  }
}

function labelOf(node: GraphNode): string {
  const words = [titleOf(node), node.what, ...node.notes, ...(node.output === undefined ? [] : [`→ ${node.output}`])];
  return [...new Set(words)].map((word) => escapeLabel(shorten(oneLine(word), cells))).join('<br/>');
}

function shapeOf(node: GraphNode, label: string): string {
  if (node.kind === 'approval') return `{{"${label}"}}`;
  if (node.kind === 'workflow' || node.kind === 'component') return `[["${label}"]]`;
  return node.what.startsWith('agent ') ? `("${label}")` : `["${label}"]`;
}

/** Letters, digits, blanks and a little of what stands between words; the rest by number. */
export function escapeLabel(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} .,→…-]/gu, (character) => `#${character.codePointAt(0)};`);
}
