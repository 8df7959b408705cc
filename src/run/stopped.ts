/**
 * Whether a thunk was ended from outside: by somebody who had enough, or by a limit of the run. It had not failed by itself, so
 * what it has done counts when it goes on.
 */
import type { Outcome } from '../machine/index.ts';

export function wasStopped(outcome: Outcome): boolean {
  return 'err' in outcome && (outcome.err.code === 'cancelled' || outcome.err.code === 'limit');
}
