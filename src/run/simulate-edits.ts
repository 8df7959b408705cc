/**
 * The simulator of runs that are edited: random plans, changed at random while they run and when they have ended, with owners
 * that die at any commit. All from one seed. What a step gives depends on what its key says that it depends on, so a result
 * that was kept wrongly shows. What it finds is thrown:
 * 1. a result other than that of a new run of the last plan;
 * 2. a step that runs again though its result could be kept;
 * 3. a preview that says otherwise than what happens then;
 * 4. a run that does not come to its end.
 */
import { createMemoryStore, type JournalEvent, type MemoryStore } from '../journal/index.ts';
import type { End, Json, Machine, MachineRef, MakeMachine, StepCommand } from '../machine/index.ts';
import { hashOf, type WorkflowPlan } from '../plan/index.ts';
import { generatePlan, workflowMaker } from '../plan/machine/index.ts';
import { editedPlan } from './edited-plan.ts';
import type { Execute } from './execute.ts';
import { identityOf, readHash } from './memo.ts';
import type { Preview } from './preview.ts';
import { createRun, type DriveRunOptions, driveRun, post, type RunEnd, type StoredRun } from './runs.ts';
import { type Change, openSegment, previewChange } from './segment.ts';
import { simulatedClock } from './simulated-clock.ts';
import { hash8, random } from './simulated-world.ts';

export interface SimulatedEdits {
  readonly end: End;
  /** How many results were kept, and how many steps were begun, in all segments. */
  readonly kept: number;
  readonly steps: number;
  readonly deaths: number;
}

const input = { topic: 'tea' };
const mostOwners = 100;
const mostTurns = 20_000;

class Death extends Error {}

