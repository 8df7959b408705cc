/** What a run leaves out, told as soon as it is known: from events written by hand. */
import { describe, expect, it } from 'vitest';
import type { EventBody, RunRow } from '../journal/index.ts';
import type { WorkflowPlan } from '../plan/index.ts';
import { flow, planOf } from '../plan/plan-test-kit.ts';
import { journalOf } from '../run/simulate/simulate.ts';
import { painter } from '../text/index.ts';
import { createRunProgress, nodeLine, readNodeId, runTree, treeNodes } from './index.ts';
import { createRunSkips } from './run-skips.ts';

const begin: EventBody = { kind: 'node.started', key: '' };
const done: EventBody = { kind: 'node.done', output: 'v' };
const runDone: EventBody = { kind: 'run.done', output: 'v' };
const asked: EventBody = { kind: 'approval.requested', request: { title: 'Go?' }, hash: 'h' };
const denied: EventBody = { kind: 'approval.decided', approved: false, by: 'ana', value: {} };

function code(id: string, more = '', margin = '  '): string {
  return `${margin}- id: ${id}\n${margin}  run: "return 'x'"\n${margin}  output: string\n${more === '' ? '' : `${margin}  ${more}\n`}`;
}
const skipIf = `skipIf: "{input.topic} == 'x'"`;
const ask = (id: string, more = '', margin = '  ') =>
  `${margin}- kind: approval\n${margin}  id: ${id}\n${margin}  request:\n${margin}    title: Go?\n${margin}  onDeny: skip\n${more === '' ? '' : `${margin}  ${more}\n`}`;
const inside = (kind: string, steps: string, more = '') =>
  `  - kind: ${kind}\n${more}    children[${[...steps.matchAll(/^ {6}- /gm)].length}]:\n${steps}`;
const loopOf = (steps: string) => inside('loop', steps, `    id: l\n    until: "false"\n    maxIterations: 3\n`);

/** What is told with each of the events. */
function told(plan: WorkflowPlan, ...events: (readonly [string | undefined, EventBody])[]): string[][] {
  const skips = createRunSkips(plan);
  return events.map(([node, body]) =>
    skips.add(node, body).map(({ name, why }) => (why === undefined ? name : `${name}: ${why}`)),
  );
}

describe('what is left out', () => {
  it('is told when something behind it begins, once', async () => {
    const plan = await planOf(flow(code('a') + code('b', skipIf) + code('c', skipIf) + code('d')));
    expect(told(plan, ['a#1', begin], ['a#1', done], ['d#1', begin], ['d#1', done], [undefined, runDone])).toEqual([
      [],
      [],
      ['b: skipIf was true', 'c: skipIf was true'],
      [],
      [],
    ]);
  });

  it('is told at the end, where nothing stands behind it', async () => {
    const plan = await planOf(flow(code('a') + code('b', skipIf)));
    expect(told(plan, ['a#1', begin], [undefined, runDone])).toEqual([[], ['b: skipIf was true']]);
    const error = { code: 'code', message: 'no', retryable: false };
    expect(told(plan, ['a#1', begin], [undefined, { kind: 'run.failed', error }])).toEqual([[], []]);
  });

  it('is the rest of the list of an approval that was denied, and all that needs it', async () => {
    const arm = inside('sequence', ask('ok', '', '      ') + code('p', '', '      ') + code('q', '', '      '));
    const plan = await planOf(flow(`${arm}${code('r', 'needs: ok')}${code('s')}`));
    expect(told(plan, ['ok', asked], ['ok', denied], ['s#1', begin])).toEqual([
      [],
      ['p: ok was denied', 'q: ok was denied'],
      ['r: ok was denied'],
    ]);
  });

  it('has the loops behind a denial in one line, and asks nobody whose guard was denied', async () => {
    const plan = await planOf(flow(`${ask('ok')}${loopOf(code('a', '', '      '))}${ask('more')}${code('z')}`));
    expect(told(plan, ['ok', asked], ['ok', denied])).toEqual([
      [],
      ['l: ok was denied', 'more: ok was denied', 'z: ok was denied'],
    ]);
    const side = inside('parallel', ask('ok', '', '      ') + code('p', '', '      '));
    const next = inside('sequence', ask('two', 'needs: ok', '      ') + code('q', '', '      '));
    const guarded = await planOf(flow(`${side}${next}${code('z')}`));
    expect(told(guarded, ['ok', asked], ['p#1', begin], ['ok', denied], ['z#1', begin])).toEqual([
      [],
      [],
      [],
      ['two: ok was denied', 'q: ok was denied'],
    ]);
  });

  it('is told of each round with the next one, and of the last one when the loop is over', async () => {
    const rounds = loopOf(code('a', '', '      ') + code('b', `skipIf: "loop.iteration == 2"`, '      '));
    const plan = await planOf(flow(`${rounds}${code('z')}`));
    expect(
      told(
        plan,
        ['l[1]/a#1', begin],
        ['l[2]/a#1', begin],
        ['l[1]/a#1', done],
        ['l[3]/a#1', begin],
        ['l[3]/b#1', begin],
        ['z#1', begin],
      ),
    ).toEqual([[], ['l[1]/b: skipIf was true'], [], ['l[2]/b: skipIf was true'], [], []]);
  });

  it('is told of what stands side by side when all of it is over', async () => {
    const side = inside('parallel', code('p', skipIf, '      ') + code('q', '', '      '));
    const plan = await planOf(flow(`${side}${code('z')}`));
    expect(told(plan, ['q#1', begin], ['q#1', done], ['z#1', begin])).toEqual([[], [], ['p: skipIf was true']]);
  });

  it('is not the arm of a branch that was not taken', async () => {
    const branch = `  - kind: branch\n    condition: "{input.topic} == 'x'"\n    then[1]:\n${code('t', '', '      ')}    else[2]:\n${code('e', '', '      ')}${code('f', skipIf, '      ')}`;
    const plan = await planOf(flow(`${branch}${code('z')}`));
    expect(told(plan, ['t#1', begin], ['z#1', begin])).toEqual([[], []]);
    expect(told(plan, ['e#1', begin], ['z#1', begin])).toEqual([[], ['f: skipIf was true']]);
    expect(told(plan, ['z#1', begin])).toEqual([[]]);
  });

  it('is told of sub-workflows by the names of the run, when they are done', async () => {
    const called = await planOf(flow(loopOf(code('a', '', '      ')) + code('b', skipIf) + code('c', skipIf)));
    const base = await planOf(flow(code('z')));
    const call = { kind: 'workflow', id: 'w', path: 'w', use: 'sub', input: { kind: 'json', value: null }, needs: [] };
    const plan = { ...base, workflows: { sub: called }, children: [call, ...base.children] } as unknown as WorkflowPlan;
    const started: EventBody = { kind: 'child.started', child: 'r2', machine: { kind: 'workflow' } } as never;
    // Its last step was left out, so it has no value.
    const ended: EventBody = { kind: 'child.ended', outcome: { none: true } };
    expect(told(plan, ['w', started], ['w/l[1]/a#1', begin], ['w', ended], ['z#1', begin])).toEqual([
      [],
      [],
      ['w/b: skipIf was true', 'w/c: skipIf was true'],
      [],
    ]);
  });

  it('is nothing of what the plan does not know', async () => {
    const plan = await planOf(flow(code('a', skipIf) + code('b')));
    const asks: EventBody = { kind: 'limit.reached', limit: '', request: {}, hash: '' };
    expect(told(plan, ['@limit#1', asks], ['x[1]/y#1', begin])).toEqual([[], []]);
  });

  it('is told once of each, however many rounds and steps there are', async () => {
    const steps = Array.from({ length: 40 }, (_, i) => code(`s${i}`, i % 2 ? skipIf : '', '      ')).join('');
    const skips = createRunSkips(await planOf(flow(loopOf(steps))));
    let count = 0;
    for (let round = 1; round <= 500; round++) {
      for (let i = 0; i < 40; i += 2) count += skips.add(`l[${round}]/s${i}#1`, begin).length;
    }
    count += skips.add(undefined, runDone).length;
    expect(count).toBe(500 * 20);
  });
});

