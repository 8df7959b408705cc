/** A run in full, for a terminal: what it is, its steps as a tree, why it failed, what it waits for and how to go on. */

import type { Json } from '../machine/index.ts';
import { cliTypes } from '../plan/index.ts';
import { displayWidth, type Painter, printable, wrap } from '../text/index.ts';
import { elapsedText, usageText, whenText } from './elapsed.ts';
import { heldText } from './held-text.ts';
import { decisionText, failureText, mostName, nodeLine } from './run-line.ts';
import { answerCommands, questionName } from './run-questions.ts';
import { remarkWords } from './run-remark.ts';
import { summaryLines } from './run-request.ts';
import type { RunWord } from './run-status.ts';
import { runTitle } from './run-thunk.ts';
import { type RunToolCall, toolMarks, toolText } from './run-tools.ts';
import type { RunTree } from './run-tree.ts';
import { oneLine, shorten, shortenName, withoutModel } from './shorten.ts';
import { hasPast, isOpenStatus, type TreeNode, treeNodes } from './tree-node.ts';

export interface RunTextOptions {
  readonly paint: Painter;
  readonly now: number;
  readonly columns: number;
  /** Where what is told in full is broken, if that is not where other lines end. */
  readonly wrapAt?: number;
  /** What commands call the run. */
  readonly short: string;
  /** A command that can be pasted, of its words. */
  readonly command: (...words: readonly string[]) => string;
  /** The file, as people see it. */
  readonly file?: string;
  /** What commands call the run that it was forked from. */
  readonly origin?: string;
}

export function runTreeText(tree: RunTree, options: RunTextOptions): string {
  const { paint, now, columns } = options;
  const lines = headLines(tree, options);
  const fact = (name: string, value: string) => {
    if (value !== '') lines.push(`  ${paint.dim(name.padEnd(7))} ${value}`);
  };
  fact('file', options.file === undefined ? '' : printable(options.file));
  fact('input', valueLine(tree.input, columns - 12));
  const took = tree.endedAt === undefined ? '' : `, took ${elapsedText(tree.endedAt - tree.startedAt)}`;
  const started = `${timeText(tree.startedAt)}, ${whenText(tree.startedAt, now)}${took}`;
  fact('started', wrap(started, Math.max(20, columns - 10)).join(`\n${' '.repeat(10)}`));
  fact('spent', usageText(tree.usage));
  fact('history', historyText(tree, options));
  for (const each of tree.steered ?? []) {
    fact('told', wrap(steerText(each), Math.max(20, columns - 10)).join(`\n${' '.repeat(10)}`));
  }
  lines.push('');
  const notes = Math.min(20, notesWidth(tree.nodes));
  const width = widthOf(tree.nodes, mostName(columns - 2));
  for (const node of tree.nodes) draw(node, 0);
  const text = `${lines.join('\n')}\n`;
  return text + endText(tree, options);

  function draw(node: TreeNode, depth: number): void {
    const indent = '  '.repeat(depth + 1);
    const own = { paint, now, columns: columns - depth * 2 - 2, width: Math.max(1, width - depth * 2), notes };
    lines.push(`${indent}${nodeLine(titleOf(node), node, own)}`.trimEnd());
    const below = own.columns - 2;
    for (const line of [
      ...programLines(node, paint, below),
      ...toolLines(node, paint, below),
      ...remarkLines(node, paint, below),
    ])
      lines.push(`${indent}  ${line}`);
    // Arms that were not taken are named, not opened.
    if (node.kind === 'arm' && node.why !== undefined) return;
    for (const child of node.children) draw(child, depth + 1);
  }
}

/** Of an agent that is a program: its conversation, and what it does not tell. */
function programLines({ model, session, usage, status }: TreeNode, paint: Painter, columns: number): string[] {
  if (model === undefined || !cliTypes.has(model.split('/', 1).join(''))) return [];
  const words = [model, `session ${session ?? 'unknown'}`];
  if (!isOpenStatus(status)) {
    const hasTokens = usage?.inputTokens !== undefined || usage?.outputTokens !== undefined;
    const unknown = [...(hasTokens ? [] : ['tokens']), ...(usage?.cost === undefined ? ['cost'] : [])];
    if (unknown.length > 0) words.push(`${unknown.join(' and ')} unknown`);
  }
  return wrap(printable(words.join(' · ')), columns).map(paint.dim);
}

