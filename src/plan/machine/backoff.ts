/** How long a step waits before it is tried again. */
import { hashOf } from '../hash.ts';
import type { RetryPolicy } from '../node.ts';

const longest = 5 * 60_000;

/** How much longer than asked for it may be, so that steps that failed together do not come back together. */
const spread = 0.25;

/** `attempt`: the one that failed, from 1. Chance is a hash of the run and the id, so it is the same in a replay. */
export function backoffMs(retry: RetryPolicy, attempt: number, runId: string, id: string): number {
  const base = retry.initialDelayMs * factorOf(retry.backoff, attempt);
  return Math.min(longest, Math.round(base * (1 + spread * chanceOf(runId, id))));
}

function factorOf(backoff: RetryPolicy['backoff'], attempt: number): number {
  if (backoff === 'exponential') return 2 ** (attempt - 1);
  return backoff === 'linear' ? attempt : 1;
}

/** From 0 to 1. */
function chanceOf(runId: string, id: string): number {
  return Number.parseInt(hashOf([runId, id]).slice(0, 8), 16) / 2 ** 32;
}
