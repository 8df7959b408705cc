/** A test file on the disk, and the places that its words mean. */
import { resolve } from 'node:path';
import type { Suite } from '../../cases/index.ts';

export interface SuiteFile {
  /** Absolute. */
  readonly file: string;
  readonly folder: string;
  /** As people see it. */
  readonly name: string;
  readonly suite: Suite;
}

/** A path that a test file names. */
export function placeFrom({ folder }: Pick<SuiteFile, 'folder'>, path: string): string {
  return resolve(folder, path);
}