const mostTools = 12;

/** The tools that a step called, the last ones; and why other models were passed over. */
function toolLines({ tools = [], passed = [] }: TreeNode, paint: Painter, columns: number): string[] {
  const left = tools.length - mostTools;
  const lines = passed.flatMap(({ ref, why }) =>
    wrap(printable(`${ref} could not be asked: ${oneLine(withoutModel(why))}`), columns).map(paint.yellow),
  );
  if (left > 0) lines.push(paint.dim(`… ${left} tool calls before`));
  for (const call of tools.slice(-mostTools)) {
    const [mark, color] = toolMarks[call.status];
    const who = call.by === undefined || call.by === '' ? '' : ` (${deniedOr(call)} by ${call.by})`;
    const words = shorten(toolText(call), Math.max(10, columns - 2 - displayWidth(who)));
    lines.push(`${paint[color](mark)} ${paint.dim(`${words}${printable(who)}`)}`);
  }
  return lines;
}

function remarkLines({ remarks = [] }: TreeNode, paint: Painter, columns: number): string[] {
  return remarks.map((remark) => `${paint.cyan('→')} ${paint.dim(shorten(remarkWords(remark), columns - 2))}`);
}

function deniedOr({ status }: RunToolCall): string {
  return status === 'denied' ? 'denied' : 'allowed';
}

/** What it is called, and how it is: `release · run 7f3a · waiting for you, since 5m ago`. */
function headLines(tree: RunTree, { paint, now, short, columns }: RunTextOptions): string[] {
  const { status } = tree;
  const run = ` · run ${short} · `;
  const more = statusMore(tree, now);
  const name = shorten(runTitle(tree.name, tree.thunk), Math.max(10, columns - displayWidth(run) - status.length));
  const [first = '', ...rest] = wrap(`${name}${run}${status}${more}`, columns, columns - 2);
  const before = name.length + run.length;
  // A word of a narrow line may stand in the next one.
  if (!first.startsWith(status, before)) return [paint.bold(first), ...rest.map((line) => `  ${line}`)];
  const after = first.slice(before + status.length);
  return [`${paint.bold(name)}${run}${paintWord(status, paint)}${after}`, ...rest.map((line) => `  ${line}`)];
}

/** `fork of 7f3a from draft, edited 2 times, tried again once`. */
function historyText({ fork, segments = [] }: RunTree, { origin }: RunTextOptions): string {
  const words: string[] = [];
  if (fork) words.push(`fork of ${origin ?? fork.of}${fork.from === undefined ? '' : ` from ${printable(fork.from)}`}`);
  const edits = segments.filter(({ why }) => why === 'edit' || why === 'keep').length;
  const retries = segments.filter(({ why }) => why === 'retry').length;
  if (edits > 0) words.push(`edited ${timesText(edits)}`);
  if (retries > 0) words.push(`tried again ${timesText(retries)}`);
  return words.join(', ');
}

function timesText(n: number): string {
  return n === 1 ? 'once' : `${n} times`;
}

/** `ann: look at the tests first`. */
export function steerText({ by, message }: { readonly by: string; readonly message: string }): string {
  return printable(oneLine(by === '' ? message : `${by}: ${message}`));
}

