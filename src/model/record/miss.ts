/** Why a recording has no answer for a request, in words: the recording that is nearest, and the first line that differs. */
import { type Exchange, talkOf } from './exchange.ts';
import type { Asker, Recording } from './recording.ts';
import type { RequestText } from './request-text.ts';

export interface MissedRequest extends Asker, RequestText {
  readonly for: string;
  readonly agent?: string | undefined;
  /** How it is recorded again: a command, or words. */
  readonly again: string;
}

export function missText(recording: Recording, missed: MissedRequest): string {
  const { call, for: who, lines, again } = missed;
  const { name } = recording;
  const found = nearest(recording, missed);
  if (found === undefined) {
    return `${name} holds no recorded request, and "${who}" (${call}) asks one.\n${begin(lines)}\n${again}`;
  }
  const { exchange, at } = found;
  const { agent, model } = exchange;
  const of = [exchange.call, ...(agent === undefined ? [] : [agent]), ...(model === undefined ? [] : [model])].join(
    ', ',
  );
  const head = `${name} has no answer to what "${who}" (${call}) asks now.`;
  const near = `The nearest recording, ${of}${exchange.at === undefined ? '' : ` at ${exchange.at}`},`;
  return `${head}\n${near} ${difference(exchange.lines, lines, at)}\n${again}`;
}

/** `at`: how many lines at the beginning are the same. */
interface Near {
  readonly exchange: Exchange;
  readonly at: number;
}

/** One of the same command, else of the same step, else of the same agent; of several that with which most is the same. */
function nearest({ exchanges }: Recording, missed: MissedRequest): Near | undefined {
  let best: (Near & { readonly rank: number }) | undefined;
  for (const exchange of exchanges) {
    const rank =
      exchange.call === missed.call
        ? 3
        : exchange.for === missed.for || talkOf(exchange.call) === talkOf(missed.call)
          ? 2
          : exchange.agent === missed.agent
            ? 1
            : 0;
    if (best !== undefined && rank < best.rank) continue;
    const at = sameUntil(exchange.lines, missed.lines);
    if (best === undefined || rank > best.rank || at > best.at) best = { exchange, at, rank };
  }
  return best;
}

function sameUntil(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

function difference(recorded: readonly string[], now: readonly string[], at: number): string {
  const [old, fresh] = [recorded[at], now[at]].map((line) => line?.replace(/^ {2}/, ''));
  const part = partAt(now, recorded, at);
  const where = `line ${at + 1} of the request${part === undefined ? '' : `, in "${part}"`}`;
  if (old === undefined && fresh === undefined) return 'asked the same, and its hash is another one.';
  if (old === undefined) return `ended before ${where}:\n  now:      ${shown(fresh ?? '', 0)}`;
  if (fresh === undefined) return `went on at ${where}:\n  recorded: ${shown(old, 0)}`;
  const column = differsAt(old, fresh);
  return `differs at ${where}, column ${column + 1}:\n  recorded: ${shown(old, column)}\n  now:      ${shown(fresh, column)}`;
}

/** Of which message or tool the line is. */
function partAt(now: readonly string[], recorded: readonly string[], at: number): string | undefined {
  const lines = at < now.length ? now : recorded;
  for (let i = Math.min(at, lines.length - 1); i >= 0; i--) {
    const line = lines[i] ?? '';
    if (!line.startsWith('  ') && !line.startsWith('…')) return i === at ? undefined : line;
  }
  return undefined;
}

function differsAt(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

const widest = 160;
const before = 60;

/** The part of a line around a place, with what cannot be seen as escapes. */
function shown(line: string, column: number): string {
  const from = line.length <= widest ? 0 : Math.max(0, Math.min(column - before, line.length - widest));
  const part = JSON.stringify(line.slice(from, from + widest))
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\');
  return `${from > 0 ? '…' : ''}${part}${from + widest < line.length ? '…' : ''}`;
}

const mostLines = 12;

function begin(lines: readonly string[]): string {
  const rest = lines.length - mostLines;
  const first = lines.slice(0, mostLines).map((line) => `  ${shown(line, 0)}`);
  return ['The request:', ...first, ...(rest > 0 ? [`  … and ${rest} lines more`] : [])].join('\n');
}
