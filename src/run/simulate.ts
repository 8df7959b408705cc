/**
 * The simulator: the real machines, driver and recovery on a simulated store, clock and world, all from one seed. Owners
 * die before and after any commit, people answer twice, steps take any time and end in any order, there are few places for
 * them and little money, and clocks are set back.
 *
 * What it finds is thrown:
 * 1. a step that begins before its start is durable, or after its fact is;
 * 2. a command with two facts;
 * 3. a run that stands still while something could go on, or never ends;
 * 4. a result other than that of the undisturbed run, where nothing fails by itself;
 * 5. a wait for people while something else could still be done;
 * 6. a step that begins after the run was cancelled;
 * 7. a step that the journal calls begun while there is no place for it, or that begins by itself though its owners died of
 *    it three times; one that is held back though they did not;
 * 8. more that is spent than was allowed.
 */
import {
  createMemoryStore,
  isFact,
  type JournalEvent,
  type MemoryStore,
  mostDeaths,
  type Store,
} from '../journal/index.ts';
import type { Command, End, Json, Machine, MakeMachine, Outcome, StepCommand } from '../machine/index.ts';
import { childrenOf, type WorkflowNode, type WorkflowPlan } from '../plan/index.ts';
import { generatePlan, workflowMaker } from '../plan/machine/index.ts';
import type { Clock } from '../sys/index.ts';
import { type DriveEnd, drive } from './drive.ts';
import type { Execute } from './execute.ts';
import { forgetful, holding, lateStore, type Plant } from './planted.ts';
import { post } from './runs.ts';
import { type RunState, replay } from './state.ts';

export interface Simulated {
  readonly end: End;
  /** How often the owner died. */
  readonly deaths: number;
  readonly steps: number;
}

const root = 'simulated000';
const mostTurns = 20_000;

