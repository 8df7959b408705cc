/** Runs that go on otherwise: what is kept, what is done again, and that the preview says the same. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createPromptThunk } from '../../agent/index.ts';
import { createMemoryStore, type MemoryStore } from '../../journal/index.ts';
import type { Json, MakeMachine } from '../../machine/index.ts';
import { workflowMaker } from '../../plan/machine/index.ts';
import { flow, planOf, prompt, type TestFiles } from '../../plan/plan-test-kit.ts';
import { realClock } from '../../sys/index.ts';
import type { Execute } from '../execute.ts';
import { type Machine, thisMachine } from '../lease.ts';
import { createRun, type DriveRunOptions, driveRun, post, readRun, type StoredRun } from '../runs.ts';
import { forkRun, openSegment, previewChange, stepAt } from './segment.ts';

const clock = realClock;
let machine: Machine;
let store: MemoryStore;
/** The prompts that were asked, in order. */
let asked: string[];
/** What the model gives for a prompt. */
let answer: (prompt: string) => Json;
/** The prompt that it cannot answer. */
let broken: string | undefined;

beforeEach(() => {
  machine = thisMachine();
  store = createMemoryStore();
  asked = [];
  broken = undefined;
  answer = (text) => ({ text: `<${text}>` });
});

const model: Execute = async (command) => {
  const { messages } = command.args as unknown as { messages: { role: string; content: string }[] };
  const text = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  asked.push(text);
  if (broken === text) return { outcome: { err: { code: 'model', message: 'it is down', retryable: true } } };
  return {
    outcome: { ok: { text: JSON.stringify(answer(text)), finish: 'stop' } },
    usage: { inputTokens: 1, cost: 1 },
  };
};

function machines({ plan, started }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  const workflows = workflowMaker(plan, started.modules);
  const make: MakeMachine = (ref, init) =>
    ref.kind === 'workflow' ? workflows(ref, init) : createPromptThunk(ref, init);
  return { make, ref: { kind: 'workflow', plan: '' } };
}

function drive(root: string, epoch?: number) {
  const executors = () => ({ executors: { model }, close: async () => undefined });
  return driveRun({ store, root, machine, clock, machines, executors, ...(epoch !== undefined && { epoch }) });
}

async function start(source: string, given?: TestFiles): Promise<string> {
  const plan = await planOf(source, given);
  const { id, epoch } = createRun(store, { plan, input: { topic: 'tea' }, source }, machine, clock);
  await drive(id, epoch);
  return id;
}

/** Goes on with that text; what was asked since then. */
async function edit(root: string, source: string, why: 'edit' | 'keep' | 'retry' = 'edit', given?: TestFiles) {
  const change = { why, plan: await planOf(source, given), input: { topic: 'tea' }, source };
  const preview = previewChange(store, root, change, clock.now());
  const opened = await openSegment(store, root, change, machine, clock);
  if (opened.kind !== 'opened') throw new Error('it is held');
  asked = [];
  const end = await drive(root, opened.epoch);
  return { preview, end, asked };
}

async function decide(root: string, node: string, approved = true): Promise<void> {
  const hash = store.run(root)?.waiting?.find((row) => row.node === node)?.hash ?? '';
  expect(
    post(store, root, { at: clock.now(), by: 'ada', message: { kind: 'decide', node, hash, approved } }),
  ).toBeUndefined();
  await drive(root);
}

const kept = (root: string) =>
  [...store.events(root)].flatMap(({ node, body }) => ('of' in body && body.of !== undefined && node ? [node] : []));

const three = flow(prompt('a', 'A {input.topic}') + prompt('b', 'B {a.text}') + prompt('c', 'C'));

