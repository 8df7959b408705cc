/** A sync that has something to do: all that it takes to read, fetch, check and write. See `sync.ts`. */
import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import type { HomePlaces, RootPlaces } from '../../config/index.ts';
import { type Diagnostic, hasErrors } from '../../text/index.ts';
import type { Resolved } from '../resolve/target.ts';
import type { Scope } from '../scope/scope.ts';
import { writeStates } from './agent-states.ts';
import type { Brought } from './brings.ts';
import { type Change, changeOf } from './change.ts';
import { desiresOf, wantedOf } from './desire.ts';
import { goneChanges, removeGone } from './gone.ts';
import { clearLeftovers } from './leftovers.ts';
import { frozenProblem, keepLock } from './lock-change.ts';
import { gatherParts, lockChanges, type PartDesires, readLocks } from './parts.ts';
import type { SyncRequest } from './request.ts';
import { placeAll, removeStrays } from './root.ts';
import { staleIn } from './stale.ts';
import type { SyncOptions, SyncReport } from './sync.ts';
import { buildView } from './view.ts';

export async function syncNow(request: SyncRequest, options: SyncOptions): Promise<SyncReport> {
  const { root, home } = request;
  const failed = (diagnostics: readonly Diagnostic[]): SyncReport => {
    return { ok: false, diagnostics, changes: [], states: [], isFresh: false };
  };
  const locks = await readLocks(request, options);
  if (!locks.ok) return failed(locks.diagnostics);
  const parts = await gatherParts(request, options, locks);
  const warnings = parts.flatMap(({ gathered }) => gathered.diagnostics);
  if (hasErrors(warnings)) return failed(warnings);
  if (options.check) {
    const { changes, unlocked, isLockSame, diagnostics } = staleIn(parts, locks, request);
    const ok = changes.length === 0 && unlocked.length === 0 && isLockSame && !hasErrors(diagnostics);
    return { ok, diagnostics: [...warnings, ...diagnostics], changes, unlocked, states: [], isFresh: ok };
  }
  const wanted = parts.flatMap((part) => wantedOf(part.gathered.caps, part.options));
  const resolved = wanted.length > 0 ? await options.resolve(wanted) : new Map<string, Resolved>();
  const desires = parts.map((part) => ({ part, ...desiresOf(part.gathered.caps, resolved, part.options) }));
  const diagnostics = [...warnings, ...desires.flatMap((each) => each.diagnostics)];
  if (hasErrors(diagnostics)) return failed(diagnostics);
  const changedLocks = lockChanges(desires, locks, request);
  if (options.frozen) {
    const problems = changedLocks.flatMap((change) => frozenProblem(change, options.shown) ?? []);
    if (problems.length > 0) return failed([...diagnostics, ...problems]);
  }
  const brought = onceEach(desires.flatMap(({ desired }) => desired.flatMap((each) => each.brought ?? [])));
  if (brought.length > 0 && !(await options.accept(brought))) return { ...failed(diagnostics), refused: brought };
  const changes: Change[] = [];
  await clearLeftovers(
    request,
    parts.map((part) => part.root),
  );
  for (const { part, desired } of desires) {
    await placeAll(part.root, desired);
    const gone = await removeStrays(
      part.root,
      desired.map(({ synced }) => synced),
    );
    changes.push(
      ...desired.flatMap(changeOf),
      ...gone.map((each) => ({ what: 'removed' as const, scope: part.scope, ...each })),
    );
  }
  changes.push(...goneChanges(request));
  await removeGone(request);
  for (const change of changedLocks) await keepLock(change);
  await buildViews(desires, root, home);
  const states = await writeStates(desires, request, options.toolang);
  return {
    ok: true,
    diagnostics,
    changes,
    states,
    isFresh: changes.length === 0 && changedLocks.every(({ isSame }) => isSame),
  };
}

/** One reference may be named in several places: it is shown once. */
function onceEach(brought: readonly Brought[]): Brought[] {
  return [...new Map(brought.map((each) => [`${each.kind} ${each.ref}`, each])).values()];
}

async function buildViews(
  desires: readonly PartDesires[],
  root: RootPlaces,
  home: HomePlaces | undefined,
): Promise<void> {
  const of = (scope: Scope, agent?: string) =>
    desires
      .filter(({ part }) => part.scope === scope && part.agent?.name === agent)
      .flatMap(({ desired }) => desired.map(({ synced }) => synced));
  if (existsSync(root.dir)) await buildView(root.view, of('root'));
  if (home?.view === undefined) return;
  const agent = nodePath.basename(home.dir);
  // Where both have a reference of one name, the agent's own is shown.
  await buildView(home.view, [...of('here', agent), ...of('home')]);
}
