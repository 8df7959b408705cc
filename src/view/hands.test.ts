/** Runs of thunks: hands as nodes of their own, what they spend and say, and journals that end anywhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent, RunRow, SegmentWhy } from '../journal/index.ts';
import { flow, planOf, prompt } from '../plan/plan-test-kit.ts';
import { painter } from '../text/index.ts';
import {
  createRunNodes,
  createRunProgress,
  logText,
  placeText,
  type RunTree,
  readNodeId,
  runTree,
  runTreeText,
  runWhy,
  treeNodes,
  usageOf,
  whyText,
} from './index.ts';

type Told = readonly [string | undefined, EventBody];

const paint = painter(false);
const defined = { name: 'flow', plan: 'p', source: '', input: { topic: 'x' }, machine: 1, models: {} };
const begins: Told = [undefined, { kind: 'run.started', ...defined }];
const goesOn = (why: SegmentWhy): Told => [undefined, { kind: 'segment.opened', why, ...defined }];
const calls = (id: string, key = 'k'): Told => [id, { kind: 'child.started', key }];
const starts = (id: string): Told => [id, { kind: 'node.started', key: '' }];
const usage = { inputTokens: 10, outputTokens: 1, cost: 1 };
const answers = (id: string, text: string): Told[] => [
  starts(id),
  [id, { kind: 'model.answered', message: { text, finish: 'stop' }, usage }],
];
const ended = (id: string, ok: string): Told => [id, { kind: 'child.ended', outcome: { ok }, usage }];
const ofTool = (id: string, tool: string): Told[] => [
  starts(id),
  [id, { kind: 'tool.asked', tool, call: 'c' }],
  [id, { kind: 'tool.answered', result: { text: 'ok' } }],
];
const error = { code: 'model', message: 'it is down', retryable: true };

function events(told: readonly Told[]): JournalEvent[] {
  return told.map(([node, body], i) => ({
    ...{ seq: i + 1, at: i * 1000, run: 'r', body },
    ...(node !== undefined && { node }),
  }));
}

async function treeOf(told: readonly Told[], own: Partial<RunRow> = {}, driven = true): Promise<RunTree> {
  const row: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'running', startedAt: 0, updatedAt: 0, ...own };
  return runTree({
    row,
    plan: await planOf(flow(prompt('review', 'R') + prompt('z', 'Z'))),
    events: events(told),
    driven,
  });
}

const textOf = (tree: RunTree) =>
  runTreeText(tree, { paint, now: 90_000, columns: 80, short: 'r', command: (...words) => words.join(' ') });

/** A step that calls two hands; the first of them another one. */
const whole: Told[] = [
  begins,
  calls('review#1'),
  ...answers('review#1/model#1', ''),
  calls('review#1/summarize[1]#1'),
  calls('review#1/summarize[2]#1'),
  starts('review#1/summarize[1]#1/model#1'),
  [
    'review#1/summarize[1]#1/model#1',
    { kind: 'model.answered', message: { text: '', calls: [{ id: 'c', tool: 'filesystem/read', args: {} }] }, usage },
  ],
  ...ofTool('review#1/summarize[1]#1/tool#1', 'filesystem/read'),
  calls('review#1/summarize[1]#1/check[1]#1'),
  ...answers('review#1/summarize[1]#1/check[1]#1/model#1', 'fine'),
  ended('review#1/summarize[1]#1/check[1]#1', 'fine'),
  ended('review#1/summarize[1]#1', 'short'),
  ...answers('review#1/summarize[2]#1/model#1', ''),
  ['review#1/summarize[2]#1', { kind: 'child.ended', outcome: { err: error }, usage }],
  ...answers('review#1/model#2', 'all good'),
  ended('review#1', 'all good'),
];

