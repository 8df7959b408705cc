/**
 * The simulator of runs that are edited: random plans, changed at random while they run and when they have ended, with owners
 * that die at any commit. All from one seed. What a step gives depends on what its key says that it depends on, so a result
 * that was kept wrongly shows. What it finds is thrown:
 * 1. a result other than that of a new run of the last plan;
 * 2. a step that runs again though its result could be kept, or a call of a prompt that had not ended;
 * 3. a preview that says otherwise than what happens then;
 * 4. a run that does not come to its end;
 * 5. one that does anything when it is tried again or forked, though it has come to its end, perhaps with what `--keep` kept;
 * 6. a step that has another result than before where all are to be kept.
 */
import { createPromptThunk, createThunk, isThunkRef } from '../../agent/index.ts';
import { createMemoryStore, type EventBody, type JournalEvent, type MemoryStore } from '../../journal/index.ts';
import type { End, Json, Machine, MachineRef, MakeMachine, StepCommand } from '../../machine/index.ts';
import { hashOf, type WorkflowPlan } from '../../plan/index.ts';
import { generatePlan, workflowMaker } from '../../plan/machine/index.ts';
import type { Execute } from '../execute.ts';
import { createResultCache } from '../result-cache.ts';
import { createRun, type DriveRunOptions, driveRun, post, type RunEnd, readRun, type StoredRun } from '../runs.ts';
import { identityOf, readHash } from '../segment/memo.ts';
import type { Preview } from '../segment/preview.ts';
import { type Change, forkRun, openSegment, previewChange } from '../segment/segment.ts';
import { simulatedClock } from './clock.ts';
import { cachedPlan, editedPlan, idsOf } from './edited-plan.ts';
import { hash8 } from './hash.ts';
import { thunkNames, thunkOutcome, withEditedThunk, withThunks } from './thunks.ts';
import { callsTools, toolOutcome, withTools } from './tools.ts';
import { wastedCallIn, wasteIn } from './waste.ts';
import { random } from './world.ts';

export interface SimulatedEdits {
  readonly end: End;
  /** How many results were kept, and how many steps were begun, in all segments. */
  readonly kept: number;
  readonly steps: number;
  readonly deaths: number;
}

const input = { topic: 'tea' };
const mostOwners = 100;
const stepKinds = ['run', 'handler', 'model', 'tools', 'tool', 'recall', 'turn'];
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
  const plain = generatePlan(random(seed, 'plan'), { size: 3 + (seed % 9), failures: false });
  const hasThunks = seed % 6 === 2;
  const made = seed % 3 === 1 ? withTools(plain) : hasThunks ? withThunks(plain) : plain;
  const isShared = chance() < 0.3;
  const first = isShared ? cachedPlan(made, chance) : made;
  const edits = 1 + Math.floor(chance() * 3);
  const world = createWorld(seed, chance);
  const root = world.begin(first);
  // Another run, whose results it finds.
  if (isShared) await world.go(world.begin(first), undefined);
  const plans = [first];
  const used = new Set(idsOf(first));
  // Thunks are many calls: somebody stops in the middle of them.
  const [often, late] = hasThunks ? [0.9, 30] : [0.5, 12];
  await world.go(root, chance() < often ? Math.floor(chance() * late) : undefined);
  for (let nth = 1; nth <= edits; nth++) {
    const last = plans.at(-1) as WorkflowPlan;
    // Some take back what they did.
    const old = plans[Math.floor(chance() * (plans.length - 1))] ?? first;
    const isOld = plans.length > 1 && chance() < 0.2;
    const plan = isOld
      ? old
      : hasThunks && chance() < 0.4
        ? editedThunk(last, chance)
        : editedPlan(last, chance, [...used]);
    plans.push(plan);
    for (const id of idsOf(plan)) used.add(id);
    const isLast = nth === edits;
    const { preview, from } = await world.edit(root, plan);
    tell(`edit ${nth}: ${JSON.stringify(preview)}`);
    const end = await world.go(root, isLast || chance() < 1 - often ? undefined : Math.floor(chance() * late));
    for (const event of world.store.events(root, from)) tell(lineOf(event));
    const waste = wasteIn(world.store, root) ?? wastedCallIn(world.store, root);
    if (waste !== undefined) throw new Error(waste);
    if (end !== undefined) agree(preview, [...world.store.events(root, from)]);
  }
  const row = world.store.run(root);
  const plan = plans.at(-1) as WorkflowPlan;
  const calm = createWorld(seed, () => 1);
  const other = calm.begin(plan);
  const wanted = await calm.go(other, undefined);
  const got = world.ends.get(root);
  if (got === undefined || wanted === undefined) throw new Error(`it did not come to its end: ${JSON.stringify(row)}`);
  same(got, wanted, 'the result differs from that of a new run');
  await world.rest(root, plan, 'retry', got);
  const changed = editedPlan(plan, chance, [...used]);
  const had = resultsIn(world.store, root);
  await world.edit(root, changed, 'keep');
  const end = await world.go(root, undefined);
  for (const [step, seq] of resultsIn(world.store, root)) {
    if (had.has(step) && had.get(step) !== seq) throw new Error(`${step} has another result than before (keep)`);
  }
  for (const event of world.store.events(root, world.store.run(root)?.segment)) tell(lineOf(event));
  if (end === undefined) throw new Error(`it did not come to its end: ${JSON.stringify(world.store.run(root))}`);
  await world.rest(root, changed, chance() < 0.5 ? 'retry' : 'fork', end);
  const kept = [...world.store.events(root)].filter(({ body }) => 'of' in body && body.of !== undefined).length;
  return { end: got, kept, ...world.counts() };
}

