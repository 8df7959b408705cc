/**
 * What a driver knows of a run: the machines, what is open, and what the journal says of it. Made by replaying the journal;
 * a run that begins is one whose journal holds only its start, so there is one way to all of it.
 * 1. Facts are applied in the order of the journal, and applying one twice is a bug that throws.
 * 2. `apply` gives what has to be written and what has to be begun; nothing is begun here.
 * 3. Time never goes back: a fact is never older than the one before it.
 */
import { createHash } from 'node:crypto';
import type { EventBody, EventDraft, JournalEvent, WaitingRow } from '../journal/index.ts';
import type {
  CancelCommand,
  End,
  Fact,
  Json,
  MachineRef,
  MakeMachine,
  Outcome,
  SignalCommand,
  StepCommand,
  TimerCommand,
  Usage,
} from '../machine/index.ts';
import { createNest, type Emission } from './nest.ts';
import { factEvent, factOf } from './record.ts';
import { addUsage } from './usage.ts';

export type Open = OpenStep | OpenTimer | OpenSignal;

interface OpenBase {
  /** The run that it belongs to: the root, or a sub-workflow. */
  readonly run: string;
  readonly since: number;
  /** Whether the journal says that it was begun. */
  noted: boolean;
}

export interface OpenStep extends OpenBase {
  readonly effect: StepCommand;
  /** What was noted for it, by this owner or one before. */
  readonly notes: EventBody[];
  /** How often it was begun. */
  begun: number;
}

export interface OpenTimer extends OpenBase {
  readonly effect: TimerCommand;
  readonly until: number;
}

export interface OpenSignal extends OpenBase {
  readonly effect: SignalCommand;
  readonly hash: string;
}

/** A sub-workflow: a run of its own in lists. */
export interface SubRun {
  readonly id: string;
  readonly node: string;
  readonly name: string;
  readonly parent: string;
  readonly at: number;
}

/** What one step of the machines comes to. */
export interface Applied {
  readonly events: EventDraft[];
  readonly begun: Open[];
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
  /** Of the last fact. */
  readonly at: () => number;
  readonly usage: () => Usage;
  /** A result of an open command. */
  readonly settle: (id: string, outcome: Outcome, usage: Usage | undefined, now: number, into: Applied) => void;
  /** Something from outside: `@cancel`, `@steer`. */
  readonly outside: (body: EventBody, now: number, into: Applied) => void;
  /** What is open, to be begun by a new owner: again, or for the first time. */
  readonly beginAll: (into: Applied) => void;
  /** Asks people something that no machine asks: whether more may be spent. */
  readonly raise: (request: Json, into: Applied) => void;
  /** What was added to the limit so far. */
  readonly added: () => number;
  readonly waiting: () => readonly WaitingRow[];
}

/** The question whether more may be spent: the driver's own, so no machine is given its answer. */
export const limitPrefix = '@limit';

export function emptyApplied(): Applied {
  return { events: [], begun: [], cancelled: [], subRuns: [], endedRuns: [] };
}

/** What a decision has to name: the request as it was shown. */
export function requestHash(request: Json): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
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
  readonly events: Iterable<JournalEvent>;
}

