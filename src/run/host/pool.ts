/**
 * Gives out hosts: warm child processes in which `run` code and handlers are done, so that none of it runs in the engine.
 * All runs of an engine share them. Which hosts there are is in `slots.ts`; what a host does with a step in
 * `step.ts`; what is said between the two in `exchange.ts`.
 * 1. The owner's record of a host (`hosts`, `spawned`) is made for each run before the host gets a step of it, and taken back
 *    (`ended`) when the whole group of the host has ended. A run that has left is told of nothing.
 * 2. A step settles when nothing of it runs any more: where it was stopped, its host died or it left something behind, that
 *    is when the group of its host has ended.
 * 3. A run that leaves ends its own steps, and no other. The last one ends all hosts.
 */
import { availableParallelism } from 'node:os';
import type { Json, Outcome, RunError, StepCommand, StepValues } from '../../machine/index.ts';
import { type Clock, realClock } from '../../sys/index.ts';
import type { Execute, Reads, StepContext, StepResult } from '../execute.ts';
import { readHash } from '../segment/memo.ts';
import { fitting } from '../step-output.ts';
import { hostKinds, nodeOutcome, stepAction, stepArgs, stepUses } from './action.ts';
import { type AskedStop, codeError, type Exchange, exchange, exitError, outcomeOf, stopOf } from './exchange.ts';
import type { StepReport, StepWork } from './protocol.ts';
import { createHostSlots, type HostGuest, type HostSlot, stopped } from './slots.ts';
import type { RunSpec } from './step-code.ts';
import { stepEnvironment } from './step-environment.ts';
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
  /** How long services have to give back what they hold, when their host ends. */
  readonly closeMs?: number;
}

export interface HostPool {
  /** How many steps it does at once. */
  readonly limit: number;
  /** A run begins to be driven. */
  readonly join: (run: HostRunOptions) => HostRun;
  /** Ends the hosts that wait in a folder or below it for a next step, and resolves when they have ended. */
  readonly dismiss: (folder: string) => Promise<void>;
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
  /** Most runs of agents have no step of this kind. */
  let made: Readonly<Record<string, string>> | undefined;
  const env = () => {
    made ??= stepEnvironment(ours, options);
    return made;
  };
  const slots = createHostSlots({ env, limit, clock, idleMs, closeMs: options.closeMs });
  const guests = new Set<HostGuest>();
  let ids = 0;

  function join({ cwd: home, folder = home }: HostRunOptions): HostRun {
    const guest: HostGuest = { since: slots.now() };
    const running = new Map<AskedStop, Promise<unknown>>();
    guests.add(guest);

    async function perform(command: StepCommand, context: StepContext, stop: AskedStop): Promise<StepResult> {
      const { spec } = command;
      const code = spec.kind === 'run' ? (spec as unknown as RunSpec) : undefined;
      // Turns are in the order of the steps, however long one takes to be prepared.
      const preparing = stepAction(command);
      preparing.catch(() => undefined); // Who has its turn is told.
      const uses = stepUses(spec);
      const cwd = command.cwd ?? home;
      const values = command.values && askedOnce(command.values);
      for (let starts = 1; ; starts++) {
        const turn = slots.acquire(guest, cwd, stop);
        // Neither its turn nor the start of a host is time of the step.
        context.queued?.(turn.then((slot) => ('code' in slot ? undefined : slot.ready)));
        const slot = await turn;
        if ('code' in slot) return { outcome: { err: slot } };
        let isReusable = false;
        let end: Exchange;
        let printed: string;
        try {
          const work: { -readonly [K in keyof StepWork]: StepWork[K] } = {
            id: ++ids,
            action: await preparing,
            args: stepArgs(command),
            asks: command.values !== undefined,
            runId: context.runId,
            attempt: context.attempt,
            key: context.idempotencyKey,
            cwd,
            folder,
          };
          if (uses) work.uses = uses;
          tell(slot, context);
          slot.hasModules ||= code === undefined || uses !== undefined || mayLoad(code);
          slot.host.serve(values);
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
        const outcome = nodeOutcome(fitting(judge(end, code, printed), spec), spec);
        const told = tellUnseen(outcome, spec, { folder, env: ours, shown: env() });
        const reads =
          end.kind === 'done' && 'ok' in told ? readsOf({ args: command.args, values }, end.report) : undefined;
        return reads ? { outcome: told, reads } : { outcome: told };
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
        for (const { spec, cwd } of commands) if (hostKinds.includes(spec.kind)) cwds.add(cwd ?? home);
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

  return { limit, join, dismiss: slots.dismiss, isUsed: () => guests.size > 0 };
}

const left: RunError = { code: 'cancelled', message: 'it was not begun: the run was left', retryable: false };

/** Whether code may load a module of the user, which then stays loaded. */
function mayLoad({ code }: RunSpec): boolean {
  return /import|require|eval|Function|\\u/.test(code);
}

/** Hashes of what it says to have read. */
function readsOf(command: Parameters<typeof readHash>[0], report: StepReport): Reads | undefined {
  if (!('ok' in report) || report.reads === undefined) return undefined;
  return Object.fromEntries(report.reads.map((name) => [name, readHash(command, name)]));
}

/** What was read is looked at again when its hash is made. */
function askedOnce(values: StepValues): StepValues {
  const known = new Map<string, Json | undefined>();
  let names: readonly string[] | undefined;
  return {
    names() {
      names ??= values.names();
      return names;
    },
    get(name) {
      if (!known.has(name)) known.set(name, values.get(name));
      return known.get(name);
    },
  };
}

function judge(end: Exchange, code: RunSpec | undefined, printed: string): Outcome {
  if (end.kind === 'done') return outcomeOf(end.report, code);
  if (end.kind === 'stopped') return end.report ? outcomeOf(end.report, code) : { err: stopped };
  if (end.crash === undefined) return { err: exitError(end, printed) };
  const { message, ...rest } = end.crash;
  return { err: codeError({ ...rest, message: `it threw where nothing catches it: ${message}` }, code) };
}
