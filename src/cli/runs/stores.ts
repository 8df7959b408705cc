/** Finds the stores of runs: that of a workflow's home, and for a run that is named, the one that holds it. */
import { version } from '../../api/index.ts';
import {
  findRoot,
  type HomePlaces,
  homeOfDirectory,
  homeOfFile,
  mergeConfig,
  prepareHome,
  readConfig,
  rememberStore,
} from '../../config/index.ts';
import type { RunRow, Store, StoreFailure, StoreReason } from '../../journal/index.ts';
import type { Engine, EngineOptions, EngineSettings, Recorded, RunService } from '../../run/index.ts';
import { displayPath, isFailure, matchRunId, quotePath, shortIds, systemCode } from '../../sys/index.ts';
import { hasErrors, printable, ToolangError } from '../../text/index.ts';
import { runTitle, runWord, thunkOf } from '../../view/index.ts';
import type { CapPlaces } from '../caps/places.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { exit } from '../exit.ts';
import { printDiagnostics, printProblems } from '../report.ts';
import { goneError } from './held.ts';
import { homeHost, refuseStorePath, storeFiles, storeOptions } from './store-files.ts';
import { type Candidate, mostListed, severalRuns, unknownRun } from './unknown-run.ts';

export interface OpenRuns {
  readonly engine: Engine;
  /** What the configuration says of runs; throws where it has errors. */
  readonly settings: () => Promise<RunSettings>;
  /** What people call a run: the shortest beginning of its id that no other has. */
  readonly short: (id: string) => string;
  /** Who is given the answers of models as they come, until what it gives is called. */
  readonly listen: (hear: NonNullable<EngineOptions['onText']>) => () => void;
  /** What was recorded since it was asked last. */
  readonly recorded: () => Recorded | undefined;
  /** From now on Ctrl-C is heard soon, even where somebody who was stopped holds the store. */
  readonly hurry: () => void;
  readonly close: () => void;
}

export interface RunSettings extends EngineSettings {
  /** After how many days runs that have ended are old. */
  readonly keepDays?: number | undefined;
}
/** While it waits for a store this process hears nothing; whoever drives a run tries again by itself. */
const hurryMs = 800;

export interface FoundRun extends OpenRuns {
  /** The run that was named; a sub-workflow has a row of its own. */
  readonly row: RunRow;
  /** The id of its root: what is driven and decided. */
  readonly root: string;
  /** Of the root, as people call it: `release`, or `reviewer › review` of a thunk. */
  readonly name: string;
}

/** The store of a workflow's file, made with its home if it is not there, and remembered. It can be written. */
export async function openRunsOf(file: string | undefined, args: Args, context: Context): Promise<OpenRuns> {
  const machine = await homeHost(context);
  const options = storeOptions(args);
  // What is piped in lies where we are.
  const found = homeOfFile(file ?? machine.path.join(context.cwd, 'stdin.toon'), machine, options);
  if (!found.ok) throw new UsageError(`${found.problem.message} (${found.problem.code})`, found.problem.help);
  const { places } = found;
  // What lies elsewhere needs no folder here.
  if (options.store === undefined) await makeHome(places, context);
  await refuseStorePath(places.runs, context);
  const runs = await openToWrite(places.runs, args, context);
  const why = await rememberStore(findRoot(machine, options), places.runs).catch((error: unknown) => {
    if (!isFailure(error) && systemCode(error) === undefined) throw error;
    return error instanceof Error ? error.message : String(error);
  });
  if (why !== undefined) context.stderr.write(`the run will be found from its own folder only: ${printable(why)}\n`);
  return runs;
}

/** The run that a word names, from any directory. `verb`: the command, for what is printed to be pasted. */
export async function findRun(word: string, args: Args, context: Context, verb?: string): Promise<FoundRun> {
  const { files, here, unread: notSeen } = await storeFiles(args, context);
  const unread: Unread[] = notSeen.map((message) => ({ message }));
  const ids: string[] = [];
  const found: Candidate[] = [];
  for (const file of files) {
    const mine = await reading(unread, async () => {
      const runs = await openStore(file, args, context);
      try {
        const own = runs.engine.store.runIds();
        const match = matchRunId(word, own);
        const some = match.kind === 'one' ? [match.id] : match.kind === 'many' ? match.candidates : [];
        return { own, some: some.map((id, i) => ({ id, file, about: i < mostListed ? aboutOf(runs, id) : '' })) };
      } finally {
        runs.close();
      }
    });
    if (mine === undefined) continue;
    // Where we are counts first: what was printed here can be pasted here.
    if (file === here && mine.some.length > 0) {
      found.push(...mine.some);
      break;
    }
    ids.push(...mine.own);
    found.push(...mine.some);
  }
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0)
    return foundRun(await openStore(only.file, args, context), only.id, context);
  if (only !== undefined) throw await severalRuns(word, [only, ...more], { verb, args }, context);
  throw (await notFound(word, unread, verb, context)) ?? unknownRun(word, ids, context);
}

