/**
 * What a driver knows of a run: the machines, what is open, and what the journal says of it. Made by replaying the journal;
 * a run that begins is one whose journal holds only its start, so there is one way to all of it.
 * 1. Facts are applied in the order of the journal, and applying one twice is a bug that throws.
 * 2. What the machines come to is what has to be written and what is ready; nothing is begun here, and that a step was begun
 *    is written when it is.
 * 3. Time never goes back: no event is older than the one before it.
 */
import { createHash } from 'node:crypto';
import {
  createBegins,
  type EventBody,
  type EventDraft,
  isTaken,
  type JournalEvent,
  unreadableRun,
  type WaitingRow,
} from '../journal/index.ts';
import {
  addUsage,
  type CacheSlot,
  type CancelCommand,
  type ChildCommand,
  createNest,
  type Emission,
  type End,
  type Fact,
  factAs,
  type Json,
  type MachineRef,
  type MakeMachine,
  type Nest,
  type Outcome,
  Roster,
  type StepCommand,
  type Usage,
} from '../machine/index.ts';
import { ToolangError } from '../text/index.ts';
import type { Reads } from './execute.ts';
import {
  type Open,
  type OpenSignal,
  type OpenStep,
  type OpenTimer,
  openNote,
  openOf,
  unitOf,
  waitingOf,
} from './open-command.ts';
import type { Unit } from './purse.ts';
import { addCall, type Calls, factEvent, factOf, outcomeOf } from './record.ts';
import type { ResultCache } from './result-cache.ts';
import { cachedBody, fits, type Keepable, type Kept, keptBody } from './segment/memo.ts';
import type { Past } from './segment/past.ts';
import { createWorked } from './work-time.ts';

/** A sub-workflow: a run of its own in lists. */
export interface SubRun {
  readonly id: string;
  readonly node: string;
  readonly name: string;
  readonly parent: string;
  readonly at: number;
}

interface ChildRun {
  readonly id: string;
  readonly own: boolean;
  readonly slot: CacheSlot | undefined;
}

/** What one step of the machines comes to. */
export interface Applied {
  readonly events: EventDraft[];
  /** Steps that can be begun, in document order. */
  readonly ready: OpenStep[];
  /** Ids of open commands that are to be cancelled. */
  readonly cancelled: string[];
  readonly subRuns: SubRun[];
  readonly endedRuns: { readonly id: string; readonly outcome: Outcome }[];
}

export interface RunState {
  readonly open: ReadonlyMap<string, Open>;
  /** Those of `open` that nothing is done for. */
  readonly waits: ReadonlyMap<string, OpenTimer | OpenSignal>;
  /** Those of `open` that were cancelled: nothing of them is begun any more. */
  readonly recalled: ReadonlySet<string>;
  readonly end: () => End | undefined;
  /** Of the last fact: the time of the machines. */
  readonly at: () => number;
  /** The time of a note that is written now. */
  readonly noteAt: (now: number) => number;
  readonly usage: () => Usage;
  /** A result of an open command. */
  readonly settle: (
    id: string,
    outcome: Outcome,
    usage: Usage | undefined,
    now: number,
    into: Applied,
    reads?: Reads,
  ) => void;
  /** Something from outside: `@cancel`, `@steer`. */
  readonly outside: (body: EventBody, now: number, into: Applied) => void;
  /** What is open, to be begun by a new owner: again, or for the first time. */
  readonly beginAll: (into: Applied) => void;
  /** A step begins as soon as this is durable. */
  readonly started: (opened: OpenStep, now: number, into: Applied) => void;
  /** How often an open step was begun since an owner left in order. */
  readonly begun: (id: string) => number;
  /** It was begun in earlier segments only, so nothing is told of it in the last one. */
  readonly isUntold: (id: string) => boolean;
  /** A timer ends at another time than was told. */
  readonly retime: (opened: OpenTimer, until: number, now: number, into: Applied) => void;
  /** Asks people something that no machine asks: whether more may be spent. */
  readonly raise: (request: Json, now: number, into: Applied) => void;
  /** What was added to the limits so far. */
  readonly added: () => Readonly<Record<Unit, number>>;
  /** For how many milliseconds its steps were at work, as the journal says. */
  readonly worked: () => number;
  readonly calls: () => Calls;
  readonly waiting: () => readonly WaitingRow[];
}

