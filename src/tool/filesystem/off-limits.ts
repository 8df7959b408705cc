/**
 * What lies in the workspace and is still none of an agent's business: secrets, which are neither read nor written, and what
 * decides about the agent itself, which is not written. Names are compared as the most forgiving file system would: without
 * letter case, invisible characters, endings that Windows drops, and differences of normalization.
 */
import type { PlatformPath } from 'node:path';
import { isInside } from '../../sys/index.ts';

/** `look`: that it is there, and what a folder holds. */
export type Access = 'look' | 'read' | 'write';

/** Places by their absolute paths, links resolved: the ones themselves, and all below them. */
export interface Guard {
  readonly unreadable: readonly string[];
  readonly unwritable: readonly string[];
}

export const noGuard: Guard = { unreadable: [], unwritable: [] };

/** Folders whose contents are secrets. */
const secretFolders = ['.ssh', '.aws', '.gnupg', '.azure', '.kube', '.password-store'];

/** Files that hold secrets by what they are for. */
const secretFiles = [
  '.envrc',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.dockercfg',
  '.vault-token',
  '.s3cfg',
  '.boto',
  '.dev.vars',
  '.secrets',
  '.terraformrc',
  'kubeconfig',
  'application_default_credentials.json',
  '.bash_history',
  '.zsh_history',
  '.psql_history',
  '.mysql_history',
];

const secretEndings = ['.pem', '.key', '.p12', '.pfx', '.ppk', '.jks', '.keystore', '.keytab', '.kdbx'];

/** Paths of two or three parts, wherever they stand. */
const secretPaths = [
  ['.docker', 'config.json'],
  ['.config', 'gcloud'],
  ['.config', 'gh'],
  ['.cargo', 'credentials'],
  ['.cargo', 'credentials.toml'],
  ['.gem', 'credentials'],
  ['.terraform.d', 'credentials.tfrc.json'],
  ['.config', 'rclone'],
  ['.config', 'op'],
  ['.claude', '.credentials.json'],
  ['.codex', 'auth.json'],
];

/** Of git, and of its submodules below: addresses of remotes may hold a password. */
const secretsOfGit = ['config', 'config.worktree', 'credentials'];

/** What of `.toolang` was written by people: it may be read, so that an agent can explain itself. */
const writtenState = ['config.toml', 'agents.too', '.gitignore', 'psyches', 'skills', 'services', 'prompts'];

/** As messages, the docs and the lists of files say it. */
export const offLimitsWords = 'off limits';

/**
 * Why it is refused, or undefined. `parts` is a path from the workspace, `real` the same as an absolute one.
 * `.env` and such are known by name wherever they lie; the guard knows places.
 */
export function offLimits(
  parts: readonly string[],
  real: string,
  access: Access,
  guard: Guard,
  path: PlatformPath,
): string | undefined {
  const names = parts.map(folded);
  const secret = secretIn(names);
  if (secret !== undefined) return secret;
  const state = names.indexOf('.toolang');
  if (state !== -1) {
    const below = names[state + 1];
    if (below !== undefined && !writtenState.includes(below)) return 'it is state of Toolang';
    if (access === 'write') return 'it decides what agents are and may do';
  }
  if (access === 'write' && names.includes('.git')) return 'what git keeps is not written by hand';
  if (within(real, guard.unreadable, path)) return 'it is state of Toolang';
  if (access === 'write' && within(real, guard.unwritable, path)) return 'it decides what this agent is and may do';
  return undefined;
}

function secretIn(names: readonly string[]): string | undefined {
  for (const [i, name] of names.entries()) {
    if (secretFolders.includes(name)) return `"${name}" holds keys`;
    if (isSecretFile(name)) return 'it may hold secrets';
    if (isShortName(name)) return 'it may be the short name of something that is';
    if (secretPaths.some((path) => path.every((part, k) => names[i + k] === part))) return 'it may hold secrets';
  }
  const inGit = names.includes('.git') && names.some((name) => secretsOfGit.includes(name));
  return inGit ? 'it may hold secrets' : undefined;
}

function isSecretFile(given: string): boolean {
  const name = withoutCopy(given);
  if (isEnvName(name)) return true;
  if (/^id_(rsa|dsa|ecdsa|ed25519|xmss)/.test(name)) return !name.endsWith('.pub');
  return secretFiles.includes(name) || secretEndings.some((ending) => name.endsWith(ending));
}

/** `.env`, `.env.local`, `prod.env`, and copies of them; not one that is there to be filled in. */
export function isEnvFile(name: string): boolean {
  return isEnvName(withoutCopy(folded(name)));
}

function isEnvName(name: string): boolean {
  if (/^\.env([._-]|$)/.test(name)) return !/[._-](example|sample|template|dist)$/.test(name);
  return name.endsWith('.env') && !/^(example|sample|template|dist)\.env$/.test(name);
}

/** What editors and people leave beside a file holds what it held: `.env~`, `#.env#`, `..env.swp`, `server.key.bak`. */
function withoutCopy(name: string): string {
  const plain = name.replace(/^#(.+)#$/, '$1').replace(/^\.(\..+)\.sw[a-z]$/, '$1');
  return plain.replace(/(?:~|\.(?:bak|backup|old|orig|save|copy|tmp|rej|\d+))+$/, '') || plain;
}

/** `GIT~1` and such: what old Windows programs call `.git`, as a file system may still do. */
function isShortName(name: string): boolean {
  return /^(git|env|envrc|ssh|aws|gnupg|azure|kube|netrc|npmrc|pypirc|gitcre|toolan)~[0-9]+$/.test(name);
}

/** Two names that some file system takes for one are the same here. */
export function folded(name: string): string {
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const stream = visible.indexOf(':');
  const plain = stream > 0 ? visible.slice(0, stream) : visible;
  let end = plain.length;
  while (end > 0 && (plain[end - 1] === '.' || plain[end - 1] === ' ')) end--;
  // By way of the upper case: a long s becomes an s.
  return plain.slice(0, end).toUpperCase().toLowerCase();
}

function within(real: string, places: readonly string[], path: PlatformPath): boolean {
  const at = real.toLowerCase();
  return places.some((place) => isInside(at, place.toLowerCase(), path));
}
