/** What stands behind `from`, `handler` and the like: paths and names of packages, as they are written. */
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Source } from '../text/index.ts';

export function isPath(specifier: string): boolean {
  return /^\.{1,2}[\\/]/.test(specifier) || isAbsolute(specifier);
}

export function isWorkflowFile(specifier: string): boolean {
  return /\.toon$/i.test(specifier);
}

/** `./module.ts#name`; without a name the default is meant. Names of files may have a "#" too, but end with their type. */
export function splitExport(reference: string): [file: string, name: string] {
  const hash = reference.lastIndexOf('#');
  const name = reference.slice(hash + 1);
  return hash === -1 || /[\\/.]/.test(name) ? [reference, 'default'] : [reference.slice(0, hash), name];
}

/** A module as it is named from the folder of the root file, wherever the file stands that imports it. */
export function moduleFrom(root: string, folder: string, specifier: string): string {
  return isPath(specifier) ? pathFrom(root, folder, specifier) : specifier;
}

/** The same for a file, which is always a path. */
export function pathFrom(root: string, folder: string, path: string): string {
  const away = relative(root, resolve(folder, path)).replaceAll('\\', '/');
  return /^\.{1,2}\//.test(away) || isAbsolute(away) ? away : `./${away}`;
}

/** What people see of another file: its path from where they stand, as far as the importing file has one. */
export function nameBeside(source: Source, file: string, other: string): string {
  const away = relative(dirname(file), other);
  const shown = join(dirname(source.name), away);
  return shown.replaceAll('\\', '/');
}