describe('an edited run', () => {
  it('does the changed step again, and its readers as its value has changed', async () => {
    const root = await start(three);
    const { preview, end, asked: again } = await edit(root, three.replace('A {', 'A! {'));
    expect(again).toEqual(['A! tea', 'B <A! tea>']);
    expect(end).toMatchObject({ kind: 'ended', end: { ok: { text: '<C>' } } });
    expect(preview).toMatchObject({
      kept: ['c'],
      moved: [],
      again: [{ step: 'a', parts: ['prompt'] }],
      may: [{ step: 'b', because: ['a'] }],
      fresh: [],
      removed: [],
      saved: { inputTokens: 1, cost: 1 },
    });
    expect(store.run(root)).toMatchObject({ status: 'done', cost: 5 });
  });

  it('keeps the readers of a step that gives the same again', async () => {
    answer = () => ({ text: 'same' });
    const root = await start(three);
    expect((await edit(root, three.replace('A {', 'A! {'))).asked).toEqual(['A! tea']);
    expect(kept(root)).toEqual(['b#1', 'c#1']);
  });

  it('keeps all where nothing counts that was changed, and an edit that is taken back', async () => {
    const root = await start(three);
    expect((await edit(root, `# words\n${three}    timeout: 5m\n`)).asked).toEqual([]);
    expect((await edit(root, three.replace('C', 'D'))).asked).toEqual(['D']);
    expect((await edit(root, three)).asked).toEqual([]);
  });

  it('finds a renamed step', async () => {
    const root = await start(three);
    const { preview, asked: again } = await edit(root, three.replace('id: c', 'id: last'));
    expect(again).toEqual([]);
    expect(preview).toMatchObject({
      kept: ['a', 'b', 'last'],
      moved: [{ from: 'c', to: 'last' }],
      removed: [],
      fresh: [],
    });
  });

  it('does a new step, and keeps those behind it that do not read it', async () => {
    const root = await start(three);
    const more = flow(prompt('a', 'A {input.topic}') + prompt('n', 'N') + prompt('b', 'B {a.text}') + prompt('c', 'C'));
    const { preview, asked: again } = await edit(root, more);
    expect(again).toEqual(['N']);
    expect(preview).toMatchObject({ kept: ['a', 'b', 'c'], fresh: ['n'], again: [], may: [], removed: [] });
  });

  it('drops what is gone', async () => {
    const root = await start(three);
    const { preview } = await edit(root, flow(prompt('a', 'A {input.topic}') + prompt('c', 'C')));
    expect(preview).toMatchObject({ kept: ['a', 'c'], removed: ['b'] });
  });

  it('asks again where the words of a question changed, and only there', async () => {
    const asks = (title: string) => `  - kind: approval\n    id: ok\n    request:\n      title: ${title}\n`;
    const text = (title: string, last: string) => flow(prompt('a', 'A') + asks(title) + prompt('b', last));
    const root = await start(text('Go?', 'B'));
    await decide(root, 'ok');
    expect(store.run(root)?.status).toBe('done');
    const { end, asked: again } = await edit(root, text('Go?', 'B2'));
    expect([end.kind, again]).toEqual(['ended', ['B2']]);
    expect((await edit(root, text('Really?', 'B2'))).end).toMatchObject({ kind: 'waiting', waiting: [{ node: 'ok' }] });
    await decide(root, 'ok');
    expect(store.run(root)?.status).toBe('done');
  });

  it('keeps a denial, unless it is tried again', async () => {
    const text = flow(`  - kind: approval\n    id: ok\n    request:\n      title: Go?\n${prompt('b', 'B')}`);
    const root = await start(text);
    await decide(root, 'ok', false);
    expect(store.run(root)?.status).toBe('failed');
    expect((await edit(root, text)).end).toMatchObject({ kind: 'ended', end: { err: { code: 'denied' } } });
    expect((await edit(root, text, 'retry')).end).toMatchObject({ kind: 'waiting' });
  });

  it('keeps by identity alone where that is wished', async () => {
    const root = await start(three);
    expect((await edit(root, three.replace('A {', 'A! {'), 'keep')).asked).toEqual([]);
  });

  const loop = (until: string, most: number, more = '') =>
    flow(
      `  - kind: loop\n    id: l\n    until: "${until}"\n    maxIterations: ${most}\n    children[1]:\n      - id: s\n        agent: w\n        prompt: "S {loop.iteration}"\n        output:\n          text: string\n${prompt('z', 'Z')}${more}`,
    );

  it('goes on with a loop, or ends it before', async () => {
    const root = await start(loop('loop.iteration == 3', 5));
    const longer = await edit(root, loop('loop.iteration == 4', 5));
    expect(longer.asked).toEqual(['S 4']);
    expect(longer.preview).toMatchObject({ kept: ['l[1]/s', 'l[2]/s', 'l[3]/s', 'z'], fresh: ['l[4]/s'], removed: [] });
    const shorter = await edit(root, loop('loop.iteration == 9', 2));
    expect(shorter.asked).toEqual([]);
    expect(shorter.preview).toMatchObject({ kept: ['l[1]/s', 'l[2]/s', 'z'], removed: ['l[3]/s', 'l[4]/s'] });
  });

  it('keeps a step that was moved into a loop, once', async () => {
    const root = await start(flow(prompt('s', 'S 1') + prompt('z', 'Z')));
    expect((await edit(root, loop('loop.iteration == 2', 2))).asked).toEqual(['S 2']);
  });

  it('keeps the steps of sub-workflows one by one', async () => {
    const sub = (text: string) => ({
      files: {
        'sub.toon': flow(prompt('x', 'X {input.topic}') + prompt('y', text)).replace('name: flow', 'name: sub'),
      },
    });
    const call = '  - kind: workflow\n    id: k\n    use: sub\n    input:\n      topic: "{input.topic}"\n';
    const text = `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${flow(call)}`;
    const root = await start(text, sub('Y'));
    expect((await edit(root, text, 'edit', sub('Y2'))).asked).toEqual(['Y2']);
    expect(store.runs({ root }).map(({ name, status }) => [name, status])).toEqual([
      ['sub', 'done'],
      ['flow', 'done'],
    ]);
  });

  it('goes on where it failed', async () => {
    broken = 'C';
    const root = await start(three);
    expect(store.run(root)?.status).toBe('failed');
    broken = undefined;
    const { asked: again, end } = await edit(root, three, 'retry');
    expect(again).toEqual(['C']);
    expect(end).toMatchObject({ kind: 'ended', end: { ok: { text: '<C>' } } });
  });

  it('is the same when it is resumed in the middle of a segment', async () => {
    const asks = '  - kind: approval\n    id: ok\n    request:\n      title: Go?\n';
    const text = (first: string) => flow(prompt('a', first) + prompt('b', 'B') + asks + prompt('c', 'C {a.text}'));
    const root = await start(text('A'));
    expect((await edit(root, text('A2'))).asked).toEqual(['A2']);
    await drive(root);
    asked = [];
    await decide(root, 'ok');
    expect(asked).toEqual(['C <A2>']);
    expect(store.run(root)).toMatchObject({ status: 'done', output: { text: '<C <A2>>' } });
  });
});