describe('ids', () => {
  it('name hands by what calls them, to any depth', () => {
    expect(readNodeId('l[2]/review#2/summarize[3]#1/check[1]#1/model#4')).toEqual({
      name: 'l[2]/review/summarize[3]/check[1]',
      attempt: 2,
      inner: '/model#4',
      within: ['l[2]/review', 'l[2]/review/summarize[3]'],
    });
    expect(readNodeId('l[2]/review#1/model#4')).toEqual({ name: 'l[2]/review', attempt: 1, inner: '/model#4' });
    expect(placeText(readNodeId('review#1/summarize[1]#1/check[2]#1'))).toBe('review › summarize › check[2]');
  });

  it('name the nodes of a hand that is a workflow as its own run does', () => {
    expect(readNodeId('review#1/deploy[1]#1/l[2]/build#3.wait')).toMatchObject({
      name: 'review/deploy[1]/l[2]/build',
      attempt: 3,
      inner: '.wait',
    });
    // A step may be called as a part of a thunk is: the journal knows.
    const id = 'review#1/deploy[1]#1/model#1';
    expect(readNodeId(id).inner).toBe('/model#1');
    expect(readNodeId(id, () => true)).toMatchObject({ name: 'review/deploy[1]/model', inner: '' });
  });

  it('are read whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '/', '#', '1', '[', ']', '.', 'model', 'x[1]#1'), { maxLength: 20 }),
        (p) => {
          const id = p.join('');
          const { name, inner, within = [] } = readNodeId(id);
          expect(id.endsWith(inner)).toBe(true);
          for (const outer of within) expect(name.startsWith(`${outer}/`)).toBe(true);
        },
      ),
    );
  });
});

