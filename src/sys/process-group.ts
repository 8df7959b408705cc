/**
 * Child processes that can be ended with everything they started. On POSIX a child leads its own process group; on
 * Windows `taskkill /T` walks the tree. What left its group is found by the mark of whoever started it, where there is one.
 */
import { type ChildProcess, execFile, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { type Clock, realClock } from './clock.ts';
import { commandLine } from './command-line.ts';
import { failure, systemCode } from './failure.ts';
import { markedProcesses } from './process-mark.ts';

export type GroupSpawnOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'> & { readonly platform?: NodeJS.Platform };

export interface EndOptions {
  /** How long it may take to be gone by itself before it is told to end. */
  readonly waitMs?: number;
  /** How long a group may take to end by itself after SIGTERM. */
  readonly graceMs?: number;
  /** Ends also what carries this mark (`process-mark.ts`), wherever it is: all processes are looked at for that. */
  readonly mark?: string | undefined;
  readonly clock?: Clock;
  /** For tests. */
  readonly platform?: NodeJS.Platform;
  readonly kill?: (pid: number, signal: NodeJS.Signals | 0) => void;
  readonly taskkill?: (args: readonly string[]) => Promise<void>;
}

/** `gone`: nothing was left to end. `ended`: after SIGTERM. `killed`: it took SIGKILL. */
export type EndResult = 'gone' | 'ended' | 'killed';

/** `file` is a path on Windows (`findCommand`). No shell reads the arguments. */
export function spawnGroup(file: string, args: readonly string[], options: GroupSpawnOptions = {}): ChildProcess {
  const { platform = process.platform, ...rest } = options;
  const built = commandLine(file, args, platform, process.env.ComSpec);
  if (!built.ok) throw failure('other', built.message);
  return spawn(built.line.file, built.line.args, {
    ...rest,
    detached: platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: built.line.verbatim,
  });
}

/** Ends the group led by `pid`, which must be one that `spawnGroup` started. */
export async function endGroup(pid: number, options: EndOptions = {}): Promise<EndResult> {
  refuseForeign(pid);
  const clock = options.clock ?? realClock;
  const { platform = process.platform, graceMs = 2000 } = options;
  const group = platform === 'win32' ? windowsGroup(pid, options) : posixGroup(pid, platform, options);
  if (!group.alive()) return 'gone';
  if (options.waitMs !== undefined && (await isGoneWithin(options.waitMs, group, clock))) return 'gone';
  await group.ask();
  if (await isGoneWithin(graceMs, group, clock)) return 'ended';
  await group.force();
  // What was started meanwhile, outside of the group, was not killed with the others.
  if (await isGoneWithin(killMs, group, clock, options.mark === undefined ? undefined : group.force)) return 'killed';
  throw failure('stuck', `the processes of group ${pid} did not end, not even by SIGKILL.`);
}

/**
 * Kills the group at once, and what carries the mark: for the end of our own process, when nothing can be waited for any more.
 */
export function killGroup(pid: number, mark?: string): void {
  refuseForeign(pid);
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  const outside = mark === undefined ? [] : markedProcesses(mark).filter(({ group }) => group !== pid);
  for (const target of [-pid, ...outside.map((each) => each.pid)]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch (error) {
      if (systemCode(error) !== 'ESRCH') throw error;
    }
  }
}

/** Signals to -1 and 0 reach every process of the user, and our own group. */
function refuseForeign(pid: number): void {
  if (Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid) return;
  throw failure('bad-pid', `${pid} is not the id of a process group that may be ended.`);
}

const killMs = 5000;

interface Group {
  alive(): boolean;
  ask(): Promise<void>;
  force(): Promise<void>;
}

async function isGoneWithin(ms: number, group: Group, clock: Clock, again?: Group['force']): Promise<boolean> {
  const deadline = clock.now() + ms;
  for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
    if (!group.alive()) return true;
    const left = deadline - clock.now();
    if (left <= 0) return false;
    await clock.sleep(Math.min(wait, left));
    await again?.();
  }
}

function posixGroup(pid: number, platform: NodeJS.Platform, options: EndOptions): Group {
  const kill = options.kill ?? process.kill.bind(process);
  const outside = () =>
    options.mark === undefined ? [] : markedProcesses(options.mark).filter((p) => p.group !== pid);
  const sendTo = (target: number, signal: NodeJS.Signals) => {
    try {
      kill(target, signal);
    } catch (error) {
      if (systemCode(error) === 'ESRCH') return;
      throw failure('denied', `the processes of group ${pid} may not be ended: ${systemCode(error)}.`, error);
    }
  };
  const send = async (signal: NodeJS.Signals) => {
    const others = outside();
    sendTo(-pid, signal);
    for (const other of others) sendTo(other.pid, signal);
  };
  return {
    alive() {
      return isGroupAlive() || outside().length > 0;
    },
    ask: () => send('SIGTERM'),
    force: () => send('SIGKILL'),
  };

  function isGroupAlive(): boolean {
    try {
      kill(-pid, 0);
    } catch (error) {
      if (systemCode(error) === 'ESRCH') return false;
      // macOS answers so when only dead members are left.
      if (systemCode(error) === 'EPERM') return platform !== 'darwin';
      throw error;
    }
    return !(platform === 'linux' && options.kill === undefined && onlyZombies(pid));
  }
}

/**
 * Dead members that nobody has waited for still answer to signals, for ever where process 1 does not wait for orphans,
 * as in many containers.
 */
function onlyZombies(group: number): boolean {
  let members = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    let stat: string;
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch (error) {
      if (['ENOENT', 'ESRCH', 'EACCES'].includes(systemCode(error) ?? '')) continue; // It ended while we looked.
      throw error;
    }
    // The name in parentheses may hold anything: the fields are counted from its end.
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(pgrp) !== group) continue;
    if (state !== 'Z' && state !== 'X') return false;
    members++;
  }
  return members > 0;
}

function windowsGroup(pid: number, options: EndOptions): Group {
  const kill = options.kill ?? process.kill.bind(process);
  const taskkill = options.taskkill ?? runTaskkill;
  return {
    alive() {
      try {
        kill(pid, 0);
        return true;
      } catch (error) {
        if (systemCode(error) === 'ESRCH') return false;
        if (systemCode(error) === 'EPERM') return true;
        throw error;
      }
    },
    ask: () => taskkill(['/PID', String(pid), '/T']),
    force: () => taskkill(['/PID', String(pid), '/T', '/F']),
  };
}

/** Its exit code says only that some process did not listen; whether the group is gone is looked at afterwards. */
function runTaskkill(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('taskkill', [...args], { windowsHide: true }, (error) => {
      if (error && systemCode(error) === 'ENOENT') reject(failure('other', 'taskkill was not found.', error));
      else resolve();
    });
  });
}
