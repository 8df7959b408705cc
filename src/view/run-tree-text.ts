/** A run in full, for a terminal: what it is, its steps as a tree, why it failed, what it waits for and how to go on. */
import type { Json } from '../machine/index.ts';
import { displayWidth, type Painter, printable } from '../text/index.ts';
import { elapsedText, usageText, whenText } from './elapsed.ts';
import { decisionText, failureText, nodeLine } from './run-line.ts';
import type { RunWord } from './run-status.ts';
import type { RunTree, TreeNode } from './run-tree.ts';
import { shorten } from './shorten.ts';

export interface RunTextOptions {
  readonly paint: Painter;
  readonly now: number;
  readonly columns: number;
  /** What commands call the run. */
  readonly short: string;
  /** How this program is called. */
  readonly program: string;
  /** The file, as people see it. */
  readonly file?: string;
}

const mostTitle = 36;

export function runTreeText(tree: RunTree, options: RunTextOptions): string {
  const { paint, now, short, columns } = options;
  const lines = [`${paint.bold(printable(tree.name))} · run ${short} · ${statusText(tree, options)}`];
  const fact = (name: string, value: string) => {
    if (value !== '') lines.push(`  ${paint.dim(name.padEnd(7))} ${value}`);
  };
  fact('file', options.file === undefined ? '' : printable(options.file));
  fact('input', valueLine(tree.input, columns - 12));
  const took = tree.endedAt === undefined ? '' : `, took ${elapsedText(tree.endedAt - tree.startedAt)}`;
  fact('started', `${timeText(tree.startedAt)}, ${whenText(tree.startedAt, now)}${took}`);
  fact('spent', usageText(tree.usage));
  lines.push('');
  const width = widthOf(tree.nodes, 0);
  for (const node of tree.nodes) draw(node, 0);
  const text = `${lines.join('\n')}\n`;
  return text + endText(tree, options);

  function draw(node: TreeNode, depth: number): void {
    const indent = '  '.repeat(depth + 1);
    const own = { paint, now, columns: columns - depth * 2 - 2, width: Math.max(1, width - depth * 2) };
    lines.push(`${indent}${nodeLine(titleOf(node), node, own)}`.trimEnd());
    // Arms that were not taken are named, not opened.
    if (node.kind === 'arm' && node.status === 'skipped') return;
    for (const child of node.children) draw(child, depth + 1);
  }
}

/** `waiting for you, since 5m ago`. */
export function statusText(tree: RunTree, { paint, now }: Pick<RunTextOptions, 'paint' | 'now'>): string {
  const word = paintWord(tree.status, paint);
  const [first] = tree.waiting;
  if (tree.status === 'waiting' && first) {
    const who = first.kind === 'limit' ? 'at a limit' : 'for you';
    return `${word} ${who}, since ${whenText(first.since, now)}`;
  }
  if (tree.status === 'cancelled' && tree.cancel) {
    const { by, reason } = tree.cancel;
    return `${word}${by === '' ? '' : ` by ${printable(by)}`}${reason === '' ? '' : `: ${printable(reason)}`}`;
  }
  return word;
}

export function paintWord(word: RunWord, paint: Painter): string {
  const colors = {
    running: paint.cyan,
    waiting: paint.yellow,
    failed: paint.red,
    cancelled: paint.yellow,
    done: paint.green,
    interrupted: paint.yellow,
  };
  return colors[word](word);
}

/** In local time, without what everybody knows. */
export function timeText(at: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** What it came to, and what can be done now. */
function endText(tree: RunTree, { paint, columns, program, short }: RunTextOptions): string {
  const lines: string[] = [];
  if (tree.error && tree.status === 'failed')
    lines.push('', paint.bold('failed'), failureText(tree.error, paint).trimEnd());
  if (tree.output !== undefined) {
    lines.push('', paint.bold('output'));
    const text = typeof tree.output === 'string' ? tree.output : JSON.stringify(tree.output, null, 2);
    for (const line of text.split('\n')) lines.push(`  ${printable(line)}`);
  }
  if (tree.waiting.length > 0) lines.push('', paint.bold('waiting'));
  for (const { node, title, summary, kind, next } of tree.waiting) {
    lines.push(`  ${paint.yellow('⏸')} ${paint.bold(printable(node))}  ${shorten(title, columns - node.length - 8)}`);
    for (const line of (summary ?? '').split('\n')) if (line !== '') lines.push(`    ${printable(line)}`);
    if (next) lines.push(`    ${paint.dim('a yes starts')} ${next.map(printable).join(', ')}`);
    const commands =
      kind === 'limit'
        ? [`${program} answer ${short}`]
        : [`${program} approve ${short}${which(tree, node)}`, `${program} deny ${short}${which(tree, node)}`];
    lines.push(...commands.map((command) => `      ${command}`));
  }
  if (tree.status === 'interrupted') {
    const again = [...interrupted(tree.nodes)];
    lines.push(
      '',
      `nobody drives it now${again.length > 0 ? `; ${again.join(', ')} will be begun again` : ''}. To go on:`,
    );
    lines.push(`      ${program} resume ${short}`);
  }
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}

/** The node has to be named only where there are several. */
function which(tree: RunTree, node: string): string {
  return tree.waiting.length > 1 ? ` '${node}'` : '';
}

function* interrupted(nodes: readonly TreeNode[]): Generator<string> {
  for (const node of nodes) {
    if (node.children.length > 0) yield* interrupted(node.children);
    else if (node.status === 'interrupted') yield printable(node.name);
  }
}

function titleOf({ title, kind, decision, status }: TreeNode): string {
  if (kind === 'arm') return status === 'skipped' ? `${title} (not taken)` : title;
  return decision && kind === 'workflow' ? `${title} ${decisionText(decision)}` : title;
}

function widthOf(nodes: readonly TreeNode[], depth: number): number {
  let width = 0;
  for (const node of nodes) {
    width = Math.max(width, depth * 2 + displayWidth(titleOf(node)), widthOf(node.children, depth + 1));
    if (width >= mostTitle) return mostTitle;
  }
  return width;
}

function valueLine(value: Json, cells: number): string {
  return value === null ? '' : shorten(JSON.stringify(value), Math.max(20, cells));
}
