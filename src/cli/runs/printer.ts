/** Progress on standard error: a line for each node that came to something; on a terminal also what is running, live. */
import type { EventDraft } from '../../journal/index.ts';
import { displayWidth, painter, printable } from '../../text/index.ts';
import { createRunProgress, elapsedText, nodeLine, type RunNode, shorten } from '../../view/index.ts';
import type { Context } from '../context.ts';

export interface Printer {
  /** What is known of the run already, and not told again. */
  readonly know: (events: Iterable<EventDraft>) => void;
  readonly tell: (events: Iterable<EventDraft>) => void;
  readonly line: (text: string) => void;
  /** The names of the nodes that are running. */
  readonly running: () => readonly string[];
  /** Takes the live line away; progress goes on with the next events. */
  readonly pause: () => void;
}

const leastWidth = 10;
const mostWidth = 28;
const tickMs = 100;
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** `names`: those of the nodes, as far as they are known before: their column is as wide as the widest. */
export function createPrinter({ stderr, env }: Context, names: Iterable<string>, now = Date.now): Printer {
  const paint = painter(stderr.color);
  const progress = createRunProgress();
  const isLive = stderr.isTTY && env.TERM !== 'dumb';
  let width = leastWidth;
  for (const name of names) width = Math.min(mostWidth, Math.max(width, displayWidth(name)));
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  let isDrawn = false;

  function clear(): void {
    if (isDrawn) stderr.write('\r\x1b[K');
    isDrawn = false;
  }

  function draw(): void {
    clear();
    const text = liveLine(progress.running(), now(), stderr.columns - 5);
    if (text === '') return;
    const frame = frames[ticks++ % frames.length] ?? '';
    stderr.write(`  ${paint.cyan(frame)} ${text}`);
    isDrawn = true;
  }

  function pause(): void {
    clearInterval(timer);
    timer = undefined;
    clear();
  }

  function refresh(): void {
    if (!isLive) return;
    if (progress.running().length === 0) {
      pause();
      return;
    }
    draw();
    // It must not keep the process alive.
    timer ??= setInterval(draw, tickMs).unref();
  }

  return {
    know: (events) => void progress.add(events),
    tell(events) {
      const nodes = progress.add(events);
      if (nodes.length > 0) clear();
      const columns = Math.max(60, stderr.isTTY ? stderr.columns - 2 : 100);
      for (const node of nodes)
        stderr.write(`  ${nodeLine(titleOf(node), node, { paint, now: now(), width, columns })}\n`);
      refresh();
    },
    line(text) {
      clear();
      stderr.write(`${text}\n`);
      if (timer) draw();
    },
    running: () => progress.running().flatMap(({ name, until }) => (until === undefined ? [name] : [])),
    pause,
  };
}

/** `draft 1.2s · review 0.4s · and 3 more`, as much as fits. */
export function liveLine(running: readonly RunNode[], now: number, cells: number): string {
  const parts: string[] = [];
  let used = 0;
  for (const [i, node] of running.entries()) {
    const from = node.attempts.at(-1)?.startedAt ?? node.startedAt;
    const time = node.until === undefined ? elapsedText(now - from) : `again in ${elapsedText(node.until - now)}`;
    const part = `${shorten(titleOf(node), mostWidth)} ${time}`;
    const more = `and ${running.length - i} more`;
    if (i > 0 && used + displayWidth(part) + displayWidth(more) + 6 > cells) {
      parts.push(more);
      break;
    }
    used += displayWidth(part) + 3;
    parts.push(part);
  }
  return shorten(parts.join(' · '), Math.max(10, cells));
}

function titleOf({ name }: RunNode): string {
  return name.startsWith('@') ? name.slice(1) : printable(name);
}
