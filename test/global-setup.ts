/**
 * What a test run has of its own, so that two runs do not meet and nothing in it is ever old: a folder for the build
 * (`built.ts`), and the program of hosts, bundled from the sources as they are. Node 20 cannot run those, and to compile
 * them in every host would take far longer than what is tested.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Holds the build, once a test has asked for it. */
    buildFolder: string;
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));

export async function setup(project: TestProject): Promise<() => void> {
  const build = mkdtempSync(join(tmpdir(), 'toolang-built-'));
  project.provide('buildFolder', build);
  // In the repository, where its packages are found.
  const hosts = join(root, `.cache/host-${process.pid}`);
  await bundleHosts(hosts);
  // Read by `hostArguments`, here and in processes that tests start.
  process.env.TOOLANG_TEST_HOST = join(hosts, 'host.js');
  project.onTestsRerun(async () => {
    for (const name of readdirSync(build)) rmSync(join(build, name), { recursive: true });
    await bundleHosts(hosts);
  });
  return () => {
    for (const dir of [build, hosts]) rmSync(dir, { recursive: true, force: true });
  };
}

/** With what starts hosts beside them, for tests that do so in a process of its own. */
async function bundleHosts(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  const source = (name: string) => join(root, 'src/run', name);
  const built = await rolldown({
    input: {
      host: source('host/main.ts'),
      'module-host': source('host/module-host.ts'),
      'host-pool': source('host/pool.ts'),
    },
    cwd: root,
    platform: 'node',
    external: [/^node:/, 'jiti', '@swc/wasm-typescript', 'effect'],
    transform: { target: 'node20' },
  });
  // As the build does it: code in `chunks/` looks for `host.js` one folder up.
  await built.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' });
  await built.close();
}
