/** The rows and the last note of a run: what lists show without reading its journal. */
import type { EventBody, RunRow } from '../journal/index.ts';
import type { End, Outcome } from '../machine/index.ts';
import type { RunState, SubRun } from './state.ts';

type Change = Partial<Omit<RunRow, 'id' | 'root'>>;

/** `held`: how many open steps wait for more to be spent. */
export function summary(state: RunState, end: End | undefined, held: number): Change {
  const at = state.at();
  const spent = state.usage();
  if (end !== undefined) return { ...endRow(end, at), ...spent };
  const waiting = state.waiting();
  const isWaiting = waiting.length > 0 && waiting.length + held === state.open.size;
  return { status: isWaiting ? 'waiting' : 'running', updatedAt: at, waiting, ...spent };
}

export function endNote(end: End): EventBody {
  if ('ok' in end) return { kind: 'run.done', output: end.ok };
  if ('none' in end) return { kind: 'run.done' };
  if ('err' in end) return { kind: 'run.failed', error: end.err };
  return { kind: 'run.cancelled', by: '', reason: end.cancelled };
}

export function subRow({ id, node, name, parent, at }: SubRun, root: string): RunRow {
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
