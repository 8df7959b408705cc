/** A folder of its own for a test, with files in it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, sep } from 'node:path';

export interface Temporary {
  readonly dir: string;
  readonly at: (name: string) => string;
  readonly write: (name: string, text: string | Uint8Array) => string;
  /** Relative to it, with `/`. */
  readonly shown: (path: string) => string;
  readonly remove: () => void;
}

export function temporary(): Temporary {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-caps-')));
  const at = (name: string) => join(dir, name);
  return {
    dir,
    at,
    write: (name, text) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
      return at(name);
    },
    shown: (path) => relative(dir, path).split(sep).join(posix.sep),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