describe('hands', () => {
  it('are children of what calls them, with their own calls and what came of them', async () => {
    const tree = await treeOf(whole);
    const [review] = tree.nodes;
    expect([...treeNodes(tree.nodes)].map(({ name, kind, status }) => [name, kind, status])).toEqual([
      ['review', 'step', 'done'],
      ['review/summarize[1]', 'hand', 'done'],
      ['review/summarize[1]/check[1]', 'hand', 'done'],
      ['review/summarize[2]', 'hand', 'failed'],
      ['z', 'step', 'pending'],
    ]);
    expect(review).toMatchObject({ calls: 2, output: 'all good' });
    expect(review?.tools).toBeUndefined();
    expect(review?.children[0]).toMatchObject({ calls: 1, output: 'short', tools: [{ tool: 'filesystem/read' }] });
    expect(review?.children[1]).toMatchObject({ error });
  });

  it('spend what their step spends, once', async () => {
    const tree = await treeOf(whole);
    const cost = new Map([...treeNodes(tree.nodes)].map(({ name, usage: spent }) => [name, spent?.cost]));
    expect(cost.get('review')).toBe(5);
    expect(cost.get('review/summarize[1]')).toBe(2);
    expect(cost.get('review/summarize[1]/check[1]')).toBe(1);
    expect(tree.usage.cost).toBe(5);
    expect(usageOf(tree.nodes).cost).toBe(5);
  });

  it('are shown below their step', async () => {
    const text = textOf(await treeOf(whole));
    expect(text).toMatch(
      /\n {2}✓ review {5,}"all good" .*55 tokens.*\n {4}✓ summarize +"short" .*1 tool call .*\n {6}✓ filesystem\/read\n {6}✓ check +"fine".*\n {4}✗ summarize\[2\] +it is down/,
    );
  });

  it('do what their step does: it is running with them, and waits with them', async () => {
    const [, , , , ...rest] = whole;
    const running = await treeOf([
      ...whole.slice(0, 4),
      ...rest.slice(0, 2),
      starts('review#1/summarize[2]#1/model#1'),
    ]);
    expect(running.nodes[0]).toMatchObject({
      status: 'running',
      children: [{ status: 'waiting' }, { status: 'running' }],
    });
    const asked: Told = [
      'review#1/summarize[1]#1/permit#1',
      { kind: 'approval.requested', request: { title: 'May it?' }, hash: 'h', permission: true },
    ];
    const waiting = await treeOf([...whole.slice(0, 5), asked], { status: 'waiting' });
    const [review] = waiting.nodes;
    expect(review).toMatchObject({
      status: 'waiting',
      children: [{ status: 'waiting', request: { title: 'May it?' } }],
    });
    expect(review?.why).toBeUndefined();
    expect(waiting.waiting.map(({ node }) => node)).toEqual(['review#1/summarize[1]#1/permit#1']);
    expect(textOf(waiting)).toContain('approve r review#1/summarize[1]#1/permit#1');
  });

  it('end with their step, where no end of their own was told', async () => {
    const cut = [...whole.slice(0, 6), starts('review#1/summarize[2]#1/model#1'), ended('review#1', 'enough')];
    const tree = await treeOf(cut);
    expect(tree.nodes[0]?.children.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    const progress = createRunProgress();
    progress.add(events(cut));
    expect(progress.running()).toEqual([]);
  });

  it('of a step that is tried again are tried again', async () => {
    const failed: Told = ['review#1', { kind: 'child.ended', outcome: { err: error }, usage }];
    const hand = (n: number): Told[] => [
      calls(`review#${n}`),
      calls(`review#${n}/summarize[1]#1`),
      ...answers(`review#${n}/summarize[1]#1/model#1`, 'x'),
      ended(`review#${n}/summarize[1]#1`, 'x'),
    ];
    const tree = await treeOf([begins, ...hand(1), failed, ...hand(2)]);
    const [review] = tree.nodes;
    expect(review).toMatchObject({
      usage: { cost: 2 },
      children: [{ name: 'review/summarize[1]', usage: { cost: 2 } }],
    });
    expect(review?.children[0]?.attempts?.map(({ number, begun }) => [number, begun])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('that are workflows have their steps below them, and what was spent there is theirs', async () => {
    const deploy = 'review#1/deploy[1]#1';
    const tree = await treeOf([
      begins,
      calls('review#1'),
      ...answers('review#1/model#1', ''),
      [deploy, { kind: 'child.started', child: 'r2', name: 'deploy', input: { to: 'prod' } }],
      starts(`${deploy}/model#1`),
      [`${deploy}/model#1`, { kind: 'node.done', output: 'built' }],
      [`${deploy}/ship`, { kind: 'child.started', child: 'r3', name: 'ship', input: {} }],
      calls(`${deploy}/ship/l[1]/write#1`),
      ...answers(`${deploy}/ship/l[1]/write#1/model#1`, 'x'),
      starts(`${deploy}/ship/l[1]/write#1/tool#1`),
    ]);
    expect([...treeNodes(tree.nodes)].map(({ name, kind, status, title }) => [name, kind, status, title])).toEqual([
      ['review', 'step', 'running', 'review'],
      ['review/deploy[1]', 'hand', 'running', 'deploy'],
      ['review/deploy[1]/model', 'step', 'done', 'model'],
      ['review/deploy[1]/ship', 'workflow', 'running', 'ship'],
      ['review/deploy[1]/ship/l[1]/write', 'step', 'running', 'l[1]/write'],
      ['z', 'step', 'pending', 'z'],
    ]);
    expect(tree.nodes[0]?.children[0]).toMatchObject({ run: 'r2', input: { to: 'prod' }, usage: { cost: 1 } });
    expect(tree.usage.cost).toBe(2);
  });

  it('take as long as they took here, also behind calls that were kept', async () => {
    const tree = await treeOf([
      ...whole,
      goesOn('retry'),
      calls('review#1'),
      ['review#1/model#1', { kind: 'model.answered', message: { text: '', finish: 'stop' }, usage, of: 3 }],
      calls('review#1/summarize[1]#1'),
      ...answers('review#1/summarize[1]#1/model#1', 'short'),
      ended('review#1/summarize[1]#1', 'short'),
      ...answers('review#1/model#2', 'good'),
      ended('review#1', 'good'),
    ]);
    const [{ startedAt = 0, endedAt = 0 } = {}] = tree.nodes[0]?.attempts ?? [];
    expect(endedAt - startedAt).toBe(8000);
  });

  it('that were running when the owner died go on with their step', async () => {
    const tree = await treeOf([...whole.slice(0, 5), starts('review#1/summarize[1]#1/model#1')], {}, false);
    expect(tree.nodes[0]).toMatchObject({ status: 'interrupted', children: [{ status: 'interrupted' }] });
    expect(textOf(tree)).toContain('nobody drives it now; review will go on where it was');
  });
});

describe('what is said beside', () => {
  const told: Told[] = [
    begins,
    calls('review#1'),
    ['review#1/tools#2', { kind: 'handoff', from: 'triage', to: 'billing' }],
    ['review#1/tools#2', { kind: 'handoff', from: 'triage', to: 'billing' }],
    ['review#1/tool#1', { kind: 'memory.saved', id: 7, text: 'invoices\ngo to ann' }],
    [undefined, { kind: 'run.steered', by: 'ann', message: 'look at the tests first' }],
  ];

  it('is shown: handoffs, memories, and what people told the run', async () => {
    const text = textOf(await treeOf(told));
    expect(text).toContain('\n    → handed over to billing\n    → remembered: invoices go to ann\n');
    expect(text).toContain('\n  told    ann: look at the tests first\n');
  });

  it('is in logs with its place', () => {
    const lines = events(told).map((event) => logText(event, paint));
    expect(lines.at(-1)).toMatch(/^\S+ \S+ {2}ann: look at the tests first\n$/);
    const [, hand] = events([begins, ended('review#1/summarize[2]#1', 'x')]);
    expect(hand && logText(hand, paint)).toContain('  review#1/summarize[2]#1  done "x"\n');
  });

  it('names the agent and the thunk of a run of one', async () => {
    const plan = await planOf(flow(prompt('review', 'R')));
    const agents = { w: { name: 'w', type: 'too', fields: { use: './agents/reviewer.too#review' } } };
    const row: RunRow = { id: 'r', root: 'r', name: 'reviewer', status: 'running', startedAt: 0, updatedAt: 0 };
    const tree = runTree({ row, plan: { ...plan, agents }, events: events(told), driven: true });
    expect(tree.thunk).toEqual({ agent: 'reviewer', thunk: 'review' });
    expect(textOf(tree)).toMatch(/^reviewer › review · run r · running\n/);
    expect(textOf({ ...tree, name: 'release' })).toMatch(/^release · run r/);
  });
});

describe('progress', () => {
  it('names what is innermost, and tells of hands when they have ended', () => {
    const progress = createRunProgress();
    const all = events(whole);
    const told: string[] = [];
    const running: string[][] = [];
    for (const event of all) {
      for (const node of progress.add([event])) told.push(`${placeText(node)} ${node.status}`);
      running.push(progress.running().map(placeText));
    }
    expect(told).toEqual([
      'review › summarize › check done',
      'review › summarize done',
      'review › summarize[2] failed',
      'review done',
    ]);
    expect(running.filter((names) => names.length > 0).map((names) => names.join())).toEqual([
      'review',
      'review › summarize',
      'review › summarize',
      'review › summarize',
      'review › summarize › check',
      'review › summarize[2]',
      'review',
    ]);
  });
});

describe('why', () => {
  const key = (id: string, of: string, ok: string): Told[] => [calls(id, of), ended(id, ok)];

  it('explains hands that were kept, that ran again, and that are new', async () => {
    const told: Told[] = [
      begins,
      calls('review#1', 'a'),
      ...key('review#1/sum[1]#1', 'k1', 'x'),
      ...key('review#1/sum[2]#1', 'k2', 'y'),
      ended('review#1', 'v'),
      goesOn('edit'),
      calls('review#1', 'b'),
      ['review#1/sum[1]#1', { kind: 'child.ended', outcome: { ok: 'x' }, usage, from: 'kept', of: 4 }],
      ...key('review#1/sum[2]#1', 'k3', 'z'),
      ...key('review#1/sum[3]#1', 'k4', 'w'),
    ];
    const plan = await planOf(flow(prompt('review', 'R') + prompt('z', 'Z')));
    const row: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'running', startedAt: 0, updatedAt: 0 };
    const tree = runTree({ row, plan, events: events(told), driven: true });
    expect(tree.nodes[0]?.children[0]).toMatchObject({ status: 'kept' });
    const why = runWhy({ row, tree, texts: { planOf: () => plan, sourceOf: () => undefined }, events: events(told) });
    expect(why.steps.filter(({ hand }) => hand).map(({ name, verdict, text }) => [name, verdict, text])).toEqual([
      ['review/sum[1]', 'kept', 'was kept: it was called with the same, and nothing of it has changed'],
      ['review/sum[2]', 'again', 'ran again: it was called with something else, or was changed'],
      ['review/sum[3]', 'first', 'ran for the first time: it was not called before'],
    ]);
    const text = whyText(why, { paint, columns: 80, command: (words) => words.join(' ') });
    expect(text).toContain('review/sum[2]');
    expect(text).not.toContain('review/sum[3]');
  });

  it('says that whoever calls a hand waits for it, and what the hand waits for', async () => {
    const asked: Told = [
      'review#1/sum[2]#1/permit#1',
      { kind: 'approval.requested', request: { title: 'May it?' }, hash: 'h', permission: true },
    ];
    const told = [
      begins,
      calls('review#1', 'a'),
      calls('review#1/sum[1]#1', 'k1'),
      calls('review#1/sum[2]#1', 'k2'),
      asked,
    ];
    const plan = await planOf(flow(prompt('review', 'R')));
    const row: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'waiting', startedAt: 0, updatedAt: 0 };
    const tree = runTree({ row, plan, events: events(told), driven: false });
    const why = runWhy({ row, tree, texts: { planOf: () => plan, sourceOf: () => undefined }, events: events(told) });
    expect(why.steps.map(({ name, text }) => [name, text])).toEqual([
      ['review', 'waits for sum, sum[2]'],
      ['review/sum[1]', 'waits for its turn'],
      ['review/sum[2]', 'waits for a person: "May it?"'],
    ]);
  });
});

describe('any journal', () => {
  const ids = fc
    .tuple(
      fc.constantFrom('review', 'z', 'l[1]/x', '@limit', 'gone'),
      fc.array(
        fc.constantFrom('#1', '#2', '/sum[1]#1', '/sum[2]#1', '/flow[1]#1', '/build', '/model#1', '.wait', '#', '/'),
        {
          maxLength: 7,
        },
      ),
    )
    .map(([step, rest]) => step + rest.join(''));
  const bodies = fc.constantFrom<EventBody>(
    { kind: 'node.started', key: 'k' },
    { kind: 'child.started', key: 'k' },
    { kind: 'child.started', child: 'r2', name: 'f', input: {} },
    { kind: 'child.ended', outcome: { ok: 1 }, usage },
    { kind: 'child.ended', outcome: { ok: 1 }, usage, from: 'kept', of: 1 },
    { kind: 'child.ended', outcome: { err: error } },
    { kind: 'node.done', output: 'x', usage },
    { kind: 'node.failed', error },
    { kind: 'model.asked', ref: 'm', settings: {}, add: ['h'] },
    { kind: 'model.answered', message: { text: '', calls: [{ id: 'c', tool: 'sum', args: { a: 1 } }] }, usage },
    { kind: 'tool.asked', tool: 't', call: 'c' },
    { kind: 'tool.answered', result: { ask: {} } },
    { kind: 'approval.requested', request: {}, hash: 'h', permission: true },
    { kind: 'approval.decided', approved: false, by: 'a', value: null },
    { kind: 'timer.set', until: 5 },
    { kind: 'node.cancelled', error },
    { kind: 'handoff', from: 'a', to: 'b' },
    { kind: 'memory.saved', id: 1, text: 't' },
    { kind: 'run.steered', by: '', message: 'm' },
    { kind: 'segment.opened', why: 'edit', ...defined },
  );
  const journals = fc
    .array(fc.tuple(fc.option(ids, { nil: undefined }), bodies), { maxLength: 40 })
    .map((told) => events([begins, ...told]));

  it('can be shown wherever it ends, and spends no more in its nodes than in all', async () => {
    const plan = await planOf(flow(prompt('review', 'R') + prompt('z', 'Z')));
    const row: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'running', startedAt: 0, updatedAt: 0 };
    fc.assert(
      fc.property(journals, fc.nat(40), fc.boolean(), (journal, end, driven) => {
        const cut = journal.slice(0, end + 1);
        const tree = runTree({ row, plan, events: cut, driven });
        expect(textOf(tree)).toContain('review');
        runWhy({ row, tree, texts: { planOf: () => plan, sourceOf: () => undefined }, events: cut });
        const progress = createRunProgress(() => plan);
        for (const event of cut) progress.add([event], () => {});
        for (const { within = [], name } of progress.running()) expect(within).not.toContain(name);
        expect(usageOf(tree.nodes).cost ?? 0).toBeLessThanOrEqual(tree.usage.cost ?? 0);
        for (const event of cut) logText(event, paint);
      }),
    );
  });

  it('of a whole run tells in the end what all its beginnings told, one after the other', () => {
    const fold = createRunNodes();
    for (const event of events(whole)) fold.add(event);
    for (let end = 0; end <= whole.length; end++) {
      const part = createRunNodes();
      for (const event of events(whole.slice(0, end))) part.add(event);
      for (const [name, { within }] of part.nodes) expect(fold.nodes.get(name)?.within).toEqual(within);
    }
  });
});
