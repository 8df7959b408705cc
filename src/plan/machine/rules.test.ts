/** M1 to M7: the rules of machines, one by one. */
import { describe, expect, it } from 'vitest';
import type { Command, End, Outcome } from '../../machine/index.ts';
import { flow, planOf, prompt } from '../plan-test-kit.ts';
import { createWorkflowMachine } from './machine.ts';
import { type PlanRun, startPlan } from './run-plan.ts';

const some = (text = 'x') => ({ text });
const cancelled = { code: 'cancelled', message: 'cancelled', retryable: false };

async function start(steps: string, options = {}): Promise<PlanRun> {
  return startPlan(await planOf(flow(steps)), options);
}

function inside(text: string, levels = 2): string {
  return text.replace(/^(?=.)/gm, '  '.repeat(levels));
}

function parallel(children: string, more = ''): string {
  const count = [...children.matchAll(/^ {2}- /gm)].length;
  return `  - kind: parallel\n${more}    children[${count}]:\n${inside(children)}`;
}

function sequence(children: string): string {
  const count = [...children.matchAll(/^ {2}- /gm)].length;
  return `  - kind: sequence\n    children[${count}]:\n${inside(children)}`;
}

function approval(id: string, more = ''): string {
  return `  - kind: approval\n    id: ${id}\n${more}    request:\n      title: ${id}?\n`;
}

const retry = (times: number, backoff = 'fixed', delay = '10s') =>
  `    retry:\n      maxAttempts: ${times}\n      backoff: ${backoff}\n      initialDelay: ${delay}\n`;

function timer(run: PlanRun, id: string): number {
  const command = run.command(id);
  return command.op === 'timer' ? command.ms : Number.NaN;
}

describe('M1 time is that of facts, chance is a hash', () => {
  it('M1 a wait before the next attempt depends on the run and the id alone', async () => {
    const steps = prompt('a', 'x', retry(3));
    const [one, same, other] = [
      await start(steps, { runId: 'r1', at: 5 }),
      await start(steps, { runId: 'r1', at: 99 }),
      await start(steps, { runId: 'r2', at: 5 }),
    ];
    for (const run of [one, same, other]) expect(run.err('a#1')).toEqual(['a#1.wait']);
    expect(timer(one, 'a#1.wait')).toBe(timer(same, 'a#1.wait'));
    expect(timer(one, 'a#1.wait')).not.toBe(timer(other, 'a#1.wait'));
    expect(timer(one, 'a#1.wait')).toBeGreaterThanOrEqual(10_000);
    expect(timer(one, 'a#1.wait')).toBeLessThanOrEqual(12_500);
  });

  it('M1 Date.now() is when the machine began, and decidedAt is the time of the fact', async () => {
    const run = await start(`${approval('ok')}${prompt('a', '{Date.now()} {ok.decidedAt}')}`, { at: 7 });
    run.ok('ok', { approved: true }, 1000);
    expect(run.command('a#1')).toMatchObject({ ref: { prompt: '7 1970-01-01T00:00:01.000Z' } });
  });
});

describe('M2 an id is emitted once, and each command gets one fact', () => {
  it('M2 attempts, iterations and uses all have ids of their own', async () => {
    const loop = `  - kind: loop\n    id: l\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[1]:\n${inside(prompt('a', 'x', retry(2)))}`;
    const run = await start(loop);
    for (const round of [1, 2]) {
      run.err(`l[${round}]/a#1`);
      run.ok(`l[${round}]/a#1.wait`);
      run.ok(`l[${round}]/a#2`, some());
    }
    expect(run.commands.map((command) => 'id' in command && command.id)).toEqual([
      'l[1]/a#1',
      'l[1]/a#1.wait',
      'l[1]/a#2',
      'l[2]/a#1',
      'l[2]/a#1.wait',
      'l[2]/a#2',
    ]);
  });

  it('M2 a fact of something that is not open, or after the end, is a mistake of the driver', async () => {
    const plan = await planOf(flow(prompt('a', 'x')));
    const machine = createWorkflowMachine(plan, { runId: 'run', path: '', input: { topic: 'tea' }, at: 0 });
    machine.start();
    expect(() => machine.deliver({ id: 'b#1', at: 0, ok: null })).toThrow('nothing is open that is called "b#1"');
    machine.deliver({ id: 'a#1', at: 0, ok: some() });
    expect(() => machine.deliver({ id: 'a#1', at: 0, ok: null })).toThrow('has ended');
  });
});

