/**
 * The command line of `bwrap` (bubblewrap) for a plan. It begins with nothing and adds, so what is not named is not there.
 * 1. Later mounts lie over earlier ones: first the system, then empty places, then the workspace, then what is fixed or hidden
 *    in it.
 * 2. The command has no capabilities, sees no process but its own, and is gone when `bwrap` is.
 */
import path from 'node:path';
import { isInside } from '../../sys/index.ts';
import type { SandboxPlan } from './plan.ts';

export function bwrapLine(bwrap: string, plan: SandboxPlan, line: readonly string[]): [string, ...string[]] {
  const { workspace, home } = plan;
  return [
    bwrap,
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(plan.network ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...plan.system.flatMap((folder) =>
      folder.link === undefined ? ['--ro-bind', folder.path, folder.path] : ['--symlink', folder.link, folder.path],
    ),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
    ...(home === undefined || home === '/tmp' || plan.system.some((folder) => isInside(folder.path, home))
      ? []
      : ['--tmpfs', home]),
    ...plan.readable.flatMap((place) => ['--ro-bind', place, place]),
    ...plan.writable.flatMap((place) => ['--bind', place, place]),
    ...['--bind', workspace, workspace],
    // What is mounted cannot be renamed.
    ...plan.pinned.flatMap((place) => ['--bind', place, place]),
    ...plan.fixed.flatMap((place) => ['--ro-bind', place, place]),
    ...[...plan.withheld, ...plan.hidden].flatMap(({ path: place, isFolder }) =>
      isFolder ? ['--tmpfs', place, '--remount-ro', place] : ['--ro-bind', '/dev/null', place],
    ),
    ...['--chdir', path.posix.normalize(plan.cwd), '--', ...line],
  ];
}