function editedThunk(plan: WorkflowPlan, chance: () => number): WorkflowPlan {
  const name = thunkNames[Math.floor(chance() * thunkNames.length)] ?? '';
  return withEditedThunk(plan, name, `Be brief, ${Math.floor(chance() * 3)} times.`);
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
    else if (isBegin(body) && !isInside(node)) begun.add(identityOf(node));
  }
  // People may say no, and then it is not reached.
  const isAsked = events.some(
    ({ node = '', body }) => body.kind === 'approval.decided' && body.of === undefined && !isInside(node),
  );
  for (const step of preview.kept) {
    if (!kept.has(step) && (begun.has(step) || !isAsked)) throw new Error(`${step} was said to be kept, and was not`);
  }
  const { again, may, fresh, then, rounds } = preview;
  const sure = [...again.map(({ step }) => step), ...fresh, ...then.map(({ step }) => step)];
  for (const step of sure) if (kept.has(step)) throw new Error(`${step} was said to run, and was kept`);
  const told = new Set([...sure, ...may.map(({ step }) => step)]);
  for (const step of begun) {
    if (!told.has(step) && !rounds.some((round) => isIn(step, round))) throw new Error(`${step} ran, and was not told`);
  }
}

/** Of a thunk: a preview speaks of steps. */
function isInside(node: string): boolean {
  return /#\d+\//.test(node);
}

function isBegin(body: EventBody): boolean {
  if (body.kind === 'child.started') return body.key !== undefined;
  return body.kind === 'node.started' || body.kind === 'approval.requested';
}

