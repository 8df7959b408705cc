/** Finds the stores of runs: that of a workflow's home, and for a run that is named, the one that holds it. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { HomeHost, HomeOptions, HomePlaces } from '../../config/index.ts';
import type { RunRow, Store } from '../../journal/index.ts';
import type { Engine, EngineSettings } from '../../run/index.ts';
import { displayPath, isFailure, matchRunId, quotePath, shortIds, systemCode } from '../../sys/index.ts';
import { closest, didYouMean, hasErrors } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { printDiagnostics } from '../report.ts';

export interface OpenRuns {
  readonly engine: Engine;
  /** What the configuration says of runs; throws where it has errors. */
  readonly settings: () => Promise<EngineSettings>;
  /** What people call a run: the shortest beginning of its id that no other has. */
  readonly short: (id: string) => string;
  readonly close: () => void;
}

export interface FoundRun extends OpenRuns {
  /** The run that was named; a sub-workflow has a row of its own. */
  readonly row: RunRow;
  /** The id of its root: what is driven and decided. */
  readonly root: string;
  /** Of the root. */
  readonly name: string;
}

const shownCandidates = 10;

/** The store of a workflow's file, made with its home if it is not there, and remembered. */
export async function openRunsOf(file: string | undefined, args: Args, context: Context): Promise<OpenRuns & Made> {
  const { findRoot, homeOfFile, prepareHome, rememberStore } = await import('../../config/index.ts');
  const machine = await homeHost(context);
  const options = storeOptions(args);
  // What is piped in lies where we are.
  const found = homeOfFile(file ?? machine.path.join(context.cwd, 'stdin.toon'), machine, options);
  if (!found.ok) throw new UsageError(`${found.problem.message} (${found.problem.code})`, found.problem.help);
  const { places } = found;
  await prepareHome(places);
  const runs = await openStore(places.runs, args, context);
  await rememberStore(findRoot(machine, options), places.runs).catch((error: unknown) => {
    if (!isFailure(error) && systemCode(error) === undefined) throw error;
    const why = error instanceof Error ? error.message : String(error);
    context.stderr.write(`the run will be found from its own folder only: ${why}\n`);
  });
  return { ...runs, places };
}

export interface Made {
  readonly places: HomePlaces;
}

/** The run that a word names, from any directory. */
export async function findRun(word: string, args: Args, context: Context): Promise<FoundRun> {
  const files = await storeFiles(args, context);
  const broken: string[] = [];
  const seen: { readonly file: string; readonly ids: readonly string[] }[] = [];
  for (const [i, file] of files.entries()) {
    const runs = await tryOpen(file, args, context, broken);
    if (runs === undefined) continue;
    const ids = runs.engine.store.runIds();
    const match = matchRunId(word, ids);
    // Where we are counts first: what was printed here can be pasted here.
    if (i === 0 && match.kind === 'one') return foundRun(runs, match.id);
    if (match.kind === 'malformed') {
      runs.close();
      throw new UsageError(`"${word}" is not the id of a run.`, `Ids are letters and digits, as 7f3a. ${listHelp}`);
    }
    seen.push({ file, ids });
    runs.close();
  }
  const match = matchRunId(
    word,
    seen.flatMap(({ ids }) => ids),
  );
  if (match.kind === 'one') {
    const file = seen.find(({ ids }) => ids.includes(match.id))?.file ?? '';
    return foundRun(await openStore(file, args, context), match.id);
  }
  if (match.kind === 'many') {
    const more = match.candidates.length - shownCandidates;
    const list = match.candidates.slice(0, shownCandidates).join(', ') + (more > 0 ? ` and ${more} more` : '');
    throw new UsageError(`"${word}" is the beginning of several runs.`, `Write more of it: ${list}`);
  }
  throw unknownRun(
    word,
    seen.flatMap(({ ids }) => ids),
    broken,
  );
}

/** The store where we are, or those of all homes: for lists. Each is closed by who asked. */
export async function openAllRuns(args: Args, context: Context): Promise<readonly OpenRuns[]> {
  const files = await storeFiles(args, context);
  const isHere = args.switches.all !== true && files.length > 0 && (await hereFile(args, context)) === files[0];
  const opened: OpenRuns[] = [];
  const broken: string[] = [];
  for (const file of isHere ? files.slice(0, 1) : files) {
    const runs = await tryOpen(file, args, context, broken);
    if (runs) opened.push(runs);
  }
  for (const problem of broken) context.stderr.write(`${problem}\n`);
  return opened;
}

const listHelp = 'All runs: toolang runs --all';

function foundRun(runs: OpenRuns, id: string): FoundRun {
  const { store } = runs.engine;
  const row = store.run(id);
  if (row === undefined) throw new Error(`the store has no run ${id}`);
  return { ...runs, row, root: row.root, name: store.run(row.root)?.name ?? row.name };
}

