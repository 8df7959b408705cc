/** Everything that a home or the root has of caps: its folders, its `agents.too`, its `config.toml`. */
import type { ConfigLayer, HomePlaces, RootPlaces } from '../../config/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import type { FileCap, RemoteCap } from './authored.ts';
import type { NamedCap } from './cap-folder.ts';
import { readCapFolders } from './file-caps.ts';
import { readUses, type Uses } from './uses.ts';
import { wiredCaps } from './wired-caps.ts';

export interface ScopeCaps {
  /** Those that are right: where something is wrong, one of another scope may not just take its place. */
  readonly caps: readonly (FileCap | RemoteCap)[];
  readonly broken: readonly NamedCap[];
  readonly ofFiles: readonly Diagnostic[];
  readonly ofWired: readonly Diagnostic[];
  readonly uses: Uses;
}

/** `layer` is the config of that place; `shown` gives a path as people see it. */
export async function readScopeCaps(
  places: HomePlaces | RootPlaces,
  layer: ConfigLayer,
  shown: (path: string) => string,
): Promise<ScopeCaps> {
  const scope = 'agents' in places ? 'root' : 'home';
  const files = places.caps && (await readCapFolders(places.caps, scope, shown));
  const uses = await readUses(places.uses, scope, shown(places.uses));
  const wired = wiredCaps(layer, scope, places.config);
  return {
    caps: [...(files?.caps ?? []), ...uses.caps, ...wired.caps],
    broken: [...(files?.broken ?? []), ...uses.broken, ...wired.broken],
    ofFiles: files?.diagnostics ?? [],
    ofWired: wired.diagnostics,
    uses,
  };
}