/** Whether a step stands in a round of which was said only that it may come. */
function isIn(step: string, { loop, from }: Preview['rounds'][number]): boolean {
  const nth = step.startsWith(`${loop}[`) ? Number.parseInt(step.slice(loop.length + 1), 10) : 0;
  return nth >= from;
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
      const { id, epoch } = createRun(store, { plan, input, source: '', replies: new Map() }, machine, clock);
      store.write((writer) => writer.release(id, epoch));
      return id;
    });
  }

  async function edit(
    root: string,
    plan: WorkflowPlan,
    why: Change['why'] = 'edit',
  ): Promise<{ readonly preview: Preview; readonly from: number }> {
    const change: Change = { why, plan, input, source: '', replies: new Map() };
    const preview = previewChange(store, root, change, clock.now());
    isOutside = true;
    const opened = await openSegment(store, root, change, machine, clock);
    if (opened.kind !== 'opened') throw new Error('somebody drives it');
    store.write((writer) => writer.release(root, opened.epoch));
    isOutside = false;
    ends.delete(root);
    return { preview, from: store.run(root)?.segment ?? 0 };
  }

  /** It has come to its end, and what goes on from that has nothing to do. */
  async function rest(root: string, plan: WorkflowPlan, why: 'retry' | 'fork', before: End): Promise<void> {
    const done = steps;
    const id = why === 'fork' ? forked(root, plan) : root;
    if (why === 'retry') await edit(root, plan, 'retry');
    const end = await go(id, undefined);
    if (steps > done) throw new Error(`what was done is done again (${why}): ${begunIn(store, id)}`);
    same(end, before, `another result (${why})`);
  }

  function forked(root: string, plan: WorkflowPlan): string {
    return outside(() => {
      const change = { plan, input, source: '', replies: new Map() };
      const { id, epoch } = forkRun(store, readRun(store, root), { change }, machine, clock);
      store.write((writer) => writer.release(id, epoch));
      return id;
    });
  }

  /** Until it has ended, or until somebody stops it after so many commits. */
  async function go(root: string, stopAfter: number | undefined): Promise<End | undefined> {
    let left = stopAfter ?? Number.POSITIVE_INFINITY;
    for (let owner = 0; owner < mostOwners; owner++) {
      untilDeath = chance() < 0.6 && deaths < 8 ? Math.floor(chance() * 20) : Number.POSITIVE_INFINITY;
      const mine = store.connect();
      const soft = new AbortController();
      const execute: Execute = async (command, { signal }) => {
        steps++;
        await clock.sleep(1 + Math.floor(chance() * 20), signal).catch(() => undefined);
        return resultOf(command, seed);
      };
      const tell = () => {
        if (--left <= 0) soft.abort();
      };
      let end: RunEnd | undefined;
      let failure: unknown;
      const executors = () => ({
        executors: Object.fromEntries(stepKinds.map((kind) => [kind, execute])),
        close: async () => undefined,
      });
      const options: DriveRunOptions = {
        store: mine,
        root,
        machine,
        clock,
        machines,
        executors,
        cacheOf: (run) => createResultCache(mine, run, '/'),
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
      if (kind !== 'approval' && kind !== 'permission') continue;
      const approved = hash8(`${seed} ${title}`) % 4 !== 0;
      post(store, root, { at: 0, by: 'ann', message: { kind: 'decide', node, hash, approved } });
    }
  }

  return { store, ends, begin, edit, rest, go, counts: () => ({ steps, deaths }) };
}

/** Where in the journal the results are that steps have in the last segment, by their names. */
function resultsIn(store: MemoryStore, root: string): ReadonlyMap<string, number> {
  const { segment = 0 } = store.run(root) ?? {};
  const results = new Map<string, number>();
  for (const { seq, node, body } of store.events(root, segment)) {
    const isResult = body.kind === 'node.done' || (body.kind === 'child.ended' && !('err' in body.outcome));
    if (isResult && node !== undefined && /#\d+$/.test(node) && !isInside(node))
      results.set(identityOf(node), body.of ?? seq);
  }
  return results;
}

function begunIn(store: MemoryStore, root: string): string {
  const { segment = 0 } = store.run(root) ?? {};
  return [...store.events(root, segment)]
    .flatMap(({ node, body }) => (body.kind === 'node.started' ? [node] : []))
    .join();
}

function endOf(store: MemoryStore, root: string): End | undefined {
  const last = [...store.events(root)].at(-1)?.body;
  if (last?.kind === 'run.failed') return { err: last.error };
  if (last?.kind !== 'run.done') return undefined;
  return last.output === undefined ? { none: true } : { ok: last.output };
}

function machines({ plan }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  const workflows = workflowMaker(plan);
  const make: MakeMachine = (ref, init) => {
    if (ref.kind === 'workflow') return workflows(ref, init);
    if (isThunkRef(ref)) return createThunk(ref, init);
    return callsTools(ref) ? createPromptThunk(ref, init) : oneCall(ref, init.path);
  };
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
  const of = `${seed} ${key}`;
  const outcome = thunkOutcome(command, of, ok) ?? toolOutcome(command, of, ok) ?? { ok };
  return { outcome, ...(reads && { reads }) };
}

function same(got: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
