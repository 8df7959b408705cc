/**
 * The engine as others use it: one store, and all that its runs need put together once, so that the command line, programs
 * and tests run the same way. Machines by the kind of their reference, executors by the kind of their step.
 */
import { dirname } from 'node:path';
import { thunkMaker } from '../agent/index.ts';
import { type HomePlaces, mergeConfig, type RootPlaces, type Settings } from '../config/index.ts';
import type { InboxDraft, JournalEvent, LeaseOwner, Store } from '../journal/index.ts';
import type { MakeMachine, StepCommand } from '../machine/index.ts';
import { isFunctionModule, modulesOf } from '../plan/index.ts';
import { workflowMaker } from '../plan/machine/index.ts';
import { type Clock, createRedactor, environmentSecrets, type Redactor, realClock } from '../sys/index.ts';
import { ToolangError } from '../text/index.ts';
import { createAgentModels } from './agent-models.ts';
import { type Clean, cleaner } from './clean.ts';
import { createFunctionSteps, type Program } from './function-steps.ts';
import { hostKinds } from './host/action.ts';
import { createHostPool, type HostPool } from './host/pool.ts';
import { isHeld, type Machine, thisMachine } from './lease.ts';
import type { RunLimits } from './limits.ts';
import { hears } from './mail.ts';
import { createMemoryExecutors } from './memory/recall-executor.ts';
import { createModelExecutor } from './model-executor.ts';
import { createModelPrice } from './model-price.ts';
import { modulesNow } from './module-hashes.ts';
import { createPlaces, type Places } from './places.ts';
import { createPluginAgents } from './plugin-agent.ts';
import type { RecordedCount } from './record/recorder.ts';
import { openRecorder, type RecordingOptions, replayOptions } from './record/run-recording.ts';
import { createResultCache } from './result-cache.ts';
import { runSources } from './run-sources.ts';
import { keyNames, openRunTools, type RunService } from './run-tools.ts';
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
import {
  type Change,
  type Fork,
  forkRun,
  type Moved,
  type Opened,
  openSegment,
  previewChange,
  type ShownChange,
  type StepAt,
  stepAt,
} from './segment/segment.ts';
import type { StandIn } from './stand-in.ts';
import { createTakenReplies, takenUpTo } from './taken-replies.ts';
import { ownTools } from './thunk-tools.ts';
import { forgetWorktrees } from './worktree/forget.ts';
import { createGit } from './worktree/git.ts';
import { createWorktreeSteps } from './worktree/steps.ts';

export interface EngineOptions {
  readonly store: Store;
  /** From where messages name files, and where steps of programs without a file work. */
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  readonly machine?: Machine;
  /** Asked when something is driven. */
  readonly settings?: () => Promise<EngineSettings>;
  /** What services are told that calls them. */
  readonly version?: string;
  /** Is given the answers of models as they come. */
  readonly onText?: (command: StepCommand, text: string, runId: string) => void;
  /** Of tests: what answers in the place of tools, services and providers. */
  readonly standIn?: StandIn | undefined;
  /** Is told what was recorded, when a run is left. */
  readonly onRecorded?: (told: Recorded) => void;
}

export interface Recorded extends RecordedCount {
  /** The file, absolute. */
  readonly path: string;
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
  /** What models and tools go by; where nothing is said, what holds out of the box. */
  readonly config?: Settings | undefined;
  /** The home, or the root where there is none. */
  readonly places?: HomePlaces | RootPlaces | undefined;
  /** The services that agents may name. */
  readonly services?: (() => Promise<readonly RunService[]>) | undefined;
}

