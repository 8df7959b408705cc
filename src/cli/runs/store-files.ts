/** Which files hold runs: that of the place where we are, those of the homes that are remembered, and what is wrong with a path. */
import { type Stats, statSync } from 'node:fs';
import {
  findRoot,
  type HomeHost,
  type HomeOptions,
  homeOfDirectory,
  knownStores,
  machineHost,
} from '../../config/index.ts';
import { displayPath, quotePath, systemCode } from '../../sys/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { quoteForShell } from '../shell.ts';

export interface StoreFiles {
  /** Those that exist, each once: the one of the place where we are first. */
  readonly files: readonly string[];
  /** The one where we are, if there is one. */
  readonly here: string | undefined;
  /** What could not be looked at, and why. */
  readonly unread: readonly string[];
}

export async function storeFiles(args: Args, context: Context): Promise<StoreFiles> {
  const options = storeOptions(args);
  const here = await hereFile(args, context);
  if (options.store !== undefined || options.home !== undefined) {
    if (here !== undefined && isThere(here, context)) return { files: [here], here, unread: [] };
    const [what, flag] =
      options.store === undefined
        ? [`the home ${quotePath(options.home ?? '')} has`, `--home ${quoteForShell(options.home ?? '')}`]
        : [`${quotePath(options.store)} is`, `--store ${quoteForShell(options.store)}`];
    throw new UsageError(
      `${what} no store of runs.`,
      `Check the spelling, or start a run there: toolang run FILE ${flag}`,
    );
  }
  const root = findRoot(await homeHost(context), options);
  const { stores, problem } = await knownStores(root.homes);
  const unread: string[] = problem === undefined ? [] : [`the homes of other runs are not known: ${problem}`];
  const files = new Set<string>();
  for (const file of here === undefined ? stores : [here, ...stores]) {
    try {
      if (statSync(file, { throwIfNoEntry: false })) files.add(file);
    } catch (error) {
      const code = systemCode(error);
      // Its folder has become a file: it is gone as one that was deleted.
      if (code === 'ENOTDIR') continue;
      unread.push(`the store ${quotePath(file)} cannot be looked at (${code ?? String(error)})`);
    }
  }
  return { files: [...files], here: here !== undefined && files.has(here) ? here : undefined, unread };
}

/** Said in words before SQLite or the file system would stumble over it. */
export async function refuseStorePath(file: string, context: Context): Promise<void> {
  if (isThere(file, context)) return;
  const { path } = await homeHost(context);
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const info = look(at);
    if (info !== undefined && !info.isDirectory()) {
      const name = quotePath(displayPath(at, context.cwd));
      throw new UsageError(`${name} is a file, not a folder: no store can lie in it.`, other);
    }
    if (info !== undefined || path.dirname(at) === at) return;
  }
}

/** The flag that names a store, to be pasted. */
export async function storeFlag(file: string, context: Context): Promise<readonly string[]> {
  const { path } = await homeHost(context);
  const state = path.dirname(file);
  return path.basename(file) === 'runs.db' && path.basename(state) === '.toolang'
    ? ['--home', quoteForShell(path.dirname(state))]
    : ['--store', quoteForShell(file)];
}

export function storeOptions({ texts: { root, home, store } }: Args): HomeOptions {
  return {
    ...(root !== undefined && { root }),
    ...(home !== undefined && { home }),
    ...(store !== undefined && { store }),
  };
}

export async function homeHost({ cwd, env }: Context): Promise<HomeHost> {
  return machineHost({ cwd, env });
}

const other = 'Name another file: --store FILE';

/** Whether there is a file; throws where something else is in its place. */
function isThere(file: string, { cwd }: Context): boolean {
  const info = look(file);
  if (info === undefined || info.isFile()) return info !== undefined;
  const what = info.isDirectory() ? 'a folder: a store is a file' : 'no file that runs can be kept in';
  throw new UsageError(`${quotePath(displayPath(file, cwd))} is ${what}.`, other);
}

function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw new UsageError(`${quotePath(file)} cannot be looked at (${systemCode(error) ?? String(error)}).`, other);
  }
}

async function hereFile(args: Args, context: Context): Promise<string | undefined> {
  const machine = await homeHost(context);
  const options = storeOptions(args);
  if (options.store !== undefined) return machine.path.resolve(context.cwd, options.store);
  const found = homeOfDirectory(context.cwd, machine, options);
  if (!found.ok) throw new UsageError(`${found.problem.message} (${found.problem.code})`, found.problem.help);
  return found.places?.runs;
}
