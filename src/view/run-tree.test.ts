/** The tree of a run, from events written by hand: what became of each node, and what was left out. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent, RunRow } from '../journal/index.ts';
import type { RunError } from '../machine/index.ts';
import { flow, planOf, prompt } from '../plan/plan-test-kit.ts';
import { painter } from '../text/index.ts';
import { canResume, type RunTree, runTree, runTreeText, treeNodes } from './index.ts';

const paint = painter(false);

/** `[node, body]`, a second apart. */
type Told = readonly (readonly [string | undefined, EventBody])[];

const started: Told[number] = [
  undefined,
  { kind: 'run.started', name: 'flow', plan: '', source: '', input: { topic: 'x' }, machine: 1, models: {} },
];
const begin = (id: string): Told[number] => [id, { kind: 'node.started', key: '' }];
const done = (id: string, output: string | null = 'v'): Told[number] => [id, { kind: 'node.done', output }];
const failed = (id: string, error: RunError): Told[number] => [id, { kind: 'node.failed', error }];
const err = (message: string, more: Partial<RunError> = {}): RunError => ({
  code: 'code',
  message,
  retryable: true,
  ...more,
});

function eventsOf(told: Told): JournalEvent[] {
  return told.map(([node, body], i) => ({
    seq: i + 1,
    at: i * 1000,
    run: 'r',
    ...(node !== undefined && { node }),
    body,
  }));
}

async function treeOf(steps: string, told: Told, row: Partial<RunRow> = {}, driven = true): Promise<RunTree> {
  const base: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'running', startedAt: 0, updatedAt: 0 };
  return runTree({
    row: { ...base, ...row },
    plan: await planOf(flow(steps)),
    events: eventsOf([started, ...told]),
    driven,
  });
}

/** `name status`, outer ones first. */
function states({ nodes }: RunTree): string[] {
  return [...treeNodes(nodes)].map(({ name, status }) => `${name} ${status}`);
}

function code(id: string, more = '', margin = '  '): string {
  return `${margin}- id: ${id}\n${margin}  run: "return 'x'"\n${margin}  output: string\n${more}`;
}

const loop = `  - kind: loop\n    id: l\n    until: "{b} == 'x'"\n    maxIterations: 3\n    children[2]:\n${code('a', '', '      ')}${code('b', '', '      ')}`;
const branch = `  - kind: branch\n    condition: "{input.topic} == 'x'"\n    then[1]:\n${code('t', '', '      ')}    else[1]:\n${code('e', '', '      ')}`;
const parallel = `  - kind: parallel\n    children[2]:\n${code('p', '', '      ')}${code('q', '', '      ')}`;

