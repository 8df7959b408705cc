/** A graph as a tree of lines, for a terminal. */
import { displayWidth, type Painter } from '../text/index.ts';
import { allNodes, type Graph, type GraphNode, type GraphPart, titleOf } from './graph.ts';
import { markOf } from './run-line.ts';
import { shorten } from './shorten.ts';

const typeCells = 48;
const noteCells = 60;

/** `← a, b`: it reads a and b; `↺ c`: what c gave in the round before. */
export function graphText({ name, input, result, nodes, edges }: Graph, paint: Painter): string {
  const titles = new Map([...allNodes(nodes)].map((node) => [node.path, titleOf(node)]));
  const readsOf = new Map<string, string[]>();
  for (const { from, to, again } of edges) {
    const words = `${again ? '↺ ' : ''}${shorten(titles.get(from) ?? from, noteCells)}`;
    const list = readsOf.get(to);
    if (list) list.push(words);
    else readsOf.set(to, [words]);
  }
  const types = `${paint.dim(shorten(input, typeCells))} → ${paint.dim(shorten(result, typeCells))}`;
  const lines = [`${paint.bold(shorten(name, noteCells))}  ${types}`];
  drawAll(nodes, '');
  return `${lines.join('\n')}\n`;

  function drawAll(all: readonly GraphNode[], margin: string): void {
    const width = all.reduce((most, node) => Math.max(most, displayWidth(shorten(titleOf(node), noteCells))), 0);
    for (const [i, node] of all.entries()) {
      const isLast = i === all.length - 1;
      lines.push(`${margin}${isLast ? '└─' : '├─'} ${wordsOf(node, width)}`);
      drawParts(node.parts, `${margin}${isLast ? '   ' : '│  '}`);
    }
  }

  function drawParts(parts: readonly GraphPart[], margin: string): void {
    for (const [i, { label, nodes: inner }] of parts.entries()) {
      if (label === undefined) {
        drawAll(inner, margin);
        continue;
      }
      const isLast = i === parts.length - 1;
      lines.push(`${margin}${isLast ? '└─' : '├─'} ${paint.dim(label)}`);
      drawAll(inner, `${margin}${isLast ? '   ' : '│  '}`);
    }
  }

  function wordsOf(node: GraphNode, width: number): string {
    const title = shorten(titleOf(node), noteCells);
    const mark = node.status === undefined ? '' : `${markOf({ status: node.status }, paint)} `;
    const padded = `${mark}${paint.bold(title)}${' '.repeat(Math.max(0, width - displayWidth(title)))}`;
    const what = titleOf(node) === node.what ? [] : [paint.cyan(shorten(node.what, noteCells))];
    const output = node.output === undefined ? [] : [paint.dim(`→ ${shorten(node.output, typeCells)}`)];
    const notes = node.notes.map((note) => shorten(note, noteCells)).join(', ');
    const reads = readsOf.get(node.path);
    return [padded, ...what, notes, ...output, reads ? `← ${reads.join(', ')}` : '']
      .filter((word) => word !== '')
      .join('  ')
      .trimEnd();
  }
}
