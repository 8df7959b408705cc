/**
 * Where the boxes of a graph stand: what runs in order below each other, what runs at once and the arms of a branch beside
 * each other, what holds nodes around them.
 *
 * Arrows of who reads whom go through lanes at the right inside of the box that holds both ends; all readers of one node
 * share its lane. So every box knows its size, lanes included, before anything is placed.
 */
import { displayWidth } from '../text/index.ts';
import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphPlace,
  meet,
  overlap,
  placesOf,
  titleOf,
} from './graph.ts';
import { shorten } from './shorten.ts';

export interface Box {
  readonly node: GraphNode;
  readonly lines: readonly Line[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How often it, or what holds it, has something beside it to the right: an arrow there would seem to be that one's. */
  readonly covers: number;
  readonly labels: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  readonly children: readonly Box[];
}

export interface Line {
  readonly text: string;
  readonly style: 'title' | 'what' | 'note';
  /** What was cut, whole. */
  readonly full?: string;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  /** Straight down, from one to the next. */
  readonly steps: readonly (readonly [Box, Box])[];
  readonly arrows: readonly Arrow[];
}

export interface Arrow {
  readonly from: Box;
  readonly to: Box;
  readonly edge: GraphEdge;
  /** Where it goes down; absent when it leads straight to the right. */
  readonly lane?: number;
  /** Whether it leaves by the bottom, and comes in by the top: something stands at the right. */
  readonly below: boolean;
  readonly above: boolean;
}

/** Conservative for monospaced type of 13 pixels: no font that browsers choose is wider. */
export const cell = 8.1;
export const lineHeight = 18;
const pad = 12;
const inner = 16;
const gapDown = 30;
const gapBeside = 40;
const laneWidth = 11;
const labelHeight = 28;
const lineCells = 46;

interface Size {
  readonly node: GraphNode;
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  readonly columns: readonly Column[];
}

interface Column {
  readonly label?: string;
  readonly across: boolean;
  readonly sizes: readonly Size[];
  readonly width: number;
  readonly height: number;
}

export function layOut(graph: Graph, top: number): Layout {
  const places = placesOf(graph.nodes);
  const routed = routesOf(graph, places);
  const steps: (readonly [Box, Box])[] = [];
  const byPath = new Map<string, Box>();
  const whole = columnOf({ nodes: graph.nodes }, false, routed);
  const boxes = place(whole, inner, top, 0);

  return {
    width: whole.width + 2 * inner + laneSpace(routed.get('')),
    height: top + whole.height + inner,
    boxes,
    steps,
    arrows: [...routed].flatMap(([path, route]) => {
      const box = byPath.get(path);
      const start = box ? box.x + box.width - laneSpace(route) - inner / 2 : inner + whole.width;
      return route.edges.flatMap((edge) => {
        const [from, to] = [byPath.get(edge.from), byPath.get(edge.to)];
        if (!from || !to) return [];
        const own = box?.covers ?? 0;
        const sides = { below: from.covers > own, above: to.covers > own };
        if (edge.straight) return [{ from, to, edge, ...sides }];
        return [{ from, to, edge, ...sides, lane: start + laneWidth * ((route.lanes.get(edge.from) ?? 0) + 1) }];
      });
    }),
  };

  function place(column: Column, x: number, y: number, covers: number): Box[] {
    let at = column.across ? x : y;
    const placed = column.sizes.map((size, i) => {
      const box = column.across
        ? placeBox(size, at, y, i < column.sizes.length - 1 ? covers + 1 : covers)
        : placeBox(size, x + (column.width - size.width) / 2, at, covers);
      at += column.across ? size.width + gapBeside : size.height + gapDown;
      return box;
    });
    if (!column.across)
      for (const [i, box] of placed.entries()) if (placed[i - 1]) steps.push([placed[i - 1] as Box, box]);
    return placed;
  }

  function placeBox({ node, lines, width, height, columns }: Size, x: number, y: number, covers: number): Box {
    const children: Box[] = [];
    const labels: { text: string; x: number; y: number }[] = [];
    let left = x + inner;
    for (const [i, column] of columns.entries()) {
      let below = y + pad + lines.length * lineHeight + pad;
      if (column.label !== undefined) {
        labels.push({ text: column.label, x: left + column.width / 2, y: below + labelHeight - 15 });
        below += labelHeight;
      }
      const inside = i < columns.length - 1 ? covers + 1 : covers;
      for (const child of place(column, left, below, inside)) children.push(child);
      left += column.width + gapBeside;
    }
    const box = { node, lines, x, y, width, height, covers, labels, children };
    byPath.set(node.path, box);
    return box;
  }
}

interface Route {
  /** The lane of each node that is read. */
  readonly lanes: Map<string, number>;
  readonly edges: (GraphEdge & { readonly straight: boolean })[];
}

/** By the path of the box that holds both ends; '' is the whole. */
function routesOf({ edges }: Graph, places: ReadonlyMap<string, GraphPlace>): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const edge of edges) {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    if (!from || !to || overlap(from, to)) continue;
    const { holder } = meet(from, to);
    const path = holder?.node.path ?? '';
    const isNext = to.parent === from.parent && to.first === from.last + 1;
    // In a parallel the one to the right is reached directly; elsewhere an arrow of the order leads there already.
    const straight = isNext && holder?.node.kind === 'parallel';
    if (isNext && !straight) continue;
    const route = routes.get(path) ?? { lanes: new Map<string, number>(), edges: [] };
    routes.set(path, route);
    if (!straight && !route.lanes.has(edge.from)) route.lanes.set(edge.from, route.lanes.size);
    route.edges.push({ ...edge, straight });
  }
  return routes;
}