export interface Stores {
  /** Each is closed by who asked. */
  readonly opened: readonly OpenRuns[];
  /** What could not be read, and why: it is not empty. */
  readonly unread: Unread[];
}

/** The store where we are, or those of all homes: for lists. */
export async function openAllRuns(args: Args, context: Context): Promise<Stores> {
  const { files, here, unread: notSeen } = await storeFiles(args, context);
  const isHere = args.switches.all !== true && here !== undefined;
  const unread: Unread[] = isHere ? [] : notSeen.map((message) => ({ message }));
  const opened: OpenRuns[] = [];
  for (const file of isHere ? [here] : files) {
    const runs = await reading(unread, () => openStore(file, args, context));
    if (runs) opened.push(runs);
  }
  return { opened, unread };
}

/** The store where we are and no other; undefined where there is none. `write`: for what takes something away. */
export async function openRunsHere(args: Args, context: Context, write?: 'write'): Promise<OpenRuns | undefined> {
  const { here } = await storeFiles(args, context);
  if (here === undefined) return undefined;
  return write ? openToWrite(here, args, context) : openStore(here, args, context);
}

export interface Unread {
  readonly message: string;
  /** It can never be used as it is. */
  readonly isUseless?: boolean;
}

/** Notes why a store cannot be read, so that it does not hide the others. */
export async function reading<T>(unread: Unread[], work: () => Promise<T> | T): Promise<T | undefined> {
  const { StoreFailure } = await import('../../journal/index.ts');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    unread.push({ message: error.message, isUseless: useless.has(error.reason) });
    return undefined;
  }
}

/** The commands that only look at a run. */
const reads = new Set(['show', 'why', 'logs', 'watch', 'graph']);

/**
 * A run that was not found may be in a store that could not be read: that is no wrong usage, but for those who want to write
 * to one that can never be used.
 */
async function notFound(
  word: string,
  unread: readonly Unread[],
  verb: string | undefined,
  context: Context,
): Promise<Error | undefined> {
  if (unread.length === 0) return undefined;
  printProblems(unread, context);
  const isUsage = verb !== undefined && !reads.has(verb) && unread.every(({ isUseless }) => isUseless === true);
  const message = `the run "${printable(word)}" is in none of the stores that could be read`;
  return new UsageError(message, undefined, isUsage ? exit.usage : exit.failed);
}

function aboutOf({ engine }: OpenRuns, id: string): string {
  const row = engine.store.run(id);
  if (row === undefined) return '';
  return `${printable(titleOf({ engine }, row.root))}, ${runWord(row, row.endedAt === undefined && engine.driver(row.root) !== undefined)}`;
}

function foundRun(runs: OpenRuns, id: string, context: Context): FoundRun {
  const { store } = runs.engine;
  const row = store.run(id);
  if (row === undefined) {
    runs.close();
    throw goneError(id, context);
  }
  return { ...runs, row, root: row.root, name: titleOf(runs, row.root) };
}

/** What people call a run: its workflow, or its agent and thunk. */
export function titleOf({ engine }: Pick<OpenRuns, 'engine'>, root: string): string {
  const name = engine.store.run(root)?.name ?? '';
  try {
    return runTitle(name, thunkOf(engine.read(root).plan));
  } catch (error) {
    // What is wrong with it is told by who needs more of it than its name.
    if (error instanceof ToolangError) return name;
    throw error;
  }
}

async function makeHome(places: HomePlaces, { cwd }: Context): Promise<void> {
  try {
    await prepareHome(places);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const state = quotePath(displayPath(places.state, cwd));
    const message = homeTroubles.get(code)?.(state) ?? `the folder ${state} cannot be made (${code}).`;
    throw new UsageError(message, 'Keep the run elsewhere: --store FILE, or --home DIR');
  }
}

const homeTroubles: ReadonlyMap<string, (state: string) => string> = new Map(
  Object.entries({
    EACCES: (state) => `the folder ${state} cannot be made: this user may not write there.`,
    EPERM: (state) => `the folder ${state} cannot be made: this user may not write there.`,
    EROFS: (state) => `the folder ${state} cannot be made: the file system is read-only.`,
    EEXIST: (state) => `${state} is a file, and should be a folder.`,
    ENOTDIR: (state) => `${state} is a file, and should be a folder.`,
    ENOSPC: (state) => `the folder ${state} cannot be made: the disk is full.`,
  } satisfies Record<string, (state: string) => string>),
);

/** Why a store can never be used as it is; a full disk is not the caller's mistake. */
const useless: ReadonlySet<StoreReason> = new Set(['read-only', 'newer', 'corrupt', 'foreign', 'network', 'io']);

