/** Previews of what only an engine knows: fields that were read while a step ran, and steps that processes died of. */
import { expect, it } from 'vitest';
import { createMemoryStore, mostDeaths } from '../../journal/index.ts';
import { workflowMaker } from '../../plan/machine/index.ts';
import { planOf } from '../../plan/plan-test-kit.ts';
import { realClock } from '../../sys/index.ts';
import type { Execute } from '../execute.ts';
import { thisMachine } from '../lease.ts';
import { createRun, type DriveRunOptions, driveRun, type NewRun, type StoredRun } from '../runs.ts';
import { readHash } from './memo.ts';
import { previewChange } from './segment.ts';

const clock = realClock;
const machine = thisMachine();

function machines({ plan, started }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  return { make: workflowMaker(plan, started.modules), ref: { kind: 'workflow', plan: '' } };
}

const run: Execute = async () => ({ outcome: { ok: 1 } });
/** As functions do, it tells which field it has read. */
const handler: Execute = async (command) => ({
  outcome: { ok: 2 },
  reads: { 'input.v': readHash(command, 'input.v') },
});

async function begin(given: NewRun) {
  const store = createMemoryStore();
  const { id, epoch } = createRun(store, given, machine, clock);
  const executors = () => ({ executors: { run, handler }, close: async () => undefined });
  const drive = () => driveRun({ store, root: id, machine, clock, machines, executors, epoch });
  return { store, id, epoch, drive };
}

const code = (id: string, js: string) => `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: number\n`;

it('a step that read a field of what it was given depends on who gave that', async () => {
  const sub = 'name: sub\ninput:\n  v: number\nsteps[1]:\n  - id: s\n    handler: ./h.mjs\n    output: number\n';
  const text = (js: string) =>
    `name: w\ninput:\nimports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\nsteps[2]:\n${code('a', js)}  - kind: workflow\n    id: b\n    use: sub\n    input:\n      v: "{a}"\n`;
  const files = { 'sub.toon': sub, 'h.mjs': 'export default () => 2;' };
  const of = async (js: string) => ({ plan: await planOf(text(js), { files }), input: {}, source: '' });
  const { store, id, drive } = await begin(await of('return 1'));
  expect(await drive()).toMatchObject({ kind: 'ended', end: { ok: 2 } });
  const { again, may, kept } = previewChange(store, id, { ...(await of('return 3')), why: 'edit' }, clock.now());
  expect({ again, may, kept }).toEqual({
    again: [{ step: 'a', parts: ['code'] }],
    may: [{ step: 'b/s', because: ['a'] }],
    kept: [],
  });
});

it('a step that its process died of each time is not said to be begun', async () => {
  const of = async (js: string) => {
    const text = `name: w\ninput:\nsteps[2]:\n${code('bad', 'return 1')}${code('z', js)}`;
    return { plan: await planOf(text), input: {}, source: '' };
  };
  const known = await begin(await of('return 1'));
  await known.drive();
  const first = [...known.store.events(known.id)].find(({ node }) => node === 'bad#1');
  if (first?.body.kind !== 'node.started') throw new Error('it was not begun');
  const { body, node } = first;
  const { store, id, epoch } = await begin(await of('return 1'));
  const died = { at: clock.now(), run: id, node: node ?? '', body };
  const preview = async () => previewChange(store, id, { ...(await of('return 2')), why: 'edit' }, clock.now()).then;
  for (let nth = 1; nth < mostDeaths; nth++) store.write((writer) => void writer.append(id, epoch, [died]));
  expect(await preview()).toEqual([
    { step: 'bad', begun: true },
    { step: 'z', begun: false },
  ]);
  store.write((writer) => void writer.append(id, epoch, [died]));
  expect(await preview()).toEqual([
    { step: 'bad', begun: true, held: true },
    { step: 'z', begun: false },
  ]);
});
