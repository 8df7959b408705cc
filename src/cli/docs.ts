/** Finds the docs that are shipped with the package. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file of `docs/`: beside `dist/` in the package, at the top of the repository when run from source. */
export function docsFile(name: string): string {
  let directory = path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(path.join(directory, 'docs', 'errors'))) return path.join(directory, 'docs', ...name.split('/'));
    const parent = path.dirname(directory);
    if (parent === directory) throw new Error('the docs of the package are missing; install it again');
    directory = parent;
  }
}
