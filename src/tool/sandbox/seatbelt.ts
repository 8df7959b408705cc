/**
 * The profile and the command line of macOS's `sandbox-exec` for a plan. The last rule that fits decides, so what is fixed or
 * hidden stands at the end. `tmp` takes the place of the home and of the folder for temporary files.
 */
import type { SandboxPlan } from './plan.ts';

/** What programs of the system and of the usual installers need to start. */
const systemPlaces = [
  ...[
    '/bin',
    '/sbin',
    '/usr',
    '/System',
    '/Library/Frameworks',
    '/Library/Developer',
    '/Library/Apple',
    '/opt',
    '/etc',
  ],
  ...[
    '/private/etc',
    '/private/var/db/dyld',
    '/private/var/db/timezone',
    '/private/var/select',
    '/Applications/Xcode.app',
  ],
  ...['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/fd'],
];

export function seatbeltProfile(plan: SandboxPlan, tmp: string): string {
  const below = (places: readonly string[]) => places.map((place) => `  (subpath ${quoted(place)})`).join('\n');
  const rule = (what: string, places: readonly string[]) =>
    places.length === 0 ? [] : [`(${what}\n${below(places)})`];
  const { fixed, withheld, hidden } = plan;
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/"))',
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    ...rule('allow file-read*', [...systemPlaces, ...plan.readable]),
    ...rule('allow file-read* file-write*', [plan.workspace, ...plan.writable, tmp]),
    ...(plan.network ? ['(allow network*)', '(allow mach-lookup (global-name "com.apple.trustd.agent"))'] : []),
    ...rule('deny file-write*', [...fixed, ...withheld.map((place) => place.path)]),
    ...rule(
      'deny file-read* file-write*',
      hidden.map((place) => place.path),
    ),
    '',
  ].join('\n');
}

export function seatbeltLine(
  program: string,
  plan: SandboxPlan,
  tmp: string,
  line: readonly string[],
): [string, ...string[]] {
  return [program, '-p', seatbeltProfile(plan, tmp), ...line];
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
