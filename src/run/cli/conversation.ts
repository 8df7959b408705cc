/**
 * What is said to the program of an agent.
 * 1. A conversation that the program has is gone on with: only what it has not heard is said. Its id, and what it had cost by
 *    then, stand in the answer that came out of it.
 * 2. Where it has none, all of it is said anew.
 * 3. One that was cut off by a crash is gone on with too, and told so. How much of the prompt has come to it nobody knows,
 *    so that is said again.
 */
import type { CliUsage } from '../../agent/cli/index.ts';
import type { EventBody } from '../../journal/index.ts';
import { contentText, type JsonRecord, type ModelCall, type ModelMessage } from '../../model/index.ts';
import { isRecord } from '../../type/index.ts';

export interface Spoken {
  readonly prompt: string;
  readonly instructions?: string | undefined;
  /** The conversation that goes on. */
  readonly session?: string | undefined;
  /** The instructions have come to it. */
  readonly isLater: boolean;
  /** What it had cost when the last answer came. */
  readonly before: Totals;
}

/** Of a whole conversation, as far as the program tells it so. */
export interface Totals {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cost?: number;
}

/** `session`: only where the program can go on with one. */
export function spokenOf({ messages }: ModelCall, notes: readonly EventBody[], canGoOn: boolean): Spoken {
  const { instructions, rest } = apart(messages);
  const at = rest.findLastIndex(({ role }) => role === 'assistant');
  const { session: last, ...before } = at === -1 ? {} : metaIn(rest[at]);
  const cut = canGoOn ? notes.findLast((note) => note.kind === 'session')?.id : undefined;
  const known = canGoOn ? last : undefined;
  const common = { instructions, before };
  if (cut !== undefined && cut !== known) {
    return { ...common, session: cut, isLater: false, prompt: `${interrupted}\n\n${transcript(rest)}` };
  }
  if (known === undefined) return { ...common, before: {}, isLater: false, prompt: transcript(rest) };
  const news = rest.slice(at + 1).map(textOf);
  return {
    ...common,
    session: known,
    isLater: true,
    prompt: [...(cut === undefined ? [] : [interrupted]), ...news].join('\n\n'),
  };
}

/** All of it, to nobody who knows any of it. */
export function spokenAnew({ messages }: ModelCall): Spoken {
  const { instructions, rest } = apart(messages);
  return { instructions, prompt: transcript(rest), isLater: false, before: {} };
}

const interrupted =
  'This conversation was cut off before your answer came. Go on from where you were: look at what is done already, and do not do it twice. You were asked:';

function apart(messages: readonly ModelMessage[]): {
  readonly instructions: string | undefined;
  readonly rest: readonly ModelMessage[];
} {
  const [first] = messages;
  if (first?.role !== 'system') return { instructions: undefined, rest: messages };
  return { instructions: textOf(first), rest: messages.slice(1) };
}

function transcript(messages: readonly ModelMessage[]): string {
  return messages
    .map((message) => (message.role === 'assistant' ? `You have answered this:\n${textOf(message)}` : textOf(message)))
    .join('\n\n');
}

function textOf({ content }: ModelMessage): string {
  return contentText(content);
}

/** What is kept with an answer, to go on from it. */
export function metaOf(session: string | undefined, totals: Totals): JsonRecord | undefined {
  return session === undefined ? undefined : { cli: { session, ...totals } };
}

function metaIn(message: ModelMessage | undefined): Totals & { readonly session?: string } {
  const cli = message?.role === 'assistant' ? message.meta?.cli : undefined;
  return isRecord(cli) && typeof cli.session === 'string' ? (cli as Totals & { readonly session?: string }) : {};
}

/** What this call has used, and the whole conversation by now. */
export function spentOf(
  events: readonly CliUsage[],
  before: Totals,
): { readonly spent: Totals; readonly totals: Totals } {
  const spent: { -readonly [K in keyof Totals]: Totals[K] } = {};
  const totals: { -readonly [K in keyof Totals]: Totals[K] } = {};
  for (const { of, ...used } of events) {
    for (const key of ['inputTokens', 'outputTokens', 'cost'] as const) {
      const value = used[key];
      if (value === undefined) continue;
      if (of === 'call') spent[key] = (spent[key] ?? 0) + value;
      else {
        totals[key] = value;
        // One that was begun anew counts from nothing.
        spent[key] = value >= (before[key] ?? 0) ? value - (before[key] ?? 0) : value;
      }
    }
  }
  return { spent, totals };
}
