/**
 * What a command in a sandbox can see and change, before any tool of a system is told so: the workspace, the folders of the
 * system, an empty home, an empty folder for temporary files, and what the configuration adds.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isInside, samePath, systemCode } from '../../sys/index.ts';
import type { Guard } from '../filesystem/off-limits.ts';

export interface SandboxPlan {
  readonly workspace: string;
  readonly cwd: string;
  readonly home: string | undefined;
  /** Folders of the system, read only; a link is made again as one. */
  readonly system: readonly SystemFolder[];
  /** Folders and files that can be read too. */
  readonly readable: readonly string[];
  /** Outside of the workspace, and written: where git keeps the repository of a worktree. */
  readonly writable: readonly string[];
  /** Folders of the workspace that cannot be renamed, because something in them is fixed. */
  readonly pinned: readonly string[];
  /** Within all of that, what cannot be written. */
  readonly fixed: readonly string[];
  /** Not there, and not to be made: something would be read from it later. */
  readonly withheld: readonly PlannedPlace[];
  /** Within all of that, what cannot be read. */
  readonly hidden: readonly PlannedPlace[];
  readonly network: boolean;
}

export interface SystemFolder {
  readonly path: string;
  readonly link?: string;
}

export interface PlannedPlace {
  readonly path: string;
  readonly isFolder: boolean;
}

export interface PlanOptions {
  readonly workspace: string;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly network: boolean;
  /** As they are written: absolute, or from the home with `~`. */
  readonly read: readonly string[];
  /** Absolute. */
  readonly hidden: readonly string[];
  readonly guard: Guard;
  /** Whether it is there only because it is withheld from another command. */
  readonly isWithheld?: (place: string) => boolean;
}

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix'];

/** Readable for root, which commands may well run as. */
const systemSecrets = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssh'],
  ...['/etc/ssl/private', '/etc/wireguard', '/etc/kubernetes', '/etc/docker', '/etc/NetworkManager/system-connections'],
];

export function planSandbox(options: PlanOptions): SandboxPlan {
  const { workspace, cwd, home, network, read, hidden, guard } = options;
  const git = gitPlaces(workspace);
  const inWorkspace = (place: string) => isInside(place, workspace) && !samePath(place, workspace);
  const packages = guard.unwritable.filter((place) => path.basename(place) === 'node_modules' && inWorkspace(place));
  const decisive = [
    ...git.fixed,
    ...[path.join(workspace, '.toolang'), ...packages].map((place) => ({ path: place, isFolder: true })),
  ];
  const isThere = (place: PlannedPlace) => lstatOf(place.path) !== undefined && !options.isWithheld?.(place.path);
  const masked = [...systemSecrets, ...hidden, ...guard.unreadable.filter(inWorkspace)];
  return {
    workspace,
    cwd,
    home: home !== undefined && path.isAbsolute(home) && path.dirname(home) !== home ? home : undefined,
    system: systemFolders.flatMap(systemFolder),
    readable: [
      ...read.map((place) => fromHome(place, home)).filter((place) => statOf(place) !== undefined),
      ...(network ? resolverFile() : []),
    ],
    writable: git.writable,
    pinned: git.pinned,
    fixed: [
      ...decisive.filter(isThere).map((place) => place.path),
      ...guard.unwritable.filter(
        (place) => inWorkspace(place) && !packages.includes(place) && lstatOf(place) !== undefined,
      ),
    ],
    withheld: decisive.filter((place) => !isThere(place) && statOf(path.dirname(place.path))?.isDirectory()),
    hidden: masked.flatMap((place) => {
      const stats = statOf(place);
      return stats === undefined ? [] : [{ path: realpathSync(place), isFolder: stats.isDirectory() }];
    }),
    network,
  };
}

function systemFolder(folder: string): SystemFolder[] {
  const stats = lstatOf(folder);
  if (stats?.isSymbolicLink()) return [{ path: folder, link: readlinkSync(folder) }];
  return stats?.isDirectory() ? [{ path: folder }] : [];
}

/** Often a link to where a service keeps it. */
function resolverFile(): string[] {
  const file = '/etc/resolv.conf';
  if (!lstatOf(file)?.isSymbolicLink() || statOf(file) === undefined) return [];
  const real = realpathSync(file);
  return isInside(real, '/etc') ? [] : [real];
}

function fromHome(place: string, home: string | undefined): string {
  return home !== undefined && (place === '~' || place.startsWith('~/')) ? path.join(home, place.slice(1)) : place;
}

interface GitPlaces {
  readonly writable: readonly string[];
  readonly pinned: readonly string[];
  readonly fixed: readonly PlannedPlace[];
}

const noGit: GitPlaces = { writable: [], pinned: [], fixed: [] };

/**
 * Git runs hooks, and programs that its configuration names: who can write those runs them outside of the sandbox later. A
 * worktree has its repository elsewhere; it is believed only where that repository says the same, because a command could
 * have written the file that leads there.
 */
function gitPlaces(workspace: string): GitPlaces {
  const dotGit = path.join(workspace, '.git');
  const stats = lstatOf(dotGit);
  if (stats?.isDirectory()) return repositoryPlaces(dotGit);
  const own = stats?.isFile() ? /^gitdir: (.+?)\n?$/.exec(readText(dotGit) ?? '')?.[1] : undefined;
  if (own === undefined) return noGit;
  const admin = path.resolve(workspace, own);
  const back = readText(path.join(admin, 'gitdir'))?.trim();
  const common = readText(path.join(admin, 'commondir'))?.trim();
  if (back === undefined || common === undefined || !samePath(path.resolve(admin, back), dotGit)) return noGit;
  const repository = path.resolve(admin, common);
  const { pinned, fixed } = repositoryPlaces(repository);
  return {
    writable: [repository],
    pinned: [...pinned, admin],
    fixed: [
      ...fixed,
      ...[dotGit, ...['config.worktree', 'gitdir', 'commondir'].map((name) => path.join(admin, name))].map(asFile),
    ],
  };
}

function repositoryPlaces(repository: string): GitPlaces {
  const modules = path.join(repository, 'modules');
  const inner = statOf(modules)?.isDirectory() ? readdirSync(modules).map((name) => path.join(modules, name)) : [];
  const folders = [repository, ...(inner.length > 0 ? [modules, ...inner] : [])];
  const fixed = [repository, ...inner].flatMap((folder) => [
    { path: path.join(folder, 'hooks'), isFolder: true },
    ...['config', 'config.worktree'].map((name) => asFile(path.join(folder, name))),
  ]);
  return { writable: [], pinned: folders, fixed };
}

function asFile(file: string): PlannedPlace {
  return { path: file, isFolder: false };
}

function readText(file: string): string | undefined {
  return tried(() => readFileSync(file, 'utf8'));
}

function statOf(place: string): Stats | undefined {
  return tried(() => statSync(place));
}

function lstatOf(place: string): Stats | undefined {
  return tried(() => lstatSync(place));
}

function tried<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EISDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
