/** Runs the built program as a process of its own, in a folder of its own. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built } from '../built.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const cli = join(built(), 'cli.cjs');

/** Colours, homes, npm and keys of models of whoever runs the tests stay out. */
export const env: Record<string, string> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(npm_|NO_COLOR|FORCE_COLOR|TERM|TOOLANG_|HOME$)|_API_KEY$/i.test(name)
      ? []
      : [[name, value]],
  ),
);

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Workplace {
  readonly dir: string;
  readonly at: (name: string) => string;
  readonly write: (name: string, text: string) => string;
  readonly run: (args: readonly string[], options?: SpawnSyncOptions) => Ended;
  /** A line for `sh`, in which `toolang` is a function that calls the program. */
  readonly sh: (script: string, options?: SpawnSyncOptions) => Ended;
  readonly remove: () => void;
}

export function workplace(): Workplace {
  linkDocs();
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-process-')));
  const dir = join(top, 'work');
  mkdirSync(dir);
  const at = (name: string) => join(dir, name);
  const spawn = (file: string, args: readonly string[], options: SpawnSyncOptions = {}): Ended => {
    const { status, stdout, stderr, error } = spawnSync(file, args, {
      cwd: dir,
      // It ends what hangs.
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024,
      ...options,
      encoding: 'utf8',
      env: { ...env, HOME: top, ...options.env },
    });
    if (error) throw error;
    return { status, stdout, stderr };
  };
  return {
    dir,
    at,
    write: (name, text) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
      return at(name);
    },
    run: (args, options) => spawn(process.execPath, [cli, ...args], options),
    sh: (script, options = {}) =>
      spawn('bash', ['-c', `set -o pipefail; toolang() { "$NODE" "$PROGRAM" "$@"; }; ${script}`], {
        ...options,
        env: { NODE: process.execPath, PROGRAM: cli, ...options.env },
      }),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

/** A person with no rights of the superuser, whoever runs the tests; undefined where there is none. */
export function plainUser(place: Workplace): { uid: number; gid: number } | Record<string, never> | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.getuid?.() !== 0) return {};
  // The build and the folder belong to the superuser and are closed to others by default.
  for (const folder of [dirname(built()), dirname(place.dir), place.dir]) chmodSync(folder, 0o755);
  const user = { uid: 65534, gid: 65534 };
  const tried = spawnSync(process.execPath, [cli, '--version'], { ...user, env, encoding: 'utf8' });
  return tried.status === 0 ? user : undefined;
}

/** `explain CODE` finds its pages beside `dist/`. */
function linkDocs(): void {
  const docs = join(dirname(built()), 'docs');
  if (!existsSync(docs)) {
    try {
      symlinkSync(join(root, 'docs'), docs);
    } catch (error) {
      // Another test file was faster.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