describe('M3 what becomes ready together is emitted in document order', () => {
  it('M3 whoever it was that all of them waited for', async () => {
    const needs = '    needs: z\n';
    const run = await start(
      parallel(prompt('c', 'x', needs) + prompt('b', 'x', needs) + prompt('z', 'x') + prompt('a', 'x', needs)),
    );
    expect(run.ok('z#1', some())).toEqual(['c#1', 'b#1', 'a#1']);
  });

  it('M3 also when one is woken by another that stands behind it', async () => {
    const run = await start(
      parallel(prompt('a', 'x', '    needs: c\n') + prompt('b', 'x') + prompt('c', 'x', '    skipIf: "true"\n')),
    );
    expect(run.first).toEqual(['a#1', 'b#1']);
  });
});

describe('M4 a limit counts open steps, and what waits holds no slot', () => {
  const limited = (children: string) => parallel(children, '    maxConcurrency: 1\n');

  it('M4 no more steps than the limit are open, the next in document order follows', async () => {
    const run = await start(limited(prompt('a', 'x') + prompt('b', 'x') + prompt('c', 'x')));
    expect(run.first).toEqual(['a#1']);
    expect(run.ok('a#1', some())).toEqual(['b#1']);
    expect(run.ok('b#1', some())).toEqual(['c#1']);
  });

  it('M4 a step that waits for another holds no slot', async () => {
    const run = await start(limited(prompt('a', 'x', '    needs: b\n') + prompt('b', 'x')));
    expect(run.first).toEqual(['b#1']);
    expect(run.ok('b#1', some())).toEqual(['a#1']);
  });

  it('M4 a step that waits to be tried again holds no slot', async () => {
    const run = await start(limited(prompt('a', 'x', retry(2)) + prompt('b', 'x')));
    expect(run.err('a#1')).toEqual(['a#1.wait', 'b#1']);
    expect(run.ok('a#1.wait')).toEqual([]);
    expect(run.ok('b#1', some())).toEqual(['a#2']);
  });

  it('M4 an approval holds no slot', async () => {
    const run = await start(limited(approval('ok') + prompt('a', 'x')));
    expect(run.first).toEqual(['ok', 'a#1']);
  });

  it('M4 a step is skipped without a slot', async () => {
    const run = await start(
      limited(prompt('a', 'x') + prompt('b', 'x', '    skipIf: "true"\n') + approval('ok', '    needs: b\n')),
    );
    expect(run.first).toEqual(['a#1', 'ok']);
  });

  it('M4 a step counts in every parallel around it', async () => {
    const two = (names: string[]) =>
      parallel(names.map((name) => prompt(name, 'x')).join(''), '    maxConcurrency: 2\n');
    const run = await start(parallel(two(['a', 'b', 'c']) + two(['d', 'e', 'f']), '    maxConcurrency: 3\n'));
    expect(run.first).toEqual(['a#1', 'b#1', 'd#1']);
    expect(run.ok('d#1', some())).toEqual(['e#1']);
    expect(run.ok('a#1', some())).toEqual(['c#1']);
    expect(run.ok('e#1', some())).toEqual(['f#1']);
  });
});