/** The question whether more may be spent: the driver's own, so no machine is given its answer. */
export const limitPrefix = '@limit';

export function emptyApplied(): Applied {
  return { events: [], ready: [], cancelled: [], subRuns: [], endedRuns: [] };
}

/** The id of a sub-workflow's run follows from its place, so that a replay finds it again. */
export function subRunId(root: string, node: string): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const bytes = createHash('sha256').update(`${root}/${node}`).digest();
  return Array.from(bytes.subarray(0, 12), (byte) => alphabet[byte & 31]).join('');
}

export interface ReplayOptions {
  readonly root: string;
  readonly make: MakeMachine;
  readonly ref: MachineRef;
  /** Of its last segment. */
  readonly events: Iterable<JournalEvent>;
  /** What came before that. */
  readonly past?: Past;
  /** Results that runs share. Where a journal may tell of some that were taken, `past` says which. */
  readonly cache?: ResultCache;
  /** Takes secrets out of what people are asked and children are given. */
  readonly clean?: <T>(value: T) => T;
}

/** From the journal, whose first event is `run.started`, or that of its last segment. */
export function replay({ root, make, ref, events, past, cache, clean = (value) => value }: ReplayOptions): RunState {
  const open = new Roster<Open>();
  const waits = new Map<string, OpenTimer | OpenSignal>();
  const recalled = new Set<string>();
  /** The run of each open child, whether it is its own, and under what its result is kept. */
  const runs = new Roster<ChildRun>();
  runs.set('', { id: root, own: false, slot: undefined });
  let nest: Nest | undefined;
  /** Of the last fact, and of the last event. */
  let last = 0;
  let latest = 0;
  const begins = past?.begins ?? createBegins();
  const worked = createWorked(past?.worked);
  let usage: Usage = past?.usage ?? {};
  const added = { ...(past?.added ?? { usd: 0, tokens: 0 }) };
  let calls: Calls = past?.calls ?? { model: 0, tool: 0 };
  let raised = past?.raised ?? 0;
  /** What the start came to, while the journal holds nothing else: it is still to be written. */
  let fresh: Applied | undefined;
  /** What is open was told by the journal. */
  let isReplay = false;

  for (const event of events) {
    try {
      take(event);
      worked.take(event, event.node === undefined || open.has(event.node));
    } catch (error) {
      if (error instanceof ToolangError) throw error;
      const { seq, body, node = '' } = event;
      const why = error instanceof Error ? error.message : String(error);
      throw unreadableRun(
        root,
        `event ${seq} (${`${body.kind} ${node}`.trim()}) does not follow from its plan: ${why}`,
        error,
      );
    }
  }

  /** What the journal does not tell follows from what is offered; what it tells was decided. */
  function keep(command: Keepable): Kept | undefined {
    const told = past?.kept.get(command.id);
    if (told) {
      past?.memo.kept(command, told.seq);
      return told;
    }
    if (isReplay || (fresh && past?.isTold)) {
      past?.memo.missed(command);
      return undefined;
    }
    const taken = past?.memo.take(command);
    // Now: what the command reads is another one as soon as it has its result.
    return taken ? { ...taken, event: { ...taken.event, body: keptBody(taken, command) } } : found(command);
  }

  /** What another run has kept, or this one before. */
  function found(command: Keepable): Kept | undefined {
    const slot = command.op === 'signal' ? undefined : command.cache;
    const shared = slot && !past?.memo.isAgain(command) ? cache?.find(slot) : undefined;
    if (shared === undefined || !fits(command, outcomeOf(shared))) return undefined;
    const body = cachedBody(clean(shared), command);
    return { seq: 0, event: { seq: 0, at: last, run: root, node: command.id, body }, outcome: outcomeOf(body) };
  }

  function take(event: JournalEvent): void {
    const { body, at, node } = event;
    latest = Math.max(latest, at);
    begins.take(event);
    if (body.kind === 'run.started' || body.kind === 'segment.opened') {
      const { input } = body;
      const runAt = past?.runAt ?? at;
      nest = createNest({ make, ref, runId: root, input, runAt, ...((past || cache) && { given: keep }) });
      last = at;
      fresh = emptyApplied();
      absorb(nest.start(at), fresh);
      return;
    }
    if (fresh !== undefined) for (const opened of waits.values()) opened.noted = false;
    fresh = undefined;
    // It was given when its command was opened.
    if (isTaken(body)) return;
    const fact = factOf(event);
    if (fact !== undefined) {
      add(fact.usage);
      last = at;
      count(body);
      const opened = open.get(fact.id);
      close(fact.id);
      isReplay = true;
      deliver(withBegin(fact, opened), unitOf(opened), emptyApplied());
      isReplay = false;
    } else if (node !== undefined) note(event.run, node, at, body);
  }

  function put(opened: Open): void {
    open.set(opened.effect.id, opened);
    if (!('notes' in opened)) waits.set(opened.effect.id, opened);
  }

  function close(id: string): void {
    open.delete(id);
    waits.delete(id);
    recalled.delete(id);
  }

  function deliver(fact: Fact, unit: Unit, into: Applied): void {
    if (!fact.id.startsWith(limitPrefix)) absorb(machines().deliver(fact), into);
    else if ('ok' in fact) added[unit] += addedBy(fact.ok);
  }

  function count(body: EventBody): void {
    calls = addCall(calls, body);
  }

  function note(run: string, node: string, at: number, body: EventBody): void {
    if (body.kind === 'limit.reached' && node.startsWith(limitPrefix)) {
      raised++;
      const effect = { op: 'signal', id: node, kind: 'limit', request: body.request } as const;
      put({ effect, run, since: at, noted: true, hash: body.hash });
    }
    const opened = open.get(node);
    if (opened === undefined) return;
    opened.noted = true;
    if (body.kind === 'timer.set' && opened.effect.op === 'timer') {
      put({ ...(opened as OpenTimer), until: body.until });
    } else if ('notes' in opened) {
      if (body.kind === 'node.started') opened.began = at;
      else opened.notes.push(body);
    }
  }

  function runOf(child: string): string {
    return runs.get(child)?.id ?? root;
  }

  function machines(): Nest {
    if (nest === undefined) throw new Error(`the journal of ${root} does not begin with its start`);
    return nest;
  }

  function add(spent: Usage | undefined): void {
    if (spent) usage = addUsage(usage, spent);
  }

  /** Keeps what the machines emitted, and says what is to be written and begun. */
  function absorb(emissions: readonly Emission[], into: Applied): void {
    for (const emission of emissions) {
      if (emission.kind === 'child') {
        const { command, within } = emission.child;
        const parent = runOf(within);
        const id = command.run ? subRunId(root, command.id) : parent;
        const name = command.run?.name;
        runs.set(command.id, { id, own: name !== undefined, slot: command.cache });
        into.events.push({ at: last, run: parent, node: command.id, body: childNote(id, name, command) });
        if (name !== undefined) into.subRuns.push({ id, node: command.id, name, parent, at: last });
      } else if (emission.kind === 'end') {
        const { id, outcome, usage: spent } = emission.end;
        const run = runOf(id);
        const { own, slot } = runs.get(id) ?? {};
        if (own) into.endedRuns.push({ id: run, outcome });
        if (slot && !isReplay) cache?.offer(slot, outcome, last);
        runs.delete(id);
        into.events.push({ at: last, run, node: id, body: { kind: 'child.ended', outcome, usage: spent } });
      } else if (emission.kind === 'given') {
        const { command, given, within } = emission;
        if (!isReplay)
          into.events.push({ at: last, run: runOf(within), node: command.id, body: (given as Kept).event.body });
      } else begin(emission.effect, runOf(emission.within), into);
    }
  }

  /** In a replay nobody reads it, and keys are made when they are asked for. */
  function childNote(child: string, name: string | undefined, command: ChildCommand): EventBody {
    if (isReplay) return { kind: 'child.started' };
    const { worktree } = command;
    if (name === undefined) return { kind: 'child.started', key: command.key, ...(worktree && { worktree }) };
    return { kind: 'child.started', child, name, input: clean(command.input) };
  }

  function begin(effect: Extract<Emission, { kind: 'effect' }>['effect'], run: string, into: Applied): void {
    if (effect.op === 'cancel') {
      const { target } = effect as CancelCommand;
      into.cancelled.push(target);
      recalled.add(target);
      return;
    }
    const opened = openOf(effect, run, last, clean);
    put(opened);
    if ('notes' in opened) into.ready.push(opened);
    else if (!isReplay) noteOpen(opened, into);
  }

  function noteOpen(opened: OpenTimer | OpenSignal, into: Applied): void {
    into.events.push({ at: latest, run: opened.run, node: opened.effect.id, body: openNote(opened) });
    opened.noted = true;
  }

  /** Of a fact that is new. */
  function factAt(now: number): number {
    last = Math.max(latest, now);
    latest = last;
    return last;
  }

  function noteAt(now: number): number {
    latest = Math.max(latest, now);
    return latest;
  }

  return {
    open,
    waits,
    recalled,
    end: () => nest?.end(),
    at: () => last,
    noteAt,
    usage: () => usage,
    beginAll(into) {
      if (fresh !== undefined) {
        addAll(into.events, fresh.events);
        addAll(into.ready, fresh.ready);
        addAll(into.cancelled, fresh.cancelled);
        addAll(into.subRuns, fresh.subRuns);
        addAll(into.endedRuns, fresh.endedRuns);
        return;
      }
      for (const [id, opened] of open) {
        if (recalled.has(id)) {
          into.cancelled.push(id);
          continue;
        }
        if ('notes' in opened) into.ready.push(opened);
        else if (!opened.noted) noteOpen(opened, into);
      }
    },
    started(opened, now, into) {
      const { effect, run } = opened;
      const { id, key, spec } = effect;
      // What makes and removes one is no work in the one around it.
      const worktree = spec.kind === 'worktree' ? undefined : effect.worktree;
      const body: EventBody =
        worktree === undefined ? { kind: 'node.started', key } : { kind: 'node.started', key, worktree };
      const event = { at: noteAt(now), run, node: id, body };
      opened.began = event.at;
      begins.take(event);
      into.events.push(event);
    },
    begun(id) {
      const opened = open.get(id);
      return begins.of(id, opened?.effect.op === 'step' ? keyOf(opened.effect) : undefined);
    },
    isUntold: (id) => begins.of(id) === 0,
    retime(opened, until, now, into) {
      const { effect, run } = opened;
      put({ ...opened, until });
      into.events.push({ at: noteAt(now), run, node: effect.id, body: { kind: 'timer.set', until } });
    },
    settle(id, outcome, spent, now, into, reads) {
      const opened = open.get(id);
      if (opened === undefined) throw new Error(`${id} is not open`);
      close(id);
      const at = factAt(now);
      add(spent);
      const event = { at, run: opened.run, node: id, body: factEvent(opened.effect, outcome, spent, reads) };
      begins.take(event);
      count(event.body);
      into.events.push(event);
      if (opened.effect.op === 'step' && opened.effect.cache) cache?.offer(opened.effect.cache, outcome, at);
      deliver(withBegin(factAs(id, at, outcome, spent), opened), unitOf(opened), into);
    },
    raise(request, now, into) {
      raised++;
      noteAt(now);
      begin({ op: 'signal', id: `${limitPrefix}#${raised}`, kind: 'limit', request }, root, into);
    },
    added: () => added,
    calls: () => calls,
    worked: worked.ms,
    outside(body, now, into) {
      const at = factAt(now);
      into.events.push({ at, run: root, body });
      const fact = factOf({ seq: 0, at, run: root, body });
      if (fact === undefined) throw new Error(`${body.kind} is no fact`);
      absorb(machines().deliver(fact), into);
    },
    waiting: () => waitingOf(waits.values()),
  };
}

function addAll<T>(into: T[], items: readonly T[]): void {
  for (const item of items) into.push(item);
}

function withBegin(fact: Fact, opened: Open | undefined): Fact {
  const began = opened !== undefined && 'notes' in opened ? opened.began : undefined;
  return began === undefined ? fact : { ...fact, began };
}

function keyOf(command: StepCommand): () => string {
  return () => command.key;
}

function addedBy(answer: Json): number {
  const { approved, add } = answer as { readonly approved?: boolean; readonly add?: number };
  return approved === true ? (add ?? 0) : 0;
}
