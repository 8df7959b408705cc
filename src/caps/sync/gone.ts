/** Agents whose sources are gone: what was synced for them goes too. What they have remembered or run stays. */
import { rm, rmdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { agentPlaces } from '../../config/index.ts';
import { systemCode } from '../../sys/index.ts';
import type { Change } from './change.ts';
import { goneAgents } from './fresh.ts';
import type { SyncRequest } from './request.ts';
import { straysIn } from './root.ts';

/** What is synced for them. */
export function goneChanges({ home, agents }: SyncRequest): Change[] {
  if (!home) return [];
  return goneAgents(home, agents).flatMap((agent) =>
    straysIn(agentPlaces(home, agent, nodePath).sync, []).map(({ form, kind, name }): Change => {
      return {
        what: 'removed',
        scope: 'here',
        form,
        kind,
        name: name.replace(/\.md$/, ''),
        why: `the agent "${agent}" is gone`,
      };
    }),
  );
}

export async function removeGone({ home, agents }: SyncRequest): Promise<void> {
  if (!home) return;
  for (const name of goneAgents(home, agents)) {
    const { sync, state } = agentPlaces(home, name, nodePath);
    // The state last: whoever is cut short before finds it again.
    await rm(sync, { recursive: true, force: true });
    await removeEmpty(nodePath.dirname(sync));
    await rm(state, { force: true });
  }
}

async function removeEmpty(dir: string): Promise<void> {
  try {
    await rmdir(dir);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
  }
}
