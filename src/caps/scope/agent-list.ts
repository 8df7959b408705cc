/** The agents of the root: residents, each in a directory of its own, and guests. */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { type HomePlaces, isUsesFile, type RootPlaces } from '../../config/index.ts';
import { systemCode } from '../../sys/index.ts';

export interface ResidentAgent {
  readonly name: string;
  /** Its home, which it may share with others. */
  readonly dir: string;
  /** Missing where the directory has no source. */
  readonly file?: string;
}

export interface GuestAgent {
  readonly name: string;
  /** That of its reference. */
  readonly hash: string;
  readonly dir: string;
}

export interface ListedAgents {
  readonly residents: readonly ResidentAgent[];
  readonly guests: readonly GuestAgent[];
}

/** By name. What may not be looked at is thrown as the system says it. */
export function listAgents(root: RootPlaces): ListedAgents {
  const residents = directories(root.agents).flatMap((name): ResidentAgent[] => {
    const dir = path.join(root.agents, name);
    const files = agentFiles(dir);
    if (files.length === 0) return [{ name, dir }];
    return files.map((file) => ({ name: residentName(file, dir), dir, file }));
  });
  const guests = directories(root.guests).flatMap((base): GuestAgent[] => {
    const [, name, hash] = /^(.+)-([^-]+)$/.exec(base) ?? [];
    return name === undefined || hash === undefined ? [] : [{ name, hash, dir: path.join(root.guests, base) }];
  });
  return { residents: residents.sort(byName), guests: guests.sort(byName) };
}

/** The `.too` files that lie directly in a directory and are agents, with their paths, by name. */
export function agentFiles(dir: string): string[] {
  return entries(dir)
    .filter((entry) => /\.too$/i.test(entry.name) && !entry.isDirectory() && !isUsesFile(entry.name, path))
    .map((entry) => path.join(dir, entry.name))
    .sort();
}

/** `agent.too` has the name of its home. */
export function residentName(file: string, home: string): string {
  const base = path.basename(file).replace(/\.too$/i, '');
  return base === 'agent' && path.dirname(file) === home ? path.basename(home) : base;
}

/**
 * The name that what is synced for an agent goes by in its home. Agents of one home may lie in several directories of it and
 * have one name there: those below the home have the directories before their names.
 */
export function agentKey({ name, file, home }: AgentInHome): string {
  if (home.kind !== 'roaming') return name;
  const within = path.relative(home.dir, file).replace(/\.too$/i, '');
  // With `--home` it may lie elsewhere.
  if (within.startsWith('..') || path.isAbsolute(within)) {
    return `${name}+${createHash('sha256').update(file).digest('hex').slice(0, 12)}`;
  }
  return within.split(path.sep).join('+');
}

export interface AgentInHome {
  readonly name: string;
  readonly file: string;
  readonly home: HomePlaces;
}

function directories(dir: string): string[] {
  return entries(dir)
    .filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
    .map((entry) => entry.name);
}

/** Of what is not there, or is no directory, none. */
function entries(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
