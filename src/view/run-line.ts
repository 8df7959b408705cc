/**
 * The line of a node, in progress and in trees: a mark, its name, what came of it, how long it took, what was unusual.
 * It is never wider than it may be: what came of it is cut first, then what matters least is left out.
 */
import type { RunError } from '../machine/index.ts';
import { displayWidth, type Painter, printable, wrap } from '../text/index.ts';
import { elapsedText, usageText } from './elapsed.ts';
import type { RunDecision } from './run-node.ts';
import type { RunRequest } from './run-request.ts';
import { type PassedModel, toolText } from './run-tools.ts';
import { count, shortValue } from './short-value.ts';
import { oneLine, shorten, shortenName, withoutModel } from './shorten.ts';
import type { TreeNode, TreeStatus } from './tree-node.ts';

/** Of nodes of a tree, and of those of a run that goes on, of which less is known. */
export type LineNode = Pick<TreeNode, 'status'> &
  Partial<Omit<TreeNode, 'status' | 'kind' | 'children'>> & {
    readonly kind?: string;
    readonly children?: readonly unknown[];
    readonly did?: string;
  };

export interface LineOptions {
  readonly paint: Painter;
  readonly now: number;
  /** The column of the names. */
  readonly width: number;
  /** What the line may take in all. */
  readonly columns: number;
  /** How much of it notes usually take, so that times stand below each other. */
  readonly notes?: number;
}

