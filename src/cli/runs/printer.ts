/**
 * Progress on standard error: a line for each node that came to something; on a terminal also what is running, live.
 * Whoever is asked is shown the commands that answer below the question.
 */
import type { EventDraft } from '../../journal/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { displayWidth, painter, printable } from '../../text/index.ts';
import {
  answerCommands,
  createRunProgress,
  elapsedText,
  markOf,
  mostName,
  nodeLine,
  placeText,
  questionLines,
  questionName,
  type RunNode,
  type RunRemark,
  type RunRequest,
  remarkWords,
  shorten,
  shortenName,
  usageText,
} from '../../view/index.ts';
import type { Context } from '../context.ts';
import { remarkText } from './remark.ts';
import { answerText } from './result.ts';
import { lineColumns, shownOn } from './shown.ts';
import type { Speech } from './voice.ts';

export interface Printer {
  /** What is known of the run already, and not told again. `answered`: the question that is being answered. */
  readonly know: (events: Iterable<EventDraft>, answered?: string) => void;
  readonly tell: (events: Iterable<EventDraft>) => void;
  /** As `remarkText` has it. */
  readonly remark: (text: string, word?: string) => void;
  /** The names of the nodes that are running. */
  readonly running: () => readonly string[];
  /** Takes the live line away; progress goes on with the next events. */
  readonly pause: () => void;
}

export interface PrinterManner {
  /** What went well is not told, but what was called on the way is. */
  readonly isTerse?: boolean;
  /** It stays while only people are awaited, so all that they are asked is told at once; else that is done in the end. */
  readonly stays?: boolean;
  /** What is said beside it on the same terminal: nothing is written into its lines. */
  readonly speech?: Pick<Speech, 'isMidLine' | 'rest'>;
}

const leastWidth = 10;
const mostWidth = 28;
const tickMs = 100;
/** More results that are kept at once are counted only. */
const mostKept = 10;
/** Of what a step has called, in lines; the rest is not told while it runs. */
const mostCalled = 12;
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/**
 * `names`: those of the nodes, as far as they are known before: their column is as wide as the widest. `short`: what
 * commands call the run; without it the commands that answer a question are left to the end. `planOf`: for what is left
 * out; it is another with each segment.
 */