function unknownRun(word: string, ids: readonly string[], broken: readonly string[]): UsageError {
  const near = closestId(word, ids);
  const also = broken.length > 0 ? ` Not looked into: ${broken.join('; ')}` : '';
  const help = ids.length === 0 ? 'There are no runs yet: toolang run FILE' : listHelp;
  return new UsageError(`there is no run "${word}".${didYouMean(near)}`, `${help}${also}`);
}

/** The id whose beginning is most like what was written. */
function closestId(word: string, ids: readonly string[]): string | undefined {
  const short = new Map([...shortIds(ids)].map(([id, each]) => [id.slice(0, Math.max(word.length, each.length)), id]));
  const near = closest(word.toLowerCase(), short.keys());
  return near ?? undefined;
}

/** The one of the place where we are first, each once; only those that exist. */
async function storeFiles(args: Args, context: Context): Promise<string[]> {
  const { findRoot, knownStores } = await import('../../config/index.ts');
  const options = storeOptions(args);
  const here = await hereFile(args, context);
  if (options.store !== undefined || options.home !== undefined) {
    if (here !== undefined && existsSync(here)) return [here];
    const what =
      options.store === undefined ? `the home ${quotePath(options.home ?? '')} has` : `${quotePath(options.store)} is`;
    throw new UsageError(`${what} no store of runs.`, 'Check the spelling, or start a run there: toolang run FILE');
  }
  const root = findRoot(await homeHost(context), options);
  const { stores, problem } = await knownStores(root.homes);
  if (problem !== undefined) context.stderr.write(`the homes of other runs are not known: ${problem}\n`);
  return [...new Set([...(here === undefined ? [] : [here]), ...stores])].filter((file) => existsSync(file));
}

async function hereFile(args: Args, context: Context): Promise<string | undefined> {
  const { homeOfDirectory } = await import('../../config/index.ts');
  const machine = await homeHost(context);
  const options = storeOptions(args);
  if (options.store !== undefined) return machine.path.resolve(context.cwd, options.store);
  const found = homeOfDirectory(context.cwd, machine, options);
  if (!found.ok) throw new UsageError(`${found.problem.message} (${found.problem.code})`, found.problem.help);
  return found.places?.runs;
}

async function tryOpen(file: string, args: Args, context: Context, broken: string[]): Promise<OpenRuns | undefined> {
  const { StoreFailure } = await import('../../journal/index.ts');
  try {
    return await openStore(file, args, context);
  } catch (error) {
    if (!(error instanceof StoreFailure) || args.texts.store !== undefined) throw error;
    broken.push(error.message);
    return undefined;
  }
}

async function openStore(file: string, args: Args, context: Context): Promise<OpenRuns> {
  const [{ openSqliteStore }, { openEngine }] = await Promise.all([
    import('../../journal/index.ts'),
    import('../../run/index.ts'),
  ]);
  const store: Store = openSqliteStore(file);
  const env = context.env as NodeJS.ProcessEnv;
  let known: Promise<EngineSettings> | undefined;
  const settings = () => {
    known ??= readSettings(file, args, context);
    return known;
  };
  const engine = openEngine({ store, cwd: context.cwd, env, settings });
  let short: ReadonlyMap<string, string> | undefined;
  return {
    engine,
    settings,
    short(id) {
      if (short?.has(id) !== true) short = shortIds(store.runIds());
      return short.get(id) ?? id;
    },
    close: () => store.close(),
  };
}

async function readSettings(file: string, args: Args, context: Context): Promise<EngineSettings> {
  const { findRoot, homeOfDirectory, mergeConfig, readConfig } = await import('../../config/index.ts');
  const machine = await homeHost(context);
  const options = storeOptions(args);
  const root = await read(findRoot(machine, options).config);
  const found = homeOfDirectory(machine.path.dirname(file), machine, options);
  const home = found.ok && found.places ? await read(found.places.config) : undefined;
  const { limits, runs } = mergeConfig({ root, ...(home && { home }) }).settings;
  return { limit: limits?.usd, hosts: runs?.hosts };

  async function read(path: string) {
    const { layer, diagnostics } = await readConfig(path, displayPath(path, context.cwd));
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, context.stderr);
      throw new UsageError('the configuration has errors.', 'Mend them first: nothing was run.');
    }
    return layer;
  }
}

function storeOptions({ texts: { root, home, store } }: Args): HomeOptions {
  return {
    ...(root !== undefined && { root }),
    ...(home !== undefined && { home }),
    ...(store !== undefined && { store }),
  };
}

async function homeHost({ cwd, env }: Context): Promise<HomeHost> {
  const { machineHost } = await import('../../config/index.ts');
  return { ...machineHost(), cwd, env, homeDirectory: env.HOME || homedir() };
}
