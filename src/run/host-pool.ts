/**
 * Gives out hosts: warm child processes in which `run` code and handlers are done, so that none of it runs in the engine.
 * What a host does with a step is in `host-step.ts`; what is said between the two in `host-exchange.ts`.
 * 1. A host does one step at a time, and only steps of its folder. It is kept for the next one, and dropped when it was idle
 *    for a while.
 * 2. There are never more hosts than the limit, those that are ending included. Steps wait in order, and hold nothing.
 * 3. The owner's record of a host (`spawned`) is made before the host gets a step of that run, and taken back (`ended`) when
 *    its whole group has ended.
 * 4. A step settles when nothing of it runs any more: where it was stopped, its host died or it left something behind, that
 *    is when the group of its host has ended.
 */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Outcome, RunError, StepCommand } from '../machine/index.ts';
import { type Clock, quotePath, realClock } from '../sys/index.ts';
import type { Execute, StepContext, StepResult } from './execute.ts';
import { type AskedStop, codeError, type Exchange, exchange, exitError, outcomeOf, stopOf } from './host-exchange.ts';
import { type HostProcess, startHost } from './host-process.ts';
import type { CodeAction, HandlerCall, StepArgs } from './host-protocol.ts';
import { prepareCode, type RunSpec } from './step-code.ts';
import { stepEnvironment } from './step-environment.ts';
import { fitting } from './step-output.ts';
import { tellUnseen } from './unseen.ts';

export interface HostPoolOptions {
  /** Where steps work that name no folder. */
  readonly cwd: string;
  /** The folder from which modules are named: that of the workflow's file. `cwd` when left out. */
  readonly folder?: string;
  /** What steps see is all of it but secrets (`step-environment.ts`). */
  readonly env?: NodeJS.ProcessEnv;
  /** Secrets that they see nevertheless, and more names that they do not see. */
  readonly shown?: readonly string[];
  readonly hidden?: readonly string[];
  readonly limit?: number;
  readonly clock?: Clock;
  readonly idleMs?: number;
}

export interface HostPool {
  /** Of steps of the kinds `run` and `handler`. */
  readonly execute: Execute;
  /** How many steps it does at once. */
  readonly limit: number;
  /** Ends every host with all it started; steps that wait or run are told. */
  readonly close: () => Promise<void>;
}

interface Slot {
  readonly host: HostProcess;
  readonly cwd: string;
  /** Resolves when it can do steps, or should by all means. */
  readonly ready: Promise<void>;
  /** Who was told of it, by run. */
  readonly told: Map<string, (pid: number) => void>;
  idleSince: number;
  ending?: Promise<void>;
}

interface Waiter {
  readonly cwd: string;
  readonly take: (slot: Slot | RunError) => void;
}

const printedChars = 4096;
const longestStartMs = 30_000;
/** A host that ends before it begins a step is replaced; one after the other means that no host works here. */
const mostStarts = 3;