/** From the journal, whose first event is `run.started`. */
export function replay({ root, make, ref, events }: ReplayOptions): RunState {
  const open = new Map<string, Open>();
  const waits = new Map<string, OpenTimer | OpenSignal>();
  const recalled = new Set<string>();
  /** The run of each open child, and whether it is its own. */
  const runs = new Map<string, { readonly id: string; readonly own: boolean }>([['', { id: root, own: false }]]);
  let nest: ReturnType<typeof createNest> | undefined;
  let last = 0;
  let usage: Usage = {};
  let added = 0;
  let raised = 0;
  /** What the start came to, while the journal holds nothing else: it is still to be written. */
  let fresh: Applied | undefined;
  /** What is begun was told by the journal: notes of it, whose keys take a while to make, are not asked for. */
  let isReplay = false;

  for (const event of events) take(event);

  function take(event: JournalEvent): void {
    const { body, at, node } = event;
    if (body.kind === 'run.started') {
      nest = createNest({ make, ref, runId: root, input: body.input });
      last = at;
      fresh = emptyApplied();
      absorb(nest.start(at), fresh);
      return;
    }
    if (fresh !== undefined) forget(fresh);
    fresh = undefined;
    const fact = factOf(event);
    if (fact !== undefined) {
      add(fact.usage);
      last = at;
      close(fact.id);
      const told = emptyApplied();
      isReplay = true;
      deliver(fact, told);
      isReplay = false;
      forget(told);
    } else if (node !== undefined) note(event.run, node, at, body);
    else if (body.kind === 'run.stopped') {
      // Whoever leaves in order has not died of what was running.
      for (const opened of open.values()) if ('begun' in opened) opened.begun = 0;
    }
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

  /** What was begun is told by the journal. */
  function forget({ begun }: Applied): void {
    for (const opened of begun) {
      opened.noted = false;
      if ('begun' in opened) opened.begun = 0;
    }
  }

  function deliver(fact: Fact, into: Applied): void {
    if (!fact.id.startsWith(limitPrefix)) absorb(machines().deliver(fact), into);
    else if ('ok' in fact) added += addedBy(fact.ok);
  }

  function note(run: string, node: string, at: number, body: EventBody): void {
    if (body.kind === 'limit.reached' && node.startsWith(limitPrefix)) {
      raised++;
      put(openOf({ op: 'signal', id: node, kind: 'limit', request: body.request }, run, at));
    }
    const opened = open.get(node);
    if (opened === undefined) return;
    opened.noted = true;
    if (body.kind === 'timer.set' && opened.effect.op === 'timer') {
      put({ ...(opened as OpenTimer), until: body.until });
    } else if ('notes' in opened) {
      if (body.kind === 'node.started') opened.begun++;
      else opened.notes.push(body);
    }
  }

  function runOf(child: string): string {
    return runs.get(child)?.id ?? root;
  }

  function machines(): NonNullable<typeof nest> {
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
        runs.set(command.id, { id, own: name !== undefined });
        const started =
          name === undefined ? { kind: 'child.started' as const } : { kind: 'child.started' as const, child: id, name };
        into.events.push({ at: last, run: parent, node: command.id, body: started });
        if (name !== undefined) into.subRuns.push({ id, node: command.id, name, parent, at: last });
      } else if (emission.kind === 'end') {
        const { id, outcome, usage: spent } = emission.end;
        const run = runOf(id);
        if (runs.get(id)?.own) into.endedRuns.push({ id: run, outcome });
        runs.delete(id);
        into.events.push({ at: last, run, node: id, body: { kind: 'child.ended', outcome, usage: spent } });
      } else begin(emission.effect, runOf(emission.within), into);
    }
  }

  function begin(effect: Extract<Emission, { kind: 'effect' }>['effect'], run: string, into: Applied): void {
    if (effect.op === 'cancel') {
      const { target } = effect as CancelCommand;
      into.cancelled.push(target);
      recalled.add(target);
      return;
    }
    const opened = openOf(effect, run, last);
    put(opened);
    into.begun.push(opened);
    noteBegin(opened, into);
  }

  function noteBegin(opened: Open, into: Applied): void {
    if (!isReplay) into.events.push({ at: last, run: opened.run, node: opened.effect.id, body: beginNote(opened) });
    opened.noted = true;
    if ('begun' in opened) opened.begun++;
  }

  return {
    open,
    waits,
    recalled,
    end: () => nest?.end(),
    at: () => last,
    usage: () => usage,
    beginAll(into) {
      if (fresh !== undefined) {
        addAll(into.events, fresh.events);
        addAll(into.begun, fresh.begun);
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
        into.begun.push(opened);
        if (opened.effect.op === 'step' || !opened.noted) noteBegin(opened, into);
      }
    },
    settle(id, outcome, spent, now, into) {
      const opened = open.get(id);
      if (opened === undefined) throw new Error(`${id} is not open`);
      close(id);
      last = Math.max(last, now);
      add(spent);
      into.events.push({ at: last, run: opened.run, node: id, body: factEvent(opened.effect, outcome, spent) });
      deliver(spent ? { ...outcome, id, at: last, usage: spent } : { ...outcome, id, at: last }, into);
    },
    raise: (request, into) => {
      raised++;
      begin({ op: 'signal', id: `${limitPrefix}#${raised}`, kind: 'limit', request }, root, into);
    },
    added: () => added,
    outside(body, now, into) {
      last = Math.max(last, now);
      into.events.push({ at: last, run: root, body });
      const fact = factOf({ seq: 0, at: last, run: root, body });
      if (fact === undefined) throw new Error(`${body.kind} is no fact`);
      absorb(machines().deliver(fact), into);
    },
    waiting: () => waitingOf(waits.values()),
  };
}

function addAll<T>(into: T[], items: readonly T[]): void {
  for (const item of items) into.push(item);
}

function addedBy(answer: Json): number {
  const { approved, add } = answer as { readonly approved?: boolean; readonly add?: number };
  return approved === true ? (add ?? 0) : 0;
}

function openOf(effect: StepCommand | TimerCommand | SignalCommand, run: string, since: number): Open {
  switch (effect.op) {
    case 'step':
      return { effect, run, since, noted: false, notes: [], begun: 0 };
    case 'timer':
      return { effect, run, since, noted: false, until: since + effect.ms };
    default:
      return { effect, run, since, noted: false, hash: requestHash(effect.request) };
  }
}

/** What is noted of a command when it is begun. */
function beginNote(opened: Open): EventBody {
  switch (opened.effect.op) {
    case 'step':
      return { kind: 'node.started', key: opened.effect.key };
    case 'timer':
      return { kind: 'timer.set', until: (opened as OpenTimer).until };
    default: {
      const { request, kind } = opened.effect;
      const { hash } = opened as OpenSignal;
      if (kind === 'limit') return { kind: 'limit.reached', limit: titleOf(request), request, hash };
      return { kind: 'approval.requested', request, hash };
    }
  }
}

function waitingOf(waits: Iterable<OpenTimer | OpenSignal>): WaitingRow[] {
  const rows: WaitingRow[] = [];
  for (const opened of waits) {
    const { effect, since } = opened;
    if (effect.op === 'timer') {
      rows.push({ node: effect.id, kind: 'timer', title: '', since, until: (opened as OpenTimer).until });
    } else if (effect.op === 'signal') {
      const { hash } = opened as OpenSignal;
      rows.push({ node: effect.id, kind: effect.kind, title: titleOf(effect.request), since, hash });
    }
  }
  return rows;
}

function titleOf(request: Json): string {
  const title = typeof request === 'object' && request !== null && 'title' in request ? request.title : undefined;
  return typeof title === 'string' ? title : JSON.stringify(request);
}
