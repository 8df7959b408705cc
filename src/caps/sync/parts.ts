/** The sync roots that one sync is about, each with what is written down for it: the root, the home, and each agent. */
import nodePath from 'node:path';
import { agentPlaces } from '../../config/index.ts';
import type { ReadResult } from '../../sys/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import type { RemoteCap } from '../scope/authored.ts';
import type { Scope } from '../scope/scope.ts';
import type { Desired, DesireOptions } from './desire.ts';
import { type Compile, type Gathered, type GatheredAgent, gatherAgent, gatherScope, type Shown } from './gather.ts';
import { type Lock, type LockRead, readLock } from './lock.ts';
import { changedLock, type LockChange } from './lock-change.ts';
import type { AgentSource, SyncRequest } from './request.ts';
import { readState } from './state.ts';
import { placeOf, type SyncedCap } from './synced.ts';

export interface PartOptions {
  /** That of the program: what another one made is made anew. */
  readonly toolang: string;
  readonly compile: Compile;
  /** A path as people see it. */
  readonly shown: Shown;
  /** The references that are looked up anew; none by default. */
  readonly isUpdated?: (cap: RemoteCap) => boolean;
  /** Of a source that is no file. */
  readonly readSource?: (file: string) => Promise<ReadResult>;
}

/** One sync root with what belongs into it. */
export interface Part {
  readonly scope: Scope;
  readonly root: string;
  readonly gathered: Gathered;
  readonly options: DesireOptions;
  /** Of an agent's own scope. */
  readonly agent?: AgentSource;
  readonly program?: unknown;
  readonly lock: 'root' | 'home';
}

export interface Locks {
  readonly ok: true;
  readonly root: Extract<LockRead, { ok: true }>;
  readonly home: Extract<LockRead, { ok: true }> | undefined;
}

export async function readLocks(
  { root, home }: SyncRequest,
  { shown }: PartOptions,
): Promise<Locks | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }> {
  const inRoot = await readLock(root.lock, shown(root.lock));
  const inHome = home && (await readLock(home.lock, shown(home.lock)));
  const diagnostics = [inRoot, inHome].flatMap((read) => (read && !read.ok ? [read.diagnostic] : []));
  if (!inRoot.ok || (inHome && !inHome.ok)) return { ok: false, diagnostics };
  return { ok: true, root: inRoot, home: inHome };
}

export async function gatherParts(request: SyncRequest, options: PartOptions, locks: Locks): Promise<Part[]> {
  const { root, home, agents } = request;
  const { shown, compile, isUpdated = () => false } = options;
  const make = (
    scope: Scope,
    at: string,
    gathered: Gathered,
    lock: Lock,
    user: string,
    known: readonly SyncedCap[],
    agent?: GatheredAgent,
  ): Part => ({
    scope,
    root: at,
    gathered,
    lock: scope === 'root' ? 'root' : 'home',
    options: {
      root: at,
      lock,
      user,
      isUpdated,
      shown,
      known: new Map(known.map((cap) => [placeOf(cap).join('/'), cap])),
    },
    ...(agent && { agent: agent.agent, program: agent.program }),
  });
  const states = home
    ? await Promise.all(agents.map(({ name }) => readState(agentPlaces(home, name, nodePath).state, options.toolang)))
    : [];
  const earlier = (scope: Scope): readonly SyncedCap[] =>
    states.find((state) => state !== undefined)?.caps[scope] ?? [];
  const parts = [make('root', root.sync, await gatherScope(root, shown), locks.root.lock, 'root', earlier('root'))];
  if (!home) return parts;
  const visits = home.kind === 'visiting';
  const inHome = visits ? { caps: [], diagnostics: [], inputs: {} } : await gatherScope(home, shown);
  const lock = locks.home?.lock ?? new Map();
  parts.push(make('home', home.sync, inHome, lock, 'home', earlier('home')));
  const wider = parts.flatMap(({ gathered }) => gathered.caps);
  for (const [i, agent] of agents.entries()) {
    const own = await gatherAgent(agent, wider, compile, shown, options.readSource);
    const user = nodePath.relative(home.dir, agent.file).split(nodePath.sep).join('/');
    parts.push(
      make('here', agentPlaces(home, agent.name, nodePath).sync, own, lock, user, states[i]?.caps.here ?? [], own),
    );
  }
  return parts;
}

export type PartDesires = { readonly part: Part; readonly desired: readonly Desired[] };

export function lockChanges(desires: readonly PartDesires[], locks: Locks, { root, home }: SyncRequest): LockChange[] {
  const of = (which: Part['lock']) => desires.filter(({ part }) => part.lock === which);
  const change = (which: Part['lock'], file: string, read: Locks['root'], dir: string): LockChange => {
    const users = new Set(of(which).map(({ part }) => part.options.user));
    const entries = of(which).flatMap(({ desired }) => desired.flatMap(({ locked }) => locked ?? []));
    return changedLock(file, read, entries, users, dir);
  };
  return [
    change('root', root.lock, locks.root, root.dir),
    ...(home && locks.home ? [change('home', home.lock, locks.home, home.dir)] : []),
  ];
}
