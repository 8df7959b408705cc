import { describe, expect, it } from 'vitest';
import type { AgentSpec, StepNode, WorkflowNode, WorkflowPlan } from '../plan/index.ts';
import { textType } from '../type/index.ts';
import { mostCalls } from './most-calls.ts';

const agent = (name: string): AgentSpec => ({ name, type: 'openai', fields: { model: name } });

function plan(children: readonly WorkflowNode[], workflows: Record<string, WorkflowPlan> = {}): WorkflowPlan {
  return {
    kind: 'plan',
    name: 'test',
    input: textType,
    types: {},
    agents: { cheap: agent('cheap'), dear: agent('dear'), free: agent('free') },
    services: [],
    plugins: [],
    workflows,
    children,
    result: { kind: 'nothing' },
  };
}

function step(id: string, by = 'cheap', maxAttempts = 1): StepNode {
  const prompt = { text: '', parts: [], reads: [] };
  return {
    kind: 'step',
    id,
    path: id,
    action: { kind: 'prompt', agent: by, prompt },
    output: textType,
    needs: [],
    retry: { maxAttempts, backoff: 'fixed', initialDelayMs: 0 },
  };
}

const code: StepNode = { ...step('code'), action: { kind: 'handler', module: './x.ts', name: 'x' } };
const condition = { text: 'true', expression: { kind: 'literal', value: true, start: 0, end: 4 }, reads: [] } as const;

const loop = (maxIterations: number, ...children: WorkflowNode[]): WorkflowNode => {
  return { kind: 'loop', path: 'loop', until: condition, maxIterations, onMaxReached: 'fail', children };
};
const branch = (then: readonly WorkflowNode[], other: readonly WorkflowNode[]): WorkflowNode => {
  return { kind: 'branch', path: 'branch', condition, then, else: other };
};

/** `cheap` costs a dollar and asks three times, `dear` costs ten and asks once, of `free` nobody knows. */
function most(children: readonly WorkflowNode[], workflows?: Record<string, WorkflowPlan>) {
  const found = mostCalls(plan(children, workflows), ({ action }) => {
    if (action.agent === 'free') return { calls: 1 };
    return action.agent === 'dear' ? { calls: 1, usd: 10 } : { calls: 3, usd: 1 };
  });
  return { calls: found.calls, usd: found.usd, steps: found.steps.map(({ path, calls, usd }) => [path, calls, usd]) };
}

describe('the most that a plan asks', () => {
  it('is nothing where nobody is asked', () => {
    expect(most([code])).toEqual({ calls: 0, usd: 0, steps: [] });
  });

  it('is the sum of its steps, beside each other too, with all attempts', () => {
    const found = most([
      step('a'),
      { kind: 'parallel', path: 'p', children: [step('b', 'dear'), step('c', 'cheap', 4)] },
    ]);
    expect(found).toMatchObject({ calls: 3 + 1 + 12, usd: 1 + 10 + 4 });
    expect(found.steps).toEqual([
      ['a', 3, 1],
      ['b', 1, 10],
      ['c', 12, 4],
    ]);
  });

  it('has every turn of every loop', () => {
    expect(most([loop(5, step('a', 'cheap', 2), loop(3, step('b', 'dear')))])).toMatchObject({
      calls: 5 * 6 + 15,
      usd: 10 + 150,
    });
  });

  it('has the arm with more calls, and the dearer one, each for itself', () => {
    expect(most([branch([step('a')], [step('b', 'dear')])])).toMatchObject({ calls: 3, usd: 10 });
    expect(most([branch([], [step('b')])])).toMatchObject({ calls: 3, usd: 1 });
    expect(most([loop(2, branch([step('a')], [step('b', 'dear')]))])).toMatchObject({ calls: 6, usd: 20 });
  });

  it('has sub-workflows at each of their calls, components and all that only holds', () => {
    const inner = plan([step('x', 'dear')]);
    const call = (id: string): WorkflowNode => ({
      kind: 'workflow',
      id,
      path: id,
      use: 'inner',
      input: { kind: 'json', value: {} },
      needs: [],
    });
    const part: WorkflowNode = {
      kind: 'component',
      id: 'part',
      path: 'part',
      use: 'p',
      params: { kind: 'json', value: {} },
      paramType: textType,
      children: [step('y')],
    };
    const held: WorkflowNode = {
      kind: 'sequence',
      path: 's',
      children: [
        { kind: 'worktree', path: 'w', folder: { text: '', parts: [], reads: [] }, keep: false, children: [step('z')] },
      ],
    };
    const found = most([call('one'), loop(4, call('two')), part, held], { inner });
    expect(found).toMatchObject({ calls: 1 + 4 + 3 + 3, usd: 10 + 40 + 1 + 1 });
    expect(found.steps.map(([path]) => path)).toEqual(['one/x', 'two/x', 'y', 'z']);
  });

  it('does not take what nobody knows for nothing', () => {
    expect(most([step('a', 'free'), step('b')])).toEqual({
      calls: 4,
      usd: 1,
      steps: [
        ['a', 1, undefined],
        ['b', 3, 1],
      ],
    });
  });

  it('may be more than numbers hold', () => {
    let nested: WorkflowNode = step('a');
    for (let i = 0; i < 60; i++) nested = loop(1_000_000, nested);
    expect(most([nested]).calls).toBe(Number.POSITIVE_INFINITY);
  });

  it('names the plugins whose code may ask too', () => {
    const node: WorkflowNode = {
      kind: 'plugin',
      path: 'n',
      type: 'poll',
      module: './p.ts',
      fields: { kind: 'json', value: {} },
      output: textType,
      needs: [],
    };
    expect(mostCalls(plan([node, node]), () => ({ calls: 1 }))).toEqual({
      calls: 0,
      usd: 0,
      steps: [],
      plugins: ['poll'],
    });
  });
});
