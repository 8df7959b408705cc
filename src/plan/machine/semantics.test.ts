/** What workflows do: each line of the language's "Execution Semantics", and each row of the table of nodes. */
import { describe, expect, it } from 'vitest';
import { flow, planOf, prompt, type TestFiles } from '../plan-test-kit.ts';
import { type PlanRun, startPlan } from './run-plan.ts';

const some = (text = 'x') => ({ text });
const yes = { approved: true, note: 'fine', decidedBy: 'ada', decidedAt: '2026-01-01T00:00:00.000Z' };
const no = { approved: false, decidedBy: 'ada', decidedAt: '2026-01-01T00:00:00.000Z' };

async function start(steps: string, given?: TestFiles): Promise<PlanRun> {
  return startPlan(await planOf(flow(steps), given));
}

/** Indents a text by two blanks for each level. */
function inside(text: string, levels = 2): string {
  return text.replace(/^(?=.)/gm, '  '.repeat(levels));
}

function parallel(children: string, more = ''): string {
  const count = [...children.matchAll(/^ {2}- /gm)].length;
  return `  - kind: parallel\n${more}    children[${count}]:\n${inside(children)}`;
}

function promptOf(run: PlanRun, id: string): unknown {
  const command = run.command(id);
  return command.op === 'child' ? command.ref.prompt : undefined;
}