describe('M4 what waits holds no slot, wherever it stands', () => {
  const limited = (children: string) => parallel(children, '    maxConcurrency: 1\n');
  const yes = { approved: true, decidedBy: 'ada' };
  const loop = (id: string, children: string) =>
    `  - kind: loop\n    id: ${id}\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[${[...children.matchAll(/^ {2}- /gm)].length}]:\n${inside(children)}`;

  it('M4 an approval in a sequence', async () => {
    const run = await start(
      limited(sequence(approval('p') + prompt('a', 'x')) + sequence(approval('q') + prompt('b', 'x'))),
    );
    expect(run.first).toEqual(['p', 'q']);
    expect(run.ok('q', yes)).toEqual(['b#1']);
    expect(run.ok('p', yes)).toEqual([]);
    expect(run.ok('b#1', some())).toEqual(['a#1']);
  });

  it('M4 an approval between the steps of a loop', async () => {
    const run = await start(limited(loop('l', prompt('a', 'x') + approval('p')) + prompt('b', 'x')));
    expect(run.first).toEqual(['l[1]/a#1']);
    expect(run.ok('l[1]/a#1', some())).toEqual(['l[1]/p', 'b#1']);
    expect(run.ok('l[1]/p', yes)).toEqual([]);
    expect(run.ok('b#1', some())).toEqual(['l[2]/a#1']);
  });

  it('M4 the wait for another attempt in a loop', async () => {
    const run = await start(limited(loop('l', prompt('a', 'x', retry(2))) + prompt('b', 'x')));
    expect(run.err('l[1]/a#1')).toEqual(['l[1]/a#1.wait', 'b#1']);
    expect(run.ok('l[1]/a#1.wait')).toEqual([]);
    expect(run.ok('b#1', some())).toEqual(['l[1]/a#2']);
  });

  it('M4 what needs something else, in a sequence in a limit in a limit', async () => {
    const run = await start(
      limited(limited(sequence(prompt('a', 'x', '    needs: b\n') + prompt('c', 'x'))) + prompt('b', 'x')),
    );
    expect(run.first).toEqual(['b#1']);
    expect(run.ok('b#1', some())).toEqual(['a#1']);
  });
});

