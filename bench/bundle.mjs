// Bundles the front end into `.cache/bench` as the build does it, and loads it.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @typedef {typeof import('./front-end.ts')} FrontEnd */

/** @returns {Promise<string>} the path of the bundle */
export async function bundleFrontEnd() {
  const built = await rolldown({
    input: { 'front-end': join(root, 'bench/front-end.ts') },
    cwd: root,
    platform: 'node',
    external: /^node:/,
    transform: { target: 'node20' },
  });
  const dir = join(root, '.cache/bench');
  await built.write({ dir, format: 'esm', entryFileNames: '[name].mjs' });
  await built.close();
  return join(dir, 'front-end.mjs');
}

/**
 * @param {string} path
 * @returns {Promise<FrontEnd>}
 */
export async function loadFrontEnd(path) {
  return import(pathToFileURL(path).href);
}