/** For whoever writes: what can never be written is found before anything is begun, as wrong usage is. */
async function openToWrite(file: string, args: Args, context: Context): Promise<OpenRuns> {
  const { StoreFailure } = await import('../../journal/index.ts');
  let runs: OpenRuns | undefined;
  try {
    runs = await openStore(file, args, context);
    runs.engine.store.write(() => undefined);
    return runs;
  } catch (error) {
    runs?.close();
    throw error instanceof StoreFailure && useless.has(error.reason) ? new UsageError(error.message) : error;
  }
}

/** Before anything is said to a run or decided: its store may be read-only. */
export function refuseReadOnly({ engine }: OpenRuns): void {
  try {
    engine.store.write(() => undefined);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    throw new UsageError(error.message, 'The run can be looked at, and only that.');
  }
}

/** By its name: what keeps runs is not loaded by every command. */
function isReadOnly(error: unknown): error is StoreFailure {
  return error instanceof Error && error.name === 'StoreFailure' && (error as StoreFailure).reason === 'read-only';
}

/** What a test has otherwise: where its run is kept, and what stands in for the world. */
export interface OpenWish {
  readonly store?: Store;
  readonly standIn?: EngineOptions['standIn'];
}

/** `file`: the store, or where it would lie; what the configuration says is found from there. */
export async function openStore(file: string, args: Args, context: Context, wish: OpenWish = {}): Promise<OpenRuns> {
  const [{ openSqliteStore }, { openEngine }] = await Promise.all([
    import('../../journal/index.ts'),
    import('../../run/index.ts'),
  ]);
  const patience: { busyMs?: number } = {};
  const store: Store = wish.store ?? openSqliteStore(file, patience);
  const env = context.env as NodeJS.ProcessEnv;
  let known: Promise<RunSettings> | undefined;
  const settings = () => {
    known ??= runSettings(file, args, context);
    return known;
  };
  const listeners = new Set<NonNullable<EngineOptions['onText']>>();
  const onText: EngineOptions['onText'] = (...words) => {
    for (const hear of listeners) hear(...words);
  };
  let recorded: Recorded | undefined;
  const onRecorded: EngineOptions['onRecorded'] = (told) => {
    const { added = 0, dropped = 0 } = recorded ?? {};
    recorded = { ...told, added: added + told.added, dropped: dropped + told.dropped };
  };
  const { standIn } = wish;
  const engine = openEngine({ store, cwd: context.cwd, env, settings, version, onText, onRecorded, standIn });
  return {
    engine,
    settings,
    short: (id) => shortIds([id, ...store.idsBeside(id)]).get(id) ?? id,
    recorded() {
      const told = recorded;
      recorded = undefined;
      return told;
    },
    listen(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    hurry() {
      patience.busyMs = hurryMs;
    },
    close: () => store.close(),
  };
}

/** The services of the home and of the root; those that cannot be used, with the reason. */
async function runServices(places: CapPlaces, args: Args, context: Context): Promise<readonly RunService[]> {
  const { servicesIn } = await import('../services/here.ts');
  const { services, diagnostics } = await servicesIn(places, args, context);
  const known = services.map(({ cap: { name }, definition, isSynced, wrong = 'its file is wrong' }): RunService => {
    if (definition) return definition;
    return { name, reason: isSynced ? wrong : 'it was not synced yet: toolang sync' };
  });
  // What cannot be read is no service, and still somebody may mean it.
  const broken = new Map<string, RunService>();
  for (const { source } of diagnostics) {
    const name = /[\\/]services[\\/]([^\\/]+)\.md$/.exec(source.name)?.[1];
    if (name === undefined || known.some((each) => each.name === name)) continue;
    broken.set(name, { name, reason: `its file has errors: toolang check ${quotePath(source.name)}` });
  }
  return [...known, ...broken.values()];
}

/** What runs of a file go by. Throws where the configuration is wrong. */
export async function runSettings(file: string, args: Args, context: Context): Promise<RunSettings> {
  const machine = await homeHost(context);
  const options = storeOptions(args);
  const root = await read(findRoot(machine, options).config);
  const found = homeOfDirectory(machine.path.dirname(file), machine, options);
  const home = found.ok && found.places ? await read(found.places.config) : undefined;
  const config = mergeConfig({ root, ...(home && { home }) }).settings;
  const { limits, runs } = config;
  const rootPlaces = findRoot(machine, options);
  const homePlaces = found.ok ? found.places : undefined;
  const { tokens, model_calls: modelCalls, tool_calls: toolCalls, minutes } = limits ?? {};
  return {
    limit: limits?.usd,
    limits: { tokens, modelCalls, toolCalls, minutes },
    hosts: runs?.hosts,
    env: runs?.env,
    keepDays: runs?.keep_days,
    config,
    places: homePlaces ?? rootPlaces,
    services: () => runServices({ root: rootPlaces, ...(homePlaces && { home: homePlaces }) }, args, context),
  };

  async function read(path: string) {
    const { layer, diagnostics } = await readConfig(path, displayPath(path, context.cwd));
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, context.stderr);
      throw new UsageError('the configuration has errors.', 'Mend them first: nothing was run.');
    }
    return layer;
  }
}