describe('what is told while a run goes on', () => {
  it('is what the tree of the run says in the end', async () => {
    let count = 0;
    for (let seed = 0; seed < 120; seed++) {
      const { plan, events } = await journalOf(seed);
      const skips = createRunSkips(plan);
      const told = new Map<string, string | undefined>();
      for (const { node, body } of events) {
        // Nothing begins that was said to be left out.
        if (node !== undefined) expect(told.has(readNodeId(node).name), `${seed} ${node}`).toBe(false);
        for (const { name, why } of skips.add(node, body)) told.set(name, why);
      }
      const isDone = events.at(-1)?.body.kind === 'run.done';
      const status = isDone ? 'done' : 'failed';
      const row: RunRow = { id: 'r', root: 'r', name: 'n', status, startedAt: 0, updatedAt: 0, endedAt: 1 };
      const leftOut = new Map<string, string | undefined>();
      for (const each of treeNodes(runTree({ row, plan, events, driven: false }).nodes)) {
        if (each.children.length > 0) continue;
        if (told.has(each.name)) expect(each, `${seed}`).toMatchObject({ status: 'skipped' });
        if (each.status === 'skipped') leftOut.set(each.name, each.why);
      }
      for (const [name, why] of leftOut) {
        if (why !== 'skipIf was true') continue;
        expect([name, told.get(name)], `${seed}`).toEqual([name, why]);
        count++;
      }
    }
    expect(count).toBeGreaterThan(0);
  });
});

describe('progress', () => {
  it('has a line for what is left out: behind the denial, and before what begins', async () => {
    const arm = inside('sequence', ask('ok', '', '      ') + code('p', '', '      '));
    const plan = await planOf(flow(`${code('f', skipIf)}${arm}${code('g', skipIf)}${ask('go')}`));
    const progress = createRunProgress(() => plan);
    const lines = (...events: [string, EventBody][]) =>
      progress
        .add(events.map(([node, body]) => ({ at: 0, node, body })))
        .map((node) => nodeLine(node.name, node, { paint: painter(false), now: 0, width: 4, columns: 70 }))
        .map((line) => line.replace(/ {2,}/g, '  '));
    expect(lines(['ok', asked])).toEqual(['– f  skipped: skipIf was true', '⏸ ok  Go?  waiting for you']);
    expect(lines(['ok', denied], ['go', asked])).toEqual([
      '✗ ok  denied by ana',
      '– p  skipped: ok was denied',
      '– g  skipped: skipIf was true',
      '⏸ go  Go?  waiting for you',
    ]);
  });
});