export interface DriveWish
  extends Pick<DriveRunOptions, 'epoch' | 'soft' | 'hard' | 'wait' | 'tell' | 'again' | 'limit' | 'limits'> {
  /** Where this process is the program that the run is one of. */
  readonly program?: Program;
  /** Where what is asked and answered is recorded; where nothing is said, as the run was begun. */
  readonly record?: string | undefined;
}

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
  /** What would become of its steps, if it went on so. */
  readonly preview: (root: string, change: Change) => ShownChange;
  /**
   * Goes on otherwise: the run is ours, drive it with the epoch that it comes with. `seen`: the `last` of the preview that was
   * shown; where the run has moved since, nothing is done.
   */
  readonly reopen: {
    (root: string, change: Change): Promise<Opened>;
    (root: string, change: Change, seen: number): Promise<Opened | Moved>;
  };
  /** A new run that shares the past of this one; as with `create`, it is ours. */
  readonly fork: (root: string, fork: Fork) => CreatedRun;
  /** Where a step was begun, by what people call it. */
  readonly stepAt: (root: string, step: string) => StepAt;
  readonly drive: (root: string, wish?: DriveWish) => Promise<RunEnd>;
  /** Lets others drive a run that was created here and not driven. */
  readonly giveUp: (created: CreatedRun) => void;
  readonly post: (root: string, draft: Omit<InboxDraft, 'at'>) => Refusal | undefined;
  /** Removes what a run that is over has kept outside of the store. */
  readonly forget: (root: string) => Promise<void>;
  /** Who drives a run, if somebody does. */
  readonly driver: (root: string) => LeaseOwner | undefined;
  /** A value as it is kept. */
  readonly clean: Clean;
}

