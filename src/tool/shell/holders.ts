/**
 * Who still holds the output of a command that is gone: a process that left its group and took the mark off, but kept the pipe.
 * On Linux only: elsewhere the open files of others cannot be listed.
 */
import { readdirSync, statSync } from 'node:fs';
import { systemCode } from '../../sys/index.ts';
import type { FileIdentity } from './streams.ts';

/** Kills them, and says how many there were. */
export function endHolders(file: FileIdentity, platform = process.platform): number {
  if (platform !== 'linux') return 0;
  let ended = 0;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid || !holds(pid, file)) continue;
    if (tried(() => process.kill(pid, 'SIGKILL')) !== undefined) ended++;
  }
  return ended;
}

function holds(pid: number, { dev, ino }: FileIdentity): boolean {
  const fds = tried(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return fds.some((fd) => {
    const stat = tried(() => statSync(`/proc/${pid}/fd/${fd}`));
    return stat?.dev === dev && stat.ino === ino;
  });
}

/** Undefined: it has ended, or is not ours. */
function tried<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENXIO'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
