/** How a run is, in one word, and what that means: what its row says, and whether somebody drives it. */
import type { RunRow, WaitingRow } from '../journal/index.ts';
import type { RunError } from '../machine/index.ts';

export type RunWord = 'running' | 'waiting' | 'failed' | 'cancelled' | 'done' | 'interrupted';

export const runWords: readonly RunWord[] = ['running', 'waiting', 'failed', 'cancelled', 'done', 'interrupted'];

/** `driven`: the owner of its lease lives. A run that only waits for people needs nobody. */
export function runWord({ status, waiting }: Pick<RunRow, 'status' | 'waiting'>, driven: boolean): RunWord {
  if (driven) return status;
  if (status === 'running') return 'interrupted';
  // A timer that nobody waits for does not fire.
  return status === 'waiting' && (waiting ?? []).some(({ kind }) => kind === 'timer') ? 'interrupted' : status;
}

/** What people can answer. */
export function questionsOf({ waiting }: Pick<RunRow, 'waiting'>): readonly WaitingRow[] {
  return (waiting ?? []).filter(({ kind }) => kind !== 'timer');
}

/** The failures that an error comes from, each once: several steps may have failed. */
export function failuresOf(error: RunError): readonly RunError[] {
  if (error.causes === undefined || error.causes.length === 0) return [error];
  return error.causes.flatMap(failuresOf);
}

/** The error itself and what led to it, the outermost first. */
export function causesOf(error: RunError): readonly RunError[] {
  const all: RunError[] = [];
  for (let at: RunError | undefined = error; at !== undefined; at = at.cause) all.push(at);
  return all;
}