/** Throws what it finds, with the seed in its message. */
export async function simulate(seed: number, plant?: Plant, tell?: (line: string) => void): Promise<Simulated> {
  try {
    const isRough = seed % 3 === 0;
    const plan = generatePlan(random(seed, 'plan'), { size: 4 + (seed % 12), failures: isRough });
    const hosts = 1 + (seed % 5);
    // Some owners die again and again, before much is done.
    const isDeadly = seed % 7 === 1;
    const limit = seed % 11 < 3 ? 0.5 : undefined;
    const rough = await play(plan, seed, {
      isRough,
      deaths: isDeadly ? 8 : 1 + (seed % 4),
      livesFor: isDeadly ? 4 : 30,
      hosts,
      ...(limit !== undefined && { limit }),
      ...(plant && { plant }),
      ...(tell && { tell }),
    });
    if (!isRough) {
      const calm = await play(plan, seed, { isRough, deaths: 0, hosts });
      same(rough.end, calm.end, 'the result differs from that of the undisturbed run');
      // A sub-workflow holds its slot while it waits for people: then it depends on luck who comes before it. So it does
      // where people are also awaited for something else.
      if (!hasLimitedCalls(plan.children, false) && rough.quiet !== undefined && limit === undefined) {
        same(rough.quiet, calm.quiet, 'people were awaited while something else could still be done');
      }
    }
    return { end: rough.end, deaths: rough.deaths, steps: rough.steps };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${message}`, { cause: error });
  }
}

/** What a run leaves in its journal: kept for every machine that was ever released, which all must read the same. */
export interface KeptJournal {
  readonly plan: WorkflowPlan;
  readonly events: readonly JournalEvent[];
  readonly end: End;
}

/** The journal of an undisturbed run. */
export async function journalOf(seed: number): Promise<KeptJournal> {
  const plan = generatePlan(random(seed, 'plan'), { size: 3 + (seed % 6), failures: true });
  const { events, end } = await play(plan, seed, { isRough: seed % 3 === 0, deaths: 0, hosts: 100 });
  return { plan, events, end };
}

function hasLimitedCalls(nodes: readonly WorkflowNode[], isLimited: boolean): boolean {
  return nodes.some((node) => {
    if (node.kind === 'workflow') return isLimited;
    const limits = node.kind === 'parallel' && node.maxConcurrency !== undefined;
    return hasLimitedCalls(childrenOf(node), isLimited || limits);
  });
}

interface World {
  readonly isRough: boolean;
  /** How often the owner dies at most, and after how many commits at the latest. */
  readonly deaths: number;
  readonly livesFor?: number;
  /** How many steps that are no model calls are done at once. */
  readonly hosts: number;
  /** In dollars. */
  readonly limit?: number;
  readonly plant?: Plant;
  /** Is given what happens, line by line. */
  readonly tell?: (line: string) => void;
}

interface Played extends Simulated {
  readonly events: readonly JournalEvent[];
  /** The steps that were done when people were awaited for the first time; unknown where one was held back then. */
  readonly quiet: readonly string[] | undefined;
}

class Death extends Error {}

async function play(plan: WorkflowPlan, seed: number, world: World): Promise<Played> {
  const { isRough, deaths, livesFor = 30, hosts, limit, plant, tell = () => undefined } = world;
  const chance = random(seed, `world ${deaths}`);
  const clock = simulatedClock();
  const journal = watched(tell, hosts, limit);
  /** After how many turns somebody has had enough. */
  let untilCancel = isRough && seed % 2 === 0 ? Math.floor(chance() * 25) : Number.POSITIVE_INFINITY;
  let deathsLeft = deaths;
  /** It is not the owner who writes. */
  let isOutside = false;
  let untilDeath = Number.POSITIVE_INFINITY;
  const store = createMemoryStore({
    onCommit(when) {
      if (when === 'after') journal.look();
      if (isOutside || untilDeath-- > 0) return;
      untilDeath = Number.POSITIVE_INFINITY;
      throw new Death();
    },
  });
  journal.watch(store.connect());
  const make = makerOf(plan, plant);
  const ref = { kind: 'workflow', plan: '' };
  let died = 0;
  let steps = 0;
  let quiet: readonly string[] | undefined;
  let isAsked = false;
  let wasHeld = false;
  /** Somebody insists on what is held back. */
  let again = false;
  let problem: string | undefined;
  begin(store, clock.now());
  untilDeath = deathAfter();

  for (let owner = 1; owner < 200; owner++) {
    const mine = store.connect();
    let isDead = false;
    journal.owner(again);
    const execute: Execute = async (command, { signal, note }) => {
      problem ??= journal.begins(command);
      steps++;
      if (chance() < 0.1) note({ kind: 'node.printed', text: 'working' });
      try {
        await clock.sleep(1 + Math.floor(chance() * 40), signal);
      } catch {
        if (!isDead) await clock.sleep(Math.floor(chance() * 5));
      }
      const outcome = answer(command, seed, isRough);
      return limit === undefined ? { outcome } : { outcome, usage: { cost: costOf(command) * chance() } };
    };
    let end: DriveEnd | undefined;
    let failure: unknown;
    const driven = own(mine, execute).then(
      (value) => {
        end = value;
      },
      (error: unknown) => {
        failure = error ?? new Error('rejected');
      },
    );
    for (let turns = 0; end === undefined && failure === undefined; turns++) {
      if (turns > mostTurns) throw new Error('the run never ends');
      if (problem !== undefined) throw new Error(problem);
      if (isAsked && chance() < 0.02) decide(store.connect(), chance);
      if (untilCancel-- === 0) cancel(store.connect());
      await settled();
      if (end !== undefined || failure !== undefined) break;
      if (!clock.next()) throw new Error(`the run stands still: ${journal.openSteps().join(', ')} never came back`);
    }
    await driven;
    if (failure !== undefined) {
      if (!(failure instanceof Death) && !String(failure).includes('crashed')) throw failure;
      isDead = true;
      died++;
      tell('  the owner dies');
      deathsLeft--;
      untilDeath = deathAfter();
      mine.crash();
      clock.clear();
      if (chance() < 0.2) clock.setBack(Math.floor(chance() * 86_400_000));
      continue;
    }
    if (end?.kind === 'ended') {
      journal.close(end.end, store.connect());
      const events = [...store.connect().events(root)];
      return { end: end.end, deaths: died, steps, quiet: wasHeld ? undefined : (quiet ?? []), events };
    }
    const held = end?.kind === 'deadly' ? end.nodes : end?.kind === 'waiting' ? (end.held ?? []) : undefined;
    if (held === undefined) throw new Error(`the driver left: ${JSON.stringify(end)}`);
    journal.held(held);
    wasHeld ||= held.length > 0;
    quiet ??= journal.done();
    isAsked = true;
    again = held.length > 0 && chance() < 0.5;
    if (!again && !decide(store.connect(), chance, true) && held.length === 0)
      throw new Error('people are awaited, and nothing is asked');
  }
  throw new Error('the run has had 200 owners');

  function deathAfter(): number {
    return deathsLeft > 0 ? Math.floor(chance() * livesFor) : Number.POSITIVE_INFINITY;
  }

  async function own(mine: MemoryStore, execute: Execute): Promise<DriveEnd> {
    const lease = mine.lease(root);
    const me = { host: 'sim', boot: 'sim', pid: 2, started: 'sim' };
    const epoch = mine.write((writer) => writer.takeLease(root, me, lease?.epoch, clock.now())) ?? 0;
    const state = replay({ root, make, ref, events: mine.events(root) });
    const executors = { run: execute, handler: execute, model: execute };
    return await drive({
      store: plant === 'effect before its commit' ? lateStore(mine, clock) : mine,
      root,
      epoch,
      state: planted(state),
      executors,
      places: [{ kinds: ['run', 'handler'], most: plant === 'a step called begun without a place' ? 100 : hosts }],
      again,
      clock,
      ...(limit !== undefined && { limit }),
      ...(plant !== 'money that is counted when it is spent' && { mostCost: costOf }),
    });
  }

  function planted(state: RunState): RunState {
    if (plant === 'a signal delivered twice') return forgetful(state);
    return plant === 'deaths that nobody counts' ? { ...state, begun: () => 0 } : state;
  }

  function cancel(other: Store): void {
    isOutside = true;
    post(other, root, { at: 0, by: 'ann', message: { kind: 'cancel', reason: 'enough' } });
    isOutside = false;
  }

  /** People answer what is asked, some of them twice. */
  function decide(other: Store, pick: () => number, all = false): boolean {
    const waiting = (other.run(root)?.waiting ?? []).filter(({ kind }) => kind !== 'timer');
    let isAny = false;
    isOutside = true;
    for (const { node, hash = '', kind } of waiting) {
      if (!all && pick() < 0.5) continue;
      const approved = hash8(`${seed} ${node}`) % 4 !== 0;
      const message =
        kind === 'limit'
          ? ({ kind: 'answer', node, hash, approved: true, add: 0.1 + pick() } as const)
          : ({ kind: 'decide', node, hash, approved } as const);
      const draft = { at: 0, by: 'ann', message } as const;
      post(other, root, draft);
      isAny = true;
      // The second is told that somebody was faster; where it gets through all the same, the driver must not mind.
      if (plant === 'a signal delivered twice' || pick() < 0.3) other.write((writer) => writer.post(root, draft));
    }
    isOutside = false;
    return isAny;
  }
}

/** Sub-workflows as they are; a prompt is one step. */
export function makerOf(plan: WorkflowPlan, plant?: Plant): MakeMachine {
  const workflows = workflowMaker(plan);
  const make: MakeMachine = (ref, init) => (ref.kind === 'workflow' ? workflows(ref, init) : oneCall(init.path));
  return plant === 'a slot held while waiting' ? (ref, init) => holding(make(ref, init)) : make;
}

function oneCall(path: string): Machine {
  let end: End | undefined;
  const command: Command = { op: 'step', id: `${path}/model#1`, spec: { kind: 'model' }, args: null, key: path };
  return {
    start: () => [command],
    deliver(fact) {
      if (fact.id === command.id)
        end = 'ok' in fact ? { ok: fact.ok } : 'err' in fact ? { err: fact.err } : { none: true };
      else if (fact.id === '@cancel') return [{ op: 'cancel', target: command.id }];
      return [];
    },
    get end() {
      return end;
    },
  };
}

/** The same for the same command, whoever does it. */
function answer({ id }: StepCommand, seed: number, isRough: boolean): Outcome {
  const number = hash8(`${seed} ${id}`);
  if (isRough && number % 9 === 0) {
    return { err: { code: 'code', message: 'it failed', retryable: number % 2 === 0 } };
  }
  const value: Json = { text: `t${number % 100}`, score: number % 10, flag: number % 3 !== 0 };
  return { ok: value };
}

/** Calls of models cost something, and some of them nothing. */
function costOf({ id, spec }: StepCommand): number {
  return spec.kind === 'model' ? (hash8(id) % 8) / 10 : 0;
}

/** What the store holds, seen from outside, and what the rules say of it. */
function watched(tell: (line: string) => void, hosts: number, limit: number | undefined) {
  let isCancelled = false;
  /** What the owner of today has begun that needs a place, and whether it was told to insist. */
  let begun = new Set<string>();
  let isInsisted = false;
  /** How often each was begun without an end. */
  const deaths = new Map<string, number>();
  let allowed = limit ?? Number.POSITIVE_INFINITY;
  let spent = 0;
  const started = new Set<string>();
  const facts = new Set<string>();
  const done = new Set<string>();
  let store: Store | undefined;
  let seen = 0;

  function look(): void {
    for (const { seq, node, body } of store?.events(root, seen) ?? []) {
      seen = seq;
      tell(`  ${seq} ${body.kind} ${node ?? ''}`);
      if (body.kind === 'run.cancel') isCancelled = true;
      if (node === undefined) continue;
      if (body.kind === 'node.started') starts(node);
      if (body.kind === 'limit.answered') allowed += body.add ?? 0;
      if ('usage' in body && body.kind !== 'child.ended') spent += body.usage?.cost ?? 0;
      if (spent > allowed + 1e-6) throw new Error(`${spent} was spent, and ${allowed} was allowed`);
      if (!isFact(body)) continue;
      begun.delete(node);
      deaths.delete(node);
      if (facts.has(node)) throw new Error(`${node} has two facts`);
      facts.add(node);
      if (body.kind === 'node.done' || body.kind === 'model.answered') done.add(node);
    }
  }

  function starts(node: string): void {
    started.add(node);
    const before = deaths.get(node) ?? 0;
    deaths.set(node, before + 1);
    if (before >= mostDeaths && !isInsisted) throw new Error(`${node} begins again by itself after ${before} deaths`);
    if (!node.includes('/model#')) begun.add(node);
    if (begun.size > hosts) throw new Error(`${[...begun].join(', ')} are called begun, and there are ${hosts} hosts`);
  }

  return {
    owner(insists: boolean) {
      look();
      begun = new Set();
      isInsisted = insists;
    },
    held(nodes: readonly string[]) {
      const wrong = nodes.find((node) => (deaths.get(node) ?? 0) < mostDeaths);
      if (wrong !== undefined) throw new Error(`${wrong} is held back, and nobody died of it so often`);
    },
    watch(connection: Store) {
      store = connection;
    },
    look,
    begins({ id }: StepCommand): string | undefined {
      if (!started.has(id)) return `${id} begins before that is durable`;
      if (isCancelled) return `${id} begins, though the run was cancelled`;
      return facts.has(id) ? `${id} runs again, though its fact is durable` : undefined;
    },
    done: () => [...done].sort(),
    openSteps: () => [...started].filter((id) => !facts.has(id)),
    close(end: End, connection: Store) {
      look();
      const open = [...started].filter((id) => !facts.has(id));
      if (open.length > 0) throw new Error(`the run has ended, and ${open.join(', ')} is open`);
      const row = connection.run(root);
      const status = 'err' in end ? 'failed' : 'cancelled' in end ? 'cancelled' : 'done';
      if (row?.status !== status) throw new Error(`the run is ${status}, and its row says ${row?.status}`);
      if (connection.lease(root)?.owner !== undefined)
        throw new Error('the run has ended, and somebody holds its lease');
      if (connection.inbox(root).length > 0) throw new Error('the run has ended, and its inbox holds something');
    },
  };
}

function begin(store: Store, at: number): void {
  store.write((writer) => {
    writer.addRun({ id: root, root, name: 'made', status: 'running', startedAt: at, updatedAt: at });
    const epoch = writer.takeLease(root, { host: 'sim', boot: 'sim', pid: 1, started: 'sim' }, undefined, at) ?? 0;
    const input = { topic: 'tea' };
    const body = { kind: 'run.started', name: 'made', plan: '', source: '', input, machine: 1, models: {} } as const;
    writer.append(root, epoch, [{ at, run: root, body }]);
  });
}

interface SimulatedClock extends Clock {
  /** Wakes who sleeps shortest; false if nobody sleeps. */
  readonly next: () => boolean;
  readonly clear: () => void;
  readonly setBack: (ms: number) => void;
}

function simulatedClock(): SimulatedClock {
  interface Sleeper {
    readonly at: number;
    readonly wake: () => void;
  }
  let now = 1_000_000_000;
  /** How much the clock shows too little. */
  let back = 0;
  let sleepers: Sleeper[] = [];
  return {
    now: () => now - back,
    setBack(ms) {
      back += ms;
    },
    monotonic: () => now,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          sleepers = sleepers.filter((each) => each !== sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        };
        const sleeper = { at: now + Math.max(0, ms), wake };
        signal?.addEventListener('abort', abort, { once: true });
        sleepers.push(sleeper);
      });
    },
    next() {
      const [first, ...others] = sleepers;
      if (first === undefined) return false;
      const earliest = others.reduce((best, each) => (each.at < best.at ? each : best), first);
      sleepers = sleepers.filter((each) => each !== earliest);
      now = Math.max(now, earliest.at);
      earliest.wake();
      return true;
    },
    clear() {
      sleepers = [];
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function same(got: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

function random(seed: number, purpose: string): () => number {
  let state = hash8(`${seed} ${purpose}`);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** FNV-1a. */
function hash8(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