const asks = '  - kind: approval\n    id: ok\n    request:\n      title: "Go with {a.text}?"\n';
const sub = (steps: string) => flow(steps).replace('name: flow', 'name: sub');
const call = '  - kind: workflow\n    id: k\n    use: sub\n    input:\n      topic: "{input.topic}"\n';
const calling = (steps: string) => `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${flow(steps)}`;

/** Somebody answers, and nobody takes it up. */
function send(root: string, node: string, approved = true): void {
  const { hash = '', kind } = store.run(root)?.waiting?.find((row) => row.node === node) ?? {};
  const message = kind === 'limit' ? ({ kind: 'answer', add: 5 } as const) : ({ kind: 'decide' } as const);
  const draft = { at: clock.now(), by: 'ada', message: { ...message, node, hash, approved } };
  expect(post(store, root, draft)).toBeUndefined();
}

describe('an answer that nobody has taken up', () => {
  const text = (first: string) => flow(prompt('a', first) + asks + prompt('c', 'C'));

  it.each([true, false])('counts in the segment after it, where the words are the same (%s)', async (approved) => {
    answer = () => ({ text: 'same' });
    const root = await start(text('A'));
    send(root, 'ok', approved);
    const { preview, end, asked: again } = await edit(root, text('A2'));
    // It is shown as it comes.
    expect(preview.may.map(({ step }) => step)).toContain('ok');
    expect(again).toEqual(approved ? ['A2', 'C'] : ['A2']);
    expect(end).toMatchObject({ kind: 'ended' });
    expect(kept(root)).toEqual(['ok']);
    expect(store.inbox(root)).toEqual([]);
    const decided = [...store.events(root)].filter(({ body }) => body.kind === 'approval.decided');
    expect(decided.map(({ run, body }) => [run, body])).toEqual([
      [root, expect.objectContaining({ approved, by: 'ada' })],
      [root, expect.objectContaining({ approved, of: decided[0]?.seq })],
    ]);
  });

  it('is asked again where the words are others', async () => {
    const root = await start(text('A'));
    send(root, 'ok');
    const { end } = await edit(root, text('A2'));
    expect(end).toMatchObject({ kind: 'waiting', waiting: [{ title: 'Go with <A2>?' }] });
    expect(store.inbox(root)).toEqual([]);
  });

  it('is told of the sub-workflow that has asked', async () => {
    const given = (last: string) => ({ files: { 'sub.toon': sub(prompt('a', 'A') + asks + prompt('z', last)) } });
    const root = await start(calling(call), given('Z'));
    send(root, 'k/ok');
    const inner = store.runs({ root }).find(({ id }) => id !== root)?.id;
    expect((await edit(root, calling(call), 'edit', given('Z2'))).asked).toEqual(['Z2']);
    const first = [...store.events(root)].find(({ body }) => body.kind === 'approval.decided');
    expect(first).toMatchObject({ run: inner, node: 'k/ok' });
  });

  it('about a limit counts, too', async () => {
    const plan = await planOf(three);
    const { id, epoch } = createRun(store, { plan, input: { topic: 'tea' }, source: three }, machine, clock);
    const mostCost = () => 1;
    const executors = () => ({ executors: { model }, close: async () => undefined, mostCost });
    const options = { store, root: id, machine, clock, machines, executors, limit: 1 };
    expect(await driveRun({ ...options, epoch })).toMatchObject({ kind: 'waiting', waiting: [{ kind: 'limit' }] });
    send(id, '@limit#1');
    const change = { why: 'edit' as const, plan, input: { topic: 'tea' }, source: three };
    const opened = await openSegment(store, id, change, machine, clock);
    if (opened.kind !== 'opened') throw new Error('it is held');
    // It is in the journal now, and nowhere else.
    expect(store.inbox(id)).toEqual([]);
    expect(await driveRun({ ...options, epoch: opened.epoch })).toMatchObject({ kind: 'ended' });
  });

  it('that is no answer, or comes to nothing that is asked, stays where it is', async () => {
    const root = await start(text('A'));
    store.write((writer) => writer.post(root, { at: 1, by: 'ada', message: { kind: 'cancel', reason: 'enough' } }));
    const { end } = await edit(root, text('A2'));
    expect(end).toMatchObject({ kind: 'ended', end: { cancelled: 'enough' } });
  });
});

