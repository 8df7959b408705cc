/** Bundles a program of these tests as the build does it: with hosts and the native files of SQLite beside it. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = new URL('../..', import.meta.url).pathname;

/** Gives the path of the program. It lies in the repository, where its packages are found. */
export async function bundleWorker(): Promise<string> {
  const dir = join(root, `.cache/engine-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  const built = await rolldown({
    input: { worker: join(root, 'test/engine/worker.ts'), host: join(root, 'src/run/host/main.ts') },
    cwd: root,
    platform: 'node',
    external: [/^node:/, 'jiti', '@swc/wasm-typescript', 'effect'],
    transform: { target: 'node20' },
  });
  await built.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' });
  await built.close();
  const sqlite = join(dir, 'sqlite');
  if (!existsSync(sqlite)) symlinkSync(join(root, 'node_modules/@photostructure/sqlite/prebuilds'), sqlite, 'dir');
  return join(dir, 'worker.js');
}
