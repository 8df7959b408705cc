/** Random plans, random orders of facts, failures and cancels. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, Outcome, StepCommand } from '../../machine/index.ts';
import { hashOf } from '../hash.ts';
import type { WorkflowPlan } from '../node.ts';
import { type GenerateOptions, generatePlan } from './generate-plan.ts';
import { createWorkflowMachine } from './machine.ts';
import { errorOf, type OpenEntry, type PlanRun, startPlan, valuesOf } from './run-plan.ts';
import { withoutLimits } from './without-limits.ts';

const runs = process.env.TOOLANG_DEEP ? 2000 : 150;
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** Numbers from a seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shareOf(...values: unknown[]): number {
  return Number.parseInt(hashOf(values).slice(0, 8), 16) / 2 ** 32;
}

interface Answers {
  /** The share of attempts that fail. */
  readonly failing: number;
  /** Whether the last attempt fails too. */
  readonly fatal: boolean;
}

/** Depends on the command alone, not on when it is answered. */
function answer({ command, spot }: OpenEntry, { failing, fatal }: Answers): Outcome {
  if (command.op === 'timer') return { ok: null };
  if (command.op === 'signal') {
    const approved = shareOf(command.id, command.request) < 0.6;
    return { ok: { approved, decidedBy: 'ada', decidedAt: '2026-01-01T00:00:00.000Z' } };
  }
  const isLast = spot.node.kind === 'step' && command.id.endsWith(`#${spot.node.retry.maxAttempts}`);
  if (shareOf('fails', command.id) < failing && (fatal || !isLast)) return { err: errorOf({}) };
  const share = shareOf(command.id, command.key);
  return { ok: { text: `${command.id} ${command.key.slice(0, 6)}`, score: Math.floor(share * 10), flag: share < 0.5 } };
}

interface Drive extends Answers {
  readonly random: () => number;
  readonly cancel: boolean;
}

function drive(plan: WorkflowPlan, { random, cancel, ...answers }: Drive): PlanRun {
  const run = startPlan(plan);
  let facts = 0;
  const cancelAt = cancel ? Math.floor(random() * 12) : -1;
  while (run.end() === undefined) {
    if (++facts > 5000) throw new Error('it does not come to an end');
    const open = run.open();
    if (facts - 1 === cancelAt) {
      run.cancel();
      continue;
    }
    const id = open[Math.floor(random() * open.length)];
    if (id === undefined) throw new Error('it has not ended, and nothing is open');
    const entry = run.entry(id);
    // What is cancelled may still have its own result first.
    const isTakenBack = run.isRecalled(id) && random() < 0.7;
    run.give(id, isTakenBack ? { err: errorOf({ code: 'cancelled', retryable: false }) } : answer(entry, answers));
  }
  expect(run.open()).toEqual([]);
  for (const [{ node }, most] of run.most) {
    expect(most, 'M4').toBeLessThanOrEqual(node.kind === 'parallel' ? (node.maxConcurrency ?? 0) : 0);
  }
  return run;
}

/** Until only people and timers are awaited. */
function work(run: PlanRun, random: () => number, answers: Answers): void {
  for (;;) {
    const open = run.open().filter((id) => !['signal', 'timer'].includes(run.command(id).op));
    const id = open[Math.floor(random() * open.length)];
    if (id === undefined) return;
    run.give(id, answer(run.entry(id), answers));
  }
}

function planOf(seed: number, options?: GenerateOptions): WorkflowPlan {
  return generatePlan(numbers(seed), options);
}

describe('random plans', () => {
  it('M2, M4: always end, with nothing open, whatever fails and whoever cancels', () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(seeds, seeds, fc.constantFrom(0, 0.2, 0.5), fc.boolean(), (seed, order, failing, cancel) => {
        const run = drive(planOf(seed), { random: numbers(order), failing, fatal: true, cancel });
        for (const kind of Object.keys(run.end() ?? {})) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const opened = run.commands.flatMap((command) => ('id' in command ? [command.id] : []));
        expect(new Set(opened).size).toBe(opened.length);
      }),
      { numRuns: runs },
    );
    expect([...kinds.keys()].sort()).toEqual(['cancelled', 'err', 'none', 'ok'].sort());
  });

  it('M4: when all wait, nothing is kept back by a limit', () => {
    let woke = 0;
    fc.assert(
      fc.property(seeds, seeds, (seed, order) => {
        const plan = planOf(seed, { failures: false });
        const answers = { failing: 0.3, fatal: false };
        const [limited, free] = [startPlan(plan), startPlan(withoutLimits(plan))];
        const random = numbers(order);
        while (limited.end() === undefined) {
          for (const run of [limited, free]) work(run, random, answers);
          const waits = limited.open();
          expect(waits.sort(), 'M4').toEqual(free.open().sort());
          const id = waits[Math.floor(random() * waits.length)];
          if (id === undefined) break;
          for (const run of [limited, free]) run.give(id, answer(run.entry(id), answers));
        }
        expect(limited.end()).toEqual(free.end());
        woke += limited.commands.filter(({ op }) => op === 'proceed').length;
      }),
      { numRuns: runs },
    );
    expect(woke).toBeGreaterThan(runs / 20);
  });

  it('the same facts in the same order give the same commands', () => {
    fc.assert(
      fc.property(seeds, seeds, fc.boolean(), (seed, order, cancel) => {
        const options = { workflows: false };
        const run = drive(planOf(seed, options), { random: numbers(order), failing: 0.2, fatal: true, cancel });
        const init = { runId: 'run', path: '', input: { topic: 'tea' }, at: 0 };
        const machine = createWorkflowMachine(planOf(seed, options), init);
        const commands: Command[] = [...machine.start()];
        for (const fact of run.facts) for (const command of machine.deliver(fact)) commands.push(command);
        expect(commands.map(asData)).toEqual(run.commands.map(asData));
        expect(machine.end).toEqual(run.end());
      }),
      { numRuns: runs / 2 },
    );
  });

  it('without failures neither the result nor any step depends on the order of the facts', () => {
    fc.assert(
      fc.property(seeds, seeds, seeds, (seed, order, other) => {
        const plan = planOf(seed, { failures: false });
        const [a, b] = [order, other].map((each) =>
          drive(plan, { random: numbers(each), failing: 0.3, fatal: false, cancel: false }),
        );
        expect(a?.end()).toEqual(b?.end());
        expect(Object.keys(a?.end() ?? {})).not.toContain('err');
        expect(byId(a?.commands ?? [])).toEqual(byId(b?.commands ?? []));
      }),
      { numRuns: runs },
    );
  });
});

/** With what it would see. */
function asData(command: Command): unknown {
  const { keyWith: _, ...data } = command as Partial<StepCommand>;
  return command.op === 'step' ? { ...data, values: valuesOf(command) } : data;
}

/** How often a child has to be let go on depends on the order. */
function byId(commands: readonly Command[]): readonly unknown[] {
  const idOf = (command: Command) => ('id' in command ? command.id : `-${command.target}`);
  const lasting = commands.filter(({ op }) => op !== 'proceed');
  return lasting.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)).map(asData);
}
