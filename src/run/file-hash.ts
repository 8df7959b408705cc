/** Files as what is known of them by: a hash of their bytes. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** SHA-256 of its bytes, in hex, or `missing`. */
export function fileHash(file: string): string {
  return hashOfBytes(readOrNot(file));
}

export function hashOfBytes(bytes: Buffer | undefined): string {
  return bytes === undefined ? 'missing' : createHash('sha256').update(bytes).digest('hex');
}

export function readOrNot(file: string): Buffer | undefined {
  try {
    // To read anything else may never end.
    return isFile(file) ? readFileSync(file) : undefined;
  } catch {
    // Whatever the reason: without its text it counts as missing, and loading it has said why.
    return undefined;
  }
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
