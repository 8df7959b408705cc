// Bundles parts of the program into `.cache/bench` as the build does it, and loads them.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @typedef {typeof import('./front-end.ts')} FrontEnd */

/** @returns {Promise<string>} the path of the bundle */
export async function bundleFrontEnd() {
  return bundle('front-end', 'bench/front-end.ts');
}

/**
 * @param {string} name of the bundle
 * @param {string} entry a file of the repository
 * @param {'mjs' | 'js'} [ending] programs look for `host.js` beside them
 * @returns {Promise<string>} the path of the bundle
 */
export async function bundle(name, entry, ending = 'mjs') {
  const built = await rolldown({
    input: { [name]: join(root, entry) },
    cwd: root,
    platform: 'node',
    external: [/^node:/, 'jiti', '@swc/wasm-typescript', 'effect'],
    transform: { target: 'node20' },
  });
  const dir = join(root, '.cache/bench');
  await built.write({ dir, format: 'esm', entryFileNames: `[name].${ending}` });
  await built.close();
  return join(dir, `${name}.${ending}`);
}

/**
 * @param {string} path
 * @returns {Promise<FrontEnd>}
 */
export async function loadFrontEnd(path) {
  return load(path);
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function load(path) {
  return import(pathToFileURL(path).href);
}
