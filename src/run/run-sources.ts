/**
 * The files that a run is made of, which are not for its agents to write: whoever changes them changes what the run does next,
 * outside of all that limits tools.
 * 1. The workflow with the files that it names, and the replies of its scripts.
 * 2. The modules that it runs, with all local files that they import by a fixed name.
 * 3. The packages that those can see, there or not: one that is made nearer is taken instead of one further up.
 */
import { dirname, join } from 'node:path';
import { moduleHashes } from './module-hashes.ts';
import type { StoredRun } from './runs.ts';

/** `folder`: from where its modules are named. */
export async function runSources({ row, plan, started }: StoredRun, folder: string): Promise<readonly string[]> {
  const { files: modules } = await moduleHashes(plan, folder);
  return [
    ...(row.file === undefined ? [] : [row.file]),
    ...Object.keys(started.replies ?? {}),
    ...Object.keys(started.files ?? {}),
    ...modules,
    ...packageFolders(modules),
  ];
}

function packageFolders(modules: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of modules) {
    for (let at = dirname(file); !folders.has(join(at, 'node_modules')); at = dirname(at)) {
      folders.add(join(at, 'node_modules'));
    }
  }
  return [...folders];
}