export function openEngine(options: EngineOptions): Engine {
  const { store, cwd, env = process.env, clock = realClock } = options;
  const machine = options.machine ?? thisMachine();
  const redactor = redactorOf(env, []);
  const clean = cleaner(redactor);
  const git = createGit(env);
  /** By what hosts are told: one, unless that changes while runs are driven. */
  const shared = new Map<string, SharedHosts>();

  return {
    store,
    clock,
    create: (run) => createRun(store, { ...run, input: clean(run.input) }, machine, clock),
    read: (root) => readRun(store, root),
    preview: (root, change) => previewChange(store, root, change, clock.now()),
    reopen,
    fork(root, { change, ...from }) {
      const run = readRun(store, root);
      return forkRun(store, run, { ...from, change: { ...change, input: clean(change.input) } }, machine, clock);
    },
    stepAt: (root, step) => stepAt(store, root, step),
    async drive(root, { program, record, ...wish } = {}) {
      const settings = (await options.settings?.()) ?? {};
      const { limit = settings.limit, limits = settings.limits } = wish;
      const hidden = keyNames(settings.config);
      const known = hidden.length === 0 ? redactor : redactorOf(env, hidden);
      return driveRun({
        ...wish,
        store,
        root,
        machine,
        clock,
        ...(known && { redactor: known }),
        ...(limit !== undefined && { limit }),
        ...(limits && { limits }),
        machines,
        modulesOf: (run) => modulesNow(run, placeOf(run, program).folder),
        executors: (run) => executors(run, settings, cleaner(known), program, record),
        cacheOf: (run) => createResultCache(store, run, placeOf(run, program).home),
      });
    },
    giveUp: ({ id, epoch }) => void store.write((writer) => writer.release(id, epoch)),
    post(root, draft) {
      // Who could not be heard is told so, before anything is said.
      const run = readRun(store, root);
      const state = replayRun({ store, root, machines, ...(redactor && { redactor }) }, run);
      if (draft.message.kind === 'steer' && run.row.endedAt === undefined && !hears(run.started.machine, state))
        return { kind: 'deaf' };
      return post(store, root, { ...draft, message: cleanMessage(draft.message, clean), at: clock.now() });
    },
    async forget(root) {
      const { file, forkOf } = store.run(root) ?? {};
      if (!hasWorktrees(store.events(root))) return;
      const home = file === undefined ? cwd : dirname(file);
      const forks = store.runs({ roots: true, forkOf: root });
      await forgetWorktrees({
        git,
        home,
        around: cwd,
        run: root,
        forkOf,
        forkedAt: forkedAt(store.events(root)),
        forks: forks.map(({ id }) => ({ id, forkedAt: forkedAt(store.events(id)) })),
        me: machine.me,
        isDriven: isAtWork,
      });
    },
    driver,
    clean,
  };

  function reopen(root: string, change: Change): Promise<Opened>;
  function reopen(root: string, change: Change, seen: number): Promise<Opened | Moved>;
  function reopen(root: string, change: Change, seen?: number): Promise<Opened | Moved> {
    return openSegment(store, root, { ...change, input: clean(change.input) }, machine, clock, seen);
  }

  function driver(root: string): LeaseOwner | undefined {
    const lease = store.lease(root);
    return lease !== undefined && isHeld(lease, machine, clock.now()) ? lease.owner : undefined;
  }

  /** Whether somebody works for the run that has a worktree; of one that is in another store, whether its process lives. */
  function isAtWork({ run, owner }: { readonly run: string; readonly owner: LeaseOwner }): boolean {
    if (store.run(run) !== undefined) return driver(run) !== undefined;
    return isHeld({ owner, epoch: 0, at: 0 }, machine, Number.POSITIVE_INFINITY);
  }

  function sharedHosts({ hosts, env: shown, config }: EngineSettings): SharedHosts {
    const hidden = keyNames(config);
    const key = JSON.stringify([hosts, shown, hidden, env]);
    const known = shared.get(key);
    if (known) return known;
    const limit = hosts !== undefined && { limit: hosts };
    const pool = createHostPool({ env, clock, hidden, ...limit, ...(shown && { shown }) });
    const made: SharedHosts = {
      pool,
      places: createPlaces(hostKinds, pool.limit),
      forget() {
        if (!pool.isUsed()) shared.delete(key);
      },
    };
    shared.set(key, made);
    return made;
  }

  /** Steps work where the workflow lies, those of an agent where it was called, wherever the run is resumed from. */
  function placeOf({ row, plan }: StoredRun, program: Program | undefined): { folder: string; home: string } {
    const { file } = row;
    const folder = program?.folder ?? (file === undefined ? cwd : dirname(file));
    return { folder, home: program?.cwd ?? plan.activation?.cwd ?? folder };
  }

  function executors(
    run: StoredRun,
    settings: EngineSettings,
    hide: Clean,
    program: Program | undefined,
    record = run.started.record,
  ): RunExecutors {
    refuseWithout(program, run, store);
    const { row, started } = run;
    const { file } = row;
    const { script, replies: files, replay: isReplay } = started;
    const { onText } = options;
    const { folder, home } = placeOf(run, program);
    const { pool, places, forget } = sharedHosts(settings);
    const { execute, hosts, leave } = pool.join({ cwd: home, folder });
    const replies = createTakenReplies(store.events, () =>
      takenUpTo(run.plan.activation?.after, store.events, (id) =>
        // What was removed meanwhile has taken nothing.
        store.run(id) === undefined ? undefined : readRun(store, id).plan.activation?.after,
      ),
    );
    const scriptFor = createScripts({
      cwd: program?.folder ?? cwd,
      fileOf: () => file,
      ...(script !== undefined && { script }),
      ...(files && { kept: (path) => keptText(files, path) }),
      ...(isReplay && { replay: true }),
    });
    const recording: RecordingOptions = {
      store,
      run,
      cwd: program?.folder ?? cwd,
      folders: [home, folder],
      clean: hide,
    };
    const replay = isReplay && replayOptions(recording);
    const recorder = record === undefined ? undefined : openRecorder({ ...recording, path: record });
    const config = settings.config ?? mergeConfig({}).settings;
    const models = createAgentModels({ env, settings: config, clock });
    const memories = createMemoryExecutors({ clock, clean });
    const tools = openRunTools({
      own: ownTools(memories.memoryIn, clean, row.id),
      config,
      places: settings.places,
      sources: () => runSources(run, folder),
      services: settings.services ?? (async () => []),
      version: options.version,
      env,
      clock,
      home,
      standIn: options.standIn,
    });
    const model = createModelExecutor({
      scriptFor,
      clock,
      replies,
      models,
      ...(replay && { replay }),
      plugins: createPluginAgents(execute),
      standIn: options.standIn,
      programs: (agent) => async (command, context) => {
        // Few runs have one.
        const { createCliExecutor } = await import('./cli/executor.ts');
        const program = createCliExecutor(agent, { env, shown: settings.env, home, clock, onText });
        return program(command, context);
      },
      ...(onText && { onText }),
    });
    const worktrees = createWorktreeSteps({
      git,
      home,
      run: row.id,
      me: machine.me,
      isDriven: isAtWork,
      segment: row.segment ?? 1,
      forkOf: row.forkOf,
      events: (from = 1) => store.events(row.id, from - 1),
      clock,
      leave: pool.dismiss,
    });
    const code = worktrees.within(execute);
    return {
      executors: {
        ...Object.fromEntries(hostKinds.map((kind) => [kind, code])),
        ...(program && { function: worktrees.within(createFunctionSteps({ ...program, clock })) }),
        model: worktrees.within(recorder?.wrap(model) ?? model),
        tools: tools.tools,
        tool: worktrees.within(tools.tool),
        recall: memories.recall,
        turn: memories.turn,
        worktree: worktrees.execute,
      },
      idle: ['tools', 'recall'],
      places: [places],
      hosts,
      mostCost: createModelPrice({ scriptFor, replies, models, runId: row.id, ...(replay && { replay }) }),
      committed: (events, last) => replies.committed(row.id, events, last),
      async close() {
        const { status } = store.run(row.id) ?? {};
        try {
          // Before worktrees are removed: a server may have files there open.
          await tools.close();
          memories.close();
          // A run that failed may come to them again.
          if ((status === 'done' || status === 'cancelled') && driver(row.id) === undefined) await worktrees.tidy();
        } finally {
          await leave();
          forget();
        }
        const told = await recorder?.close(status === 'done');
        if (record !== undefined && told !== undefined && told.added > 0)
          options.onRecorded?.({ ...told, path: record });
      },
    };
  }

  function keptText(files: Readonly<Record<string, string>>, path: string): string | undefined {
    const hash = Object.hasOwn(files, path) ? files[path] : undefined;
    return hash === undefined ? undefined : store.blob(hash);
  }
}

