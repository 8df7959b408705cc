/** What standard input, output and error are. */
import { fstatSync, type Stats, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';

/**
 * Node's own answer comes with all that it has for the network: what is no device need not ask. `nothing` is `/dev/null`, which
 * programs give to others that they start.
 */
export function kindOf(fd: number): 'terminal' | 'nothing' | 'other' {
  if (process.platform !== 'win32') {
    const stats = statsOf(fd);
    if (!stats?.isCharacterDevice()) return 'other';
    const nothing = statSync(devNull, { throwIfNoEntry: false });
    if (nothing?.dev === stats.dev && nothing.ino === stats.ino) return 'nothing';
  }
  return isatty(fd) ? 'terminal' : 'other';
}

function statsOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    // Closed.
    return undefined;
  }
}