function laneSpace(route: Route | undefined): number {
  return route === undefined || route.lanes.size === 0 ? 0 : (route.lanes.size + 1) * laneWidth;
}

function sizeOf(node: GraphNode, routed: ReadonlyMap<string, Route>): Size {
  const lines = linesOf(node);
  const wanted = Math.max(...lines.map((line) => displayWidth(line.text))) * cell + 2 * pad;
  if (node.parts.length === 0) {
    return { node, lines, width: Math.max(120, wanted), height: lines.length * lineHeight + 2 * pad - 4, columns: [] };
  }
  const columns = node.parts.map((part) => columnOf(part, node.kind === 'parallel', routed));
  const width = columns.reduce((sum, column) => sum + column.width + gapBeside, -gapBeside) + 2 * inner;
  const height = Math.max(...columns.map((column) => column.height));
  return {
    node,
    lines,
    width: Math.max(wanted, width + laneSpace(routed.get(node.path))),
    height: pad + lines.length * lineHeight + pad + height + inner,
    columns,
  };
}

function columnOf(part: GraphNode['parts'][number], across: boolean, routed: ReadonlyMap<string, Route>): Column {
  const sizes = part.nodes.map((node) => sizeOf(node, routed));
  const sum = (key: 'width' | 'height', gap: number) => sizes.reduce((all, size) => all + size[key] + gap, -gap);
  const most = (key: 'width' | 'height') => sizes.reduce((all, size) => Math.max(all, size[key]), 0);
  const labelled = part.label === undefined ? 0 : labelHeight;
  return {
    ...(part.label !== undefined && { label: part.label }),
    across,
    sizes,
    width: across ? sum('width', gapBeside) : most('width'),
    height: (across ? most('height') : sum('height', gapDown)) + labelled,
  };
}

function linesOf(node: GraphNode): Line[] {
  const title = titleOf(node);
  const rows: readonly (readonly [string, Line['style']])[] = [
    [title, 'title'],
    ...(node.what === title ? [] : [[node.what, 'what'] as const]),
    ...node.notes.map((note) => [note, 'note'] as const),
    ...(node.output === undefined ? [] : [[`→ ${node.output}`, 'note'] as const]),
  ];
  return rows.map(([full, style]) => {
    const text = shorten(full, lineCells);
    return { text, style, ...(text.endsWith('…') && { full }) };
  });
}
