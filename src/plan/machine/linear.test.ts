/** A fact costs its own consequences, however long the plan is. */
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../expr/index.ts';
import { jsonType } from '../../type/index.ts';
import type { Condition, StepNode, WorkflowNode, WorkflowPlan } from '../node.ts';
import { createWorkflowMachine } from './machine.ts';

function step(index: number, more: Partial<StepNode> = {}): StepNode {
  const id = `s${index}`;
  return {
    kind: 'step',
    id,
    path: id,
    action: { kind: 'run', code: 'return 1', edits: [], reads: [] },
    output: jsonType,
    needs: [],
    retry: { maxAttempts: 1, backoff: 'fixed', initialDelayMs: 0 },
    ...more,
  };
}

function planOf(children: readonly WorkflowNode[]): WorkflowPlan {
  const rest = { types: {}, agents: {}, services: [], plugins: [], workflows: {} };
  return { kind: 'plan', name: 'long', input: jsonType, ...rest, children, result: jsonType };
}

const many = (count: number, more?: (index: number) => Partial<StepNode>) =>
  Array.from({ length: count }, (_, index) => step(index, more?.(index)));

const parallel = (children: readonly WorkflowNode[], maxConcurrency?: number): WorkflowNode =>
  maxConcurrency === undefined
    ? { kind: 'parallel', path: 'p', children }
    : { kind: 'parallel', path: 'p', maxConcurrency, children };

const shapes: readonly [string, (count: number) => WorkflowPlan][] = [
  ['steps in sequence', (count) => planOf(many(count))],
  ['steps in parallel', (count) => planOf([parallel(many(count))])],
  ['steps in parallel with a limit', (count) => planOf([parallel(many(count), 3)])],
  [
    'steps that wait for each other in parallel',
    (count) =>
      planOf([
        parallel(
          many(count, (index) => (index > 0 ? { needs: [`s${index - 1}`] } : {})),
          2,
        ),
      ]),
  ],
  [
    'steps that all wait for one',
    (count) =>
      planOf([
        parallel(
          many(count, (i) => (i > 0 ? { needs: ['s0'] } : {})),
          5,
        ),
      ]),
  ],
  [
    'limits inside of limits',
    (count) =>
      planOf([
        parallel(
          Array.from({ length: 10 }, (_, group): WorkflowNode => {
            const children = many(count / 10).map((each) => ({ ...each, path: `g${group}-${each.path}` }));
            return { kind: 'parallel', path: `g${group}`, maxConcurrency: 2, children };
          }),
          3,
        ),
      ]),
  ],
];

function run(plan: WorkflowPlan): number {
  const machine = createWorkflowMachine(plan, { runId: 'r', path: '', input: null, at: 0 });
  const todo = [...machine.start()];
  let steps = 0;
  for (let at = 0; at < todo.length; at++) {
    const command = todo[at];
    if (command?.op !== 'step') throw new Error('only steps');
    steps++;
    for (const next of machine.deliver({ id: command.id, at, ok: 1 })) todo.push(next);
  }
  expect(machine.end).toBeDefined();
  return steps;
}

/** CPU time of this process, because others share the machine. */
function cost(make: () => WorkflowPlan, count: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const plan = make();
    const before = process.cpuUsage();
    expect(run(plan)).toBe(count);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}

describe('long plans', () => {
  it.each(shapes)('%s: ten times as many cost about ten times as much', (_, make) => {
    cost(() => make(200), 200);
    // Quadratic would be 100, every time; small runs are measured badly, and what other tests left behind may be collected now.
    let ratio = 100;
    for (let attempt = 0; attempt < 4 && ratio >= 40; attempt++) {
      const small = cost(() => make(200), 200);
      ratio = cost(() => make(2000), 2000) / Math.max(small, 2000);
    }
    expect(ratio).toBeLessThan(40);
  });

  const isTrue: Condition = {
    text: 'true',
    expression: parseCondition('true').expression as Condition['expression'],
    reads: [],
  };

  it('100,000 steps that are all skipped do not exhaust the stack', () => {
    expect(run(planOf(many(100_000, () => ({ skipIf: isTrue }))))).toBe(0);
    expect(
      run(
        planOf([
          parallel(
            many(100_000, () => ({ skipIf: isTrue })),
            1,
          ),
        ]),
      ),
    ).toBe(0);
  });

  it('a loop whose steps are all skipped does not either', () => {
    const until: Condition = { ...isTrue, expression: parseCondition('false').expression as Condition['expression'] };
    const loop: WorkflowNode = {
      kind: 'loop',
      path: 'l',
      until,
      maxIterations: 50_000,
      onMaxReached: 'return-last',
      children: [step(0, { path: 'l/s0', skipIf: isTrue })],
    };
    expect(run(planOf([loop]))).toBe(0);
    expect(run(planOf([{ ...loop, children: [] }]))).toBe(0);
  });
});