describe('the tree of a run', () => {
  it('says what has begun, what is done and what waits to start', async () => {
    const tree = await treeOf(code('a') + code('b') + code('c'), [begin('a#1'), done('a#1'), begin('b#1')]);
    expect(states(tree)).toEqual(['a done', 'b running', 'c pending']);
    expect(tree.nodes[0]).toMatchObject({ output: 'v', startedAt: 1000, endedAt: 2000, at: 'flow.toon:8:9' });
    expect(tree.input).toEqual({ topic: 'x' });
  });

  it('counts no time for a group that was cancelled, after its last step has ended', async () => {
    const stopped: Told[number] = ['l[1]/a#1', { kind: 'node.cancelled', error: err('', { code: 'cancelled' }) }];
    const tree = await treeOf(loop, [begin('l[1]/a#1'), stopped], { status: 'cancelled', endedAt: 2000 });
    expect(tree.nodes[0]).toMatchObject({ status: 'cancelled', startedAt: 1000, endedAt: 2000 });
    const options = { paint, columns: 80, short: 'r', command: (...words: readonly string[]) => words.join(' ') };
    expect(runTreeText(tree, { ...options, now: 90_000 })).toMatch(/⊘ l +1\.0s\n +⊘ round 1 +1\.0s/);
  });

  it('has the rounds of loops, and what is left of the last one', async () => {
    const round = (i: number) => [begin(`l[${i}]/a#1`), done(`l[${i}]/a#1`), begin(`l[${i}]/b#1`), done(`l[${i}]/b#1`)];
    const tree = await treeOf(loop + code('z'), [...round(1), begin('l[2]/a#1')]);
    expect(states(tree)).toEqual([
      'l running',
      'l[1] done',
      'l[1]/a done',
      'l[1]/b done',
      'l[2] running',
      'l[2]/a running',
      'l[2]/b pending',
      'z pending',
    ]);
  });

  it('knows a step as skipped when something behind it has begun, or all is done', async () => {
    const skip = '    skipIf: "{input.topic} == \'x\'"\n';
    const tree = await treeOf(code('a', skip) + code('b'), [begin('b#1')]);
    expect(states(tree)).toEqual(['a skipped', 'b running']);
    expect(tree.nodes[0]).toMatchObject({ why: 'skipIf was true' });
    const over = await treeOf(code('a') + code('b', skip), [begin('a#1'), done('a#1')], { status: 'done', endedAt: 9 });
    expect(states(over)).toEqual(['a done', 'b skipped']);
  });

  it('greys the arm that was not taken', async () => {
    const tree = await treeOf(branch + code('z'), [begin('e#1'), done('e#1'), begin('z#1')]);
    expect(states(tree)).toEqual([
      'branch@1 done',
      'branch@1.then skipped',
      't skipped',
      'branch@1.else done',
      'e done',
      'z running',
    ]);
    expect(tree.nodes[0]?.children[0]).toMatchObject({ why: 'the condition was false' });
  });

  it('tells an arm in which all was skipped from one that was not taken', async () => {
    const skip = '        skipIf: "{input.topic} == \'x\'"\n';
    const inside = (arm: string, id: string, more = '') => `    ${arm}[1]:\n${code(id, more, '      ')}`;
    const branchOf = (arms: string) => `  - kind: branch\n    condition: "{input.topic} == 'x'"\n${arms}`;
    const over = { status: 'done', endedAt: 9 } as const;
    const armsOf = async (arms: string) => {
      const tree = await treeOf(branchOf(arms) + code('z'), [begin('z#1'), done('z#1')], over);
      return tree.nodes[0]?.children.map(({ title, why, children }) => [
        title,
        why,
        children.map((child) => child.why),
      ]);
    };
    const [wasFalse, wasTrue] = ['the condition was false', 'the condition was true'];
    // With the other arm something would have run.
    expect(await armsOf(inside('then', 't', skip) + inside('else', 'e'))).toEqual([
      ['then', undefined, ['skipIf was true']],
      ['else', wasTrue, [wasTrue]],
    ]);
    expect(await armsOf(inside('then', 't'))).toEqual([['then', wasFalse, [wasFalse]]]);
    // Either way nothing would have run.
    const either = 'it was not taken, or all in it was skipped';
    expect(await armsOf(inside('then', 't', skip))).toEqual([['then', either, [undefined]]]);
  });

  it('says of a failed run which step failed, and what was never reached', async () => {
    const error = err('no luck', { node: 'q', at: 'flow.toon:9:9' });
    const tree = await treeOf(parallel + code('z'), [begin('p#1'), begin('q#1'), failed('q#1', error), done('p#1')], {
      status: 'failed',
      endedAt: 9,
      error,
    });
    expect(states(tree)).toEqual(['parallel@1 failed', 'p done', 'q failed', 'z unreached']);
  });

  it('finds the failure of a step whose value did not fit, which only the run knows', async () => {
    const error = err('it does not fit', { code: 'schema', node: 'a' });
    const tree = await treeOf(code('a'), [begin('a#1'), done('a#1')], { status: 'failed', endedAt: 9, error });
    expect(tree.nodes[0]).toMatchObject({ status: 'failed', error: { message: 'it does not fit' } });
    // And one that failed before anything was begun.
    expect(states(await treeOf(code('a'), [], { status: 'failed', endedAt: 9, error }))).toEqual(['a failed']);
  });

  it('counts attempts, and says until when the next one waits', async () => {
    const told: Told = [begin('a#1'), failed('a#1', err('x')), ['a#1.wait', { kind: 'timer.set', until: 99_000 }]];
    expect((await treeOf(code('a'), told)).nodes[0]).toMatchObject({ status: 'waiting', until: 99_000 });
    const again = await treeOf(code('a'), [...told, ['a#1.wait', { kind: 'timer.fired' }], begin('a#2'), done('a#2')]);
    expect(again.nodes[0]).toMatchObject({
      status: 'done',
      attempts: [{ number: 1, error: { message: 'x' } }, { number: 2 }],
    });
    expect(again.nodes[0]).not.toHaveProperty('until');
    expect(again.nodes[0]).not.toHaveProperty('error');
  });

  it('folds the calls of a prompt into its step, with what they cost and what was repaired', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 0.01 };
    const tree = await treeOf(prompt('a', 'Hello'), [
      ['a#1', { kind: 'child.started' }],
      begin('a#1/model#1'),
      ['a#1/model#1', { kind: 'model.answered', message: {}, usage }],
      ['a#1/model#2', { kind: 'output.repaired', errors: ['wordCount was not a number'] }],
      begin('a#1/model#2'),
      ['a#1/model#2', { kind: 'model.answered', message: {}, usage }],
      ['a#1', { kind: 'child.ended', outcome: { ok: { text: 't' } }, usage: { inputTokens: 20 } }],
    ]);
    expect(tree.nodes).toHaveLength(1);
    expect(tree.nodes[0]).toMatchObject({ status: 'done', calls: 2, repairs: [['wordCount was not a number']] });
    expect(tree.usage).toEqual({ inputTokens: 20, outputTokens: 10, cost: 0.02 });
    expect(runTreeText(tree, textOptions)).toContain('repaired once: wordCount was not a number');
  });

  it('shows a question and its answer; a denied one skips the rest where the workflow says so', async () => {
    const ask = (onDeny: string) =>
      `  - kind: approval\n    id: ok\n    request:\n      title: "Go?"\n    onDeny: ${onDeny}\n`;
    const asked: Told[number] = [
      'ok',
      {
        kind: 'approval.requested',
        request: JSON.parse('{"title":"Go?","summary":"s","then":[{"id":"z","kind":"run"}],"more":true}'),
        hash: 'h',
      },
    ];
    const waiting = await treeOf(ask('skip') + code('z'), [asked], { status: 'waiting' });
    expect(states(waiting)).toEqual(['ok waiting', 'z pending']);
    expect(waiting.waiting).toEqual([
      { node: 'ok', kind: 'approval', title: 'Go?', summary: 's', next: ['z (run)', '…'], hash: 'h', since: 1000 },
    ]);
    const no: Told[number] = ['ok', { kind: 'approval.decided', approved: false, by: 'ana', note: 'n', value: {} }];
    const denied = await treeOf(ask('skip') + code('z'), [asked, no], { status: 'done', endedAt: 9 });
    expect(states(denied)).toEqual(['ok done', 'z skipped']);
    expect(denied.nodes[1]).toMatchObject({ why: 'ok was denied' });
    expect(runTreeText(denied, textOptions)).toContain('✗ ok  denied by ana: n');
  });

  it('says what was running when nobody drives the run any more', async () => {
    const tree = await treeOf(code('a') + code('b'), [begin('a#1')], {}, false);
    expect(tree.status).toBe('interrupted');
    expect(states(tree)).toEqual(['a interrupted', 'b pending']);
    expect(runTreeText(tree, textOptions)).toContain('a will be begun again. To go on:\n      toolang resume r\n');
  });

  it('says of a step that was running whenever the process died what begins it, and counts from its last begin', async () => {
    const three: Told = [begin('a#1'), begin('a#1'), begin('a#1')];
    const tree = await treeOf(code('a') + code('b'), three, {}, false);
    expect(tree).toMatchObject({ status: 'interrupted', held: ['a'] });
    // A plain resume would begin nothing.
    expect(canResume(tree)).toBe(false);
    expect(tree.nodes[0]).toMatchObject({ startedAt: 3000, attempts: [{ begun: 3, startedAt: 3000 }] });
    const text = runTreeText(tree, textOptions);
    expect(text).toContain(
      'a was running each of the last times the process died. To try once more:\n      toolang resume r --again\n',
    );
    expect(text).not.toContain('will be begun again');
    // Whoever left in order has not died of it.
    const left: Told = [begin('a#1'), begin('a#1'), [undefined, { kind: 'run.stopped' }], begin('a#1')];
    const once = await treeOf(code('a'), left, {}, false);
    expect(once).not.toHaveProperty('held');
    expect(canResume(once)).toBe(true);
    expect(await treeOf(code('a'), three)).not.toHaveProperty('held');
  });

  it('holds a step back also when the run went on otherwise, as long as it is the same', async () => {
    const segment: Told[number] = [
      undefined,
      { kind: 'segment.opened', why: 'edit', name: 'f', plan: '', source: '', input: null, machine: 1, models: {} },
    ];
    const stopped: Told[number] = [undefined, { kind: 'run.stopped', held: ['a#1', 'b#1'] }];
    const two: Told = [begin('a#1'), begin('a#1')];
    const heldIn = async (told: Told) => (await treeOf(code('a') + code('b'), told, {}, false)).held;
    expect(await heldIn([...two, segment, begin('a#1')])).toEqual(['a']);
    expect(await heldIn([...two, begin('a#1'), segment, stopped])).toEqual(['a']);
    expect(await heldIn([...two, segment, stopped])).toBeUndefined();
    const other: Told[number] = ['a#1', { kind: 'node.started', key: 'another' }];
    expect(await heldIn([...two, segment, other])).toBeUndefined();
  });

  it('counts the calls of a prompt that were begun again', async () => {
    const child: Told[number] = ['a#1', { kind: 'child.started' }];
    const call = begin('a#1/model#1');
    const tree = await treeOf(prompt('a', 'Hello'), [child, call, call]);
    expect(tree.nodes[0]).toMatchObject({ status: 'running', attempts: [{ begun: 2, startedAt: 3000 }] });
  });

  describe('waits', () => {
    const ask: Told[number] = [
      '@limit#1',
      { kind: 'limit.reached', limit: '', request: { title: 'more?' }, hash: 'h' },
    ];

    it('where only people are awaited, whatever was noted as begun', async () => {
      const told: Told = [begin('p#1'), begin('q#1'), ask];
      const tree = await treeOf(parallel + code('z'), told, { status: 'waiting' }, false);
      expect(states(tree)).toEqual(['parallel@1 waiting', 'p waiting', 'q waiting', 'z pending']);
      expect(tree.nodes[0]?.children[0]).toMatchObject({ why: 'waits for more to be spent' });
      const text = runTreeText(tree, textOptions);
      expect(text).toMatch(/⏸ p +waits for more to be spent\n/);
      expect(text).toContain('      toolang answer r --add 1.00\n      toolang answer r --no\n');
      expect(text).toContain('  ⏸ limit  more?\n');
    });

    it('while a call of a prompt has not begun, though others run', async () => {
      const child: Told[number] = ['a#1', { kind: 'child.started' }];
      const held = await treeOf(prompt('a', 'Hello') + code('b'), [child, ask], {}, false);
      expect(states(held)).toEqual(['a waiting', 'b pending']);
      const call = [child, begin('a#1/model#1')];
      expect(states(await treeOf(prompt('a', 'Hello'), call, {}, false))).toEqual(['a interrupted']);
      const answered: Told[number] = ['a#1/model#1', { kind: 'model.answered', message: {}, usage: {} }];
      expect(states(await treeOf(prompt('a', 'Hello'), [...call, answered]))).toEqual(['a waiting']);
    });

    it('as a part of its list was done and the rest was not begun', async () => {
      const told: Told = [begin('l[1]/a#1'), done('l[1]/a#1')];
      expect(states(await treeOf(loop, told)).slice(0, 2)).toEqual(['l running', 'l[1] running']);
      expect(states(await treeOf(loop, told, {}, false)).slice(0, 2)).toEqual(['l interrupted', 'l[1] interrupted']);
    });
  });

  it('says of a loop that something beside it has stopped that it was, unless it was over before', async () => {
    const inner = loop.replace(/^(?=.)/gm, '    ');
    const steps = `  - kind: parallel\n    children[2]:\n${code('q', '', '      ')}${inner}`;
    const error = err('it broke', { node: 'q' });
    const row: Partial<RunRow> = { status: 'failed', endedAt: 9000, error };
    const round = [begin('l[1]/a#1'), done('l[1]/a#1'), begin('l[1]/b#1'), done('l[1]/b#1')];
    const broken = [failed('q#1', error)];
    const statusOf = async (told: Told) =>
      [...treeNodes((await treeOf(steps, [begin('q#1'), ...told], row)).nodes)].find(({ name }) => name === 'l')
        ?.status;
    expect(await statusOf([...round.slice(0, 3), ...broken, ...round.slice(3)])).toBe('cancelled');
    expect(await statusOf([...round, ...broken])).toBe('done');
  });

  it('says why a step was skipped that needs what was denied', async () => {
    const ok = '  - kind: approval\n    id: ok\n    request:\n      title: "Go?"\n    onDeny: skip\n'.replace(
      /^/gm,
      '    ',
    );
    const steps = `  - kind: parallel\n    children[2]:\n${ok.trimEnd()}\n${code('n', '        needs: ok\n', '      ')}`;
    const no: Told[number] = ['ok', { kind: 'approval.decided', approved: false, by: 'ana', value: {} }];
    const tree = await treeOf(steps, [no], { status: 'done', endedAt: 9 });
    expect(tree.nodes[0]?.children[1]).toMatchObject({ status: 'skipped', why: 'ok was denied' });
  });

  it('stops the clock of what a failure beside it has ended', async () => {
    const inner = `      - kind: sequence\n        children[2]:\n${code('c', '', '          ')}${code('d', '', '          ')}`;
    const steps = `  - kind: parallel\n    children[2]:\n${code('a', '', '      ')}${inner}`;
    const error = err('bad', { node: 'a' });
    const told: Told = [begin('a#1'), begin('c#1'), failed('a#1', error), done('c#1')];
    const tree = await treeOf(steps, told, { status: 'failed', endedAt: 9000, error });
    expect(states(tree).slice(2)).toEqual(['sequence@2 unreached', 'c done', 'd unreached']);
    expect(tree.nodes[0]).toMatchObject({ startedAt: 1000, endedAt: 4000 });
    expect(runTreeText(tree, textOptions)).toMatch(/· sequence {2}not finished\n/);
  });

  it('opens sub-workflows, whose nodes have the name of the call before theirs', async () => {
    const call =
      'name: outer\ninput:\nimports:\n  workflows[1]:\n    - use: inner\n      from: ./inner.toon\nsteps[2]:\n  - kind: workflow\n    id: sub\n    use: inner\n  - id: z\n    run: "return \'x\'"\n    output: string\n';
    const inner = `name: inner\ninput:\nsteps[2]:\n${code('a')}${code('b')}`;
    const plan = await planOf(call, { files: { 'inner.toon': inner } });
    const row: RunRow = { id: 'r', root: 'r', name: 'outer', status: 'running', startedAt: 0, updatedAt: 0 };
    const told: Told = [
      started,
      ['sub', { kind: 'child.started', child: 'c', name: 'inner' }],
      begin('sub/a#1'),
      done('sub/a#1'),
    ];
    const tree = runTree({ row, plan, events: eventsOf(told), driven: true });
    expect(states(tree)).toEqual(['sub running', 'sub/a done', 'sub/b pending', 'z pending']);
    expect(tree.nodes[0]).toMatchObject({ run: 'c', children: [{ path: 'sub/a' }, { path: 'sub/b' }] });
    // It waits when all that is open in it waits, and is left when that was.
    const asked: Told[number] = ['sub/b', { kind: 'approval.requested', request: { title: 'Go?' }, hash: 'h' }];
    const waiting = runTree({
      row: { ...row, status: 'waiting' },
      plan,
      events: eventsOf([...told, asked]),
      driven: false,
    });
    expect(states(waiting)).toEqual(['sub waiting', 'sub/a done', 'sub/b waiting', 'z pending']);
    // What it was given stands in its start.
    const given = { kind: 'child.started', child: 'c', name: 'inner', input: { n: 5 } } as EventBody;
    const start = runTree({ row, plan, events: eventsOf([started, ['sub', given]]), driven: true });
    expect(start.nodes[0]).toMatchObject({ run: 'c', input: { n: 5 } });
    const left = runTree({ row, plan, events: eventsOf([...told, begin('sub/b#1')]), driven: false });
    expect(states(left)).toEqual(['sub interrupted', 'sub/a done', 'sub/b interrupted', 'z pending']);
  });

  it('takes as long as there are events', async () => {
    const many = 30_000;
    const told: Told[number][] = [];
    for (let i = 1; i <= many; i++) told.push(begin(`l[${i}]/a#1`), done(`l[${i}]/a#1`));
    const tree = await treeOf(loop, told);
    expect(tree.nodes[0]?.children).toHaveLength(many);
  });
});

const command = (...words: readonly string[]) => ['toolang', ...words].join(' ');
const textOptions = { paint, now: 100_000, columns: 80, short: 'r', command };

describe('as text', () => {
  it('shows times, values and failures in full', async () => {
    const error = err('it broke\nin two lines', { node: 'b', at: 'flow.toon:11:9', cause: err('the disk is full') });
    const told: Told = [begin('a#1'), done('a#1', '\u001b[31mred'), begin('b#1'), failed('b#1', error)];
    const tree = await treeOf(code('a') + code('b') + code('c'), told, { status: 'failed', endedAt: 4000, error });
    const text = runTreeText(tree, textOptions);
    expect(text.split('\n').slice(4)).toEqual([
      '  ✓ a  "\\u001b[31mred"                                 1.0s',
      '  ✗ b  it broke in two lines                           1.0s',
      '  · c',
      '',
      'failed',
      '  ✗ b at flow.toon:11:9',
      '    it broke',
      '    in two lines',
      '    because the disk is full',
      '',
    ]);
  });
});
