/** Writes the state of each agent that was synced: see `state.ts`. */
import nodePath from 'node:path';
import { agentPlaces } from '../../config/index.ts';
import type { Scope } from '../scope/scope.ts';
import type { PartDesires } from './parts.ts';
import type { SyncRequest } from './request.ts';
import { stampAll } from './stamp.ts';
import { type SyncState, writeState } from './state.ts';
import { pathsOf } from './tree.ts';

export async function writeStates(
  desires: readonly PartDesires[],
  { root, home }: SyncRequest,
  toolang: string,
): Promise<SyncState[]> {
  if (!home) return [];
  const wide = desires.filter(({ part }) => part.scope !== 'here');
  const of = (scope: Scope) => wide.find(({ part }) => part.scope === scope)?.desired.map(({ synced }) => synced) ?? [];
  const states: SyncState[] = [];
  for (const own of desires) {
    const { part } = own;
    if (!part.agent) continue;
    const all = [...wide, own];
    const inputs = Object.assign({}, ...all.map(({ part: each }) => each.gathered.inputs));
    const outputs = all.flatMap(({ part: each }) => pathsOf(each.root).filter((at) => !isOurs(at, each.root)));
    const views = [root.view, ...(home.view === undefined ? [] : [home.view])].flatMap((view) => pathsOf(view));
    const state: SyncState = {
      version: 1,
      toolang,
      agent: part.agent.name,
      source: part.agent.file,
      root: root.dir,
      stamps: { ...stampAll([root.lock, home.lock, ...outputs, ...views]), ...inputs },
      program: part.program,
      caps: { here: own.desired.map(({ synced }) => synced), home: of('home'), root: of('root') },
    };
    await writeState(agentPlaces(home, part.agent.name, nodePath).state, state);
    states.push(state);
  }
  return states;
}

/** The root itself and what lies directly in it: states, turns, what is being written. They change with every sync. */
function isOurs(path: string, root: string): boolean {
  const relative = nodePath.relative(root, path);
  return (
    relative === '' || relative.startsWith('.') || (!relative.includes(nodePath.sep) && relative.endsWith('.json'))
  );
}