describe('execution semantics', () => {
  it('steps execute sequentially by default, top to bottom', async () => {
    const run = await start(prompt('a', 'one') + prompt('b', 'two') + prompt('c', 'three'));
    expect(run.first).toEqual(['a#1']);
    expect(run.ok('a#1', some())).toEqual(['b#1']);
    expect(run.ok('b#1', some())).toEqual(['c#1']);
    expect(run.ok('c#1', some('last'))).toEqual([]);
    expect(run.end()).toEqual({ ok: { text: 'last' } });
  });

  it('children of kind: parallel execute concurrently', async () => {
    const run = await start(parallel(prompt('a', 'one') + prompt('b', 'two')));
    expect(run.first).toEqual(['a#1', 'b#1']);
    run.ok('b#1', some('B'));
    run.ok('a#1', some('A'));
    expect(run.end()).toEqual({ ok: [{ text: 'A' }, { text: 'B' }] });
  });

  it('kind: sequence is sequential grouping, inside of a parallel too', async () => {
    const group = `  - kind: sequence\n    children[2]:\n${inside(prompt('b', 'two') + prompt('c', 'three'))}`;
    const run = await start(parallel(prompt('a', 'one') + group));
    expect(run.first).toEqual(['a#1', 'b#1']);
    expect(run.ok('b#1', some())).toEqual(['c#1']);
    run.ok('c#1', some('C'));
    run.ok('a#1', some('A'));
    expect(run.end()).toEqual({ ok: [{ text: 'A' }, { text: 'C' }] });
  });

  it('kind: loop repeats children until `until` is true', async () => {
    const run = await start(
      `  - kind: loop\n    id: polish\n    until: "{a.text} == 'good'"\n    maxIterations: 5\n    children[2]:\n${inside(prompt('a', 'round {loop.iteration}: {a.text}{b.text}') + prompt('b', 'then {a.text}'))}`,
    );
    expect(run.first).toEqual(['polish[1]/a#1']);
    expect(promptOf(run, 'polish[1]/a#1')).toBe('round 1: ');
    expect(run.ok('polish[1]/a#1', some('bad'))).toEqual(['polish[1]/b#1']);
    expect(run.ok('polish[1]/b#1', some('B'))).toEqual(['polish[2]/a#1']);
    expect(promptOf(run, 'polish[2]/a#1')).toBe('round 2: badB');
    run.ok('polish[2]/a#1', some('good'));
    expect(promptOf(run, 'polish[2]/b#1')).toBe('then good');
    run.ok('polish[2]/b#1', some('end'));
    expect(run.end()).toEqual({ ok: { text: 'end' } });
  });

  it('kind: loop ends when maxIterations is reached', async () => {
    const run = await start(
      `  - kind: loop\n    until: "{a.text} == 'good'"\n    maxIterations: 2\n    children[1]:\n${inside(prompt('a', 'x'))}`,
    );
    expect(run.first).toEqual(['a[1]/a#1']);
    expect(run.ok('a[1]/a#1', some('bad'))).toEqual(['a[2]/a#1']);
    run.ok('a[2]/a#1', some('bad too'));
    expect(run.end()).toEqual({ ok: { text: 'bad too' } });
  });

  it('kind: approval suspends execution', async () => {
    const run = await start(
      `${prompt('a', 'x')}  - kind: approval\n    id: ok\n    request:\n      title: "Go on with {a.text}?"\n${prompt('b', '{ok.note} {ok.decidedBy}')}`,
    );
    expect(run.ok('a#1', some('A'))).toEqual(['ok']);
    expect(run.command('ok')).toEqual({
      op: 'signal',
      id: 'ok',
      kind: 'approval',
      // biome-ignore lint/suspicious/noThenProperty: what a yes starts; nobody awaits it.
      request: { title: 'Go on with A?', then: [{ id: 'b', kind: 'prompt', agent: 'w', type: 'scripted' }] },
    });
    expect(run.ok('ok', yes)).toEqual(['b#1']);
    expect(promptOf(run, 'b#1')).toBe('fine ada');
  });

  it('kind: branch takes one path', async () => {
    const branch = `  - kind: branch\n    condition: "{a.text} == 'yes'"\n    then[1]:\n${inside(prompt('b', 'x'))}    else[1]:\n${inside(prompt('c', 'x'))}`;
    for (const [answer, taken] of [
      ['yes', 'b'],
      ['no', 'c'],
    ]) {
      const run = await start(prompt('a', 'x') + branch);
      expect(run.ok('a#1', some(answer))).toEqual([`${taken}#1`]);
      run.ok(`${taken}#1`, some(taken));
      expect(run.end()).toEqual({ ok: { text: taken } });
    }
  });

  const notes = `name: notes\ninput:\n  repo: string\nagents:\n  w:\n    type: scripted\nsteps[1]:\n${prompt('draft', 'Notes for {input.repo}')}`;
  const called = (steps: string) =>
    `name: flow\nimports:\n  workflows[1]{from,as}:\n    ./notes.toon,notes\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\nsteps[2]:\n${steps}`;
  const call = `  - kind: workflow\n    id: notes-run\n    use: notes\n    input:\n      repo: "{input.topic}"\n`;

  it('kind: workflow invokes an imported workflow', async () => {
    const plan = await planOf(called(call + prompt('b', '{notes-run.text}')), { files: { 'notes.toon': notes } });
    const run = startPlan(plan);
    expect(run.first).toEqual(['notes-run', 'notes-run/draft#1']);
    expect(run.commands[0]).toMatchObject({
      op: 'child',
      ref: { kind: 'workflow', plan: 'notes' },
      input: { repo: 'tea' },
      run: { name: 'notes' },
    });
    expect(promptOf(run, 'notes-run/draft#1')).toBe('Notes for tea');
    expect(run.ok('notes-run/draft#1', some('N'))).toEqual(['b#1']);
    expect(promptOf(run, 'b#1')).toBe('N');
  });

  it('dependencies in needs are resolved before the step runs', async () => {
    const run = await start(parallel(prompt('a', 'x', '    needs: b\n') + prompt('b', 'x')));
    expect(run.first).toEqual(['b#1']);
    expect(run.ok('b#1', some())).toEqual(['a#1']);
  });

  it('implicit dependencies of interpolation are resolved too', async () => {
    const run = await start(parallel(prompt('a', 'after {b.text}') + prompt('b', 'x')));
    expect(run.first).toEqual(['b#1']);
    expect(run.ok('b#1', some('B'))).toEqual(['a#1']);
    expect(promptOf(run, 'a#1')).toBe('after B');
  });
});