describe('M4 a child in which all wait holds no slot', () => {
  const yes = { approved: true, decidedBy: 'ada' };
  const count = (steps: string) => [...steps.matchAll(/^ {2}- /gm)].length;
  const call = (id: string, use = 'sub') =>
    `  - kind: workflow\n    id: ${id}\n    use: ${use}\n    input:\n      topic: "{input.topic}"\n`;
  const using = (name: string, steps: string) =>
    `imports:\n  workflows[1]{from,as}:\n    ./${name}.toon,${name}\n${flow(steps, count(steps))}`;
  const limited = (children: string) => parallel(children, '    maxConcurrency: 1\n');

  /** `sub` and, around it, `mid` which only calls it. */
  async function startAll(steps: string, sub: string, use = 'sub'): Promise<PlanRun> {
    const named = (name: string, text: string) => text.replace('name: flow', `name: ${name}`);
    const files = { 'sub.toon': named('sub', flow(sub)), 'mid.toon': named('mid', using('sub', call('c'))) };
    return startPlan(await planOf(using(use, steps), { files }));
  }

  const asks = approval('ok') + prompt('x', 'x');

  it('M4 all are asked at once, and go on one after the other', async () => {
    const run = await startAll(limited(call('one') + call('two')), asks);
    expect(run.first).toEqual(['one', 'one/ok', 'two', 'two/ok']);
    expect(run.ok('one/ok', yes)).toEqual(['one/x#1']);
    expect(run.ok('two/ok', yes)).toEqual([]);
    expect(run.ok('one/x#1', some())).toEqual(['two/x#1']);
    run.ok('two/x#1', some());
    expect(run.end()).toEqual({ ok: [some(), some()] });
    expect([...run.most.values()]).toEqual([1]);
  });

  it('M4 who woke stands in the line in document order', async () => {
    const run = await startAll(limited(call('one') + call('two') + prompt('a', 'x') + prompt('b', 'x')), asks);
    expect(run.first).toEqual(['one', 'one/ok', 'two', 'two/ok', 'a#1']);
    expect(run.ok('two/ok', yes)).toEqual([]);
    expect(run.ok('one/ok', yes)).toEqual([]);
    expect(run.ok('a#1', some())).toEqual(['one/x#1']);
    expect(run.ok('one/x#1', some())).toEqual(['two/x#1']);
    expect(run.ok('two/x#1', some())).toEqual(['b#1']);
  });

  it('M4 who rests may rest again, and asks without a slot', async () => {
    const sub = approval('p') + approval('q') + prompt('x', 'x') + approval('r') + prompt('y', 'x');
    const run = await startAll(limited(call('one') + prompt('a', 'x') + prompt('b', 'x')), sub);
    expect(run.ok('one/p', yes)).toEqual(['one/q']);
    expect(run.ok('one/q', yes)).toEqual([]);
    expect(run.ok('a#1', some())).toEqual(['one/x#1']);
    expect(run.ok('one/x#1', some())).toEqual(['one/r', 'b#1']);
    expect(run.ok('one/r', yes)).toEqual([]);
    expect(run.ok('b#1', some())).toEqual(['one/y#1']);
  });

  it('M4 so does one that waits to try again', async () => {
    const run = await startAll(limited(call('one') + prompt('a', 'x')), prompt('x', 'x', retry(2)));
    expect(run.err('one/x#1')).toEqual(['one/x#1.wait', 'a#1']);
    expect(run.ok('one/x#1.wait')).toEqual([]);
    expect(run.ok('a#1', some())).toEqual(['one/x#2']);
  });

  it('M4 one with an open step beside a question keeps its slot', async () => {
    const run = await startAll(limited(call('one') + prompt('a', 'x')), parallel(approval('ok') + prompt('x', 'x')));
    expect(run.first).toEqual(['one', 'one/ok', 'one/x#1']);
    expect(run.ok('one/x#1', some())).toEqual(['a#1']);
  });

  it('M4 one that ends while it rests has no slot to give back', async () => {
    const run = await startAll(limited(call('one') + prompt('a', 'x') + prompt('b', 'x')), approval('ok'));
    expect(run.first).toEqual(['one', 'one/ok', 'a#1']);
    expect(run.ok('one/ok', yes)).toEqual([]);
    expect(run.ok('a#1', some())).toEqual(['b#1']);
  });

  it('M4 one whose only child rests does so too', async () => {
    const run = await startAll(limited(call('one', 'mid') + call('two', 'mid') + prompt('a', 'x')), asks, 'mid');
    expect(run.first).toEqual(['one', 'one/c', 'one/c/ok', 'two', 'two/c', 'two/c/ok', 'a#1']);
    expect(run.ok('two/c/ok', yes)).toEqual([]);
    expect(run.ok('a#1', some())).toEqual(['two/c/x#1']);
    expect(run.ok('one/c/ok', yes)).toEqual([]);
    expect(run.ok('two/c/x#1', some())).toEqual(['one/c/x#1']);
  });

  it('M4 without a limit it goes on at once', async () => {
    const run = await startAll(parallel(call('one') + call('two')), asks);
    expect(run.ok('two/ok', yes)).toEqual(['two/x#1']);
    expect(run.ok('one/ok', yes)).toEqual(['one/x#1']);
  });

  it('M4 one that ends in the line for a slot leaves it, and stands there again for its next attempt', async () => {
    const plan = await planOf(flow(limited(prompt('a', 'x', retry(2)) + prompt('b', 'x') + prompt('c', 'x'))));
    const machine = createWorkflowMachine(plan, { runId: 'run', path: '', input: { topic: 'tea' }, at: 0 });
    const ids = (commands: readonly Command[]) =>
      commands.map((command) => ('id' in command ? command.id : `${command.op} ${command.target}`));
    const deliver = (id: string, outcome: Outcome) => ids(machine.deliver({ ...outcome, id, at: 0 }));
    expect(ids(machine.start())).toEqual(['a#1']);
    expect(deliver('@rest', { ok: 'a#1' })).toEqual(['b#1']);
    expect(deliver('@wake', { ok: 'a#1' })).toEqual([]);
    expect(deliver('a#1', { err: { code: 'model', message: 'no', retryable: true } })).toEqual(['a#1.wait']);
    expect(deliver('a#1.wait', { ok: null })).toEqual([]);
    expect(deliver('b#1', { ok: some() })).toEqual(['a#2']);
    expect(deliver('@rest', { ok: 'a#2' })).toEqual(['c#1']);
    expect(deliver('@wake', { ok: 'a#2' })).toEqual([]);
    expect(deliver('c#1', { ok: some() })).toEqual(['proceed a#2']);
    expect(deliver('a#2', { ok: some() })).toEqual([]);
    expect(machine.end).toEqual({ ok: [some(), some(), some()] });
  });

  it('M5 what is held back beside a failure never begins', async () => {
    const run = await startAll(limited(call('one') + prompt('a', 'x')), asks);
    expect(run.ok('one/ok', yes)).toEqual([]);
    expect(run.err('a#1', { message: 'no' })).toEqual([]);
    expect(run.end()).toMatchObject({ err: { message: 'no', node: 'a' } });
  });

  it('M5 nor where the failure is in the child itself; who stands behind it in the line goes on', async () => {
    const sub = parallel(sequence(asks) + approval('no', '    onDeny: fail\n'));
    const run = await startAll(limited(call('one') + prompt('a', 'x')), sub);
    expect(run.ok('one/ok', yes)).toEqual([]);
    expect(run.ok('one/no', { approved: false })).toEqual([]);
    expect(run.end()).toBeUndefined();
    run.ok('a#1', some());
    expect(run.end()).toMatchObject({ err: { code: 'denied', node: 'one/no' } });
  });

  it('M7 what is held back when all is cancelled never begins', async () => {
    const run = await startAll(limited(call('one') + call('two') + prompt('a', 'x')), asks);
    run.ok('one/ok', yes);
    expect(run.cancel()).toEqual(['-two/ok', '-a#1']);
    run.give('a#1', { err: cancelled });
    run.give('two/ok', { err: cancelled });
    expect(run.end()).toEqual({ cancelled: 'enough' });
  });
});