function redactorOf(env: NodeJS.ProcessEnv, hidden: readonly string[]): Redactor | undefined {
  const secrets = environmentSecrets(env, { hidden });
  return secrets.length > 0 ? createRedactor(secrets) : undefined;
}

function hasWorktrees(events: Iterable<JournalEvent>): boolean {
  for (const { body } of events) if (body.kind === 'worktree.added') return true;
  return false;
}

/** Where a fork begins, behind what it shares; 1 for all others. */
function forkedAt(events: Iterable<JournalEvent>): number {
  let last = 1;
  for (const { seq, body } of events) if (body.kind === 'segment.opened' && body.why === 'fork') last = seq;
  return last;
}

/** Nobody else has its functions: whatever would be done without them would fail. To cancel it takes none. */
function refuseWithout(program: Program | undefined, { row, plan }: StoredRun, store: Store): void {
  const module = modulesOf(plan).find((each) => isFunctionModule(each) && !program?.functions.has(each));
  if (module === undefined || store.inbox(row.id).some(({ message }) => message.kind === 'cancel')) return;
  const why = program ? 'which this program does not have' : 'and only that program can run it';
  throw new ToolangError(
    'TOO6204',
    `the run ${row.id} has a step that is a function of a program (${module}), ${why}: go on with run(…, { resume }) there`,
  );
}

function machines({ plan, started }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  const make = machinesOf(workflowMaker(plan, started.modules), thunkMaker(started.machine));
  return { make, ref: { kind: 'workflow', plan: '' } };
}

function machinesOf(workflows: MakeMachine, thunks: MakeMachine): MakeMachine {
  return (ref, init) => {
    if (ref.kind === 'workflow') return workflows(ref, init);
    if (ref.kind === 'thunk') return thunks(ref, init);
    throw new Error(`there are no machines of the kind "${ref.kind}"`);
  };
}
