/** What a run has come to before its last segment, and that later segments go by it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createPromptThunk } from '../../agent/index.ts';
import { createMemoryStore, type EventBody, type JournalEvent, type MemoryStore } from '../../journal/index.ts';
import type { MakeMachine } from '../../machine/index.ts';
import { workflowMaker } from '../../plan/machine/index.ts';
import { flow, planOf, prompt, type TestFiles } from '../../plan/plan-test-kit.ts';
import { realClock } from '../../sys/index.ts';
import type { Execute } from '../execute.ts';
import { thisMachine } from '../lease.ts';
import { createResultCache } from '../result-cache.ts';
import { createRun, type DriveRunOptions, driveRun, type NewRun, post, readRun, type StoredRun } from '../runs.ts';
import { replay } from '../state.ts';
import { fits } from './memo.ts';
import { readPast } from './past.ts';
import { forkRun, openSegment, previewChange, stepAt } from './segment.ts';

const machine = thisMachine();
let store: MemoryStore;
let time: number;
/** The prompts that were asked since the last segment began. */
let asked: string[];
/** What the models cannot answer. */
let broken: string | undefined;
/** The model answers so. */
let word: string;
const clock = { ...realClock, now: () => time };

beforeEach(() => {
  store = createMemoryStore();
  time = Date.UTC(2030, 0, 1);
  asked = [];
  broken = undefined;
  word = 'one';
});

const model: Execute = async (command) => {
  const { messages } = command.args as unknown as { messages: { role: string; content: string }[] };
  const text = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  asked.push(text);
  if (broken !== undefined && text.startsWith(broken))
    return { outcome: { err: { code: 'model', message: 'it is down', retryable: true } } };
  return {
    outcome: { ok: { text: JSON.stringify({ text: `${word} <${text}>` }), finish: 'stop' } },
    usage: { inputTokens: 1, cost: 1 },
  };
};

function machines({ plan, started }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  const workflows = workflowMaker(plan, started.modules);
  const make: MakeMachine = (ref, init) =>
    ref.kind === 'workflow' ? workflows(ref, init) : createPromptThunk(ref, init);
  return { make, ref: { kind: 'workflow', plan: '' } };
}

async function drive(root: string, epoch?: number) {
  asked = [];
  time += 60_000;
  const executors = () => ({ executors: { model }, close: async () => undefined });
  const cacheOf = (run: StoredRun) => createResultCache(store, run, '/folder');
  return driveRun({ store, root, machine, clock, machines, executors, cacheOf, ...(epoch !== undefined && { epoch }) });
}

async function runOf(source: string, given?: TestFiles): Promise<NewRun> {
  return { plan: await planOf(source, given), input: { topic: 'tea' }, source, replies: new Map() };
}

async function start(source: string, given?: TestFiles): Promise<string> {
  const { id, epoch } = createRun(store, await runOf(source, given), machine, clock);
  await drive(id, epoch);
  return id;
}

async function goOn(root: string, source: string, why: 'edit' | 'keep' | 'retry' = 'edit', given?: TestFiles) {
  const opened = await openSegment(store, root, { ...(await runOf(source, given)), why }, machine, clock);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  return drive(root, opened.epoch);
}

async function fork(root: string, source: string, step?: string): Promise<string> {
  const found = step === undefined ? undefined : stepAt(store, root, step);
  if (found?.kind === 'unknown') throw new Error(`there is no ${step}`);
  const before = found && { before: found.seq };
  const change = await runOf(source);
  const { id, epoch } = forkRun(store, readRun(store, root), { ...before, change }, machine, clock);
  await drive(id, epoch);
  return id;
}

const outputOf = (root: string) => (store.run(root)?.output as { text?: string } | undefined)?.text;

