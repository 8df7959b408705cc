/**
 * The simulator: the real machines, driver and recovery on a simulated store, clock and world, all from one seed. Owners
 * die before and after any commit, people answer twice, steps take any time and end in any order, there are few places for
 * them and little money, and clocks are set back.
 *
 * What it finds is thrown:
 * 1. a step that begins before its start is durable, or after its fact is;
 * 2. a command with two facts;
 * 3. a run that stands still while something could go on, or never ends;
 * 4. a result other than that of the calm run, where nothing fails by itself;
 * 5. a limit that keeps something back while people and timers are all that is awaited, or that is not held;
 * 6. a step that begins after the run was cancelled;
 * 7. a step that the journal calls begun while there is no place for it, or that begins by itself though its owners died of
 *    it three times; one that is held back though they did not;
 * 8. more that is spent than was allowed, or more tools that are called.
 */
import {
  createMemoryStore,
  type InboxDraft,
  type JournalEvent,
  type MemoryStore,
  type Store,
} from '../../journal/index.ts';
import type { End } from '../../machine/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { generatePlan, machineNumber } from '../../plan/machine/index.ts';
import { type DriveEnd, drive } from '../drive.ts';
import type { Execute } from '../execute.ts';
import { createPlaces } from '../places.ts';
import { post } from '../runs.ts';
import { limitPrefix, type RunState, replay } from '../state.ts';
import { type CalmRun, calmRun } from './calm.ts';
import { simulatedClock } from './clock.ts';
import { hash8 } from './hash.ts';
import { holdLimits } from './limits.ts';
import { forgetful, lateStore, type Plant } from './planted.ts';
import { withThunks } from './thunks.ts';
import { callNotes, withTools } from './tools.ts';
import { watched } from './watch.ts';
import { answer, costOf, makerOf, random } from './world.ts';

export interface Simulated {
  readonly end: End;
  /** How often the owner died. */
  readonly deaths: number;
  readonly steps: number;
}

const root = 'simulated000';
const input = { topic: 'tea' };
const mostTurns = 20_000;

