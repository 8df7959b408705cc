/**
 * The one definition of root and home, for caps, config, lock, sync roots and stores.
 *
 * A resident agent lies in `<root>/agents/<agent>/`, and that directory is its home. For every other `.too` or `.toon`
 * file, home is the nearest directory, from its own upward, that holds a `.toolang` which is not the root; else its own
 * directory. A visiting agent has a home made for it in `<root>/guests/`.
 */
import { realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import nodePath, { type PlatformPath } from 'node:path';
import { isInside, quotePath, samePath, systemCode } from '../sys/index.ts';
import type { Code } from '../text/index.ts';
import { type HomePlaces, homePlaces, type RootPlaces, rootPlaces } from './places.ts';

/** What the search asks of the machine. */
export interface HomeHost {
  readonly path: PlatformPath;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's own directory. */
  readonly homeDirectory: string;
  readonly isDirectory: (path: string) => boolean;
  /** The path without links; of what does not exist, the path as it is. */
  readonly realPath: (path: string) => string;
}

/** The values of `--root`, `--home` and `--store`. */
export interface HomeOptions {
  readonly root?: string;
  readonly home?: string;
  readonly store?: string;
}

export interface HomeProblem {
  readonly code: Code;
  readonly message: string;
  readonly help: string;
}

export type Found<T> =
  | { readonly ok: true; readonly places: T }
  | { readonly ok: false; readonly problem: HomeProblem };

export function machineHost({ cwd, env }: Pick<HomeHost, 'cwd' | 'env'> = ownPlace()): HomeHost {
  return { path: nodePath, cwd, env, homeDirectory: homeDirectoryOf(env.HOME), isDirectory, realPath };
}

/** `--root`, else TOOLANG_ROOT, else `~/.toolang`. */
export function findRoot(host: HomeHost, options: HomeOptions = {}): RootPlaces {
  const { path } = host;
  const given = options.root || host.env.TOOLANG_ROOT || path.join(host.homeDirectory, '.toolang');
  return rootPlaces(absolutePath(host, given), path);
}

/** Where everything of a `.too` or `.toon` file lies. The file need not exist. */
export function homeOfFile(file: string, host: HomeHost, options: HomeOptions = {}): Found<HomePlaces> {
  const { path } = host;
  const root = findRoot(host, options);
  if (options.home) return givenHome(host, root, options.home, options);
  const own = path.dirname(absolutePath(host, file));
  const resident = residentHome(host, root, own);
  if (resident !== undefined) return found(homePlaces('resident', resident, root, path, storeOf(host, options)));
  if (isRoot(host, root, path.join(own, '.toolang')))
    return { ok: false, problem: homeIsRoot(own, `${quotePath(file)} lies directly in`, path) };
  return found(homePlaces('roaming', nearest(host, root, own) ?? own, root, path, storeOf(host, options)));
}

/** The home a directory is in, or none: for commands that are given no file. */
export function homeOfDirectory(
  directory: string,
  host: HomeHost,
  options: HomeOptions = {},
): Found<HomePlaces | undefined> {
  const { path } = host;
  const root = findRoot(host, options);
  if (options.home) return givenHome(host, root, options.home, options);
  const own = absolutePath(host, directory);
  const resident = residentHome(host, root, own);
  if (resident !== undefined) return found(homePlaces('resident', resident, root, path, storeOf(host, options)));
  const home = nearest(host, root, own);
  return found(home === undefined ? undefined : homePlaces('roaming', home, root, path, storeOf(host, options)));
}

/** The home of a resident agent, by its name. */
export function homeOfResident(agent: string, host: HomeHost, options: HomeOptions = {}): Found<HomePlaces> {
  const problem = agentNameProblem(agent);
  if (problem) return { ok: false, problem };
  const root = findRoot(host, options);
  return found(homePlaces('resident', host.path.join(root.agents, agent), root, host.path, storeOf(host, options)));
}

/** The home of an agent that comes from a remote reference; `hash` is that of the reference. */
export function homeOfGuest(name: string, hash: string, host: HomeHost, options: HomeOptions = {}): Found<HomePlaces> {
  const problem = agentNameProblem(name) ?? agentNameProblem(hash);
  if (problem) return { ok: false, problem };
  const root = findRoot(host, options);
  const dir = host.path.join(root.guests, `${name}-${hash}`);
  return found(homePlaces('visiting', dir, root, host.path, storeOf(host, options)));
}

function found<T>(places: T): Found<T> {
  return { ok: true, places };
}

function storeOf(host: HomeHost, options: HomeOptions): string | undefined {
  return options.store ? absolutePath(host, options.store) : undefined;
}

/** A name becomes a directory: it may not lead anywhere else. */
function agentNameProblem(name: string): HomeProblem | undefined {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) return undefined;
  return {
    code: 'TOO5122',
    message: `${quotePath(name)} is not the name of an agent.`,
    help: 'Write letters, digits, "_", "-" and "."; for a file, write its path with ".too".',
  };
}

