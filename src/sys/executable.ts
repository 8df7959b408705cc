/** Whether a file may be run, for `findCommand`. */
import { accessSync, constants, statSync } from 'node:fs';
import { systemCode } from './failure.ts';

export function isExecutable(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    // Windows goes by endings, which `findCommand` knows.
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    // What is not there, or may not be looked at, cannot be run.
    if (systemCode(error) !== undefined) return false;
    throw error;
  }
}
