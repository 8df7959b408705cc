/** A run that went on otherwise: its last segment is shown, what was kept is marked, and nothing is counted twice. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent, RunRow, SegmentWhy } from '../journal/index.ts';
import type { WorkflowPlan } from '../plan/index.ts';
import { flow, planOf, prompt } from '../plan/plan-test-kit.ts';
import { painter } from '../text/index.ts';
import {
  changeLine,
  changeText,
  createRunProgress,
  logText,
  outsideSteps,
  type RunChange,
  runTree,
  runTreeText,
  runWhy,
  treeNodes,
} from './index.ts';

const row: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'done', startedAt: 0, updatedAt: 0, endedAt: 9 };
const plain = painter(false);

type Told = readonly [string | undefined, EventBody];

const events = (...told: readonly Told[]): JournalEvent[] =>
  told.map(([node, body], i) => ({ seq: i + 1, at: i * 1000, run: 'r', ...(node && { node }), body }));

const begins: Told = [
  undefined,
  { kind: 'run.started', name: 'flow', plan: 'before', source: '', input: { topic: 'a' }, machine: 1, models: {} },
];
const goesOn = (why: SegmentWhy, before?: number): Told => [
  undefined,
  {
    kind: 'segment.opened',
    why,
    name: 'flow',
    plan: 'now',
    source: '',
    input: { topic: 'b' },
    machine: 1,
    models: {},
    ...(before !== undefined && { before }),
  },
];
const asked = (id: string, text: string): Told[] => [
  [`${id}#1`, { kind: 'child.started', key: `k-${id}` }],
  [`${id}#1/model#1`, { kind: 'node.started', key: '' }],
  [`${id}#1/model#1`, { kind: 'model.answered', message: text, usage: { cost: 1, inputTokens: 10 } }],
  [`${id}#1`, { kind: 'child.ended', outcome: { ok: { text } }, usage: { cost: 1, inputTokens: 10 } }],
];
const kept = (id: string, text: string, of: number): Told => [
  `${id}#1`,
  { kind: 'child.ended', outcome: { ok: { text } }, usage: { cost: 1, inputTokens: 10 }, from: 'kept', of },
];

const two = flow(prompt('a', 'A') + prompt('b', 'B {a.text}'));

async function treeOf(told: readonly Told[], own: Partial<RunRow> = {}, plan?: WorkflowPlan) {
  const given = { plan: plan ?? (await planOf(two)), events: events(...told), driven: false };
  return runTree({ row: { ...row, ...own }, ...given });
}

const once = [begins, ...asked('a', 'x'), ...asked('b', 'y')];
const edited = [...once, goesOn('edit'), kept('a', 'x', 5), ...asked('b', 'z')];

describe('a tree', () => {
  it('is that of the last segment; what was spent is that of all, and what was kept costs once', async () => {
    const tree = await treeOf(edited);
    expect(tree.nodes.map(({ name, status, usage }) => [name, status, usage?.cost])).toEqual([
      ['a', 'kept', undefined],
      ['b', 'done', 1],
    ]);
    expect(tree).toMatchObject({ input: { topic: 'b' }, usage: { cost: 3, inputTokens: 30 } });
    expect(tree.segments).toEqual([{ why: 'edit', at: 9000 }]);
  });

  it('of a fork counts nothing that was copied, and names the step', async () => {
    const tree = await treeOf([...once, goesOn('fork', 6), kept('a', 'x', 5), ...asked('b', 'z')], { forkOf: 'other' });
    expect(tree).toMatchObject({ fork: { of: 'other', from: 'b' }, usage: { cost: 1 } });
    expect(tree.segments).toBeUndefined();
    const again = await treeOf([...edited, goesOn('fork'), kept('a', 'x', 5), goesOn('retry')], { forkOf: 'other' });
    expect(again).toMatchObject({ fork: { of: 'other' }, usage: {}, segments: [{ why: 'retry' }] });
  });

  it('tells its history in words', async () => {
    const told = [...once, goesOn('fork', 6), goesOn('edit'), goesOn('keep'), goesOn('retry'), kept('a', 'x', 5)];
    const tree = await treeOf(told, { forkOf: 'other' });
    const text = runTreeText(tree, {
      paint: plain,
      now: 0,
      columns: 80,
      short: 'r',
      origin: '7f3a',
      command: () => '',
    });
    expect(text).toContain('  history fork of 7f3a from b, edited 2 times, tried again once\n');
    expect(text).toMatch(/^ {2}= a {2}"x" +kept$/m);
  });

  it('has groups that are kept where all in them is', async () => {
    const group = (steps: string) =>
      flow(`  - kind: sequence\n    children[2]:\n${steps.replace(/^/gm, '    ').trimEnd()}\n`);
    const plan = await planOf(group(prompt('a', 'A') + prompt('b', 'B {a.text}')));
    const statusOf = async (told: readonly Told[]) => (await treeOf(told, {}, plan)).nodes[0]?.status;
    expect(await statusOf([...once, goesOn('edit'), kept('a', 'x', 5), kept('b', 'y', 9)])).toBe('kept');
    expect(await statusOf(edited)).toBe('done');
    expect([...treeNodes((await treeOf(edited, {}, plan)).nodes)].map(({ status }) => status)).toEqual([
      'done',
      'kept',
      'done',
    ]);
  });
});

describe('progress', () => {
  it('tells of each segment anew, and asks for its plan', async () => {
    const plan = await planOf(two);
    let reads = 0;
    const progress = createRunProgress(() => {
      reads++;
      return plan;
    });
    const names = (told: readonly Told[]) =>
      progress.add(events(...told)).map(({ name, status }) => `${name} ${status}`);
    expect(names(once)).toEqual(['a done', 'b done']);
    expect(names(edited.slice(once.length))).toEqual(['a kept', 'b done']);
    expect(reads).toBe(2);
    expect(progress.spent()).toEqual({ cost: 3, inputTokens: 30 });
  });
});

describe('logs', () => {
  it('say how it went on, and where a result was taken from', () => {
    const lines = events(goesOn('edit'), goesOn('fork', 6), kept('a', 'x', 5), [
      'ok',
      { kind: 'approval.decided', approved: true, by: 'ana', value: null, from: 'kept', of: 7 },
    ]).map((event) => logText(event, plain).slice(25));
    expect(lines).toEqual([
      'went on with an edited file, with {"topic":"b"}\n',
      'went on as a run of its own, with what was done before 6, with {"topic":"b"}\n',
      'a#1  done (kept, of 5) {"text":"x"}\n',
      'ok  approved by ana (kept, of 7)\n',
    ]);
  });
});

const none: RunChange = {
  kept: [],
  moved: [],
  again: [],
  may: [],
  fresh: [],
  // biome-ignore lint/suspicious/noThenProperty: what comes then; nobody awaits it.
  then: [],
  rounds: [],
  removed: [],
  saved: {},
  outside: [],
  cached: [],
  denied: [],
};

describe('what a change means', () => {
  it('is one line', () => {
    expect(changeLine({ ...none, kept: ['a', 'b'] })).toBe('kept 2');
    expect(
      changeLine({
        ...none,
        kept: Array.from({ length: 41 }, (_, i) => `s${i}`),
        again: [
          { step: 'draft', parts: ['prompt'] },
          { step: 'l[2]/x', parts: ['agent'] },
        ],
        may: Array.from({ length: 5 }, (_, i) => ({ step: `m${i}`, because: ['draft', `m${i - 1}`] })),
        fresh: ['n'],
        removed: ['o'],
        saved: { cost: 2.1, inputTokens: 9 },
      }),
    ).toBe('kept 41 · runs again 2 · may run again 5 (if draft changes) · new 1 · removed 1 · at least $2.10 saved');
    const may = [{ step: 'm', because: ['a', 'b', 'c', 'd'] }];
    expect(changeLine({ ...none, may })).toBe('kept 0 · may run again 1 (if a, b or 2 others change)');
  });

  it('names few where many would be named, unless all are wanted', () => {
    const fresh = Array.from({ length: 60 }, (_, i) => `step-${i}`);
    const options = { paint: plain, columns: 80, wrapAt: 80, retry: '' };
    const few = changeText({ ...none, fresh }, options).split('\n');
    expect(few).toHaveLength(4);
    expect(few[2]).toMatch(/… and \d+ more$/);
    for (const line of few) expect(line.length).toBeLessThanOrEqual(80);
    const all = changeText({ ...none, kept: ['k'], fresh }, { ...options, all: true });
    for (const name of ['k', ...fresh]) expect(all).toContain(name);
  });

  it('names what acts outside', async () => {
    const code = (id: string, js: string) => `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: string\n`;
    const tree = `  - kind: worktree\n    path: wt\n    children[1]:\n${code('w', 'return "w"').replace(/^/gm, '    ').trimEnd()}\n`;
    const handler = '  - id: h\n    handler: ./h.mjs\n    output: string\n';
    const text = `name: flow\ninput:\nagents:\n  w:\n    type: scripted\n  c:\n    type: claude-code\nsteps[6]:\n${prompt('p', 'P')}${prompt('q', 'Q').replace('agent: w', 'agent: c')}${code('r', 'return "sh"')}${code('s', 'return String(await sh`date`)')}${handler}${tree}`;
    const plan = await planOf(text, { files: { 'h.mjs': 'export default () => "h";' } });
    expect([...outsideSteps(plan)]).toEqual([
      ['q', 'agent c'],
      ['s', 'sh'],
      ['h', 'handler'],
      ['w', 'worktree'],
    ]);
  });
});

describe('why', () => {
  it('knows a value that is another, in the same round of a loop', async () => {
    const inner = (a: string) =>
      `  - kind: loop\n    id: l\n    until: "{b.text == 'never'}"\n    maxIterations: 2\n    children[2]:\n${(prompt('a', a) + prompt('b', 'B {a.text}')).replace(/^/gm, '    ').trimEnd()}\n`;
    const [before, now] = [await planOf(flow(inner('A'))), await planOf(flow(inner('A2')))];
    const told = [
      begins,
      ...['l[1]/a', 'l[1]/b', 'l[2]/a', 'l[2]/b'].flatMap((id) => asked(id, `${id} old`)),
      goesOn('edit'),
      ...asked('l[1]/a', 'l[1]/a old'),
      kept('l[1]/b', 'l[1]/b old', 9),
      ...asked('l[2]/a', 'new'),
      ...asked('l[2]/b', 'too'),
    ];
    const tree = await treeOf(told, {}, now);
    const { steps } = runWhy({
      row,
      tree,
      texts: { planOf: (hash) => (hash === 'now' ? now : before), sourceOf: () => undefined },
      events: events(...told),
    });
    expect(steps.map(({ name, text }) => `${name} ${text}`)).toEqual([
      'l[1]/a ran again: its prompt was changed',
      'l[1]/b was kept: what it reads has come to the same again',
      'l[2]/a ran again: its prompt was changed',
      'l[2]/b ran again: l[2]/a is another value now',
    ]);
    expect(steps[3]?.parts).toEqual([{ part: 'values', step: 'l[2]/a', old: '"l[2]/a old"', new: '"new"' }]);
    expect(steps[0]?.parts).toMatchObject([
      { part: 'prompt', old: 'A', new: 'A2', at: expect.stringMatching(/^flow\.toon:\d+$/) },
    ]);
  });
});
