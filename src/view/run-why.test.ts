/** Why the steps of a run are as they are, where it takes a journal that is hard to come by. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent, RunRow, SegmentWhy } from '../journal/index.ts';
import { flow, planOf, prompt } from '../plan/plan-test-kit.ts';
import { runTree, runWhy } from './index.ts';

type Told = readonly [string | undefined, EventBody];

const defined = { name: 'flow', source: '', input: { topic: 'a' }, machine: 1, models: {} };
const starts = (plan: string): Told => [undefined, { kind: 'run.started', plan, ...defined }];
const goesOn = (plan: string, why: SegmentWhy = 'edit'): Told => [
  undefined,
  { kind: 'segment.opened', why, plan, ...defined },
];
const begins = (id: string): Told => [`${id}#1`, { kind: 'node.started', key: 'k' }];
const done = (id: string, output: string): Told => [`${id}#1`, { kind: 'node.done', output }];
const code = (id: string, js: string) => `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: string\n`;

async function whyOf(plans: Readonly<Record<string, string>>, told: readonly Told[], own: Partial<RunRow> = {}) {
  const events: JournalEvent[] = told.map(([node, body], i) => ({
    ...{ seq: i + 1, at: i, run: 'r', body },
    ...(node !== undefined && { node }),
  }));
  const row: RunRow = { id: 'r', root: 'r', name: 'flow', status: 'running', startedAt: 0, updatedAt: 0, ...own };
  const read = new Map<string, Awaited<ReturnType<typeof planOf>>>();
  for (const [hash, text] of Object.entries(plans)) read.set(hash, await planOf(flow(text)));
  const now = read.get(Object.keys(plans).at(-1) ?? '');
  if (now === undefined) throw new Error('no plan');
  const asked: string[] = [];
  const planFor = (hash: string) => {
    asked.push(hash);
    return read.get(hash);
  };
  const tree = runTree({ row, plan: now, events, driven: false });
  const why = runWhy({ row, tree, texts: { planOf: planFor, sourceOf: () => undefined }, events });
  return { ...why, asked };
}

describe('why', () => {
  it('says of a step that is held back what begins it', async () => {
    const told = [starts('p'), begins('a'), begins('a'), begins('a')];
    const { steps } = await whyOf({ p: code('a', 'return "a"') }, told);
    expect(steps).toMatchObject([
      {
        verdict: 'interrupted',
        text: 'was running each of the last times the process died, and is not begun again by itself',
        answers: [['resume', '--again']],
      },
    ]);
    const once = await whyOf({ p: code('a', 'return "a"') }, told.slice(0, 2));
    expect(once.steps).toMatchObject([
      { text: expect.stringContaining('is begun again when it goes on'), answers: [] },
    ]);
  });

  it('names what stands before a step, and not what stands beside it', async () => {
    const inside = (...steps: string[]) =>
      `      - kind: sequence\n        children[${steps.length}]:\n${steps.map((id) => code(id, 'return "x"').replace(/^(?=.)/gm, '        ')).join('')}`;
    const needing = `${code('e', 'return "x"').replace(/^(?=.)/gm, '    ')}        needs: d\n`;
    const text = `  - kind: parallel\n    children[3]:\n${inside('a', 'b')}${inside('c', 'd')}${needing}${code('z', 'return "x"')}`;
    const told = [starts('p'), begins('a'), begins('c'), done('c', 'c'), begins('d')];
    const { steps } = await whyOf({ p: text }, told);
    const pending = steps.filter(({ verdict }) => verdict === 'pending').map(({ name, text: why }) => [name, why]);
    expect(pending).toEqual([
      ['b', 'was not reached yet: a comes before it'],
      ['e', 'was not reached yet: d comes before it'],
      ['z', 'was not reached yet: a comes before it'],
    ]);
    const beside = await whyOf({ p: text }, [starts('p'), begins('a'), done('a', 'a'), begins('b'), begins('c')]);
    expect(beside.steps.find(({ name }) => name === 'd')?.text).toBe('was not reached yet: c comes before it');
  });

  it('names what is read by its name in the run', async () => {
    const inner = (code('a', 'return "x"') + prompt('b', '{a}')).replace(/^(?=.)/gm, '    ');
    const loop = `  - kind: loop\n    id: l\n    until: "{b.text} == 'y'"\n    children[2]:\n${inner}`;
    const { steps } = await whyOf({ p: loop + prompt('z', '{b.text}') }, [starts('p'), begins('l[1]/a')]);
    expect(steps.map(({ text }) => text).slice(1)).toEqual([
      'was not reached yet: l[1]/a comes before it',
      'was not reached yet: l[1]/b comes before it',
    ]);
  });

  it('says what people have decided', async () => {
    const ask = '  - kind: approval\n    id: ok\n    request:\n      title: Go?\n    onDeny: skip\n';
    const value = { approved: false, decidedAt: '' };
    const told: Told[] = [
      starts('p'),
      ['ok', { kind: 'approval.requested', request: { title: 'Go?' }, hash: 'h' }],
      ['ok', { kind: 'approval.decided', approved: false, by: 'ana', note: 'too long', value }],
    ];
    const { steps } = await whyOf({ p: ask }, told, { status: 'done', endedAt: 9 });
    expect(steps.map(({ text }) => text)).toEqual(['was asked for the first time, and denied by ana: too long']);
  });

  it('says what was cancelled', async () => {
    const stopped: Told = [
      'a#1',
      { kind: 'node.cancelled', error: { code: 'cancelled', message: '', retryable: false } },
    ];
    const told = [starts('p'), begins('a'), stopped];
    const { steps } = await whyOf({ p: code('a', 'return "x"') }, told, { status: 'cancelled', endedAt: 9 });
    expect(steps).toMatchObject([{ status: 'cancelled', text: 'ran for the first time, and was cancelled' }]);
  });

  it('reads only the plans that something is compared with', async () => {
    const [a, b] = [code('a', 'return "a"'), code('b', 'return "b"')];
    const { steps, asked } = await whyOf(
      { one: a + b, two: code('a', 'return "x"') + b, three: code('a', 'return "y"') + code('b', 'return "c"') },
      [
        ...[starts('one'), begins('a'), done('a', 'a'), begins('b'), done('b', 'b')],
        ...([
          goesOn('two'),
          begins('a'),
          ['a#1', { kind: 'node.failed', error: { code: 'x', message: '', retryable: false } }],
        ] as Told[]),
        ...[goesOn('three'), begins('a'), done('a', 'y'), begins('b'), done('b', 'c')],
      ],
      { status: 'done', endedAt: 9 },
    );
    expect(steps.map(({ parts }) => parts.map(({ old, new: now }) => [old, now]))).toEqual([
      [['return "x"', 'return "y"']],
      [['return "b"', 'return "c"']],
    ]);
    expect(new Set(asked)).toEqual(new Set(['one', 'two', 'three']));
    const plain = await whyOf({ one: a + b }, [starts('one'), begins('a')]);
    expect(plain.asked).toEqual(['one']);
  });

  it('says that nothing was changed after an edit there and back, also where --keep or another name was between', async () => {
    const keep = (id: string): Told => [`${id}#1`, { kind: 'node.done', output: 'a', from: 'kept', of: 3 }];
    const first = [starts('one'), begins('a'), done('a', 'a')];
    const [one, other, named] = [code('a', 'return "a"'), code('a', 'return "x"'), code('b', 'return "a"')];
    const texts = async (plans: Readonly<Record<string, string>>, ...told: readonly Told[]) =>
      (await whyOf(plans, [...first, ...told], { status: 'done', endedAt: 9 })).steps.map(({ text }) => text);
    const same = ['was kept: nothing that it depends on has changed'];
    const kept = [goesOn('two', 'keep'), keep('a')];
    expect(await texts({ one, two: other }, ...kept)).toEqual(['was kept by --keep, although its code was changed']);
    expect(await texts({ one, two: other, three: one }, ...kept, goesOn('three'), keep('a'))).toEqual(same);
    expect(await texts({ one, two: other, three: other }, ...kept, goesOn('three'), keep('a'))).toEqual(same);
    expect(await texts({ one, two: named, three: one }, goesOn('two'), keep('b'), goesOn('three'), keep('a'))).toEqual(
      same,
    );
  });

  it('reads a plan once, however many segments and steps have it', async () => {
    const many = 2000;
    const steps = Array.from({ length: many }, (_, i) => prompt(`s${i}`, `Say ${i}.`)).join('');
    const kept = Array.from(
      { length: many },
      (_, i): Told => [`s${i}#1`, { kind: 'child.ended', outcome: { ok: { text: 'x' } }, from: 'kept', of: i + 2 }],
    );
    const told: Told[] = [
      starts('p'),
      ...kept.map(([id]): Told => [id, { kind: 'child.ended', outcome: { ok: { text: 'x' } } }]),
    ];
    for (let i = 0; i < 5; i++) told.push(goesOn('p'), ...kept);
    const { steps: found, asked } = await whyOf({ p: steps }, told, { status: 'done', endedAt: 9 });
    expect(new Set(found.map(({ text }) => text))).toEqual(
      new Set(['was kept: nothing that it depends on has changed']),
    );
    // That of now, and the one that it is compared with.
    expect(asked).toHaveLength(2);
  });
});