describe('what was shown', () => {
  const change = async (root: string, text = three) => {
    const { input } = readRun(store, root);
    return { why: 'edit' as const, plan: await planOf(text), input, source: text };
  };

  it('is what happens, if the run stays where it was', async () => {
    const root = await start(three);
    const wish = await change(root, three.replace('C', 'D'));
    const { last } = previewChange(store, root, wish, clock.now());
    expect(await openSegment(store, root, wish, machine, clock, last)).toMatchObject({ kind: 'opened' });
    expect(store.run(root)?.segment).toBe(last + 1);
  });

  it('does not happen when the run has moved since, and nothing is written', async () => {
    const text = flow(prompt('a', 'A') + asks + prompt('c', 'C'));
    const root = await start(text);
    const wish = await change(root, text.replace('"C"', '"D"'));
    const { last } = previewChange(store, root, wish, clock.now());
    send(root, 'ok');
    expect(await openSegment(store, root, wish, machine, clock, last)).toEqual({ kind: 'moved' });
    expect(store.inbox(root)).toHaveLength(1);
    await drive(root);
    expect(store.run(root)?.status).toBe('done');
    const events = [...store.events(root)];
    expect(await openSegment(store, root, wish, machine, clock, last)).toEqual({ kind: 'moved' });
    expect([...store.events(root)]).toEqual(events);
    expect(store.lease(root)?.owner).toBeUndefined();
    const again = previewChange(store, root, wish, clock.now());
    expect(await openSegment(store, root, wish, machine, clock, again.last)).toMatchObject({ kind: 'opened' });
  });

  it('does not happen to a run that was removed: nobody has its lease', async () => {
    const root = await start(three);
    const wish = await change(root);
    store.write((writer) => writer.removeRun(root));
    await expect(openSegment(store, root, wish, machine, clock)).rejects.toMatchObject({ code: 'TOO6201' });
    await expect(drive(root)).rejects.toMatchObject({ code: 'TOO6201' });
    expect(() => previewChange(store, root, wish, 0)).toThrow(`has no run ${root}`);
    expect(store.lease(root)).toBeUndefined();
  });
});

