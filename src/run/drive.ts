/**
 * The driver: a plain loop that gives a run's machines their facts and does what they ask, until they have ended, only
 * people are awaited, or it is told to stop. The machines decide; the store keeps; the executors do.
 * 1. One round is one transaction, which rounds of other runs may share: results, notes of what begins next, deadlines, the
 *    summary. An effect starts only after the facts that caused it are durable; where nothing has come about yet, and what
 *    begins neither changes nor costs anything (`idle`), they are so with the next round.
 * 2. When a commit fails nothing new begins and results wait in memory; it is tried again every second, and that is told.
 * 3. Every append names the lease. When it is lost, all that was begun here is ended and nothing more is written.
 * 4. Giving up the lease and finding the inbox empty are one transaction, so nothing is posted to nobody. It also drops the
 *    rows of processes, because the hosts may go on with other runs.
 * 5. A step is noted as begun in the round in which it begins: what waits for a place or for money, and what is cancelled
 *    before, was not begun.
 */
import {
  type EventDraft,
  type InboxItem,
  joinWriters,
  LeaseLost,
  type LeaseOwner,
  mostDeaths,
  type ProcessRow,
  type Store,
  StoreFailure,
  type WaitingRow,
  type Writer,
} from '../journal/index.ts';
import { type End, Roster, type StepCommand } from '../machine/index.ts';
import { bootId, type Clock, processStart, type Redactor } from '../sys/index.ts';
import { createBell } from './bell.ts';
import { cleaner } from './clean.ts';
import type { Executors } from './execute.ts';
import { createGate, type MostCost } from './gate.ts';
import { giveLease } from './lease.ts';
import { callCounts, limitRequest, overLimit, purseOf, type RunLimits } from './limits.ts';
import { cancelled, cancelWaits, isOpen, isTalk, receive } from './mail.ts';
import { type OpenStep, unitOf } from './open-command.ts';
import type { Places } from './places.ts';
import type { Unit } from './purse.ts';
import { isAsk } from './record.ts';
import type { ResultCache } from './result-cache.ts';
import { createRunning } from './running.ts';
import { type Applied, emptyApplied, limitPrefix, type RunState } from './state.ts';
import { createSummary, endNote, outcomeRow, putSubRun } from './summary.ts';
import { createTimers } from './timers.ts';
import { createWork } from './work-time.ts';

export interface DriveOptions {
  readonly store: Store;
  readonly root: string;
  readonly epoch: number;
  /** Where the segment begins that is driven, if it is not the first. */
  readonly segment?: number;
  readonly state: RunState;
  /** The results that it shares with other runs; `state` has it too. */
  readonly cache?: ResultCache;
  readonly executors: Executors;
  /** Is given what was written, before anything that follows from it begins; `last`: the `seq` of the last event. */
  readonly committed?: (events: readonly EventDraft[], last: number) => void;
  /**
   * The processes that may get these steps and of which the run was not told, as `StepContext.spawned` does: they are noted
   * with the begin of the steps, which costs no transaction.
   */
  readonly hosts?: (commands: readonly StepCommand[], ended: (pid: number) => void) => readonly number[];
  /** Ends what the executors keep for this run; called when it is left. */
  readonly close?: () => Promise<void>;
  readonly clock: Clock;
  /** Ask to stop after the steps that are running, and at once. */
  readonly soft?: AbortSignal;
  readonly hard?: AbortSignal;
  /** Stay while only people are awaited. */
  readonly wait?: boolean;
  readonly tell?: (message: DriveMessage) => void;
  /** In dollars, for the run and all inside of it; without one nothing is counted. */
  readonly limit?: number;
  /** Of other things: tokens are asked for like dollars; the others end the run, with what was done kept. */
  readonly limits?: RunLimits;
  /** What a step can cost at most; without it nothing costs anything before it is done. */
  readonly mostCost?: MostCost;
  /** The kinds of steps that change nothing and cost nothing, so that they may as well be done again. */
  readonly idle?: readonly string[];
  /** For the steps that can be done at once, here and by whoever shares them; no other is begun before there is a place. */
  readonly places?: readonly Places[];
  /** Takes secrets out of results and of what people send, so that a live run and its replay see the same. */
  readonly redactor?: Redactor;
  /** Begin steps again that were running each of the last times their owner died. */
  readonly again?: boolean;
}

