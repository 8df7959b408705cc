/** An outcome as the fact of a command. By hand: every step comes here, and spreads are slow. */
import type { Fact, Outcome, Usage } from './machine.ts';

export function factAs(id: string, at: number, outcome: Outcome, usage: Usage | undefined): Fact {
  if ('ok' in outcome) return usage === undefined ? { id, at, ok: outcome.ok } : { id, at, ok: outcome.ok, usage };
  if ('err' in outcome) return usage === undefined ? { id, at, err: outcome.err } : { id, at, err: outcome.err, usage };
  return usage === undefined ? { id, at, none: true } : { id, at, none: true, usage };
}
