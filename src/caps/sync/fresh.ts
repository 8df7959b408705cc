/** Whether anything has to be synced at all. It loads nothing that parses, fetches or checks: most syncs end here. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import nodePath from 'node:path';
import { agentPlaces, type HomePlaces } from '../../config/index.ts';
import { systemCode } from '../../sys/index.ts';
import type { SyncRequest } from './request.ts';
import { stampOf } from './stamp.ts';
import { readState, type SyncState } from './state.ts';

/** The states of the agents, when nothing has changed since they were written, and nobody has left the home. */
export async function freshStates(
  { root, home, agents }: SyncRequest,
  toolang: string,
): Promise<readonly SyncState[] | undefined> {
  if (!home || agents.length === 0) return undefined;
  const states: SyncState[] = [];
  // The agents of a home share most of what they depend on.
  const known = new Map<string, string | null>();
  for (const agent of agents) {
    const state = await readState(agentPlaces(home, agent.name, nodePath).state, toolang);
    if (state === undefined || state.source !== agent.file || state.root !== root.dir) return undefined;
    if (!Object.hasOwn(state.stamps, agent.file)) return undefined;
    for (const path in state.stamps) {
      let stamp = known.get(path);
      if (stamp === undefined) {
        stamp = stampOf(path);
        known.set(path, stamp);
      }
      if (stamp !== state.stamps[path]) return undefined;
    }
    states.push(state);
  }
  return goneAgents(home, agents).length > 0 ? undefined : states;
}

/** The agents that were synced in the home and whose sources are not there any more, but those of the request. */
export function goneAgents(home: HomePlaces, asked: SyncRequest['agents']): string[] {
  const kept = new Set(asked.map(({ name }) => name));
  const states = namesIn(home.sync).flatMap((file) => /^(.+)\.state\.json$/.exec(file)?.[1] ?? []);
  const roots = namesIn(nodePath.join(home.state, 'agents')).filter(
    (name) => stampOf(agentPlaces(home, name, nodePath).sync) !== null,
  );
  return [...new Set([...states, ...roots])].sort().filter((name) => {
    if (kept.has(name)) return false;
    const source = sourceIn(agentPlaces(home, name, nodePath).state);
    return source === undefined || stampOf(source) === null;
  });
}

/** The head of a state says whose it is: the rest, which may be large, is not read for that. */
const headBytes = 16 * 1024;

/** Undefined where there is no state, or none that can be read. */
function sourceIn(state: string): string | undefined {
  let file: number;
  try {
    file = openSync(state, 'r');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
  try {
    const head = Buffer.alloc(headBytes);
    const text = head.toString('utf8', 0, readSync(file, head, 0, headBytes, 0));
    const [, source] =
      /^\{"version":\d+,"toolang":"[^"]*","agent":"(?:[^"\\]|\\.)*","source":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
    return source === undefined ? undefined : String(JSON.parse(source));
  } catch (error) {
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  } finally {
    closeSync(file);
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}