describe('the time of expressions', () => {
  const dated = (more = '') => flow(prompt('a', `On {new Date().toISOString()}${more}`) + prompt('z', 'Z {a.text}'));

  it('is the start of the run in every segment', async () => {
    broken = 'Z';
    const root = await start(dated());
    const first = asked[0];
    expect(first).toBe('On 2030-01-01T00:00:00.000Z');
    broken = undefined;
    await goOn(root, dated(), 'retry');
    expect(asked).toEqual([`Z one <${first}>`]);
    await goOn(root, dated('!'));
    expect(asked[0]).toBe(`${first}!`);
    await fork(root, dated('!'), 'z');
    expect(asked).toEqual([`Z one <${first}!>`]);
  });

  it('is that in sub-workflows, too', async () => {
    const sub = flow(prompt('day', 'On {new Date().toISOString()}')).replace('name: flow', 'name: sub');
    const call = '  - kind: workflow\n    id: u\n    use: sub\n    input:\n      topic: t\n';
    const given = { files: { 'sub.toon': sub } };
    const calling = (last: string) =>
      `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${flow(prompt('a', 'A') + call + prompt('z', last))}`;
    const root = await start(calling('Z'), given);
    expect(asked).toEqual(['A', 'On 2030-01-01T00:00:00.000Z', 'Z']);
    await goOn(root, calling('Z2'), 'edit', given);
    expect(asked).toEqual(['Z2']);
  });
});

describe('what --keep has kept', () => {
  const text = (a: string, c = 'C') => flow(prompt('a', a) + prompt('b', 'B {a.text}') + prompt('c', c));

  it('stays when the run is tried again, forked or edited elsewhere', async () => {
    broken = 'C';
    const root = await start(text('A1'));
    await goOn(root, text('A2'), 'keep');
    expect(asked).toEqual(['C']);
    await goOn(root, text('A2'), 'retry');
    expect(asked).toEqual(['C']);
    broken = undefined;
    await goOn(root, text('A2', 'C2'));
    expect(asked).toEqual(['C2']);
    await fork(root, text('A2', 'C2'), 'c');
    expect(asked).toEqual(['C2']);
    // It is told with its key, and a preview knows it.
    const change = { ...(await runOf(text('A2', 'C3'))), why: 'edit' as const };
    expect(previewChange(store, root, change, time).kept).toEqual(['a', 'b']);
    await goOn(root, text('A3', 'C2'));
    expect(asked[0]).toBe('A3');
  });

  it('is what the run has, and not what was recorded last', async () => {
    const one = (a: string) => flow(prompt('a', a));
    const root = await start(one('A1'));
    word = 'two';
    await goOn(root, one('A2'));
    await goOn(root, one('A1'));
    expect(outputOf(root)).toBe('one <A1>');
    await goOn(root, one('A3'), 'keep');
    expect([asked, outputOf(root)]).toEqual([[], 'one <A1>']);
  });
});

describe('a result from the cache', () => {
  const cached = (id: string, version: string) => flow(`${prompt(id, 'A')}${version}${prompt('z', 'Z')}`);
  const version = (number: number) => `    cache:\n      by: k\n      version: "${number}"\n`;

  it('is kept when its step is renamed, or its cache is edited', async () => {
    await start(cached('a', version(1)));
    for (const other of [cached('b', version(1)), cached('a', version(2)), cached('a', '')]) {
      const root = await start(cached('a', version(1)));
      expect(asked).toEqual(['Z']);
      await goOn(root, other);
      expect(asked).toEqual([]);
      await goOn(root, other.replace('Z', 'Z2'));
      expect(asked).toEqual(['Z2']);
    }
  });

  it('is not taken for the step from which a fork begins, until that was done', async () => {
    const text = cached('a', version(1));
    const root = await start(text);
    word = 'two';
    broken = 'A';
    const id = await fork(root, text, 'a');
    expect(asked).toEqual(['A']);
    broken = undefined;
    await goOn(id, text, 'retry');
    expect(asked).toEqual(['A', 'Z']);
    // It was put into the cache.
    await start(text);
    expect(asked).toEqual(['Z']);
    await fork(id, text);
    expect(asked).toEqual([]);
  });
});

