/** The built program in processes of its own: started, watched, killed; and what is left of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqliteStore, type Store } from '../../src/journal/index.ts';
import { built } from '../built.ts';
import { cli, env, root, type Workplace, workplace } from '../cli/program.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly err: () => string;
  readonly exit: Promise<Exit>;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Place extends Workplace {
  readonly start: (...args: readonly string[]) => Started;
  /** The store of its home. */
  readonly store: () => Store;
  /** Processes that work in its folder and have not ended. */
  readonly processes: () => readonly string[];
  /** Ends all that was started here. */
  readonly leave: () => Promise<void>;
}

export function createPlace(): Place {
  linkPackages();
  const w = workplace();
  const children: { readonly child: ChildProcess; readonly exit: Promise<Exit> }[] = [];
  const stores: Store[] = [];

  function start(...args: readonly string[]): Started {
    const at = Date.now();
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: w.dir,
      env: { ...env, HOME: w.at('..'), USER: 'ana' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (part) => (out += part));
    child.stderr.on('data', (part) => (err += part));
    const exit = new Promise<Exit>((done) => {
      child.on('close', (code, signal) => done({ code, signal, out, err }));
    });
    children.push({ child, exit });
    return { pid: child.pid ?? 0, kill: (signal) => void child.kill(signal), err: () => err, exit, at };
  }

  return {
    ...w,
    start,
    store() {
      const store = openSqliteStore(w.at('.toolang/runs.db'));
      stores.push(store);
      return store;
    },
    processes: () => processesIn(w.dir),
    async leave() {
      for (const store of stores) store.close();
      for (const { child } of children) child.kill('SIGKILL');
      await Promise.all(children.map(({ exit }) => exit));
      w.remove();
    },
  };
}

/** What loads the modules of steps is found beside the build. */
function linkPackages(): void {
  try {
    symlinkSync(join(root, 'node_modules'), join(dirname(built()), 'node_modules'));
  } catch (error) {
    // Another test file was faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

export async function until(holds: () => boolean, what = 'it', ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; !holds(); ) {
    if (Date.now() > end) throw new Error(`${what} did not come to that`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

export const idOf = ({ err }: Pick<Started, 'err'>) => / · run (\w+)/.exec(err())?.[1] ?? '';

/** By the folder that they work in; those that are dead and not collected do not count. Linux only. */
export function processesIn(dir: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || readlinkSync(`/proc/${pid}/cwd`) !== dir) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`];
    } catch {
      return [];
    }
  });
}
