/**
 * The engine as others use it: one store, and all that its runs need put together once, so that the command line, programs
 * and tests run the same way. Machines by the kind of their reference, executors by the kind of their step.
 */
import { dirname } from 'node:path';
import { thunkMaker } from '../agent/index.ts';
import type { InboxDraft, LeaseOwner, Store } from '../journal/index.ts';
import type { MakeMachine, StepCommand } from '../machine/index.ts';
import { workflowMaker } from '../plan/machine/index.ts';
import { type Clock, createRedactor, realClock } from '../sys/index.ts';
import type { Executors } from './execute.ts';
import { createHostPool } from './host-pool.ts';
import { isHeld, type Machine, thisMachine } from './lease.ts';
import { createModelExecutor } from './model-executor.ts';
import {
  type CreatedRun,
  createRun,
  type DriveRunOptions,
  driveRun,
  type NewRun,
  post,
  type Refusal,
  type RunEnd,
  readRun,
  type StoredRun,
} from './runs.ts';
import { createScripts } from './scripts.ts';
import { stepEnvironment } from './step-environment.ts';

export interface EngineOptions {
  readonly store: Store;
  /** From where messages name files, and where steps of programs without a file work. */
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  readonly machine?: Machine;
  /** Asked when something is driven. */
  readonly settings?: () => Promise<EngineSettings>;
  /** Is given the answers of models as they come. */
  readonly onText?: (command: StepCommand, text: string, runId: string) => void;
}

export interface EngineSettings {
  /** The most hosts for users' code. */
  readonly hosts?: number | undefined;
  /** In dollars, for each run. */
  readonly limit?: number | undefined;
}

export type DriveWish = Pick<DriveRunOptions, 'epoch' | 'soft' | 'hard' | 'wait' | 'tell' | 'again'>;

export interface Engine {
  readonly store: Store;
  readonly clock: Clock;
  /** The new run is ours: drive it with the epoch that it comes with, or give it up. */
  readonly create: (run: NewRun) => CreatedRun;
  readonly read: (root: string) => StoredRun;
  readonly drive: (root: string, wish?: DriveWish) => Promise<RunEnd>;
  /** Lets others drive a run that was created here and not driven. */
  readonly giveUp: (created: CreatedRun) => void;
  readonly post: (root: string, draft: Omit<InboxDraft, 'at'>) => Refusal | undefined;
  /** Who drives a run, if somebody does. */
  readonly driver: (root: string) => LeaseOwner | undefined;
}

export function openEngine(options: EngineOptions): Engine {
  const { store, cwd, env = process.env, clock = realClock } = options;
  const machine = options.machine ?? thisMachine();

  return {
    store,
    clock,
    create: (run) => createRun(store, run, machine, clock),
    read: (root) => readRun(store, root),
    async drive(root, wish = {}) {
      const { hosts, limit } = (await options.settings?.()) ?? {};
      return driveRun({
        ...wish,
        store,
        root,
        machine,
        clock,
        redactor: createRedactor(secretsOf(env)),
        ...(limit !== undefined && { limit }),
        machines: ({ plan }) => ({ make: machinesOf(workflowMaker(plan)), ref: { kind: 'workflow', plan: '' } }),
        executors: (run) => executors(run, hosts),
      });
    },
    giveUp: ({ id, epoch }) => void store.write((writer) => writer.release(id, epoch)),
    post: (root, draft) => post(store, root, { ...draft, at: clock.now() }),
    driver(root) {
      const lease = store.lease(root);
      return lease !== undefined && isHeld(lease, machine, clock.now()) ? lease.owner : undefined;
    },
  };

  function executors(
    { row, started }: StoredRun,
    hosts: number | undefined,
  ): { executors: Executors; close: () => Promise<void> } {
    const { file } = row;
    const { script } = started;
    const { onText } = options;
    // Steps work where the workflow lies, wherever the run is resumed from.
    const folder = file === undefined ? cwd : dirname(file);
    const pool = createHostPool({ cwd: folder, env, clock, ...(hosts !== undefined && { limit: hosts }) });
    const model = createModelExecutor({
      scriptFor: createScripts({ cwd, fileOf: () => file, ...(script !== undefined && { script }) }),
      clock,
      events: store.events,
      ...(onText && { onText }),
    });
    return { executors: { run: pool.execute, handler: pool.execute, model }, close: pool.close };
  }
}

function machinesOf(workflows: MakeMachine): MakeMachine {
  return (ref, init) => {
    if (ref.kind === 'workflow') return workflows(ref, init);
    if (ref.kind === 'thunk') return thunkMaker(ref, init);
    throw new Error(`there are no machines of the kind "${ref.kind}"`);
  };
}

/** What steps do not see of our environment is a secret wherever it turns up. */
function secretsOf(env: NodeJS.ProcessEnv): { readonly name: string; readonly value: string }[] {
  const shown = stepEnvironment(env);
  return Object.entries(env).flatMap(([name, value]) => (value && !(name in shown) ? [{ name, value }] : []));
}
