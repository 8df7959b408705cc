/** Where a builder program stands: what its paths are relative to. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A path, or `import.meta.url`. */
export function pathFrom(from: string | URL): string {
  return from instanceof URL || from.startsWith('file:') ? fileURLToPath(from) : resolve(from);
}

/** For programs that do not say where they stand: the current folder. */
export function cwdFile(): string {
  return join(process.cwd(), '<builder>');
}
