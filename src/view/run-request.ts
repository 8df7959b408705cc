/** What a run asks people, in the words of its request. */
import type { Json } from '../machine/index.ts';
import { printable, wrap } from '../text/index.ts';

export interface RunRequest {
  /** The command that asks. */
  readonly node: string;
  readonly kind: 'approval' | 'permission' | 'limit';
  readonly title: string;
  readonly summary?: string;
  /** What a yes starts: `post (run)`, `announce (agent writer)`. */
  readonly next?: readonly string[];
  readonly hash: string;
  /** What was answered before was not enough. */
  readonly again?: true;
  /** Of a limit: what must be added at least, in dollars or tokens. */
  readonly least?: number;
  readonly unit?: 'usd' | 'tokens';
}

export function requestWords(request: Json): Pick<RunRequest, 'title' | 'summary' | 'next' | 'least' | 'unit'> {
  if (!isObject(request)) return { title: JSON.stringify(request) };
  const { title, summary, then, more, least, unit } = request;
  const next = Array.isArray(then) ? then.flatMap(nextWords) : [];
  return {
    title: typeof title === 'string' ? title : JSON.stringify(request),
    ...(typeof summary === 'string' && { summary }),
    ...(typeof least === 'number' && { least }),
    ...(unit === 'tokens' && { unit: 'tokens' as const }),
    ...(next.length > 0 && { next: more === true ? [...next, '…'] : next }),
  };
}

/** What goes on in the next line stands further in: nobody is to take one line for two, or two for one. */
export function summaryLines(summary: string, columns: number): string[] {
  return summary
    .split('\n')
    .flatMap((line) => wrap(printable(line), columns, columns - 2).map((part, at) => (at === 0 ? part : `  ${part}`)));
}

/** One of the steps that a yes starts. */
function nextWords(step: Json): string[] {
  if (!isObject(step) || typeof step.id !== 'string') return [];
  const { id, kind, agent, use, maybe } = step;
  const who = [agent === undefined ? kind : 'agent', agent ?? use].filter((word) => typeof word === 'string').join(' ');
  return [`${maybe === true ? 'perhaps ' : ''}${id}${who === '' ? '' : ` (${who})`}`];
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
