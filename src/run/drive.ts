/**
 * The driver: a plain loop that gives a run's machines their facts and does what they ask, until they have ended, only
 * people are awaited, or it is told to stop. The machines decide; the store keeps; the executors do.
 * 1. One round is one transaction: results, notes of what begins next, deadlines, the summary. An effect starts only after
 *    the facts that caused it are durable.
 * 2. When a commit fails nothing new begins and results wait in memory; it is tried again every second, and that is told.
 * 3. Every append names the lease. When it is lost, all that was begun here is ended and nothing more is written.
 * 4. Giving up the lease and finding the inbox empty are one transaction, so nothing is posted to nobody.
 */
import {
  type EventDraft,
  type InboxItem,
  LeaseLost,
  type LeaseOwner,
  type ProcessRow,
  type Store,
  StoreFailure,
  type WaitingRow,
  type Writer,
} from '../journal/index.ts';
import type { End, RunError, StepCommand } from '../machine/index.ts';
import { bootId, type Clock, processStart, type Redactor } from '../sys/index.ts';
import { createBell } from './bell.ts';
import type { Executors } from './execute.ts';
import { createPurse } from './purse.ts';
import { createRunning } from './running.ts';
import { type Applied, emptyApplied, limitPrefix, type OpenStep, type RunState } from './state.ts';
import { endNote, outcomeRow, subRow, summary } from './summary.ts';

export interface DriveOptions {
  readonly store: Store;
  readonly root: string;
  readonly epoch: number;
  readonly state: RunState;
  readonly executors: Executors;
  /** Ends what the executors keep; called when the run is left. */
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
  /** What a step can cost at most; undefined where its price is not known. */
  readonly mostCost?: (command: StepCommand) => number | undefined;
  /** Takes secrets out of results before anybody sees them, so that a live run and its replay see the same. */
  readonly redactor?: Redactor;
}

export type DriveMessage =
  /** `last`: the `seq` of the last of them. */
  | { readonly kind: 'events'; readonly events: readonly EventDraft[]; readonly last: number }
  /** The store cannot be written at the moment. */
  | { readonly kind: 'store'; readonly message: string }
  | { readonly kind: 'stored' };

export type DriveEnd =
  | { readonly kind: 'ended'; readonly end: End }
  | { readonly kind: 'waiting'; readonly waiting: readonly WaitingRow[] }
  | { readonly kind: 'stopped' }
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
}