/** Throws what it finds, with the seed in its message. */
export async function simulate(seed: number, plant?: Plant, tell?: (line: string) => void): Promise<Simulated> {
  try {
    const isRough = seed % 3 === 0;
    const made = generatePlan(random(seed, 'plan'), { size: 3 + (seed % 9), failures: isRough });
    const hasTools = seed % 4 === 2;
    const hasThunks = seed % 8 === 3;
    const plan = hasTools ? withTools(made) : hasThunks ? withThunks(made) : made;
    const hosts = 1 + (seed % 5);
    // Some owners die again and again, before much is done.
    const isDeadly = seed % 7 === 1;
    const limit = seed % 11 < 3 ? 0.5 : undefined;
    const { end, deaths, steps } = await play(plan, seed, {
      isRough,
      ...(!isRough && { calm: calmRun(plan, seed, input) }),
      deaths: isDeadly ? 8 : 1 + (seed % 4),
      livesFor: isDeadly ? 4 : 30,
      hosts,
      ...(hasThunks && isRough && { speaks: true }),
      ...(limit !== undefined && { limit }),
      ...((hasTools || hasThunks) && isRough && seed % 5 === 0 && { toolCalls: 1 + (seed % 3) }),
      ...(plant && { plant }),
      ...(tell && { tell }),
    });
    return { end, deaths, steps };
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
  const made = generatePlan(random(seed, 'plan'), { size: 3 + (seed % 6), failures: true });
  const plan = seed % 2 === 0 ? withTools(made) : seed % 4 === 1 ? withThunks(made) : made;
  const { events, end } = await play(plan, seed, { isRough: seed % 3 === 0, deaths: 0, hosts: 100 });
  return { plan, events, end };
}

interface World {
  /** Steps fail, and somebody may have had enough. */
  readonly isRough: boolean;
  /** What it is compared with, where nothing fails for good. */
  readonly calm?: CalmRun;
  /** How often the owner dies at most, and after how many commits at the latest. */
  readonly deaths: number;
  readonly livesFor?: number;
  /** How many steps that are no model calls are done at once. */
  readonly hosts: number;
  /** In dollars. */
  readonly limit?: number;
  /** How many tools may be called. */
  readonly toolCalls?: number;
  /** Somebody speaks to it now and then. */
  readonly speaks?: boolean;
  readonly plant?: Plant;
  /** Is given what happens, line by line. */
  readonly tell?: (line: string) => void;
}

interface Played extends Simulated {
  readonly events: readonly JournalEvent[];
}

class Death extends Error {}

async function play(plan: WorkflowPlan, seed: number, world: World): Promise<Played> {
  const { isRough, calm, deaths, livesFor = 30, hosts, limit, toolCalls, speaks, plant } = world;
  const { tell = () => undefined } = world;
  const chance = random(seed, `world ${deaths}`);
  const clock = simulatedClock();
  const journal = watched(root, tell, hosts, limit, toolCalls);
  /** With how many answers of people and timers it was compared. */
  let compared = -1;
  let state: RunState | undefined;
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
  let isAsked = false;
  /** Somebody insists on what is held back. */
  let again = false;
  let problem: string | undefined;
  begin(store, clock.now());
  untilDeath = deathAfter();

  for (let owner = 1; owner < 200; owner++) {
    const mine = store.connect();
    let isDead = false;
    journal.owner(again);
    const execute: Execute = async (command, { signal, note, notes }) => {
      problem ??= journal.begins(command);
      steps++;
      for (const body of callNotes(command, notes)) note(body);
      if (chance() < 0.1) note({ kind: 'node.printed', text: 'working' });
      try {
        await clock.sleep(1 + Math.floor(chance() * 40), signal);
      } catch {
        if (!isDead) await clock.sleep(Math.floor(chance() * 5));
      }
      const outcome = answer(command, plan, seed, isRough);
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
      if (untilCancel-- === 0) send(store.connect(), { kind: 'cancel', reason: 'enough' });
      if (speaks && chance() < 0.05) send(store.connect(), { kind: 'steer', message: `word ${turns}` });
      await settled();
      if (end !== undefined || failure !== undefined) break;
      checkLimits();
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
      if (calm) same(end.end, calm(journal.answers).end, 'the result differs from that of the calm run');
      return { end: end.end, deaths: died, steps, events: [...store.connect().events(root)] };
    }
    const held = end?.kind === 'deadly' ? end.nodes : end?.kind === 'waiting' ? (end.held ?? []) : undefined;
    if (held === undefined) throw new Error(`the driver left: ${JSON.stringify(end)}`);
    journal.held(held);
    checkLimits();
    isAsked = true;
    again = held.length > 0 && chance() < 0.5;
    if (!again && !decide(store.connect(), chance, true) && held.length === 0)
      throw new Error('people are awaited, and nothing is asked');
  }
  throw new Error('the run has had 200 owners');

  function deathAfter(): number {
    return deathsLeft > 0 ? Math.floor(chance() * livesFor) : Number.POSITIVE_INFINITY;
  }

  function checkLimits(): void {
    if (state === undefined || state.end() !== undefined) return;
    const working = [...state.open.keys()].filter((id) => !state?.waits.has(id));
    holdLimits(plan, working);
    if (calm === undefined || working.length > 0 || journal.answers.size === compared) return;
    compared = journal.answers.size;
    const { done, waits } = calm(journal.answers);
    const open = [...state.waits.keys()].filter((id) => !id.startsWith(limitPrefix));
    same(open.sort(), [...waits].sort(), 'a limit keeps something back, for this is awaited');
    same([...journal.done].sort(), [...done].sort(), 'a limit keeps something back, for this is done');
  }

  async function own(mine: MemoryStore, execute: Execute): Promise<DriveEnd> {
    const lease = mine.lease(root);
    const me = { host: 'sim', boot: 'sim', pid: 2, started: 'sim' };
    const epoch = mine.write((writer) => writer.takeLease(root, me, lease?.epoch, clock.now())) ?? 0;
    state = replay({ root, make, ref, events: mine.events(root) });
    const kinds = ['run', 'handler', 'model', 'tools', 'tool', 'recall', 'turn'];
    const executors = Object.fromEntries(kinds.map((kind) => [kind, execute]));
    return await drive({
      store: plant === 'effect before its commit' ? lateStore(mine, clock) : mine,
      root,
      epoch,
      state: planted(state),
      executors,
      places: [createPlaces(['run', 'handler'], plant === 'a step called begun without a place' ? 100 : hosts)],
      again,
      clock,
      ...(limit !== undefined && { limit }),
      ...(toolCalls !== undefined && { limits: { toolCalls } }),
      ...(plant !== 'money that is counted when it is spent' && { mostCost: costOf }),
    });
  }

  function planted(state: RunState): RunState {
    if (plant === 'a signal delivered twice') return forgetful(state);
    return plant === 'deaths that nobody counts' ? { ...state, begun: () => 0 } : state;
  }

  function send(other: Store, message: InboxDraft['message']): void {
    isOutside = true;
    post(other, root, { at: 0, by: 'ann', message });
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

function begin(store: Store, at: number): void {
  store.write((writer) => {
    writer.addRun({ id: root, root, name: 'made', status: 'running', startedAt: at, updatedAt: at });
    const epoch = writer.takeLease(root, { host: 'sim', boot: 'sim', pid: 1, started: 'sim' }, undefined, at) ?? 0;
    const body = {
      kind: 'run.started',
      name: 'made',
      plan: '',
      source: '',
      input,
      machine: machineNumber,
      models: {},
    } as const;
    writer.append(root, epoch, [{ at, run: root, body }]);
  });
}

function same(got: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
