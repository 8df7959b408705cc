/** Where things lie: in the root, and in each kind of home. Paths only; nothing is looked at or made. */
import type { PlatformPath } from 'node:path';

export type AgentKind = 'resident' | 'roaming' | 'visiting';

/** One directory for each kind of cap. */
export interface CapFolders {
  readonly psyche: string;
  readonly skill: string;
  readonly service: string;
  readonly prompt: string;
}

export interface RootPlaces {
  readonly dir: string;
  readonly config: string;
  /** `agents.too`: `use` lines of this scope, never an agent. */
  readonly uses: string;
  readonly caps: CapFolders;
  readonly sync: string;
  readonly lock: string;
  /** The prepared view, made of links into the sync roots. */
  readonly view: string;
  readonly agents: string;
  readonly guests: string;
  /** Logins to services; nobody else may read them. */
  readonly credentials: string;
  /** Fetched repositories. */
  readonly cache: string;
  /** `homes.json`: the homes that hold runs. */
  readonly homes: string;
}

export interface HomePlaces {
  readonly kind: AgentKind;
  readonly root: RootPlaces;
  readonly dir: string;
  /** `.toolang`: everything that is made, and in a roaming home what is written too. */
  readonly state: string;
  readonly config: string;
  readonly uses: string;
  /** Missing for a visiting agent, which brings nothing but its source. */
  readonly caps?: CapFolders;
  readonly sync: string;
  readonly lock: string;
  readonly runs: string;
  readonly memory: string;
  readonly logs: string;
  readonly ignore: string;
  /** The prepared view of a resident agent. */
  readonly view?: string;
}

/** What belongs to one agent of a home. */
export interface AgentPlaces {
  readonly sync: string;
  /** Freshness of every input, the compiled program, the exact refs. */
  readonly state: string;
}

export function rootPlaces(dir: string, path: PlatformPath): RootPlaces {
  return {
    dir,
    config: path.join(dir, 'config.toml'),
    uses: path.join(dir, 'agents.too'),
    caps: capFolders(dir, path),
    sync: path.join(dir, 'sync'),
    lock: path.join(dir, 'toolang.lock'),
    view: path.join(dir, '.caps'),
    agents: path.join(dir, 'agents'),
    guests: path.join(dir, 'guests'),
    credentials: path.join(dir, 'credentials'),
    cache: path.join(dir, 'cache'),
    homes: path.join(dir, 'homes.json'),
  };
}

export function homePlaces(
  kind: AgentKind,
  dir: string,
  root: RootPlaces,
  path: PlatformPath,
  store?: string,
): HomePlaces {
  const state = path.join(dir, '.toolang');
  // What people write lies openly in a resident home, and under `.toolang` in a directory that is not ours alone.
  const written = kind === 'resident' ? dir : state;
  return {
    kind,
    root,
    dir,
    state,
    config: path.join(written, 'config.toml'),
    uses: path.join(written, 'agents.too'),
    ...(kind !== 'visiting' && { caps: capFolders(written, path) }),
    sync: path.join(state, 'sync'),
    lock: path.join(dir, 'toolang.lock'),
    runs: store ?? path.join(state, 'runs.db'),
    memory: path.join(state, 'memory.db'),
    logs: path.join(state, 'logs'),
    ignore: path.join(state, '.gitignore'),
    ...(kind === 'resident' && { view: path.join(dir, '.caps') }),
  };
}

export function agentPlaces(home: HomePlaces, agent: string, path: PlatformPath): AgentPlaces {
  return {
    sync: path.join(home.state, 'agents', agent, 'sync'),
    state: path.join(home.sync, `${agent}.state.json`),
  };
}

/** Whether a file is the `agents.too` of a home or of the root, which holds `use` lines only. */
export function isUsesFile(file: string, path: PlatformPath): boolean {
  return path.basename(file) === 'agents.too';
}

function capFolders(dir: string, path: PlatformPath): CapFolders {
  return {
    psyche: path.join(dir, 'psyches'),
    skill: path.join(dir, 'skills'),
    service: path.join(dir, 'services'),
    prompt: path.join(dir, 'prompts'),
  };
}