describe('M5 a failure inside of a parallel', () => {
  it('M5 open steps finish, and no new step starts in any child', async () => {
    const run = await start(parallel(prompt('a', 'x') + sequence(prompt('b', 'x') + prompt('c', 'x'))));
    expect(run.err('a#1')).toEqual([]);
    expect(run.end()).toBeUndefined();
    expect(run.ok('b#1', some())).toEqual([]);
    expect(run.end()).toMatchObject({ err: { code: 'code', node: 'a', at: 'flow.toon:10:13' } });
  });

  it('M5 open signals and timers are cancelled', async () => {
    const run = await start(parallel(prompt('a', 'x', retry(2)) + approval('ok') + prompt('b', 'x')));
    run.err('a#1', { message: 'first' });
    expect(run.err('b#1', { message: 'second' })).toEqual(['-a#1.wait', '-ok']);
    run.give('ok', { err: cancelled });
    run.give('a#1.wait', { err: cancelled });
    expect(causes(run.end())).toEqual(['a: first', 'b: second']);
  });

  it('M5 the error lists every cause in document order', async () => {
    const run = await start(parallel(prompt('a', 'x') + prompt('b', 'x') + prompt('c', 'x')));
    run.err('c#1', { message: 'C' });
    run.ok('b#1', some());
    run.err('a#1', { message: 'A', code: 'model' });
    expect(causes(run.end())).toEqual(['a: A', 'c: C']);
    expect(run.end()).toMatchObject({
      err: { code: 'model', message: '2 steps failed: a: A; c: C', retryable: false },
    });
  });

  it('M5 a step that could be tried again is not: its error is one of the causes', async () => {
    const run = await start(parallel(prompt('a', 'x') + prompt('b', 'x', retry(3))));
    run.err('a#1');
    expect(run.err('b#1')).toEqual([]);
    expect(causes(run.end())).toHaveLength(2);
  });

  it('M5 a sub-workflow beside it lets its open steps finish, starts none, and takes its questions back', async () => {
    const sub = `name: sub\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\nsteps[2]:\n${parallel(prompt('x', 'x') + approval('ok'))}${prompt('y', 'y')}`;
    const call = `  - kind: workflow\n    id: w\n    use: sub\n    input:\n      topic: "{input.topic}"\n`;
    const text = `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${flow(parallel(prompt('a', 'x') + call), 1)}`;
    const run = startPlan(await planOf(text, { files: { 'sub.toon': sub } }));
    expect(run.first).toEqual(['a#1', 'w', 'w/x#1', 'w/ok']);
    expect(run.err('a#1')).toEqual(['-w/ok']);
    run.give('w/ok', { err: cancelled });
    run.ok('w/x#1', some());
    expect(run.end()).toMatchObject({ err: { node: 'a' } });
  });

  function causes(end: End | undefined): string[] {
    const all = end && 'err' in end ? (end.err.causes ?? [end.err]) : [];
    return all.map(({ node, message }) => `${node}: ${message}`);
  }
});

