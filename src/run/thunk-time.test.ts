/** The timeout of a thunk is for what is at work, not for the time in which nobody drives the run or money is awaited. */
import { expect, test } from 'vitest';
import { type AgentImage, type ThunkImage, thunkMaker } from '../agent/index.ts';
import { createMemoryStore } from '../journal/index.ts';
import type { Json, MakeMachine } from '../machine/index.ts';
import type { WorkflowPlan } from '../plan/index.ts';
import { workflowMaker } from '../plan/machine/index.ts';
import { textType } from '../type/index.ts';
import type { Execute } from './execute.ts';
import { createRun, type DriveRunOptions, driveRun, post, type StoredRun } from './runs.ts';
import { simulatedClock } from './simulate/clock.ts';
import { thunkPlan } from './thunk-plan.ts';

const day = 86_400_000;

function thunk(name: string, hands: readonly string[]): ThunkImage {
  return {
    name,
    params: [{ name: 'input', type: textType, optional: false }],
    output: textType,
    models: ['scripted'],
    hands,
    ...{ tools: [], optional: [], skills: [], services: [], psyches: [], handoffs: [], recall: [], messages: [] },
  };
}

const image: AgentImage = {
  agent: 'a',
  thunks: { default: thunk('default', ['look']), look: thunk('look', []) },
  ...{ types: {}, skills: {}, services: {}, workflows: {} },
  depth: 8,
  cwd: '/',
  memory: '/memory.db',
};

/** A thunk of at most a minute, whose calls take a second each: two of its own, and one of a hand. */
function timed(): WorkflowPlan {
  const plan = thunkPlan({ image, thunk: 'default', file: '/a.too', activation: {} });
  return { ...plan, children: plan.children.map((step) => ({ ...step, timeoutMs: 60_000 })) };
}

function world(more: Partial<DriveRunOptions> = {}) {
  const clock = simulatedClock();
  const store = createMemoryStore();
  const machine = {
    me: { host: 'h', boot: 'b', pid: 1, started: 's' },
    startOf: () => undefined,
    endGroup: async () => undefined,
  };
  const { id, epoch } = createRun(store, { plan: timed(), input: { input: 'Go.' }, source: '' }, machine, clock);
  store.write((writer) => writer.release(id, epoch));
  const model: Execute = async ({ id: call }, { signal }) => {
    await clock.sleep(1000, signal).catch(() => undefined);
    const calls = [{ id: 'c', tool: 'look', args: { input: 'x' } }];
    const message: Json = call.endsWith('default#1/model#1') ? { text: '', finish: 'calls', calls } : { text: 'Done.' };
    return { outcome: { ok: message }, usage: { cost: 0.1 } };
  };
  const machines = ({ plan }: StoredRun) => {
    const [workflows, thunks] = [workflowMaker(plan), thunkMaker(3)];
    const make: MakeMachine = (ref, init) => (ref.kind === 'workflow' ? workflows(ref, init) : thunks(ref, init));
    return { make, ref: { kind: 'workflow', plan: '' } };
  };
  const executors = () => ({ executors: { model }, mostCost: () => 0.1, close: async () => undefined });
  /** `stopAfter`: so many answers. */
  const drive = async (stopAfter = Number.POSITIVE_INFINITY) => {
    let left = stopAfter;
    const soft = new AbortController();
    const tell: DriveRunOptions['tell'] = (message) => {
      if (message.kind !== 'events') return;
      left -= message.events.filter(({ body }) => body.kind === 'model.answered').length;
      if (left <= 0) soft.abort();
    };
    let isOver = false;
    const driven = driveRun({ store, root: id, machine, clock, machines, executors, soft: soft.signal, tell, ...more });
    void driven.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isOver) clock.next();
    }
    return await driven;
  };
  /** A day goes by. */
  const sleep = async () => {
    const over = clock.sleep(day);
    clock.next();
    await over;
  };
  return { clock, store, id, drive, sleep };
}

test('a run that is taken up a day later goes on where it was', async () => {
  const { drive, sleep, store, id } = world();
  for (const stopAfter of [1, 1]) {
    expect(await drive(stopAfter)).toMatchObject({ kind: 'stopped' });
    await sleep();
  }
  expect(await drive()).toEqual({ kind: 'ended', end: { ok: 'Done.' } });
  expect([...store.events(id)].filter(({ body }) => body.kind === 'model.answered')).toHaveLength(3);
});

test('so does one that has waited a day for money', async () => {
  const { drive, sleep, store, id } = world({ limit: 0.15 });
  for (let asked = 0; ; asked++) {
    const end = await drive();
    if (end.kind === 'ended') {
      expect(end.end).toEqual({ ok: 'Done.' });
      expect(asked).toBeGreaterThan(0);
      return;
    }
    expect(end).toMatchObject({ kind: 'waiting' });
    await sleep();
    const [{ node = '', hash = '' } = {}] = store.run(id)?.waiting ?? [];
    post(store, id, { at: 0, by: 'ann', message: { kind: 'answer', node, hash, approved: true, add: 0.1 } });
  }
});