it('a result that was given to one step is not given to another one by the next owner', async () => {
  const root = await start(flow(prompt('a', 'A')));
  const question = '  - kind: approval\n    id: ok\n    request:\n      title: "Go?"\n';
  await goOn(root, flow(prompt('b', 'A') + question + prompt('c', 'A')));
  expect(asked).toEqual([]);
  const { node = '', hash = '' } = store.run(root)?.waiting?.[0] ?? {};
  post(store, root, { at: time, by: 'ada', message: { kind: 'decide', node, hash, approved: true } });
  await drive(root);
  expect(asked).toEqual(['A']);
});

describe('the past of a run', () => {
  const opened = (why: 'edit' | 'fork'): EventBody => ({
    kind: 'segment.opened',
    why,
    name: 'w',
    plan: '',
    source: '',
    input: {},
    machine: 1,
    models: {},
  });
  const journal = (...bodies: readonly (readonly [string | undefined, EventBody])[]): JournalEvent[] =>
    bodies.map(([node, body], i) => ({ seq: i + 1, at: 100 + i, run: 'r', ...(node && { node }), body }));
  const pastOf = async (events: readonly JournalEvent[]) =>
    readPast(events, [], { plan: await planOf(flow(prompt('a', 'A'))), planOf: () => undefined, fits });
  const answered = (more: object = {}): EventBody => ({
    kind: 'model.answered',
    message: 'm',
    usage: { cost: 1 },
    ...more,
  });

  it('has paid once for what was kept again and again', async () => {
    const kept = answered({ from: 'kept', of: 1 });
    const { usage, calls, runAt } = await pastOf(
      journal(['a#1/m#1', answered()], [undefined, opened('edit')], ['a#1/m#1', kept], [undefined, opened('edit')]),
    );
    expect({ usage, calls, runAt }).toEqual({ usage: { cost: 1 }, calls: { model: 1, tool: 0 }, runAt: 100 });
  });

  it('has raised its limits only by what was agreed to, and goes on counting the questions', async () => {
    const reached = (unit: string): EventBody => ({
      kind: 'limit.reached',
      limit: 'cost',
      request: { unit },
      hash: '',
    });
    const answer = (approved: boolean, add: number): EventBody => ({
      kind: 'limit.answered',
      approved,
      add,
      by: 'ada',
    });
    const { added, raised } = await pastOf(
      journal(
        ['@limit#1', reached('usd')],
        ['@limit#1', answer(false, 5)],
        [undefined, opened('edit')],
        ['@limit#2', reached('tokens')],
        ['@limit#2', answer(true, 7)],
        [undefined, opened('edit')],
      ),
    );
    expect({ added, raised }).toEqual({ added: { usd: 0, tokens: 7 }, raised: 2 });
  });

  it('of a fork has spent nothing', async () => {
    const { usage, calls } = await pastOf(journal(['a#1/m#1', answered()], [undefined, opened('fork')]));
    expect({ usage, calls }).toEqual({ usage: {}, calls: { model: 0, tool: 0 } });
  });

  it('knows how often a step was running when its owner died, also where another one was edited since', async () => {
    const step = (id: string, code: string) => `  - id: ${id}\n    run: "return ${code}"\n    output: number\n`;
    const [before, after] = [
      await planOf(flow(step('bad', '1') + step('z', '2'))),
      await planOf(flow(step('bad', '1') + step('z', '3'))),
    ];
    const make = workflowMaker(after);
    const ref = { kind: 'workflow', plan: '' };
    const opening = { ...opened('edit'), plan: '' } as EventBody;
    const stateOf = (key: string) => {
      const begun = Array.from({ length: 3 }, () => ['bad#1', { kind: 'node.started', key }] as const);
      const events = journal(...begun, [undefined, opening]);
      const past = readPast(events, [], { plan: after, planOf: () => before, fits });
      return replay({ root: 'r', make, ref, events: events.slice(-1), past });
    };
    const [open] = stateOf('').open.values();
    if (open?.effect.op !== 'step') throw new Error('nothing is open');
    expect(stateOf(open.effect.key).begun('bad#1')).toBe(3);
    expect(stateOf('other').begun('bad#1')).toBe(0);
  });
});