function givenHome(host: HomeHost, root: RootPlaces, given: string, options: HomeOptions): Found<HomePlaces> {
  const { path } = host;
  const home = absolutePath(host, given);
  if (!host.isDirectory(home)) {
    const message = `the home ${quotePath(given)} is not a directory.`;
    return {
      ok: false,
      problem: { code: 'TOO5121', message, help: 'Make it first, or check the spelling of --home.' },
    };
  }
  const resident = residentHome(host, root, home);
  if (resident !== undefined && samePath(host.realPath(home), host.realPath(resident), path)) {
    return found(homePlaces('resident', resident, root, path, storeOf(host, options)));
  }
  if (isRoot(host, root, path.join(home, '.toolang'))) {
    return { ok: false, problem: homeIsRoot(home, '--home names', path) };
  }
  return found(homePlaces('roaming', home, root, path, storeOf(host, options)));
}

/** A quoted `~` reaches us as it is written; it means what it would mean to the shell. */
export function absolutePath(host: HomeHost, given: string): string {
  const { path } = host;
  const tilde = /^~(?=$|[/\\])/.test(given) && (given.length === 1 || given[1] === '/' || given[1] === path.sep);
  return path.resolve(host.cwd, tilde ? path.join(host.homeDirectory, given.slice(1)) : given);
}

/** `<root>/agents/<agent>`, when `directory` is that or lies below it. */
function residentHome(host: HomeHost, root: RootPlaces, directory: string): string | undefined {
  const { path } = host;
  for (const [agents, at] of [
    [root.agents, directory],
    [host.realPath(root.agents), host.realPath(directory)],
  ] as const) {
    if (!isInside(at, agents, path)) continue;
    const agent = path.relative(agents, at).split(path.sep)[0];
    if (agent) return path.join(root.agents, agent);
  }
  return undefined;
}

function nearest(host: HomeHost, root: RootPlaces, from: string): string | undefined {
  const { path } = host;
  for (let at = from; ; at = path.dirname(at)) {
    const state = path.join(at, '.toolang');
    if (host.isDirectory(state) && !isRoot(host, root, state)) return at;
    if (path.dirname(at) === at) return undefined;
  }
}

function isRoot(host: HomeHost, root: RootPlaces, state: string): boolean {
  return samePath(state, root.dir, host.path) || samePath(host.realPath(state), host.realPath(root.dir), host.path);
}

function homeIsRoot(directory: string, what: string, path: PlatformPath): HomeProblem {
  return {
    code: 'TOO5120',
    message: `${what} ${quotePath(directory)}, whose ".toolang" is the Toolang root.`,
    help: `Put it in a folder, such as ${quotePath(path.join(directory, 'agents'))}, or set TOOLANG_ROOT.`,
  };
}

function ownPlace(): Pick<HomeHost, 'cwd' | 'env'> {
  return { cwd: process.cwd(), env: process.env };
}

/** An empty or relative HOME would name another place in each directory: then it is the one that the system knows. */
function homeDirectoryOf(given: string | undefined): string {
  const usual = given || homedir();
  return nodePath.isAbsolute(usual) ? usual : userInfo().homedir;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    // What may not be looked into cannot be a home of ours.
    if (['EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/** Of what does not exist yet, the directories that do are still followed. */
function realPath(path: string): string {
  try {
    // One call of the system; the other form asks for each folder on the way.
    return realpathSync.native(path);
  } catch (error) {
    const above = nodePath.dirname(path);
    const code = systemCode(error) ?? '';
    if (code === 'ENOENT' && above !== path) return nodePath.join(realPath(above), nodePath.basename(path));
    if (['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return path;
    throw error;
  }
}
