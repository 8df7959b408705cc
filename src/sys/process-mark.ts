/**
 * A mark that the children of a process carry in their environment, so that those are found that left its group (`setsid`,
 * a detached spawn). Made of the process's id and start, so whoever knows these knows the mark. On Linux only: elsewhere the
 * environment of another process cannot be read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { systemCode } from './failure.ts';
import { bootId, processStart } from './process-start.ts';

/** The variable that a process sets for its children. */
export const markName = 'TOOLANG_HOST';

/** Undefined where there are no marks, and for a process that is gone and whose start is not known. */
export function processMark(pid: number, started?: string, platform = process.platform): string | undefined {
  if (platform !== 'linux') return undefined;
  const start = started ?? processStart(pid);
  return start === undefined ? undefined : `${pid} ${start}`;
}

/**
 * Of a process that was so short that its start cannot be told any more: whichever had its id. Undefined where there are no
 * marks.
 */
export function markOfAny(pid: number, platform = process.platform): string | undefined {
  return platform === 'linux' ? `${pid} ${bootId()}` : undefined;
}

/**
 * Tells its own mark to all that it starts, and becomes the command: who it is, is known to it only once it runs. The start of
 * a process is the 20th word behind its name.
 */
const marking = `toolang_boot=$1; shift
read -r toolang_stat < /proc/$$/stat
toolang_at=0
for toolang_word in \${toolang_stat##*) }; do
  toolang_at=$((toolang_at + 1))
  if [ $toolang_at = 20 ]; then export ${markName}="$$ $toolang_boot $toolang_word"; break; fi
done
exec "$@"`;

/** A command that carries its own mark, where there are marks: a program by its path, and its arguments. */
export function markedLine(
  line: readonly [string, ...string[]],
  platform = process.platform,
): readonly [string, ...string[]] {
  return platform === 'linux' ? ['/bin/sh', '-c', marking, 'sh', bootId(), ...line] : line;
}

export interface MarkedProcess {
  readonly pid: number;
  readonly group: number;
}

/** Of the processes that we may look into, dead ones left out. A mark without the start (the boot alone) finds every start. */
export function markedProcesses(mark: string): readonly MarkedProcess[] {
  const found: MarkedProcess[] = [];
  const wanted = Buffer.from(`${markName}=${mark}`);
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isSafeInteger(pid) || pid === process.pid) continue;
    const environment = readOf(pid, 'environ');
    if (environment === undefined || !holds(environment, wanted)) continue;
    const stat = readOf(pid, 'stat')?.toString() ?? '';
    // The name in parentheses may hold anything: the fields are counted from its end.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state !== undefined && group !== undefined && !/^[ZX]?$/.test(state)) found.push({ pid, group: Number(group) });
  }
  return found;
}

function holds(environment: Buffer, wanted: Buffer): boolean {
  for (let at = environment.indexOf(wanted); at !== -1; at = environment.indexOf(wanted, at + 1)) {
    const before = at === 0 ? 0 : environment[at - 1];
    const after = environment[at + wanted.length] ?? 0;
    if (before === 0 && (after === 0 || after === 0x20)) return true;
  }
  return false;
}

/** Undefined: it has ended, or is not ours. */
function readOf(pid: number, what: 'environ' | 'stat'): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${what}`);
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
