/**
 * A graph as an SVG picture that needs nothing else: no script, no font, no link. It is light or dark as the reader's
 * screen is. Boxes that hold others lie lowest, arrows above them, the boxes of steps on top.
 */
import { displayWidth } from '../text/index.ts';
import type { Graph } from './graph.ts';
import { type Arrow, type Box, cell, type Line, layOut, lineHeight } from './graph-layout.ts';
import { shorten } from './shorten.ts';
import { escapeXml } from './svg-text.ts';
import type { TreeStatus } from './tree-node.ts';

const margin = 16;
const headCells = 90;

export function graphSvg(graph: Graph): string {
  const head: Line[] = [
    { text: shorten(graph.name, headCells), style: 'title' },
    { text: shorten(`input ${graph.input}`, headCells), style: 'note', full: graph.input },
    { text: shorten(`result ${graph.result}`, headCells), style: 'note', full: graph.result },
  ];
  const top = margin + head.length * lineHeight + 14;
  const { boxes, steps, arrows, ...size } = layOut(graph, top);
  const needed = Math.max(...head.map((line) => displayWidth(line.text))) * cell + 2 * margin;
  const width = Math.ceil(Math.max(size.width, needed));
  const height = Math.ceil(size.height);
  const all = boxes.flatMap(flatten);
  const title = escapeXml(shorten(graph.name, headCells));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    `<defs>${marker('tip', 'tip')}${marker('tip-reads', 'tip reads')}</defs>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...head.map((line, i) => textLine(line, margin, margin + (i + 1) * lineHeight - 4)),
    ...all.filter((box) => box.children.length > 0).map(drawBox),
    ...steps.map(([from, to]) => drawStep(from, to)),
    ...arrows.map(drawArrow),
    ...all.filter((box) => box.children.length === 0).map(drawBox),
    '</svg>',
  ].join('\n')}\n`;
}

interface Colors {
  readonly page: string;
  readonly box: string;
  readonly hold: string;
  readonly line: string;
  readonly text: string;
  readonly soft: string;
  readonly reads: string;
  readonly accents: Readonly<Record<Accent, string>>;
}

type Accent = 'agent' | 'run' | 'handler' | 'approval' | 'call' | 'other';

const light: Colors = {
  page: '#fff',
  box: '#fff',
  hold: '#f6f8fa',
  line: '#c3cad3',
  text: '#1f2328',
  soft: '#59636e',
  reads: '#8d96a0',
  accents: {
    agent: '#0969da',
    run: '#1a7f37',
    handler: '#0f7b7b',
    approval: '#bf6b00',
    call: '#8250df',
    other: '#6e7781',
  },
};

const dark: Colors = {
  page: '#0d1117',
  box: '#1c2129',
  hold: '#151b23',
  line: '#3d444d',
  text: '#e6edf3',
  soft: '#9198a1',
  reads: '#6e7681',
  accents: {
    agent: '#58a6ff',
    run: '#3fb950',
    handler: '#39c5cf',
    approval: '#e3a03c',
    call: '#bc8cff',
    other: '#8b949e',
  },
};

const style = [
  'text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:13px;white-space:pre}',
  '.title{font-weight:600}.label{text-anchor:middle;font-weight:600}',
  '.step,.reads{fill:none;stroke-width:1.5}.reads{stroke-width:1.2}.again{stroke-dasharray:4 3}',
  // Of runs; what is usual looks as ever.
  '.is-pending,.is-unreached{opacity:.5}.is-skipped{opacity:.35}.is-skipped>rect{stroke-dasharray:4 3}',
  `${onBoxes('running', 'waiting', 'failed')},.is-interrupted>.box,.is-cancelled>.box{stroke-width:2}`,
  colored(light),
  `@media (prefers-color-scheme:dark){${colored(dark)}}`,
].join('');

