/**
 * What a run has come to before its last segment: results that it may keep, what was spent, and what was added to its
 * limits. A fork begins with the results of another run, and has spent nothing.
 */
import { type Begins, createBegins, isFact, isTaken, type JournalEvent } from '../../journal/index.ts';
import { addUsage, type Json, type Usage } from '../../machine/index.ts';
import type { Unit } from '../purse.ts';
import { addCall, type Calls, outcomeOf } from '../record.ts';
import { createWorked } from '../work-time.ts';
import { createMemo, type Kept, type Memo, type MemoOptions } from './memo.ts';

export interface Past {
  readonly memo: Memo;
  /** When the run was begun; of a fork, that which it shares the past of. */
  readonly runAt: number | undefined;
  /** How often steps were begun before the last segment. */
  readonly begins: Begins;
  /** What the last segment has kept so far, by its commands. */
  readonly kept: ReadonlyMap<string, Kept>;
  /** The last segment has begun: what its start came to is in the journal. */
  readonly isTold: boolean;
  readonly usage: Usage;
  /** What was added to the limits. */
  readonly added: Readonly<Record<Unit, number>>;
  readonly calls: Calls;
  /** How many questions about limits there were. */
  readonly raised: number;
  /** For how many milliseconds its steps were at work. */
  readonly worked: number;
}

/** `earlier`: up to the event that opened the last segment, that one included; `later`: those behind it. */
export function readPast(earlier: Iterable<JournalEvent>, later: Iterable<JournalEvent>, options: MemoOptions): Past {
  const tally = createTally();
  const begins = createBegins();
  let runAt: number | undefined;
  const look = (event: JournalEvent) => {
    runAt ??= event.at;
    begins.take(event);
    tally.take(event);
  };
  const memo = createMemo(watched(earlier, look), options);
  const kept = new Map<string, Kept>();
  let isTold = false;
  for (const event of later) {
    isTold = true;
    const { body, node } = event;
    if (node === undefined || !isTaken(body)) continue;
    kept.set(node, { seq: body.of ?? event.seq, event, outcome: outcomeOf(body) });
  }
  return { memo, runAt, begins, kept, isTold, ...tally.sum() };
}

function* watched(events: Iterable<JournalEvent>, look: (event: JournalEvent) => void): Generator<JournalEvent> {
  for (const event of events) {
    look(event);
    yield event;
  }
}

type Sum = Pick<Past, 'usage' | 'added' | 'calls' | 'raised' | 'worked'>;

function createTally(): { readonly take: (event: JournalEvent) => void; readonly sum: () => Sum } {
  let usage: Usage = {};
  let added = { usd: 0, tokens: 0 };
  let calls: Calls = { model: 0, tool: 0 };
  let raised = 0;
  let worked = createWorked();
  const units = new Map<string, Unit>();

  function take(event: JournalEvent): void {
    const { body, node = '' } = event;
    worked.take(event, !isFact(body));
    if (body.kind === 'segment.opened') {
      if (body.why === 'fork') {
        usage = {};
        added = { usd: 0, tokens: 0 };
        calls = { model: 0, tool: 0 };
        worked = createWorked();
      }
    } else if (body.kind === 'limit.reached') {
      raised++;
      units.set(node, unitIn(body.request));
    } else if (body.kind === 'limit.answered') {
      if (body.approved) added[units.get(node) ?? 'usd'] += body.add ?? 0;
    } else if (isFact(body) && body.kind !== 'child.ended' && !('of' in body && body.of !== undefined)) {
      if ('usage' in body && body.usage) usage = addUsage(usage, body.usage);
      calls = addCall(calls, body);
    }
  }

  return { take, sum: () => ({ usage, added, calls, raised, worked: worked.ms() }) };
}

/** What a question about a limit is about. */
export function unitIn(request: Json | undefined): Unit {
  const isTokens = typeof request === 'object' && request !== null && 'unit' in request && request.unit === 'tokens';
  return isTokens ? 'tokens' : 'usd';
}
