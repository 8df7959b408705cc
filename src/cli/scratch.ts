/** A folder of its own for a test, and the command line run in it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type MemoryOptions, memoryContext } from './memory-context.ts';
import { runCli } from './run.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Scratch {
  /** The current directory of the commands; `home` beside it is the person's own. */
  readonly dir: string;
  readonly home: string;
  readonly at: (name: string) => string;
  readonly write: (name: string, text: string | Uint8Array) => string;
  readonly read: (name: string) => string;
  readonly cli: (argv: readonly string[], options?: Omit<MemoryOptions, 'cwd'>) => Promise<Ran>;
  readonly remove: () => void;
}

export function scratch(): Scratch {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-cli-')));
  const dir = join(top, 'work');
  const home = join(top, 'home');
  for (const folder of [dir, home]) mkdirSync(folder);
  const at = (name: string) => join(dir, name);
  return {
    dir,
    home,
    at,
    write: (name, text) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
      return at(name);
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    cli: async (argv, options = {}) => {
      const context = memoryContext({ ...options, cwd: dir, env: { HOME: home, ...options.env } });
      const code = await runCli(argv, context);
      return { code, out: context.out(), err: context.err() };
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
