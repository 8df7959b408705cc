/**
 * What an agent must not change of itself, wherever it lies: the settings, caps and locks of its home and of the root, and the
 * files that it is run from. Who could write them could widen what it may do. Runs, memory and logins are not even read.
 */
import { lstatSync, realpathSync } from 'node:fs';
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
  const real = realPaths();
  return { unreadable: stores.map(real), unwritable: decides.map(real) };
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

/** Of what does not exist yet, the folders that do are followed: it may be made later. Each folder is looked at once. */
function realPaths(): (path: string) => string {
  const known = new Map<string, string>();
  const realPath = (path: string): string => {
    const above = nodePath.dirname(path);
    if (above === path) return path;
    const found = known.get(path) ?? follow(nodePath.join(realPath(above), nodePath.basename(path)));
    known.set(path, found);
    return found;
  };
  return realPath;
}

/** `path`: its folders are real. */
function follow(path: string): string {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path;
  } catch (error) {
    // It leads nowhere, or may not be looked at.
    if (systemCode(error) === undefined) throw error;
    return path;
  }
}
