/**
 * When a process was started, as the system tells it: pids are used again, a pid with its start is one process. Known
 * exactly on Linux, to the second on macOS, and as PowerShell tells it on Windows, which takes a while there.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { failure, systemCode } from './failure.ts';

/** What is asked of the system; for tests. */
export interface ProcessHost {
  readonly platform: NodeJS.Platform;
  /** Throws as `fs` does. */
  readonly read: (file: string) => string;
  readonly readLink: (file: string) => string;
  /** What a command printed, undefined if it failed. */
  readonly output: (command: string, args: readonly string[]) => string | undefined;
}

const realHost: ProcessHost = {
  platform: process.platform,
  read: (file) => readFileSync(file, 'utf8'),
  readLink: readlinkSync,
  output(command, args) {
    // The same text in every place and season.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const ran = spawnSync(command, [...args], { encoding: 'utf8', env, windowsHide: true, timeout: 20_000 });
    if (ran.error) throw failure('other', `${command} could not be run: ${ran.error.message}.`, ran.error);
    return ran.status === 0 ? ran.stdout : undefined;
  },
};

let known: string | undefined;

/** How Linux names the pids that a process can see, at the end of a boot id. */
const pidSpace = / pid:\[\d+\]$/;

/**
 * Changes when the machine is started again, and is another one where pids mean other processes, as in a container: only
 * under one boot id can a pid be looked up.
 */
export function bootId(host: ProcessHost = realHost): string {
  if (host !== realHost) return readBootId(host);
  known ??= readBootId(host);
  return known;
}

/** Whether two boot ids are of one start of one machine: pids may still mean other processes, as in a container. */
export function isSameBoot(a: string, b: string): boolean {
  return a.replace(pidSpace, '') === b.replace(pidSpace, '');
}

/**
 * A text that no other process has, before or after, on this machine. Undefined: there is no such process, or it is dead
 * and only waits to be collected; its children, and a group that it led, may still be there.
 */
export function processStart(pid: number, host: ProcessHost = realHost): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const start = readStart(pid, host);
  return start === undefined ? undefined : `${bootId(host)} ${start}`;
}

/** Whether the process that had this pid, and was started then, is still running. */
export function isSameProcess(pid: number, started: string, host: ProcessHost = realHost): boolean {
  return processStart(pid, host) === started;
}

function readStart(pid: number, host: ProcessHost): string | undefined {
  if (host.platform === 'linux') return linuxStart(pid, host);
  if (host.platform === 'win32') {
    const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`;
    return powershell(script, host) || undefined;
  }
  // The state comes first: "Z" is dead.
  const line = host.output('ps', ['-o', 'stat=,lstart=', '-p', String(pid)])?.trim() ?? '';
  return /^[^Z\s]\S*\s+(\S.*)$/.exec(line)?.[1];
}

function linuxStart(pid: number, host: ProcessHost): string | undefined {
  let stat: string;
  try {
    stat = host.read(`/proc/${pid}/stat`);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ESRCH') return undefined;
    throw error;
  }
  // The name in parentheses may hold anything: the fields are counted from its end, where the third begins.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[22 - 3];
}

function readBootId(host: ProcessHost): string {
  if (host.platform === 'linux') {
    const boot = host.read('/proc/sys/kernel/random/boot_id').trim();
    return `${boot} ${host.readLink('/proc/self/ns/pid')}`;
  }
  const id =
    host.platform === 'win32'
      ? powershell('(Get-CimInstance Win32_OperatingSystem).LastBootUpTime.ToUniversalTime().Ticks', host)
      : host.output('sysctl', ['-n', host.platform === 'darwin' ? 'kern.bootsessionuuid' : 'kern.boottime'])?.trim();
  if (!id) throw failure('other', `the system (${host.platform}) does not tell when it was started.`);
  return id;
}

function powershell(script: string, host: ProcessHost): string | undefined {
  return host.output('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script])?.trim();
}