/** Colors by themselves, and no variables: only browsers know those, and all else would draw black on black. */
function colored({ page, box, hold, line, text, soft, reads, accents }: Colors): string {
  const { run, agent, approval } = accents;
  return [
    `text{fill:${soft}}.title{fill:${text}}.page{fill:${page}}`,
    `.box{fill:${box};stroke:${line}}.hold{fill:${hold};stroke:${line}}`,
    `.step{stroke:${soft}}.reads{stroke:${reads}}.tip{fill:${soft}}.tip.reads{fill:${reads};stroke:none}`,
    ...Object.entries(accents).map(([name, color]) => `.${name}>.bar,.${name}>.what{fill:${color}}`),
    `.is-done>.box,.is-kept>.box{stroke:${run}}${onBoxes('running')}{stroke:${agent}}`,
    `${onBoxes('waiting')},.is-interrupted>.box,.is-cancelled>.box{stroke:${approval}}`,
    `${onBoxes('failed')}{stroke:#cf222e}`,
  ].join('');
}

/** Also on those that hold others. */
function onBoxes(...statuses: readonly TreeStatus[]): string {
  return statuses.map((status) => `.is-${status}>.box,.is-${status}>.hold`).join(',');
}

function marker(id: string, kind: string): string {
  return `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="${kind}" d="M0 0L8 4L0 8z"/></marker>`;
}

function flatten(box: Box): Box[] {
  return [box, ...box.children.flatMap(flatten)];
}

function drawBox(box: Box): string {
  const { node, lines, x, y, width, height, labels, children } = box;
  const isHolder = children.length > 0;
  const bar = isHolder
    ? ''
    : `<rect class="bar" x="${n(x)}" y="${n(y + 8)}" width="3" height="${n(height - 16)}" rx="1.5"/>`;
  return [
    `<g class="${accentOf(box)}${node.status === undefined ? '' : ` is-${node.status}`}"><title>${escapeXml(node.path)}</title>`,
    `<rect class="${isHolder ? 'hold' : 'box'}" x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="${isHolder ? 10 : 6}"/>`,
    bar,
    ...lines.map((line, i) => textLine(line, x + 12, y + 10 + (i + 1) * lineHeight - 5)),
    ...labels.map(({ text, x: at, y: base }) => `<text class="label" x="${n(at)}" y="${n(base)}">${text}</text>`),
    '</g>',
  ].join('');
}

function accentOf({ node: { kind, what } }: Box): Accent {
  if (kind === 'step') return what.startsWith('agent ') ? 'agent' : what === 'run' ? 'run' : 'handler';
  if (kind === 'approval') return 'approval';
  return kind === 'workflow' || kind === 'component' ? 'call' : 'other';
}

function textLine({ text, style: kind, full }: Line, x: number, y: number): string {
  const tip = full === undefined ? '' : `<title>${escapeXml(full)}</title>`;
  return `<text class="${kind}" x="${n(x)}" y="${n(y)}">${escapeXml(text)}${tip}</text>`;
}

function drawStep(from: Box, to: Box): string {
  const x = from.x + from.width / 2;
  return `<path class="step" marker-end="url(#tip)" d="M${n(x)} ${n(from.y + from.height)}V${n(to.y - 2)}"/>`;
}

/** Out of the right side below its middle, into the right side above it; or round the corner, where others stand there. */
function drawArrow({ from, to, edge, lane, below, above }: Arrow): string {
  const open = `<path class="reads${edge.again ? ' again' : ''}" marker-end="url(#tip-reads)" d="`;
  const right = from.x + from.width;
  if (lane === undefined) {
    const y = Math.min(from.y + from.height, to.y + to.height, from.y + 40) - 12;
    return `${open}M${n(right)} ${n(y)}H${n(to.x - 2)}"/>`;
  }
  const start = below ? from.y + from.height + 8 : from.y + Math.min(from.height - 9, from.height * 0.68);
  const end = above ? to.y - 11 : to.y + Math.min(16, to.height * 0.32);
  const turn = end > start ? 5 : -5;
  const out = below ? `M${n(right - 22)} ${n(from.y + from.height)}v3q0 5 5 5` : `M${n(right)} ${n(start)}`;
  const goal = to.x + to.width;
  const into = above ? `H${n(goal - 17)}q-5 0 -5 5V${n(to.y - 2)}` : `H${n(goal + 2)}`;
  return `${open}${out}H${n(lane - 5)}q5 0 5 ${turn}V${n(end - turn)}q0 ${turn} -5 ${turn}${into}"/>`;
}

/** Few digits: half a pixel is nothing. */
function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
