/**
 * The calm run that a simulated one is compared with: the machines alone, without a driver, deaths or limits. People and
 * timers have said what they said so far. Where nothing fails, a run that waits must have done the same, and wait for the
 * same: or a limit keeps something back that could go on.
 */
import { createNest, type Emission, type End, type Fact, type Json, type StepCommand } from '../../machine/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { withoutLimits } from '../../plan/machine/index.ts';
import { answer, makerOf } from './world.ts';

export interface Calm {
  readonly end: End | undefined;
  /** The steps that came to something. */
  readonly done: ReadonlySet<string>;
  /** The timers and questions that are open. */
  readonly waits: ReadonlySet<string>;
}

/** `said`: by people and timers. */
export type CalmRun = (said: ReadonlyMap<string, Fact>) => Calm;

export function calmRun(plan: WorkflowPlan, seed: number, input: Json): CalmRun {
  const make = makerOf(withoutLimits(plan));
  return (said) => {
    const nest = createNest({ make, ref: { kind: 'workflow', plan: '' }, runId: 'calm', input });
    const done = new Set<string>();
    const waits = new Set<string>();
    const open: (StepCommand | Fact)[] = [];
    take(nest.start(0));
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (!('op' in each)) {
        take(nest.deliver({ ...each, at: 0 }));
        continue;
      }
      const outcome = answer(each, plan, seed, false);
      if ('ok' in outcome) done.add(each.id);
      take(nest.deliver({ ...outcome, id: each.id, at: 0 }));
    }
    return { end: nest.end(), done, waits };

    function take(emissions: readonly Emission[]): void {
      for (const emission of emissions) {
        if (emission.kind !== 'effect') continue;
        const { effect } = emission;
        if (effect.op === 'cancel') throw new Error(`${effect.target} is cancelled, and nothing failed`);
        const fact = effect.op === 'step' ? undefined : said.get(effect.id);
        if (effect.op === 'step') open.push(effect);
        else if (fact) open.push(fact);
        else waits.add(effect.id);
      }
    }
  };
}