describe('a segment', () => {
  it('ends the sub-workflows of the one before that it does not have', async () => {
    const given = { files: { 'sub.toon': sub(prompt('a', 'A') + asks) } };
    const root = await start(calling(call + prompt('z', 'Z')), given);
    expect(store.runs({ root }).map(({ status }) => status)).toEqual(['running', 'waiting']);
    await edit(root, flow(prompt('z', 'Z')));
    expect(store.runs({ root }).map(({ name, status, waiting }) => [name, status, waiting ?? []])).toEqual([
      ['sub', 'cancelled', []],
      ['flow', 'done', []],
    ]);
    expect(store.runs({ root })[0]?.endedAt).toBeDefined();
  });

  it('has no result before it is done', async () => {
    const root = await start(three);
    expect(store.run(root)?.output).toEqual({ text: '<C>' });
    await edit(root, `${three}${asks}`.replace('steps[3]', 'steps[4]'));
    expect(store.run(root)?.status).toBe('waiting');
    expect(store.run(root)?.output).toBeUndefined();
    broken = 'D';
    await edit(root, three.replace('"C"', '"D"'));
    expect(store.run(root)?.status).toBe('failed');
    expect(store.run(root)?.output).toBeUndefined();
  });

  it('is not older than what was before it, whatever the clock says', async () => {
    const root = await start(three);
    const before = store.run(root)?.updatedAt ?? 0;
    const late = { ...clock, now: () => before - 5000 };
    const { plan, input, source } = readRun(store, root);
    const { id } = forkRun(store, readRun(store, root), { change: { plan, input, source } }, machine, late);
    await openSegment(store, root, { why: 'edit', plan, input, source }, machine, late);
    for (const run of [root, id]) {
      const times = [...store.events(run)].map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(store.run(run)?.updatedAt).toBe(before);
    }
  });
});

describe('a fork', () => {
  it('shares what was before its step, and leaves the other alone', async () => {
    const root = await start(three);
    const at = stepAt(store, root, 'b');
    if (at.kind !== 'found') throw new Error('it was begun');
    const run = readRun(store, root);
    const before = [...store.events(root)];
    const fork = { before: at.seq, change: { plan: run.plan, input: run.input, source: run.source } };
    const { id, epoch } = forkRun(store, run, fork, machine, clock);
    asked = [];
    await drive(id, epoch);
    expect(asked).toEqual(['B <A tea>', 'C']);
    expect(kept(id)).toEqual(['a#1']);
    expect(store.run(id)).toMatchObject({ forkOf: root, status: 'done', cost: 2 });
    expect([...store.events(root)]).toEqual(before);
  });

  it('with another input does again what reads it', async () => {
    const root = await start(three);
    const { plan, source } = readRun(store, root);
    const { id, epoch } = forkRun(
      store,
      readRun(store, root),
      { change: { plan, source, input: { topic: 'ink' } } },
      machine,
      clock,
    );
    asked = [];
    await drive(id, epoch);
    expect(asked).toEqual(['A ink', 'B <A ink>']);
  });

  it('knows the steps that were begun', async () => {
    const root = await start(three);
    expect(stepAt(store, root, 'q')).toEqual({ kind: 'unknown', steps: ['a', 'b', 'c'] });
  });

  it('knows a step of a component by its whole id', async () => {
    const steps = prompt('"{id}-s"', 'S').replace(/^(?=.)/gm, '    ');
    const text = flow('  - kind: component\n    id: u\n    use: C\n').replace(
      'steps[1]',
      `components:\n  C:\n    params:\n    steps[1]:\n${steps}steps[1]`,
    );
    const root = await start(text);
    expect(stepAt(store, root, 'u-s')).toMatchObject({ kind: 'found', step: 'u/s' });
  });

  it('knows a step by the end of its path, where none is called so', async () => {
    const inner = prompt('s', 'S {loop.iteration}') + prompt('t', 'T');
    const loop = `  - kind: loop\n    id: l\n    until: "loop.iteration == 2"\n    maxIterations: 2\n    children[2]:\n${inner.replace(/^(?=.)/gm, '    ')}`;
    const given = { files: { 'sub.toon': sub(prompt('a', 'A') + prompt('t', 'T')) } };
    const root = await start(calling(loop + call + prompt('a', 'Z')).replace(/steps\[\d+\]/, 'steps[3]'), given);
    const found = (name: string) => {
      const at = stepAt(store, root, name);
      return at.kind === 'found' ? at.step : at.kind;
    };
    expect(found('s')).toBe('l[1]/s');
    expect(found('t')).toBe('l[1]/t');
    expect(found('l[2]/t')).toBe('l[2]/t');
    // The whole name goes first, though it was begun last.
    expect(found('a')).toBe('a');
    expect(found('k/t')).toBe('k/t');
    expect(found('l')).toBe('l[1]/s');
    expect(found('/t')).toBe('unknown');
  });
});