export function createHostPool(options: HostPoolOptions): HostPool {
  const { clock = realClock, idleMs = 5000, folder = options.cwd } = options;
  const limit = options.limit ?? Math.max(4, 2 * availableParallelism());
  const ours = options.env ?? process.env;
  const env = stepEnvironment(ours, options);
  const slots = new Set<Slot>();
  /** The one that was used last is at the end. */
  const idle: Slot[] = [];
  const line = new Set<Waiter>();
  const running = new Set<() => void>();
  const closing = new AbortController();
  let ids = 0;
  let isReaping = false;

  async function execute(command: StepCommand, context: StepContext): Promise<StepResult> {
    if (context.signal.aborted) return { outcome: { err: stopped } };
    const { spec } = command;
    const code = spec.kind === 'run' ? (spec as unknown as RunSpec) : undefined;
    const action: CodeAction | HandlerCall = code ? prepareCode(code) : handlerCall(command);
    const cwd = command.cwd ?? options.cwd;
    const stop = stopOf(context);
    running.add(stop.end);
    try {
      for (let starts = 1; ; starts++) {
        const turn = acquire(cwd, stop);
        // Neither its turn nor the start of a host is time of the step.
        context.queued?.(turn.then((slot) => ('code' in slot ? undefined : slot.ready)));
        const slot = await turn;
        if ('code' in slot) return { outcome: { err: slot } };
        const work = {
          id: ++ids,
          action,
          args: command.args as unknown as StepArgs,
          asks: command.values !== undefined,
          runId: context.runId,
          attempt: context.attempt,
          key: context.idempotencyKey,
          cwd,
          folder,
        };
        let isReusable = false;
        let end: Exchange;
        let printed: string;
        try {
          tell(slot, context);
          slot.host.serve(command.values);
          end = await exchange(slot.host, work, stop, clock);
          isReusable = end.kind === 'done' && !end.report.left;
          if (!isReusable) await drop(slot, true);
          printed = await slot.host.printed();
        } finally {
          if (isReusable) release(slot);
          else await drop(slot, true);
        }
        if (end.kind === 'ended' && !end.begun && starts < mostStarts) continue;
        if (printed !== '') context.note({ kind: 'node.printed', text: printed });
        const outcome = fitting(judge(end, code, printed), spec);
        return { outcome: tellUnseen(outcome, spec, { folder, env: ours, shown: env }) };
      }
    } finally {
      running.delete(stop.end);
      stop.forget();
    }
  }

  function tell({ host: { pid }, told }: Slot, { runId, spawned, ended }: StepContext): void {
    if (pid === undefined || told.has(runId)) return;
    told.set(runId, ended);
    spawned(pid);
  }

  /** A host of that folder: idle, new, or when it is this one's turn. */
  function acquire(cwd: string, stop: AskedStop): Promise<Slot | RunError> {
    return new Promise((take) => {
      const waiter: Waiter = { cwd, take };
      line.add(waiter);
      serve();
      if (!line.has(waiter)) return;
      void stop.asked.then(() => {
        if (line.delete(waiter)) take(stopped);
      });
    });
  }

  function serve(): void {
    for (const waiter of line) {
      const slot = closing.signal.aborted ? closed : (takeIdle(waiter.cwd) ?? start(waiter.cwd));
      if (slot === undefined) return;
      line.delete(waiter);
      waiter.take(slot);
    }
  }

  function takeIdle(cwd: string): Slot | undefined {
    for (let at = idle.length - 1; at >= 0; at--) {
      if (idle[at]?.cwd === cwd) return idle.splice(at, 1)[0];
    }
    return undefined;
  }

  /** Undefined when there are enough: then one of another folder is ended, if that is all it takes. */
  function start(cwd: string): Slot | RunError | undefined {
    if (slots.size >= limit) {
      const oldest = idle.shift();
      if (oldest) void drop(oldest);
      return undefined;
    }
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
      return {
        code: 'exit',
        message: `the folder ${quotePath(cwd)}, where the step works, does not exist`,
        retryable: false,
      };
    }
    let host: HostProcess;
    try {
      host = startHost({ cwd, env, printedChars });
    } catch (error) {
      return { code: 'exit', message: `no process could be started for the step: ${String(error)}`, retryable: true };
    }
    const slot: Slot = { host, cwd, ready: readiness(host), told: new Map(), idleSince: 0 };
    slots.add(slot);
    // One that dies while it is idle.
    void host.over.then(() => {
      const at = idle.indexOf(slot);
      if (at === -1) return;
      idle.splice(at, 1);
      void drop(slot);
    });
    return slot;
  }

  /** One that never gets ready must not keep the time of its step from running. */
  async function readiness({ ready }: HostProcess): Promise<void> {
    const over = new AbortController();
    await Promise.race([ready, clock.sleep(longestStartMs, over.signal).catch(() => undefined)]);
    over.abort('ready');
  }

  function release(slot: Slot): void {
    if (closing.signal.aborted) {
      void drop(slot);
      return;
    }
    slot.idleSince = clock.now();
    idle.push(slot);
    serve();
    if (!isReaping && idle.length > 0) void reap();
  }

  /** `thorough`: it was doing a step, or a step left something behind. */
  function drop(slot: Slot, thorough = false): Promise<void> {
    slot.ending ??= slot.host.end(thorough).then(() => {
      slots.delete(slot);
      const { pid } = slot.host;
      if (pid !== undefined) for (const ended of slot.told.values()) ended(pid);
      serve();
    });
    return slot.ending;
  }

  /** Runs while there are idle hosts. */
  async function reap(): Promise<void> {
    isReaping = true;
    for (let first = idle[0]; first !== undefined; first = idle[0]) {
      const left = first.idleSince + idleMs - clock.now();
      if (left > 0) {
        await clock.sleep(left, closing.signal).catch(() => undefined);
        if (closing.signal.aborted) break;
      } else {
        idle.shift();
        void drop(first);
      }
    }
    isReaping = false;
  }

  return {
    execute,
    limit,
    async close() {
      closing.abort();
      serve();
      for (const end of running) end();
      for (const slot of idle.splice(0)) void drop(slot);
      await Promise.all([...slots].map((slot) => drop(slot, true)));
    },
  };
}

const stopped: RunError = { code: 'cancelled', message: 'it was stopped', retryable: false };
const closed: RunError = { code: 'cancelled', message: 'it was not begun: the engine is ending', retryable: false };

function handlerCall({ id, spec }: StepCommand): HandlerCall {
  const { kind, module, name } = spec;
  if (kind !== 'handler' || typeof module !== 'string' || typeof name !== 'string') {
    throw new Error(`the step "${id}" is neither code nor a handler`);
  }
  return { kind, module, name };
}

function judge(end: Exchange, code: RunSpec | undefined, printed: string): Outcome {
  if (end.kind === 'done') return outcomeOf(end.report, code);
  if (end.kind === 'stopped') return end.report ? outcomeOf(end.report, code) : { err: stopped };
  if (end.crash === undefined) return { err: exitError(end, printed) };
  const { message, ...rest } = end.crash;
  return { err: codeError({ ...rest, message: `it threw where nothing catches it: ${message}` }, code) };
}
