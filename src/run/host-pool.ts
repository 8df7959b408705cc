/**
 * Gives out hosts: warm child processes in which `run` code and handlers are done, so that none of it runs in the engine.
 * All runs of an engine share them. Which hosts there are is in `host-slots.ts`; what a host does with a step in
 * `host-step.ts`; what is said between the two in `host-exchange.ts`.
 * 1. The owner's record of a host (`hosts`, `spawned`) is made for each run before the host gets a step of it, and taken back
 *    (`ended`) when the whole group of the host has ended. A run that has left is told of nothing.
 * 2. A step settles when nothing of it runs any more: where it was stopped, its host died or it left something behind, that
 *    is when the group of its host has ended.
 * 3. A run that leaves ends its own steps, and no other. The last one ends all hosts.
 */
import { availableParallelism } from 'node:os';
import type { Outcome, RunError, StepCommand } from '../machine/index.ts';
import { type Clock, realClock } from '../sys/index.ts';
import type { Execute, StepContext, StepResult } from './execute.ts';
import { type AskedStop, codeError, type Exchange, exchange, exitError, outcomeOf, stopOf } from './host-exchange.ts';
import type { CodeAction, HandlerCall, StepArgs } from './host-protocol.ts';
import { createHostSlots, type HostGuest, type HostSlot, stopped } from './host-slots.ts';
import { prepareCode, type RunSpec } from './step-code.ts';
import { stepEnvironment } from './step-environment.ts';
import { fitting } from './step-output.ts';
import { tellUnseen } from './unseen.ts';

export interface HostPoolOptions {
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
  /** How many steps it does at once. */
  readonly limit: number;
  /** A run begins to be driven. */
  readonly join: (run: HostRunOptions) => HostRun;
  /** Whether any run has joined that did not leave. */
  readonly isUsed: () => boolean;
}

export interface HostRunOptions {
  /** Where steps work that name no folder. */
  readonly cwd: string;
  /** The folder from which modules are named: that of the workflow's file. `cwd` when left out. */
  readonly folder?: string;
}

export interface HostRun {
  /** Of steps of the kinds `run` and `handler`. */
  readonly execute: Execute;
  /** Those that there are and may get these steps, of which the run was not told. */
  readonly hosts: (commands: readonly StepCommand[], ended: (pid: number) => void) => readonly number[];
  /** Steps of the run that wait or run are ended, with all they started; resolves when they have settled. */
  readonly leave: () => Promise<void>;
}

/** A host that ends before it begins a step is replaced; one after the other means that no host works here. */
const mostStarts = 3;

export function createHostPool(options: HostPoolOptions): HostPool {
  const { clock = realClock, idleMs = 5000 } = options;
  const limit = options.limit ?? Math.max(4, 2 * availableParallelism());
  const ours = options.env ?? process.env;
  const env = stepEnvironment(ours, options);
  const slots = createHostSlots({ env, limit, clock, idleMs });
  const guests = new Set<HostGuest>();
  let ids = 0;

  function join({ cwd: home, folder = home }: HostRunOptions): HostRun {
    const guest: HostGuest = { since: slots.now() };
    const running = new Map<AskedStop, Promise<unknown>>();
    guests.add(guest);

    async function perform(command: StepCommand, context: StepContext, stop: AskedStop): Promise<StepResult> {
      const { spec } = command;
      const code = spec.kind === 'run' ? (spec as unknown as RunSpec) : undefined;
      const action: CodeAction | HandlerCall = code ? prepareCode(code) : handlerCall(command);
      const cwd = command.cwd ?? home;
      for (let starts = 1; ; starts++) {
        const turn = slots.acquire(guest, cwd, stop);
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
          slot.hasModules ||= code === undefined || mayLoad(code);
          slot.host.serve(command.values);
          end = await exchange(slot.host, work, stop, clock);
          isReusable = end.kind === 'done' && !end.report.left;
          if (!isReusable) await slots.drop(slot, true);
          printed = await slot.host.printed();
        } finally {
          if (isReusable) slots.release(slot);
          else await slots.drop(slot, true);
        }
        if (end.kind === 'ended' && !end.begun && starts < mostStarts) continue;
        if (printed !== '') context.note({ kind: 'node.printed', text: printed });
        const outcome = fitting(judge(end, code, printed), spec);
        return { outcome: tellUnseen(outcome, spec, { folder, env: ours, shown: env }) };
      }
    }

    function tell({ host: { pid }, told }: HostSlot, { spawned, ended }: StepContext): void {
      if (pid === undefined || told.has(guest)) return;
      told.set(guest, ended);
      spawned(pid);
    }

    return {
      async execute(command, context) {
        if (context.signal.aborted) return { outcome: { err: stopped } };
        if (!guests.has(guest)) return { outcome: { err: left } };
        const stop = stopOf(context);
        const work = perform(command, context, stop);
        running.set(stop, work);
        try {
          return await work;
        } finally {
          running.delete(stop);
          stop.forget();
        }
      },
      hosts(commands, ended) {
        const cwds = new Set<string>();
        for (const { spec, cwd } of commands) if (spec.kind === 'run' || spec.kind === 'handler') cwds.add(cwd ?? home);
        return slots.tell(guest, cwds, ended);
      },
      async leave() {
        guests.delete(guest);
        for (const stop of running.keys()) stop.end();
        // How they end is told to who began them.
        await Promise.allSettled(running.values());
        slots.forget(guest);
        if (guests.size === 0) await slots.empty();
      },
    };
  }

  return { limit, join, isUsed: () => guests.size > 0 };
}

const left: RunError = { code: 'cancelled', message: 'it was not begun: the run was left', retryable: false };

/** Whether code may load a module of the user, which then stays loaded. */
function mayLoad({ code }: RunSpec): boolean {
  return /import|require|eval|Function|\\u/.test(code);
}

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