/** Throws what it finds, with the seed in its message. */
export async function simulateEdits(
  seed: number,
  tell: (line: string) => void = () => undefined,
): Promise<SimulatedEdits> {
  try {
    return await play(seed, tell);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${message}`, { cause: error });
  }
}

async function play(seed: number, tell: (line: string) => void): Promise<SimulatedEdits> {
  const chance = random(seed, 'edits');
  const first = generatePlan(random(seed, 'plan'), { size: 3 + (seed % 9), failures: false });
  const edits = 1 + Math.floor(chance() * 3);
  const world = createWorld(seed, chance);
  const root = world.begin(first);
  const plans = [first];
  await world.go(root, chance() < 0.5 ? Math.floor(chance() * 12) : undefined);
  for (let nth = 1; nth <= edits; nth++) {
    const last = plans.at(-1) as WorkflowPlan;
    // Some take back what they did.
    const plan = plans.length > 1 && chance() < 0.2 ? first : editedPlan(last, chance);
    plans.push(plan);
    const isLast = nth === edits;
    const { preview, from } = await world.edit(root, plan);
    tell(`edit ${nth}: ${JSON.stringify(preview)}`);
    const end = await world.go(root, isLast || chance() < 0.5 ? undefined : Math.floor(chance() * 12));
    for (const event of world.store.events(root, from)) tell(lineOf(event));
    if (end !== undefined) agree(preview, [...world.store.events(root, from)]);
  }
  const row = world.store.run(root);
  const calm = createWorld(seed, () => 1);
  const other = calm.begin(plans.at(-1) as WorkflowPlan);
  const wanted = await calm.go(other, undefined);
  const got = world.ends.get(root);
  if (got === undefined || wanted === undefined) throw new Error(`it did not come to its end: ${JSON.stringify(row)}`);
  same(got, wanted, 'the result differs from that of a new run');
  const kept = [...world.store.events(root)].filter(({ body }) => 'of' in body && body.of !== undefined).length;
  return { end: got, kept, ...world.counts() };
}

function lineOf({ seq, node = '', body }: JournalEvent): string {
  const { plan: _, source: __, ...rest } = body as unknown as Record<string, Json>;
  return `  ${seq} ${node} ${JSON.stringify(rest)}`;
}

/** What happened in the segment against what was said before. */
function agree(preview: Preview, events: readonly JournalEvent[]): void {
  const kept = new Set<string>();
  const begun = new Set<string>();
  for (const { node, body } of events) {
    if (node === undefined) continue;
    if ('of' in body && body.of !== undefined) kept.add(identityOf(node));
    else if (body.kind === 'node.started' || body.kind === 'child.started' || body.kind === 'approval.requested') {
      begun.add(identityOf(node));
    }
  }
  // People may say no, and then it is not reached.
  const isAsked = events.some(({ body }) => body.kind === 'approval.decided' && body.of === undefined);
  for (const step of preview.kept) {
    if (!kept.has(step) && (begun.has(step) || !isAsked)) throw new Error(`${step} was said to be kept, and was not`);
  }
  for (const { step } of preview.again) {
    if (kept.has(step)) throw new Error(`${step} was said to run again, and was kept`);
  }
}

function createWorld(seed: number, chance: () => number) {
  const clock = simulatedClock();
  const ends = new Map<string, End>();
  let untilDeath = Number.POSITIVE_INFINITY;
  let isOutside = false;
  let deaths = 0;
  let steps = 0;
  const store: MemoryStore = createMemoryStore({
    onCommit() {
      if (isOutside || untilDeath-- > 0) return;
      untilDeath = Number.POSITIVE_INFINITY;
      throw new Death();
    },
  });
  const machine = {
    me: { host: 'sim', boot: 'sim', pid: 1, started: 'sim' },
    startOf: () => undefined,
    endGroup: async () => undefined,
  };

  /** Whoever acts here does not die of it. */
  function outside<T>(work: () => T): T {
    isOutside = true;
    try {
      return work();
    } finally {
      isOutside = false;
    }
  }

  function begin(plan: WorkflowPlan): string {
    return outside(() => {
      const { id, epoch } = createRun(store, { plan, input, source: '' }, machine, clock);
      store.write((writer) => writer.release(id, epoch));
      return id;
    });
  }

  async function edit(root: string, plan: WorkflowPlan): Promise<{ readonly preview: Preview; readonly from: number }> {
    const change: Change = { why: 'edit', plan, input, source: '' };
    const preview = previewChange(store, root, change, clock.now());
    isOutside = true;
    const opened = await openSegment(store, root, change, machine, clock);
    if (opened.kind !== 'opened') throw new Error('somebody drives it');
    store.write((writer) => writer.release(root, opened.epoch));
    isOutside = false;
    ends.delete(root);
    return { preview, from: store.run(root)?.segment ?? 0 };
  }

  /** Until it has ended, or until somebody stops it after so many commits. */
  async function go(root: string, stopAfter: number | undefined): Promise<End | undefined> {
    const earlier = resultsOf(store, root);
    let left = stopAfter ?? Number.POSITIVE_INFINITY;
    for (let owner = 0; owner < mostOwners; owner++) {
      untilDeath = chance() < 0.6 && deaths < 8 ? Math.floor(chance() * 20) : Number.POSITIVE_INFINITY;
      const mine = store.connect();
      const soft = new AbortController();
      let problem: Error | undefined;
      const execute: Execute = async (command, { signal }) => {
        steps++;
        problem ??= earlier(command);
        await clock.sleep(1 + Math.floor(chance() * 20), signal).catch(() => undefined);
        return resultOf(command, seed);
      };
      const tell = () => {
        if (--left <= 0) soft.abort();
      };
      let end: RunEnd | undefined;
      let failure: unknown;
      const executors = () => ({
        executors: { run: execute, handler: execute, model: execute },
        close: async () => undefined,
      });
      const options: DriveRunOptions = {
        store: mine,
        root,
        machine,
        clock,
        machines,
        executors,
        soft: soft.signal,
        tell,
        again: true,
      };
      const driven = driveRun(options).then(
        (value) => {
          end = value;
        },
        (error: unknown) => {
          failure = error ?? new Error('rejected');
        },
      );
      for (let turns = 0; end === undefined && failure === undefined; turns++) {
        if (turns > mostTurns) throw new Error('the run never ends');
        await new Promise((resolve) => setImmediate(resolve));
        if (end === undefined && failure === undefined && !clock.next()) throw new Error('the run stands still');
      }
      await driven;
      if (problem !== undefined) throw problem;
      if (failure !== undefined) {
        if (!(failure instanceof Death) && !String(failure).includes('crashed')) throw failure;
        deaths++;
        mine.crash();
        clock.clear();
        continue;
      }
      // The owner may have died when all was written.
      const ended = end?.kind === 'ended' ? end.end : end?.kind === 'over' ? endOf(store, root) : undefined;
      if (ended !== undefined) {
        ends.set(root, ended);
        return ended;
      }
      if (end?.kind === 'stopped') return undefined;
      if (end?.kind !== 'waiting') throw new Error(`the driver left: ${JSON.stringify(end)}`);
      outside(() => decide(root));
    }
    throw new Error(`the run has had ${mostOwners} owners`);
  }

  /** By what is asked, so that the same question has the same answer. */
  function decide(root: string): void {
    for (const { node, hash = '', title, kind } of store.run(root)?.waiting ?? []) {
      if (kind !== 'approval') continue;
      const approved = hash8(`${seed} ${title}`) % 4 !== 0;
      post(store, root, { at: 0, by: 'ann', message: { kind: 'decide', node, hash, approved } });
    }
  }

  return { store, ends, begin, edit, go, counts: () => ({ steps, deaths }) };
}

/** Finds a step that runs though an earlier segment has its result. */
function resultsOf(store: MemoryStore, root: string): (command: StepCommand) => Error | undefined {
  const { segment = 0 } = store.run(root) ?? {};
  const keys = new Map<string, string>();
  const done = new Map<string, { readonly key: string; readonly reads?: Readonly<Record<string, string>> }[]>();
  for (const { seq, node, body } of store.events(root)) {
    if (seq >= segment) break;
    if (node === undefined) continue;
    if (body.kind === 'node.started') keys.set(node, body.key);
    if (body.kind !== 'node.done' && body.kind !== 'model.answered') continue;
    if (body.of !== undefined) continue;
    const reads = body.kind === 'node.done' ? body.reads : undefined;
    const list = done.get(identityOf(node)) ?? [];
    list.push({ key: keys.get(node) ?? '', ...(reads && { reads }) });
    done.set(identityOf(node), list);
  }
  return (command) => {
    const known = done
      .get(identityOf(command.id))
      ?.find(
        ({ key, reads = {} }) =>
          key === command.key && Object.entries(reads).every(([name, hash]) => readHash(command, name) === hash),
      );
    return known && new Error(`${command.id} runs again, and its result was there`);
  };
}

function endOf(store: MemoryStore, root: string): End | undefined {
  const last = [...store.events(root)].at(-1)?.body;
  if (last?.kind === 'run.failed') return { err: last.error };
  if (last?.kind !== 'run.done') return undefined;
  return last.output === undefined ? { none: true } : { ok: last.output };
}

function machines({ plan }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  const workflows = workflowMaker(plan);
  const make: MakeMachine = (ref, init) => (ref.kind === 'workflow' ? workflows(ref, init) : oneCall(ref, init.path));
  return { make, ref: { kind: 'workflow', plan: '' } };
}

/** A prompt as one step that knows what it depends on. */
function oneCall({ prompt = null, agent = null, output = null }: MachineRef, path: string): Machine {
  let end: End | undefined;
  const id = `${path}/model#1`;
  return {
    start: () => [{ op: 'step', id, spec: { kind: 'model' }, args: null, key: hashOf([prompt, agent, output]) }],
    deliver(fact) {
      if (fact.id === '@cancel') return [{ op: 'cancel', target: id }];
      if (fact.id === id) end = 'ok' in fact ? { ok: fact.ok } : 'err' in fact ? { err: fact.err } : { none: true };
      return [];
    },
    get end() {
      return end;
    },
  };
}

/** What somebody who may read anything looks for, whether it is there or not. */
const names = ['input', ...Array.from({ length: 30 }, (_, at) => `s${at}`)];

function resultOf(command: StepCommand, seed: number) {
  const { values, key } = command;
  const reads =
    values &&
    Object.fromEntries(
      names.filter((name) => hash8(`${key} ${name}`) % 3 === 0).map((name) => [name, readHash(command, name)]),
    );
  const number = hash8(`${seed} ${key} ${JSON.stringify(reads ?? {})}`);
  const ok: Json = { text: `t${number % 100}`, score: number % 10, flag: number % 3 !== 0 };
  return { outcome: { ok }, ...(reads && { reads }) };
}

function same(got: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