export function createPrinter(
  context: Context,
  names: Iterable<string>,
  now = Date.now,
  short?: string,
  planOf?: () => WorkflowPlan,
  { isTerse = false, stays = false, speech }: PrinterManner = {},
): Printer {
  const { stderr, env } = context;
  const paint = painter(stderr.color);
  const progress = createRunProgress(planOf);
  const isLive = stderr.isTTY && env.TERM !== 'dumb';
  const shown = shownOn(stderr);
  let width = leastWidth;
  let notes = 0;
  for (const name of names) widen(name);
  let timer: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  let ticks = 0;
  /** The cells of the live line; 0 where there is none. */
  let drawn = 0;
  /** By steps: how much was told of what they have called. */
  const called = new Map<string, number>();

  function widen(name: string): void {
    width = Math.min(mostWidth, mostName(lineColumns(stderr)), Math.max(width, displayWidth(name)));
  }

  function clear(): void {
    if (drawn > 0) {
      // A terminal that was made narrower has broken the line into several.
      const above = Math.ceil(drawn / Math.max(1, stderr.columns)) - 1;
      stderr.write(above > 0 ? `\x1b[${above}A\r\x1b[J` : '\r\x1b[K');
    }
    drawn = 0;
  }

  function draw(): void {
    clear();
    const spent = usageText(progress.spent());
    const text = liveLine(progress.running(), now(), stderr.columns - 5, spent);
    if (text === '') return;
    const frame = frames[ticks++ % frames.length] ?? '';
    stderr.write(`  ${paint.cyan(frame)} ${text}`);
    drawn = displayWidth(text) + 4;
  }

  function pause(): void {
    clearTimeout(later);
    rest();
  }

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
    clear();
  }

  function refresh(): void {
    if (!isLive) return;
    if (progress.running().length === 0 || speech?.isMidLine()) {
      rest();
      return;
    }
    draw();
    // It must not keep the process alive.
    timer ??= setInterval(draw, tickMs).unref();
  }

  /** Whether there is room for one more line about what a step has called; says once that there is none. */
  function mayTell({ name, within = [] }: RunNode): boolean {
    const step = within[0] ?? name;
    const count = (called.get(step) ?? 0) + 1;
    called.set(step, count);
    if (count === mostCalled + 1) {
      const where = short === undefined ? '' : `: toolang show ${short}`;
      stderr.write(`    ${paint.dim(shorten(`… ${questionName(step)} goes on${where}`, lineColumns(stderr) - 4))}\n`);
      shown.clear();
    }
    return count <= mostCalled;
  }

  /** Dim, and below its step as far as there is one. */
  function printCalled(node: RunNode): void {
    if (!mayTell(node)) return;
    const title = titleOf(node);
    widen(`  ${title}`);
    const options = { paint: painter(false), now: now(), width: width - 2, columns: lineColumns(stderr) - 2, notes };
    const line = nodeLine(title, node, options);
    stderr.write(`    ${markOf(node, paint)}${paint.dim(line.slice(1))}\n`);
    shown.clear();
  }

  function printRemark(node: RunNode, remark: RunRemark): void {
    if (!mayTell(node)) return;
    const text = `${titleOf(node)} ${remarkWords(remark)}`;
    stderr.write(`    ${paint.dim(`→ ${shorten(text, lineColumns(stderr) - 6)}`)}\n`);
    shown.clear();
  }

  function print(nodes: readonly RunNode[], remarks: readonly (readonly [RunNode, RunRemark])[] = []): void {
    if (nodes.length + remarks.length > 0) {
      speech?.rest();
      clear();
    }
    for (const remark of remarks) printRemark(...remark);
    // All nodes are looked at only where something is asked.
    const isAsked = short !== undefined && openRequests(nodes).length > 0;
    const asks = isAsked ? openRequests(progress.nodes.values()) : [];
    const kept = nodes.filter(({ status }) => status === 'kept').length;
    let isCounted = false;
    for (const node of nodes) {
      if (isTerse && node.status === 'done' && node.within === undefined) continue;
      if (node.status === 'kept' && kept > mostKept) {
        if (!isCounted) stderr.write(`  ${paint.dim('=')} kept ${kept}\n`);
        isCounted = true;
        shown.clear();
        continue;
      }
      if (node.within && (node.status !== 'waiting' || node.request === undefined)) {
        printCalled(node);
        continue;
      }
      const title = titleOf(node);
      widen(title);
      const options = { paint, now: now(), width, columns: lineColumns(stderr) };
      const { request } = node;
      if (request?.kind === 'permission' && node.status === 'waiting' && !stays) continue;
      if (node.status !== 'waiting' || request === undefined) {
        notes = Math.min(20, Math.max(notes, usageText(node.usage).length));
        stderr.write(`  ${nodeLine(title, node, { ...options, notes })}\n`);
        shown.clear();
        continue;
      }
      for (const line of questionLines(title, request, { ...options, notes })) stderr.write(`  ${line}\n`);
      const answers = answerCommands(asks)[asks.indexOf(request)] ?? [];
      if (short !== undefined) stderr.write(answerText(answers, short, context));
      shown.set(request.node, answers.length > 0);
    }
    refresh();
  }

  return {
    know(events, answered) {
      void progress.add(events);
      // A step that waits for its next attempt has told so to somebody else; nothing may happen until then.
      const waits = progress
        .running()
        .flatMap((node) => (node.until === undefined ? [] : [[node, node.until] as const]));
      // Nor has anybody who stays been asked what was asked before.
      const asked = [...(stays ? progress.nodes.values() : [])].flatMap((node) =>
        node.request === undefined || node.request.node === answered ? [] : [[node, node.request] as const],
      );
      const still = () => [
        ...waits.flatMap(([node, until]) => (node.until === until ? [node] : [])),
        ...asked.flatMap(([node, request]) => (node.request === request && node.status === 'waiting' ? [node] : [])),
      ];
      clearTimeout(later);
      if (waits.length + asked.length > 0) later = setTimeout(() => print(still()), tickMs).unref();
    },
    tell(events) {
      const remarks: (readonly [RunNode, RunRemark])[] = [];
      const nodes = progress.add(events, (node, remark) => void remarks.push([node, remark]));
      print(nodes, remarks);
    },
    remark(text, word) {
      speech?.rest();
      clear();
      stderr.write(remarkText(text, stderr, word === undefined ? {} : { word }));
      shown.clear();
      if (timer) draw();
    },
    running: () => progress.running().flatMap(({ name, until }) => (until === undefined ? [name] : [])),
    pause,
  };
}

/** `draft 1.2s · review 0.4s · and 3 more`, as much as fits; at its end what was spent so far, where there is room. */
export function liveLine(running: readonly RunNode[], now: number, columns: number, spent = ''): string {
  const tail = spent === '' ? '' : `   ${spent}`;
  const hasTail = running.length > 0 && columns - displayWidth(tail) >= 30;
  const cells = hasTail ? columns - displayWidth(tail) : columns;
  const parts: string[] = [];
  let used = 0;
  for (const [i, node] of running.entries()) {
    const from = node.attempts.at(-1)?.startedAt ?? node.startedAt;
    const time = node.until === undefined ? elapsedText(now - from) : `again in ${elapsedText(node.until - now)}`;
    const call = node.tools?.findLast(({ status }) => status === 'running');
    const part = `${shortenName(titleOf(node), mostWidth)} ${time}${call ? ` ${printable(call.tool)}` : ''}`;
    const more = `and ${running.length - i} more`;
    if (i > 0 && used + displayWidth(part) + displayWidth(more) + 6 > cells) {
      parts.push(more);
      break;
    }
    used += displayWidth(part) + 3;
    parts.push(part);
  }
  return shorten(parts.join(' · '), Math.max(10, cells)) + (hasTail ? tail : '');
}

function openRequests(nodes: Iterable<RunNode>): readonly RunRequest[] {
  const open: RunRequest[] = [];
  for (const { status, request } of nodes) if (status === 'waiting' && request) open.push(request);
  return open;
}

function titleOf(node: RunNode): string {
  return node.within ? printable(placeText(node)) : questionName(node.name);
}