const marks: Readonly<Record<TreeStatus, readonly [string, keyof Painter]>> = {
  pending: ['·', 'dim'],
  running: ['▸', 'cyan'],
  waiting: ['⏸', 'yellow'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
  cancelled: ['⊘', 'yellow'],
  kept: ['=', 'dim'],
  unreached: ['·', 'dim'],
  interrupted: ['!', 'yellow'],
};

const timeCells = 6;
/** Two blanks stand between the parts of a line. */
const gap = 2;
/** What came of a node has at least this much of the line, as far as it needs it. */
const leastWords = 14;
/** Where it takes more, its end is hard to find. */
const mostWords = 44;
/** `1234 tokens`. */
const usualNote = 11;

/** How wide the column of the names may be in so much of a line. */
export function mostName(columns: number): number {
  return Math.max(leastWords, Math.min(Math.floor(columns * 0.45), Math.max(36, Math.floor(columns / 3))));
}

export function markOf(node: Pick<LineNode, 'status' | 'until' | 'decision'>, paint: Painter): string {
  if (node.until !== undefined) return paint.yellow('↻');
  if (node.status === 'done' && node.decision?.approved === false) return paint.red('✗');
  const [mark, color] = marks[node.status];
  return paint[color](mark);
}

export function nodeLine(title: string, node: LineNode, { paint, now, width, columns, notes }: LineOptions): string {
  const name = shortenName(title, width);
  const padded = `${node.status === 'skipped' ? paint.dim(name) : name}${' '.repeat(width - displayWidth(name))}`;
  const room = columns - width - 2 - gap;
  const usual = room - gap - timeCells - gap - Math.max(usualNote, notes ?? 0);
  const most = Math.max(leastWords, Math.min(Math.max(mostWords, Math.floor(columns / 2)), usual));
  const behind = tailOf(node, now);
  // What people are asked is cut last, and what nothing stands behind only where the line ends.
  const isLong = behind.length === 0 || (node.status === 'waiting' && node.request !== undefined);
  const whole = shorten(wordsOf(node, now, most), isLong ? room : most);
  const tail = fitted(behind, room - Math.min(leastWords, displayWidth(whole)));
  const cells = Math.max(1, Math.min(Math.max(most, displayWidth(whole)), room - widthOf(tail)));
  const words = displayWidth(whole) <= cells ? whole : shorten(whole, cells);
  const middle = tail.length > 0 ? words + ' '.repeat(Math.max(0, cells - displayWidth(words))) : words;
  const parts = [`${markOf(node, paint)} ${padded}`, node.status === 'skipped' ? paint.dim(middle) : middle];
  for (const { text, color } of tail) parts.push(color === undefined ? text : paint[color](text));
  return parts.join(' '.repeat(gap)).trimEnd();
}

/** What people are asked, in full: a longer question has lines of its own. */
export function questionLines(title: string, request: RunRequest, options: LineOptions): readonly string[] {
  const node = { status: 'waiting', request } as const;
  const { columns, width, paint } = options;
  const question = printable(oneLine(request.title));
  if (displayWidth(question) <= columns - width - 2 - gap - widthOf(tailOf(node, 0)))
    return [nodeLine(title, node, options)];
  const name = shortenName(title, width);
  const head = `${markOf(node, paint)} ${name}${' '.repeat(width - displayWidth(name))}  ${paint.yellow(askText(request))}`;
  return [head, ...wrap(question, columns - 4).map((line) => `    ${line}`)];
}

/** What stands behind the words of a line. */
interface Note {
  readonly text: string;
  readonly color?: keyof Painter;
  /** What is left out first, where there is no room, has the least. */
  readonly weight: number;
}

function widthOf(tail: readonly Note[]): number {
  return tail.reduce((sum, { text }) => sum + gap + displayWidth(text), 0);
}

/** As much of it as there is room for. */
function fitted(tail: readonly Note[], room: number): readonly Note[] {
  let kept = tail;
  for (let over = widthOf(kept) - room; over > 0 && kept.length > 0; over = widthOf(kept) - room) {
    const least = kept.reduce((a, b) => (b.weight < a.weight ? b : a));
    const cells = displayWidth(least.text) - over;
    // The beginning of a longer remark says enough.
    const isElastic = least.weight === weights.repaired && cells >= leastWords;
    kept = isElastic
      ? kept.map((note) => (note === least ? { ...note, text: shorten(note.text, cells) } : note))
      : kept.filter((note) => note !== least);
  }
  return kept;
}

const weights = { spent: 0, origin: 1, repaired: 2, begun: 3, attempt: 4, time: 5, asks: 6 } as const;

/** What came of it. */
function wordsOf(node: LineNode, now: number, cells: number): string {
  const { status, decision, error, request, until } = node;
  if (until !== undefined) {
    const last = node.attempts?.findLast((attempt) => attempt.error)?.error;
    const when = until > now ? `again in ${elapsedText(until - now)}` : 'again now';
    return last === undefined ? when : `${when}: ${oneLine(withoutModel(last.message))}`;
  }
  if (decision && node.kind !== 'step' && status !== 'running') return decisionText(decision);
  switch (status) {
    case 'done':
    case 'kept':
      if (isGroup(node)) return '';
      if (node.did !== undefined) return oneLine(node.did);
      return node.output === undefined ? 'no value' : shortValue(node.output, cells);
    case 'failed':
    case 'cancelled':
      return error === undefined ? '' : oneLine(withoutModel(error.message));
    case 'waiting':
      return request ? request.title : (node.why ?? '');
    case 'running': {
      const call = node.tools?.findLast((each) => each.status === 'running');
      if (call !== undefined) return oneLine(toolText(call));
      return node.printed === undefined ? '' : lastLine(node.printed);
    }
    case 'skipped':
      return node.why === undefined ? 'skipped' : `skipped: ${node.why}`;
    case 'interrupted':
      return isGroup(node) ? '' : 'was running when the run was left';
    case 'unreached':
      return node.startedAt === undefined ? '' : 'not finished';
    default:
      return '';
  }
}

/** What has called hands has a value of its own. */
function isGroup({ children, kind }: LineNode): boolean {
  return children !== undefined && children.length > 0 && kind !== 'step' && kind !== 'hand';
}

export function decisionText({ approved, by, note }: RunDecision): string {
  const who = by === '' ? '' : ` by ${by}`;
  return `${approved ? 'approved' : 'denied'}${who}${note === undefined ? '' : `: ${note}`}`;
}

function timeOf(node: LineNode, now: number): string {
  const { status, startedAt, endedAt, attempts = [], until, request, decision } = node;
  if (startedAt === undefined || status === 'pending' || status === 'skipped' || status === 'kept') return '';
  if (status === 'unreached' || (status === 'waiting' && until === undefined)) return '';
  // What waited for money and got none has not begun.
  if (node.error?.code === 'limit') return '';
  // How long people took is not how long it took.
  if (status === 'interrupted' || request || (decision && attempts.length === 0)) return '';
  const from = attempts[0]?.startedAt ?? startedAt;
  const to = status === 'running' || status === 'waiting' ? now : endedAt;
  return to === undefined ? '' : elapsedText(to - from);
}

/** How long it took, what was unusual, and what was spent. */
function tailOf(node: LineNode, now: number): Note[] {
  const { attempts = [], repairs = [], status, usage, request } = node;
  const notes: Note[] = [];
  const last = attempts.at(-1);
  if (last !== undefined && last.number > 1) notes.push({ text: `attempt ${last.number}`, weight: weights.attempt });
  if (last !== undefined && last.begun > 1 && status !== 'waiting')
    notes.push({ text: `begun ${last.begun} times`, weight: weights.begun });
  if (repairs.length > 0) notes.push({ text: repairText(repairs), weight: weights.repaired });
  if (node.passed && node.model !== undefined)
    notes.push({ text: passedText(node.model, node.passed), weight: weights.repaired });
  if (node.fromCache) notes.push({ text: 'from the cache', weight: weights.origin });
  if (status === 'kept') notes.push({ text: 'kept', weight: weights.origin });
  if (node.tools) notes.push({ text: count(node.tools.length, 'tool call'), color: 'dim', weight: weights.spent });
  const spent = usage === undefined ? '' : usageText(usage);
  if (spent !== '') notes.push({ text: spent, color: 'dim', weight: weights.spent });
  // How long people took is not told, so their note stands in its place.
  if (status === 'waiting' && request)
    return [{ text: askText(request), color: 'yellow', weight: weights.asks }, ...notes];
  const time = timeOf(node, now);
  if (time === '' && notes.length === 0) return [];
  return [{ text: time.padStart(timeCells), color: 'dim', weight: weights.time }, ...notes];
}

function askText({ kind, again }: RunRequest): string {
  if (kind !== 'limit') return 'waiting for you';
  return again ? 'still at a limit' : 'at a limit';
}

/** `repaired once: wordCount was not a number`. */
function repairText(repairs: readonly (readonly string[])[]): string {
  const times = repairs.length === 1 ? 'once' : `${repairs.length} times`;
  const why = repairs.at(-1)?.[0];
  return why === undefined ? `repaired ${times}` : `repaired ${times}: ${shorten(why, 60)}`;
}

/** `on openai/gpt-5: anthropic/claude could not be asked`. */
function passedText(model: string, passed: readonly PassedModel[]): string {
  return `on ${model}: ${[...new Set(passed.map(({ ref }) => ref))].join(', ')} could not be asked`;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/** Why a run failed: each step with its place, its message, and what led to it. */
export function failureText(error: RunError, paint: Painter, columns: number): string {
  const indent = '  ';
  const lines: string[] = [];
  for (const failure of error.causes && error.causes.length > 0 ? error.causes : [error]) tell(failure);
  return `${lines.join('\n')}\n`;

  function tell({ node, message, at, code, cause, causes }: RunError): void {
    const where = at === undefined ? '' : ` ${paint.dim(`at ${printable(at)}`)}`;
    lines.push(`${indent}${paint.red('✗')} ${paint.bold(printable(node ?? code))}${where}`);
    for (const line of bounded(message).split('\n')) tellLine(line, `${indent}  `);
    for (let next = cause; next !== undefined; next = next.cause) {
      const [first = '', ...rest] = bounded(next.message).split('\n');
      const [head = '', ...more] = wrap(`because ${printable(first)}`, columns - 4, columns - 6);
      lines.push(`${indent}  ${paint.dim('because')}${head.slice('because'.length)}`);
      for (const line of more) lines.push(`${indent}    ${line}`);
      for (const line of rest) tellLine(line, `${indent}    `);
    }
    for (const inner of causes ?? []) tell(inner);
  }

  function tellLine(line: string, margin: string): void {
    const [first = '', ...more] = wrap(printable(line), columns - margin.length);
    for (const part of [first, ...more]) lines.push(`${margin}${part}`.trimEnd());
  }
}

/** What a model wrote may be megabytes, which the run has: its beginning says what it is, and the end what to do. */
function bounded(text: string): string {
  const [head, tail] = [6000, 2000];
  const left = text.length - head - tail;
  return left <= 0 ? text : `${text.slice(0, head)}\n… ${left} more characters …\n${text.slice(-tail)}`;
}
