/** The line of a node, in progress and in trees: a mark, its name, what came of it, how long it took, what was unusual. */
import type { RunError } from '../machine/index.ts';
import { displayWidth, type Painter, printable } from '../text/index.ts';
import { elapsedText, usageText } from './elapsed.ts';
import type { RunDecision } from './run-nodes.ts';
import type { TreeNode, TreeStatus } from './run-tree.ts';
import { shortValue } from './short-value.ts';
import { oneLine, shorten } from './shorten.ts';

/** Of nodes of a tree, and of those of a run that goes on, of which less is known. */
export type LineNode = Pick<TreeNode, 'status'> &
  Partial<Omit<TreeNode, 'status' | 'kind' | 'children'>> & {
    readonly kind?: string;
    readonly children?: readonly unknown[];
  };

export interface LineOptions {
  readonly paint: Painter;
  readonly now: number;
  /** The column of the names. */
  readonly width: number;
  /** What the line may take in all. */
  readonly columns: number;
}

const marks: Readonly<Record<TreeStatus, readonly [string, keyof Painter]>> = {
  pending: ['·', 'dim'],
  running: ['▸', 'cyan'],
  waiting: ['⏸', 'yellow'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
  cancelled: ['⊘', 'yellow'],
  kept: ['✓', 'dim'],
  unreached: ['·', 'dim'],
  interrupted: ['!', 'yellow'],
};

const timeCells = 6;
/** What came of a node has at least this much of the line. */
const leastWords = 24;
const mostWords = 44;

export function markOf(node: Pick<LineNode, 'status' | 'until' | 'decision'>, paint: Painter): string {
  if (node.until !== undefined) return paint.yellow('↻');
  if (node.status === 'done' && node.decision?.approved === false) return paint.red('✗');
  const [mark, color] = marks[node.status];
  return paint[color](mark);
}

export function nodeLine(title: string, node: LineNode, { paint, now, width, columns }: LineOptions): string {
  const name = shorten(title, width);
  const padded = `${node.status === 'skipped' ? paint.dim(name) : name}${' '.repeat(width - displayWidth(name))}`;
  const notes = notesOf(node, paint);
  const time = timeOf(node, now);
  const room = columns - width - timeCells - 6;
  const cells = Math.max(leastWords, Math.min(mostWords, room));
  const words = shorten(wordsOf(node, now, cells), cells);
  const isFollowed = time !== '' || notes.length > 0;
  const middle = isFollowed ? words + ' '.repeat(Math.max(0, cells - displayWidth(words))) : words;
  const parts = [`${markOf(node, paint)} ${padded}`, node.status === 'skipped' ? paint.dim(middle) : middle];
  if (isFollowed) parts.push(paint.dim(time.padStart(timeCells)));
  return [...parts, ...notes].join('  ').trimEnd();
}

/** What came of it. */
function wordsOf(node: LineNode, now: number, cells: number): string {
  const { status, decision, error, request, until } = node;
  if (until !== undefined) {
    const last = node.attempts?.findLast((attempt) => attempt.error)?.error;
    const when = until > now ? `again in ${elapsedText(until - now)}` : 'again now';
    return last === undefined ? when : `${when}: ${oneLine(last.message)}`;
  }
  if (decision && node.kind !== 'step' && status !== 'running') return decisionText(decision);
  switch (status) {
    case 'done':
    case 'kept':
      if (node.children !== undefined && node.children.length > 0) return '';
      return node.output === undefined ? 'no value' : shortValue(node.output, cells);
    case 'failed':
    case 'cancelled':
      return error === undefined ? '' : oneLine(error.message);
    case 'waiting':
      return request ? request.title : '';
    case 'running':
      return node.printed === undefined ? '' : lastLine(node.printed);
    case 'skipped':
      return node.why === undefined ? 'skipped' : `skipped: ${node.why}`;
    case 'interrupted':
      return 'was running when the run was left';
    default:
      return '';
  }
}

export function decisionText({ approved, by, note }: RunDecision): string {
  const who = by === '' ? '' : ` by ${by}`;
  return `${approved ? 'approved' : 'denied'}${who}${note === undefined ? '' : `: ${note}`}`;
}

function timeOf({ status, startedAt, endedAt, attempts, until, request }: LineNode, now: number): string {
  if (startedAt === undefined || status === 'pending' || status === 'skipped' || status === 'kept') return '';
  if (status === 'waiting' && until === undefined) return '';
  // How long people took is not how long it took.
  if (status === 'interrupted' || request) return '';
  const from = attempts?.[0]?.startedAt ?? startedAt;
  return elapsedText((status === 'running' || status === 'waiting' ? now : (endedAt ?? now)) - from);
}

/** What was unusual, and what was spent. */
function notesOf(node: LineNode, paint: Painter): string[] {
  const notes: string[] = [];
  const { attempts = [], repairs = [], status, usage, request } = node;
  if (status === 'waiting' && request)
    notes.push(paint.yellow(request.kind === 'limit' ? 'at a limit' : 'waiting for you'));
  const last = attempts.at(-1);
  if (last !== undefined && last.number > 1) notes.push(`attempt ${last.number}`);
  if (last !== undefined && last.begun > 1) notes.push(`begun ${last.begun} times`);
  if (repairs.length > 0) notes.push(repairText(repairs));
  if (node.fromCache) notes.push('from the cache');
  if (status === 'kept') notes.push('kept');
  const spent = usage === undefined ? '' : usageText(usage);
  if (spent !== '') notes.push(paint.dim(spent));
  return notes;
}

/** `repaired once: wordCount was not a number`. */
function repairText(repairs: readonly (readonly string[])[]): string {
  const times = repairs.length === 1 ? 'once' : `${repairs.length} times`;
  const why = repairs.at(-1)?.[0];
  return why === undefined ? `repaired ${times}` : `repaired ${times}: ${shorten(why, 60)}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/** Why a run failed: each step with its place, its message in full, and what led to it. */
export function failureText(error: RunError, paint: Painter, indent = '  '): string {
  const lines: string[] = [];
  for (const failure of error.causes && error.causes.length > 0 ? error.causes : [error]) tell(failure);
  return `${lines.join('\n')}\n`;

  function tell({ node, message, at, code, cause, causes }: RunError): void {
    const where = at === undefined ? '' : ` ${paint.dim(`at ${printable(at)}`)}`;
    lines.push(`${indent}${paint.red('✗')} ${paint.bold(printable(node ?? code))}${where}`);
    for (const line of message.split('\n')) lines.push(`${indent}  ${printable(line)}`);
    for (let next = cause; next !== undefined; next = next.cause) {
      const [first = '', ...rest] = next.message.split('\n');
      lines.push(`${indent}  ${paint.dim('because')} ${printable(first)}`);
      for (const line of rest) lines.push(`${indent}    ${printable(line)}`);
    }
    for (const inner of causes ?? []) tell(inner);
  }
}