/** What stands behind the word: ` for you, since 5m ago`. */
function statusMore({ status, waiting: [first], cancel }: RunTree, now: number): string {
  if (status === 'waiting' && first) {
    const who = first.kind === 'limit' ? 'at a limit' : 'for you';
    return ` ${who}, since ${whenText(first.since, now)}`;
  }
  if (status !== 'cancelled' || cancel === undefined) return '';
  const { by, reason } = cancel;
  return `${by === '' ? '' : ` by ${printable(by)}`}${reason === '' ? '' : `: ${printable(oneLine(reason))}`}`;
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
function endText(tree: RunTree, { paint, columns, wrapAt, command, short }: RunTextOptions): string {
  const lines: string[] = [];
  if (tree.error && tree.status === 'failed')
    lines.push('', paint.bold('failed'), failureText(tree.error, paint, wrapAt ?? columns).trimEnd());
  if (tree.output !== undefined) {
    lines.push('', paint.bold('output'));
    const text = typeof tree.output === 'string' ? tree.output : JSON.stringify(tree.output, null, 2);
    for (const line of text.split('\n')) lines.push(`  ${printable(line)}`);
  }
  if (tree.waiting.length > 0) lines.push('', paint.bold('waiting'));
  const commands = answerCommands(tree.waiting);
  for (const [i, { node, title, summary, next }] of tree.waiting.entries()) {
    const name = shortenName(questionName(node), columns - 4);
    const question = printable(oneLine(title));
    const isShort = displayWidth(name) + displayWidth(question) + 6 <= columns;
    lines.push(`  ${paint.yellow('⏸')} ${paint.bold(name)}${isShort ? `  ${question}` : ''}`);
    for (const line of isShort ? [] : wrap(question, columns - 6)) lines.push(`      ${line}`);
    for (const line of summaryLines(summary ?? '', columns - 4)) lines.push(`    ${line}`);
    if (next) lines.push(...remark(`a yes starts ${next.map(printable).join(', ')}`, 'a yes starts'));
    for (const [verb = '', ...rest] of commands[i] ?? []) lines.push(`      ${command(verb, short, ...rest)}`);
  }
  const held = new Set(tree.held);
  if (canResume(tree)) {
    const steps = goingOn(begunAgain(tree)).map((each) => `; ${each}`);
    lines.push(
      '',
      ...wrap(`nobody drives it now${steps.join('')}. To go on:`, columns),
      `      ${command('resume', short)}`,
    );
  }
  if (held.size > 0) {
    const text = `${heldText([...held])} To try once more:`;
    lines.push('', ...wrap(text, columns), `      ${command('resume', short, '--again')}`);
  }
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';

  /** Below a question; it begins with `word`. */
  function remark(text: string, word: string): string[] {
    const [first = '', ...rest] = wrap(text, columns - 4, columns - 6);
    return [`    ${paint.dim(word)}${first.slice(word.length)}`, ...rest.map((line) => `      ${line}`)];
  }
}

/** Whether a plain `resume` begins anything: what is held back is not begun by it. */
export function canResume(tree: RunTree): boolean {
  return tree.status === 'interrupted' && (tree.held === undefined || begunAgain(tree).length > 0);
}

function begunAgain({ nodes, held = [] }: RunTree): TreeNode[] {
  const isHeld = (name: string) => held.some((each) => each === name || each.startsWith(`${name}/`));
  return [...interrupted(nodes)].filter(({ name }) => !isHeld(name));
}

function* interrupted(nodes: readonly TreeNode[]): Generator<TreeNode> {
  for (const node of nodes) {
    // Whatever was running in a step, it is the step that goes on.
    if (node.children.length > 0 && node.kind !== 'step') yield* interrupted(node.children);
    else if (node.status === 'interrupted') yield node;
  }
}

/** What becomes of steps that were running when the run was left. */
function goingOn(nodes: readonly TreeNode[]): string[] {
  const named = (isMeant: boolean) =>
    nodes.filter((node) => hasPast(node) === isMeant).map(({ name }) => printable(name));
  const [again, on] = [named(false), named(true)];
  return [
    ...(again.length > 0 ? [`${again.join(', ')} will be begun again`] : []),
    ...(on.length > 0 ? [`${on.join(', ')} will go on where it was`] : []),
  ];
}

function titleOf({ title, kind, decision }: TreeNode): string {
  return decision && kind === 'workflow' ? `${title} ${decisionText(decision)}` : title;
}

function widthOf(nodes: readonly TreeNode[], most: number, depth = 0): number {
  let width = 0;
  for (const node of nodes) {
    width = Math.max(width, depth * 2 + displayWidth(titleOf(node)), widthOf(node.children, most, depth + 1));
    if (width >= most) return most;
  }
  return width;
}

/** Of what was spent, at the node that says most. */
function notesWidth(nodes: readonly TreeNode[]): number {
  let most = 0;
  for (const { usage } of treeNodes(nodes)) if (usage) most = Math.max(most, usageText(usage).length);
  return most;
}

function valueLine(value: Json, cells: number): string {
  return value === null ? '' : shorten(JSON.stringify(value), Math.max(20, cells));
}