describe('the table of nodes', () => {
  it('step: a skipped one has no value, and who needs or reads it runs', async () => {
    const run = await start(
      `${prompt('a', 'x', '    skipIf: "{input.topic} == \'tea\'"\n')}${prompt('b', 'got [{a.text}]', '    needs: a\n')}`,
    );
    expect(run.first).toEqual(['b#1']);
    expect(promptOf(run, 'b#1')).toBe('got []');
  });

  it('step: a file whose last step was skipped gives nothing', async () => {
    const run = await start(`${prompt('a', 'x')}${prompt('b', 'x', '    skipIf: "true"\n')}`);
    run.ok('a#1', some());
    expect(run.end()).toEqual({ none: true });
  });

  it('parallel: a child without a value is null in the result', async () => {
    const run = await start(parallel(prompt('a', 'x', '    skipIf: "true"\n') + prompt('b', 'x')));
    run.ok('b#1', some('B'));
    expect(run.end()).toEqual({ ok: [null, { text: 'B' }] });
  });

  it('loop: onMaxReached: fail', async () => {
    const run = await start(
      `  - kind: loop\n    id: l\n    until: "{a.text} == 'good'"\n    maxIterations: 1\n    onMaxReached: fail\n    children[1]:\n${inside(prompt('a', 'x'))}`,
    );
    run.ok('l[1]/a#1', some('bad'));
    expect(run.end()).toMatchObject({ err: { code: 'max-iterations', node: 'l', at: 'flow.toon:8:5' } });
  });

  it('loop: loops nest, and the latest value of a step counts', async () => {
    const inner = `  - kind: loop\n    id: inner\n    until: "loop.iteration == 2"\n    maxIterations: 3\n    children[1]:\n${inside(prompt('x', '{loop.iteration}:{x.text}'))}`;
    const run = await start(
      `  - kind: loop\n    id: outer\n    until: "loop.iteration == 2"\n    maxIterations: 3\n    children[2]:\n${inside(inner + prompt('y', '{loop.iteration}:{x.text}'))}`,
    );
    expect(run.first).toEqual(['outer[1]/inner[1]/x#1']);
    run.ok('outer[1]/inner[1]/x#1', some('1.1'));
    expect(promptOf(run, 'outer[1]/inner[2]/x#1')).toBe('2:1.1');
    run.ok('outer[1]/inner[2]/x#1', some('1.2'));
    expect(promptOf(run, 'outer[1]/y#1')).toBe('1:1.2');
    run.ok('outer[1]/y#1', some());
    expect(promptOf(run, 'outer[2]/inner[1]/x#1')).toBe('1:1.2');
  });

  it('loop: after it, loop.iteration is the number of its iterations', async () => {
    const run = await start(
      `  - kind: loop\n    until: "{a.text} == 'good'"\n    maxIterations: 5\n    children[1]:\n${inside(prompt('a', 'x'))}${prompt('b', 'after {loop.iteration}')}`,
    );
    run.ok('a[1]/a#1', some('bad'));
    run.ok('a[2]/a#1', some('good'));
    expect(promptOf(run, 'b#1')).toBe('after 2');
  });

  it('loop: a step that is skipped in an iteration reads as that of the one before', async () => {
    const run = await start(
      `  - kind: loop\n    id: l\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[2]:\n${inside(prompt('a', 'x', '    skipIf: "loop.iteration == 2"\n') + prompt('b', '{a.text}'))}`,
    );
    run.ok('l[1]/a#1', some('first'));
    run.ok('l[1]/b#1', some());
    expect(promptOf(run, 'l[2]/b#1')).toBe('first');
  });

  it('loop: from outside, a step that was skipped in the last iteration has no value', async () => {
    const skipped = prompt('a', 'x', '    skipIf: "loop.iteration == 2"\n');
    const loop = (id: string, children: string) =>
      `  - kind: loop\n    id: ${id}\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[2]:\n${inside(children)}`;
    const run = await start(loop('l', skipped + prompt('b', 'y')) + prompt('c', '[{a.text}{b.text}]'));
    run.ok('l[1]/a#1', some('A'));
    run.ok('l[1]/b#1', some('1'));
    run.ok('l[2]/b#1', some('2'));
    expect(promptOf(run, 'c#1')).toBe('[2]');
    // In the second round of the outer loop the inner one does its two rounds anew.
    const inner = loop('i', skipped + prompt('b', 'y'));
    const nested = await start(
      loop('o', inner + prompt('c', '[{a.text}{b.text}]')) + prompt('d', '[{a.text}{b.text}]'),
    );
    for (const round of [1, 2]) {
      nested.ok(`o[${round}]/i[1]/a#1`, some('A'));
      nested.ok(`o[${round}]/i[1]/b#1`, some('1'));
      nested.ok(`o[${round}]/i[2]/b#1`, some(`2 of ${round}`));
      expect(promptOf(nested, `o[${round}]/c#1`)).toBe(`[2 of ${round}]`);
      nested.ok(`o[${round}]/c#1`, some());
    }
    expect(promptOf(nested, 'd#1')).toBe('[2 of 2]');
  });

  const gate = (onDeny: string, more = '') =>
    `  - kind: approval\n    id: gate\n    onDeny: ${onDeny}\n${more}    request:\n      title: Go?\n`;

  it('approval: denied, onDeny: fail', async () => {
    const run = await start(gate('fail') + prompt('a', 'x'));
    expect(run.ok('gate', { ...no, note: 'too early' })).toEqual([]);
    expect(run.end()).toEqual({
      err: {
        code: 'denied',
        message: 'it was denied by ada: too early',
        retryable: false,
        node: 'gate',
        at: 'flow.toon:9:9',
      },
    });
  });

  it('approval: denied, onDeny: continue', async () => {
    const run = await start(gate('continue') + prompt('a', 'approved: {gate.approved}'));
    expect(run.ok('gate', no)).toEqual(['a#1']);
    expect(promptOf(run, 'a#1')).toBe('approved: false');
  });

  it('approval: denied, onDeny: skip skips the rest of its sequence', async () => {
    const group = `  - kind: sequence\n    children[2]:\n${inside(gate('skip') + prompt('a', 'x'))}`;
    const run = await start(group + prompt('b', '[{a.text}{gate.approved}]'));
    expect(run.first).toEqual(['gate']);
    expect(run.ok('gate', no)).toEqual(['b#1']);
    expect(promptOf(run, 'b#1')).toBe('[false]');
  });

  it('approval: denied in the last iteration, it reads as denied', async () => {
    const loop = `  - kind: loop\n    id: l\n    until: "false"\n    maxIterations: 2\n    children[2]:\n${inside(gate('skip') + prompt('a', 'x'))}`;
    const run = await start(loop + prompt('b', '[{a.text}{gate.approved}]'));
    run.ok('l[1]/gate', { approved: true, decidedBy: 'ada' });
    run.ok('l[1]/a#1', some('first'));
    expect(run.ok('l[2]/gate', no)).toEqual(['b#1']);
    expect(promptOf(run, 'b#1')).toBe('[false]');
  });

  it('approval: denied, onDeny: skip skips everything that needs it', async () => {
    const run = await start(
      parallel(
        prompt('a', 'x', '    needs: gate\n') +
          gate('skip') +
          prompt('b', 'x', '    needs: a\n') +
          prompt('c', '{gate.approved}'),
      ),
    );
    expect(run.first).toEqual(['gate']);
    expect(run.ok('gate', no)).toEqual(['b#1', 'c#1']);
    run.ok('b#1', some('B'));
    run.ok('c#1', some('C'));
    expect(run.end()).toMatchObject({ ok: [null, { approved: false }, { text: 'B' }, { text: 'C' }] });
  });

  it('approval: one that needs a denied one was not given either', async () => {
    const second = `  - kind: sequence\n    children[2]:\n${inside(`  - kind: approval\n    id: deploy-ok\n    needs: gate\n    request:\n      title: Deploy?\n${prompt('deploy', 'x')}`)}`;
    const run = await start(parallel(gate('skip') + second + prompt('c', 'x', '    needs: deploy-ok\n')));
    expect(run.ok('gate', no)).toEqual([]);
    expect(run.end()).toMatchObject({ ok: [{ approved: false }, null, null] });
  });

  it('approval: shows what a yes starts, up to the next question', async () => {
    const branch = `  - kind: branch\n    condition: "{input.topic} == 'tea'"\n    then[1]:\n${inside(prompt('b', 'x'))}`;
    const run = await start(
      `${gate('fail')}${prompt('a', 'x')}${branch}  - kind: approval\n    id: second\n    request:\n      title: Really?\n${prompt('c', 'x')}`,
    );
    expect(run.command('gate')).toMatchObject({
      request: {
        // biome-ignore lint/suspicious/noThenProperty: what a yes starts; nobody awaits it.
        then: [
          { id: 'a', kind: 'prompt', agent: 'w', type: 'scripted' },
          { id: 'b', kind: 'prompt', agent: 'w', maybe: true },
          { id: 'second', kind: 'approval' },
        ],
      },
    });
  });

  it('approval: in a loop it shows what comes in this iteration, and behind the loop', async () => {
    const loop = (id: string, children: string) =>
      `  - kind: loop\n    id: ${id}\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[${id === 'l' ? 2 : 1}]:\n${inside(children)}`;
    const run = await start(loop('l', gate('continue') + prompt('a', '{gate.approved}')) + loop('m', prompt('b', 'x')));
    const shown = () => {
      const command = run.command(run.open()[0] ?? '');
      return command.op === 'signal' && JSON.stringify(command.request).match(/"id":"[^"]*"/g);
    };
    expect(shown()).toEqual(['"id":"l[1]/a"', '"id":"m[1]/b"']);
    run.ok('l[1]/gate', yes);
    run.ok('l[1]/a#1', some());
    expect(shown()).toEqual(['"id":"l[2]/a"', '"id":"m[1]/b"']);
  });

  it('branch: without an arm there is no value', async () => {
    const run = await start(`  - kind: branch\n    condition: "false"\n    then[1]:\n${inside(prompt('b', 'x'))}`);
    expect(run.first).toEqual([]);
    expect(run.end()).toEqual({ none: true });
  });

  it('component: its steps see its parameters and the id of its use', async () => {
    const text = `name: flow\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\ncomponents:\n  Brief:\n    params:\n      text: string\n      limit: number?\n    steps[2]:\n      - id: "{id}-short"\n        agent: w\n        prompt: "{id}: {params.text} {params.limit}"\n        output:\n          text: string\n      - id: own\n        agent: w\n        prompt: "{short.text}"\n        output:\n          text: string\nsteps[2]:\n  - kind: component\n    id: brief\n    use: Brief\n    with:\n      text: "{input.topic}"\n      limit: 80\n${prompt('after', '{brief-short.text} {brief.text}')}`;
    const run = startPlan(await planOf(text));
    expect(run.first).toEqual(['brief/short#1']);
    expect(promptOf(run, 'brief/short#1')).toBe('brief: tea 80');
    expect(run.ok('brief/short#1', some('S'))).toEqual(['brief/own#1']);
    expect(promptOf(run, 'brief/own#1')).toBe('S');
    run.ok('brief/own#1', some('O'));
    expect(promptOf(run, 'after#1')).toBe('S O');
  });

  it('needs: on a step in a loop, from outside, its last iteration', async () => {
    const loop = `  - kind: loop\n    id: l\n    until: "{x.text} == 'good'"\n    maxIterations: 5\n    children[2]:\n${inside(prompt('x', 'x') + prompt('y', 'y'))}`;
    const run = await start(parallel(prompt('a', '{x.text}', '    needs: x\n') + loop));
    run.ok('l[1]/x#1', some('bad'));
    run.ok('l[1]/y#1', some());
    run.ok('l[2]/x#1', some('good'));
    expect(run.ok('l[2]/y#1', some())).toEqual(['a#1']);
    expect(promptOf(run, 'a#1')).toBe('good');
  });

  it('needs: on an arm not taken is met, as soon as that is known', async () => {
    const branch = `  - kind: branch\n    condition: "{b.text} == 'yes'"\n    then[1]:\n${inside(prompt('x', 'x'))}    else[1]:\n${inside(prompt('y', 'y'))}`;
    const run = await start(parallel(prompt('a', '[{x.text}]', '    needs: x\n') + prompt('b', 'x') + branch));
    expect(run.first).toEqual(['b#1']);
    expect(run.ok('b#1', some('no'))).toEqual(['a#1', 'y#1']);
    expect(promptOf(run, 'a#1')).toBe('[]');
  });

  it('needs: in each iteration anew', async () => {
    const group = `  - kind: sequence\n    children[2]:\n${inside(prompt('x', 'x') + prompt('b', 'x'))}`;
    const run = await start(
      `  - kind: loop\n    id: l\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[1]:\n${inside(parallel(prompt('a', '{b.text}') + group))}`,
    );
    for (const round of [1, 2]) {
      expect(run.open()).toEqual([`l[${round}]/x#1`]);
      expect(run.ok(`l[${round}]/x#1`, some())).toEqual([`l[${round}]/b#1`]);
      expect(run.ok(`l[${round}]/b#1`, some(`B${round}`))).toEqual([`l[${round}]/a#1`]);
      expect(promptOf(run, `l[${round}]/a#1`)).toBe(`B${round}`);
      run.ok(`l[${round}]/a#1`, some());
    }
    expect(run.end()).toEqual({ ok: [some(), some('B2')] });
  });

  it('needs: on an arm that was not taken before the step came to its turn', async () => {
    const branch = `  - kind: branch\n    condition: "false"\n    then[1]:\n${inside(prompt('x', 'x'))}    else[1]:\n${inside(prompt('y', 'y'))}`;
    const group = `  - kind: sequence\n    children[2]:\n${inside(prompt('b', 'x') + prompt('a', 'x', '    needs: x\n'))}`;
    const run = await start(parallel(branch + group));
    expect(run.first).toEqual(['y#1', 'b#1']);
    expect(run.ok('b#1', some())).toEqual(['a#1']);
  });

  it('needs: on an approval that was denied in an earlier iteration, and is not reached in this one', async () => {
    const branch = `  - kind: branch\n    condition: "loop.iteration == 1"\n    then[1]:\n${inside(gate('skip'))}`;
    const run = await start(
      `  - kind: loop\n    id: l\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[2]:\n${inside(branch + prompt('a', 'x', '    needs: gate\n'))}`,
    );
    expect(run.ok('l[1]/gate', no)).toEqual(['l[2]/a#1']);
  });

  it('needs: on a failed step never starts', async () => {
    const run = await start(parallel(prompt('a', 'x', '    needs: b\n') + prompt('b', 'x') + prompt('c', 'x')));
    expect(run.err('b#1', { code: 'model', message: 'no' })).toEqual([]);
    expect(run.ok('c#1', some())).toEqual([]);
    expect(run.end()).toMatchObject({ err: { code: 'model', node: 'b' } });
    expect(run.commands.flatMap((command) => ('id' in command ? [command.id] : []))).toEqual(['b#1', 'c#1']);
  });
});
