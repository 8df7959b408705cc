/** The graph of a run: what became of each node, beside what the plan allows. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent, RunRow } from '../journal/index.ts';
import { flow, planOf } from '../plan/plan-test-kit.ts';
import { painter } from '../text/index.ts';
import { graphOfRun, graphText, runTree } from './index.ts';

const row: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'done', startedAt: 0, updatedAt: 0, endedAt: 9 };

async function drawn(steps: string, ids: readonly string[], from?: 'cache'): Promise<string> {
  const plan = await planOf(flow(steps));
  const bodies = (id: string): readonly (readonly [string, EventBody])[] => [
    [id, { kind: 'node.started', key: '' }],
    [id, { kind: 'node.done', output: 'x', ...(from && { from }) }],
  ];
  const events = ids
    .flatMap(bodies)
    .map(([node, body], i): JournalEvent => ({ seq: i + 1, at: i * 1000, run: 'r', node, body }));
  return graphText(graphOfRun(plan, runTree({ row, plan, events, driven: false })), painter(false));
}

describe('the graph of a run', () => {
  it('says which attempt it was, and how many are allowed', async () => {
    const step = '  - id: a\n    run: "return \'x\'"\n    output: string\n    maxAttempts: 3\n';
    expect(await drawn(step, ['a#1'])).toContain('done 1.0s, at most 3 attempts');
    expect(await drawn(step, ['a#2'])).toContain('done 1.0s attempt 2, at most 3 attempts');
  });

  it('tells a result of the cache from one that the step has come to', async () => {
    const step = '  - id: a\n    run: "return \'x\'"\n    output: string\n    cache:\n      by: "1"\n';
    expect(await drawn(step, ['a#1'])).toContain('done 1.0s, with cache');
    expect(await drawn(step, ['a#1'], 'cache')).toContain('done 1.0s from the cache, with cache');
  });

  it('marks what a sub-workflow holds that was not reached', async () => {
    const inner = 'name: inner\ninput:\nsteps[1]:\n  - id: a\n    run: "return \'x\'"\n    output: string\n';
    const plan = await planOf(
      'name: outer\ninput:\nimports:\n  workflows[1]:\n    - use: inner\n      from: ./inner.toon\nsteps[1]:\n  - kind: workflow\n    id: c\n    use: inner\n',
      { files: { 'inner.toon': inner } },
    );
    for (const [status, mark] of [
      ['failed', 'unreached'],
      ['done', 'skipped'],
    ] as const) {
      const tree = runTree({ row: { ...row, status }, plan, events: [], driven: false });
      const [drawnCall] = graphOfRun(plan, tree).nodes;
      expect(drawnCall?.status).toBe(mark);
      expect(drawnCall?.parts[0]?.nodes[0]).toMatchObject({ path: 'c/a', status: mark, notes: [mark] });
    }
  });

  it('counts the rounds of an inner loop in the last round of the outer one', async () => {
    const step = '          - id: a\n            run: "return \'x\'"\n            output: string\n';
    const inner = `      - kind: loop\n        id: i\n        until: "{a} == 'y'"\n        maxIterations: 5\n        children[1]:\n${step}`;
    const outer = `  - kind: loop\n    id: o\n    until: "{a} == 'y'"\n    maxIterations: 5\n    children[1]:\n${inner}`;
    const ids = ['o[1]/i[1]/a#1', 'o[1]/i[2]/a#1', 'o[1]/i[3]/a#1', 'o[2]/i[1]/a#1', 'o[2]/i[2]/a#1'];
    const text = await drawn(outer, ids);
    expect(text).toMatch(/o {2}loop {2}done round 2 /);
    expect(text).toMatch(/i {2}loop {2}done round 2 /);
  });
});