export type DriveMessage =
  /** `last`: the `seq` of the last of them. */
  | { readonly kind: 'events'; readonly events: readonly EventDraft[]; readonly last: number }
  /** The store cannot be written at the moment. */
  | { readonly kind: 'store'; readonly message: string }
  | { readonly kind: 'stored' };

export type DriveEnd =
  | { readonly kind: 'ended'; readonly end: End }
  /** `held`: steps that are not begun by themselves, as below. */
  | { readonly kind: 'waiting'; readonly waiting: readonly WaitingRow[]; readonly held?: readonly string[] }
  /** Steps were running whenever their owner died, and are not begun again by themselves; nothing else is left to do. */
  | { readonly kind: 'deadly'; readonly nodes: readonly string[] }
  /** `unsaved`: the store could not be written, and what was done since is lost. */
  | { readonly kind: 'stopped'; readonly unsaved?: string }
  | { readonly kind: 'lost'; readonly by: LeaseOwner | undefined };

const pollMs = 50;
const beatMs = 10_000;
const lateMs = 20;
const storeRetryMs = 1000;

/** What one transaction writes. */
interface Round {
  readonly applied: Applied;
  /** What was taken from the inbox. */
  readonly taken: readonly InboxItem[];
  /** It holds results, or what others sent. */
  readonly hasNews: boolean;
  /** Steps that begin when it is durable. */
  begin: readonly OpenStep[];
}

