/** What the machine does with worktrees: made before the nodes inside, removed behind them, whatever happens. */
import { describe, expect, it } from 'vitest';
import type { StepCommand } from '../../machine/index.ts';
import { flow, planOf, prompt } from '../plan-test-kit.ts';
import { type PlanRun, startPlan } from './run-plan.ts';

const code = (id: string, indent: number, more = '') =>
  `  - id: ${id}\n    run: "return 1"\n    output: number\n${more}`.replace(/^/gm, ' '.repeat(indent)).trimEnd();
const tree = (children: readonly string[], head = 'path: ../tree', id = 'work') =>
  `  - kind: worktree\n    id: ${id}\n${head.replace(/^/gm, '    ')}\n    children[${children.length}]:\n${children.join('\n')}\n`;
/** Two blanks further to the right for each level. */
const inside = (text: string, levels = 2) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => '  '.repeat(levels) + line)
    .join('\n');

const begin = async (steps: string, count?: number) => startPlan(await planOf(flow(steps, count)));
const made = { path: '/trees/one', commit: 'abc' };
const place = (run: PlanRun, id: string) => {
  const { cwd, worktree, shared } = run.command(id) as StepCommand;
  return { cwd, worktree, ...(shared && { shared }) };
};

describe('a worktree', () => {
  it('is added, its nodes are done in order, and it is removed', async () => {
    const run = await begin(tree([code('a', 4), code('b', 4)]) + code('c', 0), 2);
    expect(run.first).toEqual(['work.add']);
    expect(run.command('work.add')).toMatchObject({
      spec: { kind: 'worktree', action: 'add', node: 'work', path: '../tree' },
    });
    expect(run.ok('work.add', made)).toEqual(['a#1']);
    expect(place(run, 'a#1')).toEqual({ cwd: '/trees/one', worktree: 'work' });
    expect(run.ok('a#1', 1)).toEqual(['b#1']);
    expect(run.ok('b#1', 2)).toEqual(['work.remove']);
    expect(run.command('work.remove')).toMatchObject({ spec: { kind: 'worktree', action: 'remove', keep: false } });
    expect(run.ok('work.remove', {})).toEqual(['c#1']);
    expect(place(run, 'c#1')).toEqual({ cwd: undefined, worktree: undefined });
    run.ok('c#1', 3);
    expect(run.end()).toEqual({ ok: 3 });
  });

  it('gives what its last node gives, and is asked for with its texts filled in', async () => {
    const head = 'path: "../{input.topic}"\nbranch: "fix/{input.topic}"\nbase: "{input.topic.slice(9)}"\nkeep: true';
    const run = await begin(tree([code('a', 4)], head));
    expect(run.command('work.add')).toMatchObject({ spec: { path: '../tea', branch: 'fix/tea' } });
    expect((run.command('work.add') as StepCommand).spec).not.toHaveProperty('base');
    run.ok('work.add', made);
    run.ok('a#1', 7);
    expect(run.command('work.remove')).toMatchObject({ spec: { keep: true } });
    run.ok('work.remove', {});
    expect(run.end()).toEqual({ ok: 7 });
  });

  it('that cannot be made fails, and is not removed', async () => {
    const run = await begin(tree([code('a', 4)]));
    expect(run.err('work.add', { code: 'worktree', message: 'no' })).toEqual([]);
    expect(run.end()).toMatchObject({ err: { code: 'worktree', node: 'work', at: 'flow.toon:8:5' } });
  });

  it('is removed when something inside failed, when all that is open has ended', async () => {
    const both = `      - kind: parallel\n        children[2]:\n${code('a', 8)}\n${code('b', 8)}`;
    const run = await begin(tree([both]));
    expect(run.ok('work.add', made)).toEqual(['a#1', 'b#1']);
    expect(place(run, 'b#1')).toEqual({ cwd: '/trees/one', worktree: 'work', shared: true });
    expect(run.err('a#1')).toEqual([]);
    expect(run.ok('b#1', 1)).toEqual(['work.remove']);
    expect(run.end()).toBeUndefined();
    run.ok('work.remove', { kept: 'work' });
    expect(run.end()).toMatchObject({ err: { node: 'a' } });
  });

  it('is removed after a failure beside it', async () => {
    const run = await begin(
      `  - kind: parallel\n    children[2]:\n${inside(tree([code('a', 4), code('b', 4)]))}\n${code('c', 4)}\n`,
    );
    run.ok('work.add', made);
    run.err('c#1');
    expect(run.ok('a#1', 1)).toEqual(['work.remove']);
    run.ok('work.remove', {});
    expect(run.end()).toMatchObject({ err: { node: 'c' } });
  });

  it('is removed after a cancel, and the removal is not cancelled', async () => {
    const run = await begin(tree([code('a', 4)]));
    run.ok('work.add', made);
    expect(run.cancel()).toEqual(['-a#1']);
    expect(run.err('a#1', { code: 'cancelled' })).toEqual(['work.remove']);
    expect(run.cancel('again')).toEqual([]);
    run.ok('work.remove', {});
    expect(run.end()).toEqual({ cancelled: 'enough' });
  });

  it('that is being removed when a cancel comes is removed once', async () => {
    const run = await begin(tree([code('a', 4)]) + code('b', 0), 2);
    run.ok('work.add', made);
    run.ok('a#1', 1);
    expect(run.cancel()).toEqual([]);
    expect(run.ok('work.remove', {})).toEqual([]);
    expect(run.end()).toEqual({ cancelled: 'enough' });
  });

  it('of which nobody knows whether it was made is removed', async () => {
    const run = await begin(tree([code('a', 4)]));
    expect(run.cancel()).toEqual(['-work.add']);
    expect(run.err('work.add', { code: 'cancelled' })).toEqual(['work.remove']);
    run.ok('work.remove', {});
    expect(run.end()).toEqual({ cancelled: 'enough' });
  });

  it('that was made while others failed is removed, and nothing begins in it', async () => {
    const run = await begin(`  - kind: parallel\n    children[2]:\n${inside(tree([code('a', 4)]))}\n${code('c', 4)}\n`);
    run.err('c#1');
    expect(run.ok('work.add', made)).toEqual(['work.remove']);
    run.ok('work.remove', {});
    expect(run.end()).toMatchObject({ err: { node: 'c' } });
  });

  it('that cannot be removed fails', async () => {
    const run = await begin(tree([code('a', 4)]));
    run.ok('work.add', made);
    run.ok('a#1', 1);
    run.err('work.remove', { code: 'worktree' });
    expect(run.end()).toMatchObject({ err: { code: 'worktree', node: 'work' } });
  });

  it('inside of another one is where its own nodes work, and is removed first', async () => {
    const inner = inside(tree([code('b', 4)], 'path: ../inner', 'inner'));
    const run = await begin(tree([code('a', 4), inner]));
    run.ok('work.add', made);
    expect(run.ok('a#1', 1)).toEqual(['inner.add']);
    expect(place(run, 'inner.add')).toEqual({ cwd: '/trees/one', worktree: 'work' });
    run.ok('inner.add', { path: '/trees/two', commit: 'abc' });
    expect(place(run, 'b#1')).toEqual({ cwd: '/trees/two', worktree: 'inner' });
    expect(run.err('b#1')).toEqual(['inner.remove']);
    expect(run.ok('inner.remove', {})).toEqual(['work.remove']);
    run.ok('work.remove', {});
    expect(run.end()).toMatchObject({ err: { node: 'b' } });
  });

  it('in a loop is another one in each round', async () => {
    const loop = `  - kind: loop\n    id: polish\n    until: "{a == 2}"\n    children[1]:\n${inside(tree([code('a', 4)]))}\n`;
    const run = await begin(loop);
    expect(run.first).toEqual(['polish[1]/work.add']);
    run.ok('polish[1]/work.add', made);
    expect(place(run, 'polish[1]/a#1')).toMatchObject({ worktree: 'polish[1]/work' });
    run.ok('polish[1]/a#1', 1);
    expect(run.ok('polish[1]/work.remove', {})).toEqual(['polish[2]/work.add']);
    run.ok('polish[2]/work.add', made);
    run.ok('polish[2]/a#1', 2);
    run.ok('polish[2]/work.remove', {});
    expect(run.end()).toEqual({ ok: 2 });
  });

  it('holds prompt steps and sub-workflows too: what they do works there', async () => {
    const sub = `name: sub\ninput:\nsteps[1]:\n${code('x', 0)}\n`;
    const call = '      - kind: workflow\n        id: w\n        use: sub';
    const text = `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${flow(tree([inside(prompt('p', 'Do it')), call]))}`;
    const run = startPlan(await planOf(text, { files: { 'sub.toon': sub } }));
    expect(run.ok('work.add', made)).toEqual(['p#1']);
    expect(place(run, 'p#1')).toEqual({ cwd: '/trees/one', worktree: 'work' });
    expect(run.ok('p#1', { text: 'done' })).toEqual(['w', 'w/x#1']);
    expect(place(run, 'w/x#1')).toEqual({ cwd: '/trees/one', worktree: 'work' });
    expect(run.ok('w/x#1', 5)).toEqual(['work.remove']);
  });

  it('in which an approval was denied is removed', async () => {
    const ask =
      '      - kind: approval\n        id: ok\n        onDeny: skip\n        request:\n          title: Go on?';
    const run = await begin(tree([ask, code('a', 4)]));
    run.ok('work.add', made);
    expect(run.ok('ok', { approved: false })).toEqual(['work.remove']);
    run.ok('work.remove', {});
    expect(run.end()).toEqual({ none: true });
  });

  it('counts for a limit while it is made and removed, and not in between', async () => {
    const trees = ['one', 'two'].map((id) => inside(tree([code(`in-${id}`, 4)], `path: ../${id}`, id)));
    const run = await begin(`  - kind: parallel\n    maxConcurrency: 1\n    children[2]:\n${trees.join('\n')}\n`);
    expect(run.first).toEqual(['one.add']);
    const order: string[] = [];
    for (let next = run.open()[0]; next !== undefined; next = run.open()[0]) {
      order.push(next);
      expect(run.open()).toHaveLength(1);
      run.ok(next, next.endsWith('.add') ? made : 1);
    }
    expect(order).toHaveLength(6);
    expect(run.end()).toEqual({ ok: [1, 1] });
  });
});
