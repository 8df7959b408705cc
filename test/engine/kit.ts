/** The built program in processes of its own: started, watched, killed; and what is left of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'vitest';
import { openSqliteStore, type Store } from '../../src/journal/index.ts';
import { openDatabase } from '../../src/journal/sqlite.ts';
import { built } from '../built.ts';
import { cli, env, root, type Workplace, workplace } from '../cli/program.ts';

/** A workflow that asks one question, and then says who answered it. */
export const ask = `name: ask
input:
steps[2]:
  - kind: approval
    id: ok
    request:
      title: Go on?
  - id: last
    run: "return 'by ' + ok.decidedBy"
    output: string
`;

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
  /** Of the run; it is told on standard error, which may be read later than what its steps do. */
  readonly id: () => Promise<string>;
  readonly exit: Promise<Exit>;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Place extends Workplace {
  readonly start: (...args: readonly string[]) => Started;
  /** Starts the program, and waits for its end. */
  readonly finish: (...args: readonly string[]) => Promise<Exit>;
  /** Stops it between two writes: who holds the lock of the store would stop all others too. Linux only. */
  readonly freeze: (started: Started) => Promise<void>;
  /** The store of its home. */
  readonly store: () => Store;
  /** Processes that work in its folder and have not ended. */
  readonly processes: () => readonly string[];
  /** Ends all that was started here. */
  readonly leave: () => Promise<void>;
}

/** `also`: more of the environment. */
export function createPlace(also: (w: Workplace) => Readonly<Record<string, string>> = () => ({})): Place {
  linkPackages();
  const w = workplace();
  const children: { readonly child: ChildProcess; readonly exit: Promise<Exit> }[] = [];
  const stores: Store[] = [];

  function start(...args: readonly string[]): Started {
    const at = Date.now();
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: w.dir,
      env: { ...env, HOME: w.at('..'), USER: 'ana', ...also(w) },
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
    const idIn = () => / · run (\w+)/.exec(err)?.[1];
    const id = async () => {
      await until(() => idIn() !== undefined, 'the id of the run');
      return idIn() ?? '';
    };
    return { pid: child.pid ?? 0, kill: (signal) => void child.kill(signal), err: () => err, id, exit, at };
  }

  return {
    ...w,
    start,
    finish: (...args) => start(...args).exit,
    async freeze({ pid, kill }) {
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8');
      for (let isLocked = true; isLocked; ) {
        kill('SIGSTOP');
        await until(() => /\) T /.test(stat()), 'the stop');
        isLocked = isWriting(w.at('.toolang/runs.db'));
        if (isLocked) kill('SIGCONT');
      }
    },
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

function isWriting(file: string): boolean {
  const db = openDatabase(file, 0);
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (error instanceof Error && /locked|busy/.test(error.message)) return true;
    throw error;
  } finally {
    db.close();
  }
}

/** A test in a place of its own, so that tests may run beside each other while they wait for processes. */
export function inPlace(work: (w: Place) => Promise<void>): (context: TestContext) => Promise<void> {
  return async ({ onTestFinished }) => {
    const w = createPlace();
    onTestFinished(() => w.leave());
    await work(w);
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

/** Waits for something that must come; the limit is no measure of how long it may take. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 120_000; !holds(); ) {
    if (Date.now() > end) throw new Error(`${what} never came`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

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
