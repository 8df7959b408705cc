/**
 * Steps in flight. It begins them, ends them, and collects what comes of them; when to do so is the driver's business, how
 * the executors'.
 * 1. A step is begun once, whoever asks again.
 * 2. A result counts only when the executor has settled, which it does when its processes are gone: so a timeout and the
 *    next attempt never overlap.
 * 3. What was cancelled has failed, whatever came of it: what it cost is told.
 */
import type { EventBody, NoteBody } from '../journal/index.ts';
import { type Outcome, Roster, type RunError, type StepCommand, type Usage } from '../machine/index.ts';
import type { Clock } from '../sys/index.ts';
import type { Executors, Reads, StepContext, StepResult } from './execute.ts';
import type { OpenStep } from './open-command.ts';

export interface StepEnd {
  readonly id: string;
  readonly outcome: Outcome;
  readonly usage?: Usage;
  readonly reads?: Reads;
  /** It came to a result after it was cancelled. */
  readonly late?: true;
}

export interface Running {
  readonly begin: (opened: OpenStep) => void;
  /** False if it is not running. */
  readonly cancel: (id: string) => boolean;
  /** A step that is not begun at all. */
  readonly fail: (id: string, err: RunError) => void;
  /** How many were begun whose end was not taken. */
  readonly count: () => number;
  /** Those that are running. */
  readonly ids: () => readonly string[];
  /** What has ended since it was asked last, in the order of its ends. */
  readonly take: () => readonly StepEnd[];
  /** Ends all that is still running, at once, and what comes of it is not told; resolves when it has ended. */
  readonly stop: () => Promise<void>;
}

export interface RunningOptions {
  readonly root: string;
  /** What stands before the ids of steps in their idempotency keys: done again after an edit, they have others. */
  readonly keyPrefix: string;
  readonly clock: Clock;
  readonly executors: Executors;
  /** There is something to take. */
  readonly arrived: () => void;
  readonly note: (opened: OpenStep, body: NoteBody) => void;
  readonly spawned: (node: string, pid: number) => void;
  readonly ended: (pid: number) => void;
}

interface Flight {
  readonly abort: AbortController;
  /** Why it was told to end. */
  why?: 'timeout' | 'cancelled';
  /** Nobody wants to know what comes of it. */
  isLeft?: true;
  readonly settled: Promise<void>;
}

interface Timer {
  readonly start: () => void;
  readonly queued: (turn: Promise<unknown>) => void;
  readonly close: () => void;
}

export function createRunning(options: RunningOptions): Running {
  const { root, clock, executors } = options;
  const flights = new Roster<Flight>();
  const now = new AbortController();
  let ends: StepEnd[] = [];

  function begin(opened: OpenStep): void {
    const { effect } = opened;
    if (flights.has(effect.id)) return;
    const abort = new AbortController();
    const timer = effect.timeoutMs === undefined ? undefined : createTimer(effect.timeoutMs, onTimeout);
    timer?.start();
    const settled = execute(opened, abort.signal, timer).then((result) => {
      timer?.close();
      flights.delete(effect.id);
      if (flight.isLeft) return;
      ends.push(endOf(effect, result, flight));
      options.arrived();
    });
    const flight: Flight = { abort, settled };
    flights.set(effect.id, flight);

    function onTimeout(): void {
      end(flight, 'timeout');
    }
  }

  /** Whoever waits for its turn has all of its time left. */
  function createTimer(ms: number, ring: () => void): Timer {
    let over: AbortController | undefined;
    let isClosed = false;
    /** A step may wait again, as where its host died before it began. */
    let waits = 0;
    function start(): void {
      if (isClosed) return;
      over = new AbortController();
      clock.sleep(ms, over.signal).then(ring, () => undefined); // It was done before.
    }
    return {
      start,
      queued(turn) {
        over?.abort('queued');
        const wait = ++waits;
        void turn.then(() => {
          if (wait === waits) start();
        });
      },
      close() {
        isClosed = true;
        over?.abort('over');
      },
    };
  }

  async function execute(opened: OpenStep, signal: AbortSignal, timer: Timer | undefined): Promise<StepResult> {
    const { effect } = opened;
    const run = executors[effect.spec.kind];
    if (run === undefined) {
      return { outcome: { err: failed('unsupported', `nothing here runs steps of the kind "${effect.spec.kind}"`) } };
    }
    const earlier: EventBody[] = [...opened.notes];
    const context: StepContext = {
      runId: root,
      idempotencyKey: `${options.keyPrefix}/${effect.id}`,
      attempt: attemptOf(effect.id),
      signal,
      now: now.signal,
      notes: earlier,
      note: (body) => options.note(opened, body),
      spawned: (pid) => options.spawned(effect.id, pid),
      ended: options.ended,
    };
    try {
      return await run(effect, timer ? { ...context, queued: timer.queued } : context);
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { outcome: { err: failed('bug', `the executor of "${effect.spec.kind}" threw: ${message}`) } };
    }
  }

  function end(flight: Flight, why: NonNullable<Flight['why']>): void {
    flight.why ??= why;
    flight.abort.abort(why);
  }

  return {
    begin,
    cancel(id) {
      const flight = flights.get(id);
      if (flight) end(flight, 'cancelled');
      return flight !== undefined;
    },
    fail(id, err) {
      ends.push({ id, outcome: { err } });
      options.arrived();
    },
    count: () => flights.size + ends.length,
    ids: () => [...flights.keys()],
    take() {
      const taken = ends;
      ends = [];
      return taken;
    },
    async stop() {
      const all = [...flights.values()];
      now.abort();
      for (const flight of all) {
        flight.isLeft = true;
        end(flight, 'cancelled');
      }
      await Promise.all(all.map(({ settled }) => settled));
    },
  };
}

/** `polish[2]/review#3` is the third attempt. */
export function attemptOf(id: string): number {
  const hash = id.lastIndexOf('#');
  return hash === -1 ? 1 : Number.parseInt(id.slice(hash + 1), 10) || 1;
}

function endOf(command: StepCommand, result: StepResult, { why }: Flight): StepEnd {
  const { id } = command;
  const { outcome, usage, reads } = result;
  if (why === undefined) {
    const end = usage === undefined ? { id, outcome } : { id, outcome, usage };
    return reads === undefined ? end : { ...end, reads };
  }
  const spent = usage && { usage };
  const isResult = !('err' in outcome);
  if (why === 'cancelled') {
    return { id, outcome: { err: failed('cancelled', 'it was cancelled') }, ...spent, ...(isResult && { late: true }) };
  }
  return { id, outcome: { err: timeoutError(command, 'err' in outcome ? outcome.err : undefined) }, ...spent };
}

/** What is said of a step that took too long; `came`: what it was at, where it could say so. */
export function timeoutError({ spec, timeoutMs }: StepCommand, came: RunError | undefined): RunError {
  // One call of several has what the others left of the step's time.
  const time = spec.stepTimeoutMs ?? timeoutMs;
  const cause = came?.code === 'code' ? came : undefined;
  return {
    ...failed('timeout', `it was not done within ${time} ms, and was stopped`),
    retryable: cause?.retryable ?? true,
    ...(cause && { cause }),
  };
}

function failed(code: string, message: string): RunError {
  return { code, message, retryable: false };
}
