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
import { cleaner } from './clean.ts';
import { createHostPool, type HostPool } from './host-pool.ts';
import { isHeld, type Machine, thisMachine } from './lease.ts';
import type { RunLimits } from './limits.ts';
import { createModelExecutor } from './model-executor.ts';
import { createModelPrice } from './model-price.ts';
import { createPlaces, type Places } from './places.ts';
import {
  type CreatedRun,
  cleanMessage,
  createRun,
  type DriveRunOptions,
  driveRun,
  type NewRun,
  post,
  type Refusal,
  type RunEnd,
  type RunExecutors,
  readRun,
  replayRun,
  type StoredRun,
} from './runs.ts';
import { createScripts } from './scripts.ts';
import { environmentSecrets } from './step-environment.ts';
import { createTakenReplies } from './taken-replies.ts';

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
  /** The most hosts for users' code, for all runs that are driven at the same time. */
  readonly hosts?: number | undefined;
  /** Secrets of the environment that users' code sees nevertheless. */
  readonly env?: readonly string[] | undefined;
  /** In dollars, for each run. */
  readonly limit?: number | undefined;
  /** Of other things, for each run. */
  readonly limits?: RunLimits | undefined;
}

export type DriveWish = Pick<DriveRunOptions, 'epoch' | 'soft' | 'hard' | 'wait' | 'tell' | 'again'>;

/** What all runs that are driven have in common. */
interface SharedHosts {
  readonly pool: HostPool;
  readonly places: Places;
  /** Where no run uses them any more. */
  readonly forget: () => void;
}

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
  const secrets = environmentSecrets(env);
  const redactor = secrets.length > 0 ? createRedactor(secrets) : undefined;
  const clean = cleaner(redactor);
  /** By what hosts are told: one, unless that changes while runs are driven. */
  const shared = new Map<string, SharedHosts>();

  return {
    store,
    clock,
    create: (run) => createRun(store, { ...run, input: clean(run.input) }, machine, clock),
    read: (root) => readRun(store, root),
    async drive(root, wish = {}) {
      const settings = (await options.settings?.()) ?? {};
      const { limit, limits } = settings;
      return driveRun({
        ...wish,
        store,
        root,
        machine,
        clock,
        ...(redactor && { redactor }),
        ...(limit !== undefined && { limit }),
        ...(limits && { limits }),
        machines,
        executors: (run) => executors(run, settings),
      });
    },
    giveUp: ({ id, epoch }) => void store.write((writer) => writer.release(id, epoch)),
    post(root, draft) {
      // Who could not be heard is told so, before anything is said.
      replayRun({ store, root, machines, ...(redactor && { redactor }) }, readRun(store, root));
      return post(store, root, { ...draft, message: cleanMessage(draft.message, clean), at: clock.now() });
    },
    driver(root) {
      const lease = store.lease(root);
      return lease !== undefined && isHeld(lease, machine, clock.now()) ? lease.owner : undefined;
    },
  };

  function sharedHosts({ hosts, env: shown }: EngineSettings): SharedHosts {
    const key = JSON.stringify([hosts, shown, env]);
    const known = shared.get(key);
    if (known) return known;
    const pool = createHostPool({ env, clock, ...(hosts !== undefined && { limit: hosts }), ...(shown && { shown }) });
    const made: SharedHosts = {
      pool,
      places: createPlaces(['run', 'handler'], pool.limit),
      forget() {
        if (!pool.isUsed()) shared.delete(key);
      },
    };
    shared.set(key, made);
    return made;
  }

  function executors({ row, started }: StoredRun, settings: EngineSettings): RunExecutors {
    const { file } = row;
    const { script, replies: files } = started;
    const { onText } = options;
    // Steps work where the workflow lies, wherever the run is resumed from.
    const folder = file === undefined ? cwd : dirname(file);
    const { pool, places, forget } = sharedHosts(settings);
    const { execute, hosts, leave } = pool.join({ cwd: folder });
    const replies = createTakenReplies(store.events);
    const scriptFor = createScripts({
      cwd,
      fileOf: () => file,
      ...(script !== undefined && { script }),
      ...(files && { kept: (path) => keptText(files, path) }),
    });
    const model = createModelExecutor({
      scriptFor,
      clock,
      replies,
      ...(onText && { onText }),
    });
    return {
      executors: { run: execute, handler: execute, model },
      places: [places],
      hosts,
      mostCost: createModelPrice({ scriptFor, replies, runId: row.id }),
      committed: (events, last) => replies.committed(row.id, events, last),
      async close() {
        await leave();
        forget();
      },
    };
  }

  function keptText(files: Readonly<Record<string, string>>, path: string): string | undefined {
    const hash = Object.hasOwn(files, path) ? files[path] : undefined;
    return hash === undefined ? undefined : store.blob(hash);
  }
}

function machines({ plan }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  return { make: machinesOf(workflowMaker(plan)), ref: { kind: 'workflow', plan: '' } };
}

function machinesOf(workflows: MakeMachine): MakeMachine {
  return (ref, init) => {
    if (ref.kind === 'workflow') return workflows(ref, init);
    if (ref.kind === 'thunk') return thunkMaker(ref, init);
    throw new Error(`there are no machines of the kind "${ref.kind}"`);
  };
}
