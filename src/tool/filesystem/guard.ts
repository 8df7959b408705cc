/**
 * What an agent must not change of itself, wherever it lies: the settings, caps and locks of its home and of the root, and the
 * files that it is run from. Who could write them could widen what it may do. Runs, memory and logins are not even read.
 */
import { realpathSync } from 'node:fs';
import nodePath from 'node:path';
import type { CapFolders, HomePlaces, RootPlaces } from '../../config/index.ts';
import { systemCode } from '../../sys/index.ts';
import type { Guard } from './off-limits.ts';

/** `places`: undefined of a program that runs itself. `sources`: the files that a run is made of. */
export function guardOf(places: HomePlaces | RootPlaces | undefined, sources: readonly string[] = []): Guard {
  const root = places && 'root' in places ? places.root : places;
  const home = places && 'root' in places ? places : undefined;
  const stores = [
    ...(home ? [...database(home.runs), ...database(home.memory), home.logs] : []),
    ...(root ? [root.credentials] : []),
  ];
  const decides = [
    ...(root ? [...written(root), root.sync, root.cache, root.homes] : []),
    ...(home ? written(home) : []),
    ...sources,
  ];
  return { unreadable: stores.map(realPath), unwritable: decides.map(realPath) };
}

/** What was written last lies beside it. */
function database(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}

function written(places: {
  readonly config: string;
  readonly uses: string;
  readonly lock: string;
  readonly caps?: CapFolders;
  readonly view?: string;
}): string[] {
  const { config, uses, lock, caps, view } = places;
  return [
    config,
    uses,
    lock,
    ...(caps ? Object.values<string>({ ...caps }) : []),
    ...(view === undefined ? [] : [view]),
  ];
}

/** Of what does not exist yet, the folders that do are followed: it may be made later. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const above = nodePath.dirname(path);
    if (systemCode(error) === undefined) throw error;
    return above === path ? path : nodePath.join(realPath(above), nodePath.basename(path));
  }
}