describe('M6 a timeout is part of its step', () => {
  it('M6 the command says how long it may take, and no timer runs beside it', async () => {
    const run = await start(
      `  - id: a\n    run: "return { text: 'x' }"\n    output:\n      text: string\n    timeout: 5s\n${prompt('b', 'x', '    timeout: 1m\n')}`,
    );
    expect(run.first).toEqual(['a#1']);
    expect(run.command('a#1')).toMatchObject({ op: 'step', timeoutMs: 5000 });
    run.ok('a#1', some());
    expect(run.command('b#1')).toMatchObject({ op: 'child', ref: { timeoutMs: 60_000 } });
  });

  it('M6 the next attempt starts only after the fact of the one before', async () => {
    const run = await start(prompt('a', 'x', `    timeout: 5s\n${retry(2)}`));
    expect(run.err('a#1', { code: 'timeout' })).toEqual(['a#1.wait']);
    expect(run.ok('a#1.wait')).toEqual(['a#2']);
  });
});

describe('M7 facts from outside', () => {
  it('M7 on @cancel all that is open is cancelled, and it ends when they have their facts', async () => {
    const run = await start(
      parallel(
        prompt('a', 'x') + prompt('b', 'x', retry(2)) + approval('ok') + sequence(prompt('c', 'x') + prompt('d', 'x')),
      ),
    );
    run.err('b#1');
    expect(run.cancel('too slow')).toEqual(['-a#1', '-b#1.wait', '-ok', '-c#1']);
    // This one was faster.
    expect(run.ok('c#1', some())).toEqual([]);
    for (const id of ['a#1', 'b#1.wait', 'ok']) run.give(id, { err: cancelled });
    expect(run.end()).toEqual({ cancelled: 'too slow' });
  });

  it('M7 a second @cancel changes nothing', async () => {
    const run = await start(prompt('a', 'x'));
    expect(run.cancel('first')).toEqual(['-a#1']);
    expect(run.cancel('second')).toEqual([]);
    run.give('a#1', { err: cancelled });
    expect(run.end()).toEqual({ cancelled: 'first' });
  });

  it('M7 what had failed before it was cancelled has failed', async () => {
    const run = await start(parallel(prompt('a', 'x') + prompt('b', 'x')));
    run.err('a#1', { message: 'broken' });
    expect(run.cancel()).toEqual(['-b#1']);
    run.give('b#1', { err: cancelled });
    expect(run.end()).toMatchObject({ err: { message: 'broken', node: 'a' } });
  });

  it('M7 what is said to a run changes nothing in a workflow', async () => {
    const run = await start(prompt('a', 'x'));
    expect(run.give('@steer', { ok: { message: 'hurry' } })).toEqual([]);
    expect(run.open()).toEqual(['a#1']);
  });
});