export async function drive(options: DriveOptions): Promise<DriveEnd> {
  const { store, root, epoch, state, clock, soft, hard, tell = () => undefined } = options;
  /** What came up between two rounds. */
  let notes: EventDraft[] = [];
  let processes: ((writer: Writer) => void)[] = [];
  let lastBeat = clock.now();
  /** The inbox has to be looked at, whoever has written. */
  let isUnread = true;
  const purse =
    options.limit === undefined ? undefined : createPurse(options.limit + state.added(), state.usage().cost ?? 0);
  /** Steps for which there is not enough in the purse, in document order. */
  const held = new Map<string, OpenStep>();
  const bell = createBell();
  const over = new AbortController();
  let napUntil = Number.POSITIVE_INFINITY;
  let lastLook = clock.now();
  const running = createRunning({
    root,
    clock,
    arrived: bell.ring,
    executors: options.executors,
    note: ({ effect, run, notes: kept }, body) => {
      const said = clean(body);
      kept.push(said);
      notes.push({ at: state.at(), run, node: effect.id, body: said });
    },
    spawned: (node, pid) => remember({ node, pid, started: processStart(pid) ?? bootId() }),
    ended: (pid) => processes.push((writer) => writer.dropProcess(root, pid)),
  });

  soft?.addEventListener('abort', bell.ring);
  hard?.addEventListener('abort', bell.ring);
  try {
    const end = await go();
    await options.close?.();
    tidy();
    return end;
  } catch (error) {
    await running.stop();
    await options.close?.();
    if (error instanceof LeaseLost) return { kind: 'lost', by: error.by };
    throw error;
  } finally {
    soft?.removeEventListener('abort', bell.ring);
    hard?.removeEventListener('abort', bell.ring);
    over.abort('over');
  }

  async function go(): Promise<DriveEnd> {
    const first = emptyApplied();
    state.beginAll(first);
    // A cancel that was sent while nobody drove counts before anything begins.
    for (let round = collect(first, 'cancel'); ; round = collect()) {
      const end = state.end();
      await commit(round, end);
      if (end !== undefined) return { kind: 'ended', end };
      for (const id of round.applied.cancelled) recall(id);
      const isStopping = soft?.aborted || hard?.aborted;
      if (!isStopping) for (const opened of round.applied.begun) if ('notes' in opened) begin(opened);
      if (hard?.aborted) await running.stop();
      if (isStopping && running.count() === 0) {
        if (await leave()) return { kind: 'stopped' };
      } else if (isUnasked()) continue;
      else if (!options.wait && onlyPeopleAreAwaited()) {
        if (await leave()) return { kind: 'waiting', waiting: state.waiting() };
      } else await arrival();
    }
  }

  /** What is not running has failed at once. */
  function recall(id: string): void {
    const isHeld = held.delete(id);
    if (state.open.has(id) && (isHeld || !running.cancel(id))) running.fail(id, cancelled);
  }

  function begin(opened: OpenStep): void {
    const { effect } = opened;
    if (state.recalled.has(effect.id)) return;
    const verdict = purse?.reserve(effect.id, options.mostCost ? options.mostCost(effect) : 0) ?? 'go';
    if (verdict === 'go') running.begin(opened);
    else if (verdict === 'wait') held.set(effect.id, opened);
    else running.fail(effect.id, noPrice);
  }

  /** More is wanted than there is in the purse, and nobody has been asked. */
  function isUnasked(): boolean {
    if (held.size === 0) return false;
    for (const id of state.waits.keys()) if (id.startsWith(limitPrefix)) return false;
    // What is set aside may come back.
    return running.count() === 0;
  }

  function onlyPeopleAreAwaited(): boolean {
    if (state.waits.size + held.size < state.open.size) return false;
    for (const opened of state.waits.values()) if ('until' in opened) return false;
    return true;
  }

  /** One question, however many wait. */
  function askForMore(applied: Applied): void {
    const spent = purse?.spent() ?? 0;
    const limit = purse?.limit() ?? 0;
    const title = `The limit of $${limit.toFixed(2)} is reached ($${spent.toFixed(2)} spent): may more be spent?`;
    const request = { title, spent, limit, waiting: [...held.keys()] };
    state.raise(request, applied);
  }

  /** Begins what now may begin, in document order, or fails all of it. */
  function answerHeld(approved: boolean, add: number, now: number, applied: Applied): void {
    purse?.add(add);
    const waiting = [...held.values()];
    held.clear();
    for (const opened of waiting) {
      if (approved) applied.begun.push(opened);
      else state.settle(opened.effect.id, { err: overLimit }, undefined, now, applied);
    }
  }

  function clean<T>(value: T): T {
    return options.redactor === undefined ? value : (options.redactor.data(value) as T);
  }

  /** Until a step has ended, a timer is due, somebody may have written, or it is time to stop. */
  async function arrival(): Promise<void> {
    const now = clock.now();
    nap(Math.max(now, Math.min(now + pollMs, nextDeadline(state))), now);
    await bell.heard();
    // The nap should be over: steps that are done at once must not keep timers and signals from being heard.
    if (napUntil + lateMs < clock.now()) await clock.sleep(0, over.signal);
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
    for (const { id, outcome, usage, late } of running.take()) {
      const opened = state.open.get(id);
      if (opened === undefined) continue;
      if (late) {
        applied.events.push({
          at: state.at(),
          run: opened.run,
          node: id,
          body: { kind: 'node.late', ...(usage && { usage }) },
        });
      }
      purse?.charge(id, usage?.cost ?? 0);
      state.settle(id, clean(outcome), usage, now, applied);
    }
    if (isUnasked()) askForMore(applied);
    for (const [id, opened] of [...state.waits]) {
      if ('until' in opened && opened.until <= now) state.settle(id, { ok: null }, undefined, now, applied);
    }
    const sent = news();
    const taken = only === undefined ? sent : sent.filter(({ message }) => message.kind === only);
    isUnread ||= taken.length < sent.length;
    for (const item of taken) {
      // It comes too late, and goes with the rest of the inbox.
      if (state.end() !== undefined) break;
      const { message } = item;
      const isAnswer = message.kind === 'answer' && isOpen(message, state);
      receive(item, state, now, applied);
      if (isAnswer) answerHeld(message.approved, message.add ?? 0, now, applied);
    }
    cancelWaits(state, now, applied);
    return { applied, taken };
  }

  /** What was sent since. Whoever wrote may also have taken over. */
  function news(): readonly InboxItem[] {
    try {
      const now = clock.now();
      // A clock may also be set back.
      const isDue = Math.abs(now - lastLook) >= pollMs / 2;
      if (!isUnread && !isDue) return [];
      lastLook = now;
      if (!store.changed() && !isUnread) return [];
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

  async function commit({ applied, taken }: Round, end: End | undefined): Promise<void> {
    const events = [...notes, ...applied.events];
    if (end !== undefined) events.push({ at: state.at(), run: root, body: endNote(end) });
    const also = processes;
    notes = [];
    processes = [];
    // A clock may also be set back.
    const isDue = Math.abs(clock.now() - lastBeat) >= beatMs;
    if (events.length === 0 && also.length === 0 && taken.length === 0 && !isDue) return;
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
      for (const sub of applied.subRuns) writer.addRun(subRow(sub, root));
      for (const { id, outcome } of applied.endedRuns) writer.updateRun(id, outcomeRow(outcome, state.at()));
      if (events.length > 0) writer.updateRun(root, summary(state, end, held.size));
      if (end !== undefined) {
        writer.dropInbox(
          root,
          epoch,
          store.inbox(root).map(({ id }) => id),
        );
        writer.release(root, epoch);
      }
      return seq;
    });
    if (events.length > 0) tell({ kind: 'events', events, last });
  }

  function beat(writer: Writer): void {
    const now = clock.now();
    if (!writer.beat(root, epoch, now)) throw new LeaseLost(root, store.lease(root)?.owner);
    lastBeat = now;
  }

  async function untilStored<T>(work: (writer: Writer) => T): Promise<T> {
    for (let isTold = false; ; isTold = true) {
      try {
        const result = store.write(work);
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
      store.write((writer) => {
        beat(writer);
        change(writer);
      });
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      processes.push(change);
    }
  }

  /** False if there is something in the inbox: then we stay. */
  async function leave(): Promise<boolean> {
    const note: EventDraft = { at: state.at(), run: root, body: { kind: 'run.stopped' } };
    const hasSteps = state.open.size > state.waits.size + held.size;
    const answer = await untilStored((writer) => {
      if (hasSteps && store.inbox(root).length === 0) writer.append(root, epoch, [note]);
      return writer.release(root, epoch);
    });
    if (answer === 'lost') throw new LeaseLost(root, store.lease(root)?.owner);
    isUnread = answer === 'kept';
    return answer === 'released';
  }

  /** The processes that ended last. What cannot be written does no harm: who comes next finds them gone. */
  function tidy(): void {
    if (processes.length === 0) return;
    try {
      store.write((writer) => {
        for (const change of processes) change(writer);
      });
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
    }
  }
}

const cancelled: RunError = { code: 'cancelled', message: 'it was cancelled', retryable: false };
const noPrice: RunError = {
  code: 'limit',
  message: 'the price of this model is not known, so a limit in dollars could not be kept',
  retryable: false,
};
const overLimit: RunError = {
  code: 'limit',
  message: 'the limit was reached, and no more may be spent',
  retryable: false,
};

function nextDeadline({ waits }: RunState): number {
  let next = Number.POSITIVE_INFINITY;
  for (const opened of waits.values()) if ('until' in opened) next = Math.min(next, opened.until);
  return next;
}

/** What somebody sent. A decision about something that is not open any more, or has changed, was refused when it was made. */
function receive({ message, by, at }: InboxItem, state: RunState, now: number, into: Applied): void {
  switch (message.kind) {
    case 'cancel':
      state.outside({ kind: 'run.cancel', by, reason: message.reason }, now, into);
      return;
    case 'steer':
      state.outside({ kind: 'run.steered', message: message.message, by }, now, into);
      return;
    default: {
      if (!isOpen(message, state)) return;
      const value = {
        approved: message.approved,
        ...('note' in message && message.note !== undefined && { note: message.note }),
        ...('add' in message && message.add !== undefined && { add: message.add }),
        decidedBy: by,
        decidedAt: new Date(at).toISOString(),
      };
      state.settle(message.node, { ok: value }, undefined, now, into);
    }
  }
}

function isOpen({ node, hash }: { readonly node: string; readonly hash: string }, { open }: RunState): boolean {
  const opened = open.get(node);
  return opened !== undefined && 'hash' in opened && opened.hash === hash;
}

/** Timers and questions end as soon as they are cancelled; that may cancel others. */
function cancelWaits(state: RunState, now: number, into: Applied): void {
  for (let i = 0; i < into.cancelled.length; i++) {
    const id = into.cancelled[i] as string;
    const opened = state.open.get(id);
    if (opened !== undefined && opened.effect.op !== 'step') state.settle(id, { err: cancelled }, undefined, now, into);
  }
}
