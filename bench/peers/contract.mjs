// What the bench asks of each system, ours included. One module for each in `systems/`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} System
 * @property {string} title
 * @property {readonly string[]} packages for npm, with their versions: the modules here are written for these
 * @property {readonly string[]} native packages among them that have to be built for this machine
 * @property {Readonly<Record<string, string>>} [overrides] of npm, for packages that a registry may not have
 * @property {Readonly<Record<string, string>>} env turns off what it would tell others
 * @property {Readonly<Record<string, string>>} variants what is measured and how; the empty name is the default
 * @property {'bun'} [runtime] where it does not run on Node
 * @property {'done'} [calls] that it tells of steps that are done; others call when a step begins
 * @property {(folder: string, file: string, variant: string) => Promise<Opened>} open the store in a file, new or not
 */

/**
 * @typedef {object} Opened
 * @property {() => Promise<{ mode: string, level: number }>} settings of SQLite, as the connection says them
 * @property {(steps: number) => Promise<Program>} define trivial steps in sequence
 * @property {(steps: number) => Promise<Program>} fan the same steps, none of which waits for another
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} Program
 * @property {(id: string, called: () => void) => Promise<void>} start a run; it ends when all is kept
 * @property {(id: string, called: () => void) => Promise<void>} [resume] a run whose process died
 */

const loader = 'load.mjs';

/**
 * So that packages are found in the folder they were installed to.
 * @param {string} folder
 */
export function writeLoader(folder) {
  writeFileSync(join(folder, loader), 'export const load = (name) => import(name);\n');
}

/**
 * @param {string} folder
 * @returns {Promise<(name: string) => Promise<any>>}
 */
export async function loaderOf(folder) {
  return (await import(pathToFileURL(join(folder, loader)).href)).load;
}