export async function drive(options: DriveOptions): Promise<DriveEnd> {
  const { store, root, epoch, state, clock, soft, hard, tell = () => undefined } = options;
  /** What came up between two rounds. */
  let notes: EventDraft[] = [];
  let processes: ((writer: Writer) => void)[] = [];
  let lastBeat = clock.monotonic();
  /** The inbox has to be looked at, whoever has written. */
  let isUnread = true;
  /** Of the store's changes. */
  let seen = -1;
  const purse = purseOf(options.limit, options.limits, state);
  const work = createWork(clock, options.limits?.minutes, state.worked());
  const bell = createBell();
  const gate = createGate({
    purse,
    calls: callCounts(options.limits, state.calls()),
    over: work.over,
    mostCost: options.mostCost,
    ...(options.places && { places: options.places }),
    ring: bell.ring,
    ticks: clock.monotonic,
    isHeld: (id) => !options.again && state.begun(id) >= mostDeaths,
    isRecalled: (id) => state.recalled.has(id),
  });
  const timers = createTimers(clock, state.waits);
  const clean = cleaner(options.redactor);
  const summary = createSummary();
  const over = new AbortController();
  const together = joinWriters(store);
  let napUntil = Number.POSITIVE_INFINITY;
  /** Steps that this owner has noted as begun, until they have ended. */
  const begunHere = new Roster<OpenStep>();
  let lastLook = clock.monotonic();
  const running = createRunning({
    root,
    keyPrefix: options.segment === undefined ? root : `${root}.${options.segment}`,
    clock,
    arrived: bell.ring,
    executors: options.executors,
    note: ({ effect, run, notes: kept }, body) => {
      const said = clean(body);
      kept.push(said);
      notes.push({ at: state.noteAt(clock.now()), run, node: effect.id, body: said });
    },
    spawned: (node, pid) => remember(rowOf(node, pid)),
    ended,
  });

  soft?.addEventListener('abort', bell.ring);
  hard?.addEventListener('abort', bell.ring);
  try {
    const end = await go();
    await options.close?.();
    return end;
  } catch (error) {
    await running.stop();
    await options.close?.();
    if (error instanceof LeaseLost) return { kind: 'lost', by: error.by };
    if (!(error instanceof StoreFailure) || !hard?.aborted) throw error;
    giveUp();
    return { kind: 'stopped', unsaved: error.message };
  } finally {
    soft?.removeEventListener('abort', bell.ring);
    hard?.removeEventListener('abort', bell.ring);
    over.abort('over');
    gate.close();
    together.leave();
  }

  async function go(): Promise<DriveEnd> {
    const first = emptyApplied();
    state.beginAll(first);
    // A cancel that was sent while nobody drove counts before anything begins.
    for (let round = collect(first, 'cancel'); ; round = collect()) {
      if (isStopping()) gate.stop();
      else await admit(round);
      const end = state.end();
      await commit(round, end);
      if (end !== undefined) return { kind: 'ended', end };
      for (const opened of round.begin) begunHere.set(opened.effect.id, opened);
      for (const id of round.applied.cancelled) recall(id);
      if (isStopping()) for (const opened of round.begin) gate.ended(opened, undefined);
      else for (const opened of round.begin) running.begin(opened);
      if (hard?.aborted) await running.stop();
      if (isStopping() && running.count() === 0) {
        if (await leave()) return { kind: 'stopped' };
      } else if (isUnasked()) continue;
      else if (!isIdle() || (options.wait && state.waits.size > 0)) await arrival();
      else if (await leave()) return rest();
    }
  }

  function isStopping(): boolean {
    return soft?.aborted === true || hard?.aborted === true;
  }

  /** What now may begin is noted with what led to it. */
  async function admit(round: Round): Promise<void> {
    const { begin, refused } = await gate.admit();
    for (const { opened, err } of refused) running.fail(opened.effect.id, err);
    for (const opened of begin) state.started(opened, clock.now(), round.applied);
    round.begin = begin;
    const [first] = begin;
    if (first !== undefined && options.hosts !== undefined) {
      const met = options.hosts(
        begin.map(({ effect }) => effect),
        ended,
      );
      for (const pid of met) {
        const row = rowOf(first.effect.id, pid);
        processes.push((writer) => writer.addProcess(root, row));
      }
    }
    if (isUnasked()) askForMore(round.applied);
  }

  function rowOf(node: string, pid: number): ProcessRow {
    return { node, pid, started: processStart(pid) ?? bootId() };
  }

  function ended(pid: number): void {
    processes.push((writer) => writer.dropProcess(root, pid));
  }

  /** What is not running has failed at once. */
  function recall(id: string): void {
    const isWaiting = gate.remove(id);
    if (state.open.has(id) && (isWaiting || !running.cancel(id))) running.fail(id, cancelled);
  }

  /** More is wanted than there is in the purse, and nobody has been asked. What is set aside may come back. */
  function isUnasked(): boolean {
    if (gate.missing() === undefined) return false;
    for (const id of state.waits.keys()) if (id.startsWith(limitPrefix)) return false;
    return !isStopping();
  }

  /** Only people can say how it goes on. */
  function isIdle(): boolean {
    if (running.count() > 0 || state.waits.size + gate.parked() < state.open.size) return false;
    for (const opened of state.waits.values()) if ('until' in opened) return false;
    return true;
  }

  function rest(): DriveEnd {
    const held = gate.held();
    if (state.waits.size === 0) return { kind: 'deadly', nodes: held };
    return { kind: 'waiting', waiting: state.waiting(), ...(held.length > 0 && { held }) };
  }

  /** One question, however many wait. */
  function askForMore(applied: Applied): void {
    if (purse === undefined) return;
    const waiting = gate.poor().map(({ effect }) => effect.id);
    state.raise(limitRequest(purse, gate.missing() ?? 0, waiting), clock.now(), applied);
  }

  /** What waits for money begins as soon as there is enough, or fails now. */
  function answerPoor(approved: boolean, unit: Unit, add: number, now: number, applied: Applied): void {
    if (approved) purse?.add(unit, add);
    if (approved) return;
    for (const { effect } of gate.poor()) {
      gate.remove(effect.id);
      state.settle(effect.id, { err: overLimit }, undefined, now, applied);
    }
  }

  /** Until a step has ended, a timer is due, somebody may have written, or it is time to stop. */
  async function arrival(): Promise<void> {
    const ticks = clock.monotonic();
    nap(ticks + Math.max(0, Math.min(pollMs, timers.look(clock.now()).left)), ticks);
    await bell.heard();
    // The nap should be over: steps that are done at once must not keep timers and signals from being heard.
    if (napUntil + lateMs < clock.monotonic()) await clock.sleep(0, over.signal);
  }

  /** A nap goes on over many rounds: to begin one costs more than most rounds do. */
  function nap(until: number, now: number): void {
    if (napUntil <= until) return;
    napUntil = until;
    clock.sleep(until - now, over.signal).then(
      () => {
        if (napUntil === until) napUntil = Number.POSITIVE_INFINITY;
        bell.ring();
      },
      () => undefined, // The driver has left.
    );
  }

  function collect(applied = emptyApplied(), only?: InboxItem['message']['kind']): Round {
    const now = clock.now();
    work.pass(running.count() > 0);
    if (work.over() !== undefined) for (const id of running.ids()) if (work.end(id)) running.cancel(id);
    const results = running.take();
    const sent = news(results.some(({ id }) => isTalkOpen(id)));
    const taken = only === undefined ? sent : sent.filter(({ message }) => message.kind === only);
    isUnread ||= taken.length < sent.length;
    // What was said before a step ended is heard with what follows from its end.
    for (const item of taken) if (item.message.kind === 'steer') receive(item, state, now, applied, clean);
    for (const { id, outcome, usage, late, reads } of results) {
      const opened = state.open.get(id);
      if (opened === undefined) continue;
      if (late) {
        applied.events.push({
          at: state.noteAt(now),
          run: opened.run,
          node: id,
          body: { kind: 'node.late', ...(usage && { usage }) },
        });
      }
      begunHere.delete(id);
      if ('notes' in opened) gate.ended(opened, usage, isAsk(outcome));
      const err = work.ended(id);
      state.settle(id, err && 'err' in outcome ? { err } : clean(outcome), usage, now, applied, reads);
    }
    const { due, moved } = timers.look(now);
    for (const { opened, until } of moved) state.retime(opened, until, now, applied);
    for (const id of due) state.settle(id, { ok: null }, undefined, now, applied);
    for (const item of taken) {
      // It comes too late, and goes with the rest of the inbox.
      if (state.end() !== undefined) break;
      const { message } = item;
      if (message.kind === 'steer') continue;
      const isAnswer = message.kind === 'answer' && isOpen(message, state);
      const unit = isAnswer ? unitOf(state.open.get(message.node)) : 'usd';
      receive(item, state, now, applied, clean);
      if (isAnswer) answerPoor(message.approved, unit, message.add ?? 0, now, applied);
    }
    cancelWaits(state, now, applied);
    for (const opened of applied.ready) gate.add(opened);
    return { applied, taken, hasNews: results.length + due.length + taken.length > 0, begin: [] };
  }

  function isTalkOpen(id: string): boolean {
    const opened = state.open.get(id);
    return opened?.effect.op === 'step' && isTalk(opened.effect);
  }

  /** What was sent since. Whoever wrote may also have taken over. `isUrgent`: also where it was looked a moment ago. */
  function news(isUrgent: boolean): readonly InboxItem[] {
    try {
      const ticks = clock.monotonic();
      if (!isUnread && !isUrgent && ticks - lastLook < pollMs / 2) return [];
      lastLook = ticks;
      const changes = store.changes();
      if (changes === seen && !isUnread) return [];
      seen = changes;
      isUnread = true;
      const lease = store.lease(root);
      if (lease?.owner === undefined || lease.epoch !== epoch) throw new LeaseLost(root, lease?.owner);
      const items = store.inbox(root);
      isUnread = false;
      return items;
    } catch (error) {
      // The next commit tells of it.
      if (error instanceof StoreFailure) return [];
      throw error;
    }
  }

  async function commit(round: Round, end: End | undefined): Promise<void> {
    const { applied, taken } = round;
    const events = notes;
    const when = events.length + processes.length === 0 && beginsIdly(round) ? 'soon' : undefined;
    for (const event of applied.events) events.push(event);
    if (end !== undefined) events.push({ at: state.noteAt(state.at()), run: root, body: endNote(end) });
    const also = processes;
    notes = [];
    processes = [];
    const isDue = clock.monotonic() - lastBeat >= beatMs;
    const change = events.length > 0 ? summary.change(state, end, gate.parked()) : summary.rest(state, clock.now());
    if (events.length === 0 && also.length === 0 && taken.length === 0 && !isDue && change === undefined) return;
    const last = await untilStored((writer) => {
      if (isDue || events.length === 0) beat(writer);
      const seq = events.length > 0 ? writer.append(root, epoch, events) : 0;
      for (const change of also) change(writer);
      if (taken.length > 0)
        writer.dropInbox(
          root,
          epoch,
          taken.map(({ id }) => id),
        );
      options.cache?.write(writer);
      for (const sub of applied.subRuns) putSubRun(store, writer, sub, root);
      for (const { id, outcome } of applied.endedRuns) writer.updateRun(id, outcomeRow(outcome, state.at()));
      if (change !== undefined) writer.updateRun(root, change);
      if (end !== undefined) {
        writer.dropInbox(
          root,
          epoch,
          store.inbox(root).map(({ id }) => id),
        );
        giveLease(store, writer, root, epoch);
      }
      return seq;
    }, when);
    options.cache?.written();
    if (events.length === 0) return;
    options.committed?.(events, last);
    tell({ kind: 'events', events, last });
  }

  /** Nothing would be lost with it. */
  function beginsIdly({ hasNews, begin }: Round): boolean {
    if (hasNews || begin.length === 0 || state.waits.size > 0) return false;
    return begin.every(({ effect }) => options.idle?.includes(effect.spec.kind) === true);
  }

  function beat(writer: Writer): void {
    if (!writer.beat(root, epoch, clock.now())) throw new LeaseLost(root, store.lease(root)?.owner);
    lastBeat = clock.monotonic();
  }

  async function untilStored<T>(work: (writer: Writer) => T, when?: 'soon'): Promise<T> {
    for (let isTold = false; ; isTold = true) {
      try {
        // Whoever tries again harms nobody else.
        const result = isTold ? store.write(work) : await together.write(work, when);
        if (isTold) tell({ kind: 'stored' });
        return result;
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        if (!isTold) tell({ kind: 'store', message: error.message });
        if (hard?.aborted) throw error;
        await clock.sleep(storeRetryMs, hard).catch(() => undefined);
      }
    }
  }

  /**
   * At once, so that whoever takes over finds it; what cannot be written now is written with the next round. Throws where
   * somebody has taken over: then the step is not begun.
   */
  function remember(row: ProcessRow): void {
    const change = (writer: Writer) => writer.addProcess(root, row);
    try {
      together.writeNow((writer) => {
        beat(writer);
        // What has ended before goes first: its number may be that of the new one.
        for (const earlier of processes) earlier(writer);
        change(writer);
      });
      processes = [];
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      processes.push(change);
    }
  }

  /** False if there is something in the inbox: then we stay. */
  async function leave(): Promise<boolean> {
    const note = stopNote();
    const change = summary.rest(state);
    const answer = await untilStored((writer) => {
      if (note !== undefined && store.inbox(root).length === 0) writer.append(root, epoch, [note]);
      const released = giveLease(store, writer, root, epoch);
      if (change !== undefined && released !== 'lost') writer.updateRun(root, change);
      return released;
    });
    if (answer === 'lost') throw new LeaseLost(root, store.lease(root)?.owner);
    isUnread = answer === 'kept';
    return answer === 'released';
  }

  /** Of what was begun here nobody has died; of what was not, because it is held back or waits, as much is known as before. */
  function stopNote(): EventDraft | undefined {
    const held: string[] = [];
    // Otherwise nobody could see that it is held back.
    let isLeft = gate.held().some((id) => state.isUntold(id));
    for (const id of state.open.keys()) {
      if (state.begun(id) === 0) continue;
      if (begunHere.has(id)) isLeft = true;
      else held.push(id);
    }
    if (!isLeft) return undefined;
    const body = { kind: 'run.stopped', ...(held.length > 0 && { held }) } as const;
    return { at: state.noteAt(clock.now()), run: root, body };
  }

  /** Nobody drives it any more, though that cannot be said for sure. */
  function giveUp(): void {
    try {
      store.write((writer) => giveLease(store, writer, root, epoch));
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
    }
  }
}
