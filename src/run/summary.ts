/** The rows and the last note of a run: what lists show without reading its journal. */
import type { EventBody, RunChange, RunRow, Store, Writer } from '../journal/index.ts';
import type { End, Outcome } from '../machine/index.ts';
import type { RunState, SubRun } from './state.ts';

type Change = RunChange;

type Draft = { -readonly [K in keyof Change]: Change[K] };

export interface Summary {
  /** What of the row is to be written now, if anything. `held`: how many open steps wait for more to be spent. */
  readonly change: (state: RunState, end: End | undefined, held: number) => Change | undefined;
  /** What was left for later, if that is now; without a time, the run is left. */
  readonly rest: (state: RunState, now?: number) => Change | undefined;
}

/** How long a row may tell an older time, and less that was spent, than the journal: every step changes these two. */
const restMs = 100;

/**
 * The row of a run as its driver keeps it. What was written is not written again, and what every step changes is written
 * once in a while: it is one page less of a commit.
 */
export function createSummary(): Summary {
  let status: RunRow['status'] | undefined;
  let waiting = '';
  let written = Number.NEGATIVE_INFINITY;
  let isBehind = false;

  /** Until then, what changes in every round waits. */
  function timeAndSpent(state: RunState): Draft {
    written = state.at();
    isBehind = false;
    const { cost, inputTokens, outputTokens } = state.usage();
    return { updatedAt: written, cost, inputTokens, outputTokens };
  }

  return {
    change(state, end, held) {
      if (end !== undefined) return { ...endRow(end, state.at()), ...state.usage() };
      const rows = state.waiting();
      const isWaiting = rows.length > 0 && rows.length + held === state.open.size;
      const now = isWaiting ? 'waiting' : 'running';
      const text = rows.length === 0 ? '[]' : JSON.stringify(rows);
      if (now === status && text === waiting) {
        isBehind = Math.abs(state.at() - written) < restMs;
        return isBehind ? undefined : timeAndSpent(state);
      }
      status = now;
      waiting = text;
      const change = timeAndSpent(state);
      change.status = now;
      change.waiting = rows;
      return change;
    },
    rest(state, now = Number.POSITIVE_INFINITY) {
      return isBehind && Math.abs(now - written) >= restMs ? timeAndSpent(state) : undefined;
    },
  };
}

export function endNote(end: End): EventBody {
  if ('ok' in end) return { kind: 'run.done', output: end.ok };
  if ('none' in end) return { kind: 'run.done' };
  if ('err' in end) return { kind: 'run.failed', error: end.err };
  return { kind: 'run.cancelled', by: '', reason: end.cancelled };
}

/** One that an earlier segment had begins anew. */
export function putSubRun(store: Pick<Store, 'run'>, writer: Writer, sub: SubRun, root: string): void {
  const row = subRow(sub, root);
  if (store.run(row.id) === undefined) {
    writer.addRun(row);
    return;
  }
  const { name, status, startedAt, updatedAt } = row;
  const ended = { endedAt: undefined, error: undefined, output: undefined, waiting: [] };
  writer.updateRun(row.id, { name, status, startedAt, updatedAt, ...ended });
}

function subRow({ id, node, name, parent, at }: SubRun, root: string): RunRow {
  return { id, root, parent, node, name, status: 'running', startedAt: at, updatedAt: at };
}

export function outcomeRow(outcome: Outcome, at: number): Change {
  if ('err' in outcome && outcome.err.code === 'cancelled') {
    return { status: 'cancelled', updatedAt: at, endedAt: at, waiting: [], error: outcome.err };
  }
  return endRow(outcome, at);
}

function endRow(end: End, at: number): Change {
  const ended = { updatedAt: at, endedAt: at, waiting: [] };
  if ('ok' in end) return { ...ended, status: 'done', output: end.ok };
  if ('none' in end) return { ...ended, status: 'done' };
  if ('err' in end) return { ...ended, status: 'failed', error: end.err };
  return { ...ended, status: 'cancelled' };
}
