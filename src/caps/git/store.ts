/**
 * The bare repository in the cache that keeps what was fetched of one repository, offered to any number of processes.
 * 1. It only grows, by packs that are moved into it whole: nothing in it is ever changed, so there are no locks to wait
 *    for, and whoever is killed leaves nothing half there.
 * 2. Git fetches into a repository of its own beside it (`fresh`), which nobody else sees.
 * 3. A commit comes with all its trees in one pack: where the commit is, they are.
 * 4. It has no refs, and no remote that could be asked behind our back for what is missing.
 */
import { randomBytes } from 'node:crypto';
import { type Dirent, existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../sys/index.ts';

export interface Store {
  /** The bare repository. Made where it is not there. */
  readonly open: () => Promise<string>;
  readonly isThere: () => boolean;
  /** An empty bare repository to fetch into. */
  readonly fresh: () => Promise<string>;
  /** Takes over what a fresh one has got, and removes it. */
  readonly adopt: (fresh: string) => Promise<void>;
  readonly remove: (fresh: string) => Promise<void>;
  /** Which one it is: another process may have put a new one in its place. */
  readonly mark: () => string;
  /** Throws all of it away. */
  readonly discard: () => Promise<void>;
}

/** How old a folder of a fetch is that nobody can still be working in. */
const deadMs = 24 * 60 * 60 * 1000;

/** `digits` of the ids: 40, or 64 where the repository uses SHA-256. */
export function createStore(cache: string, owner: string, repo: string, digits: number): Store {
  const ending = digits === 64 ? '.sha256.git' : '.git';
  const parent = join(cache, 'git', owner.toLowerCase());
  const place = join(parent, repo.toLowerCase() + ending);
  const temporary = temporaryFolder(cache);

  async function fresh(): Promise<string> {
    const path = join(temporary, `${repo.slice(0, 40)}-${randomBytes(6).toString('hex')}`);
    await mkdir(join(path, 'objects', 'pack'), { recursive: true });
    await mkdir(join(path, 'refs'));
    await writeFile(join(path, 'HEAD'), 'ref: refs/heads/none\n');
    const format =
      digits === 64
        ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n'
        : '\trepositoryformatversion = 0\n';
    await writeFile(join(path, 'config'), `[core]\n\tbare = true\n${format}`);
    return path;
  }

  async function open(): Promise<string> {
    if (existsSync(place)) return place;
    await mkdir(parent, { recursive: true });
    const made = await fresh();
    await rename(made, place).catch(async (error: unknown) => {
      await rm(made, { recursive: true, force: true });
      // Another process was quicker.
      if (!existsSync(place)) throw error;
    });
    return place;
  }

  return {
    open,
    isThere: () => existsSync(place),
    fresh,
    async adopt(from) {
      try {
        await movePacks(from, await open());
      } catch (error) {
        // Somebody has thrown it away meanwhile.
        if (systemCode(error) !== 'ENOENT') throw error;
        await movePacks(from, await open());
      }
      await rm(from, { recursive: true, force: true });
    },
    remove: (path) => rm(path, { recursive: true, force: true }),
    mark() {
      const stats = statSync(place, { throwIfNoEntry: false });
      return stats === undefined ? '' : `${stats.ino}:${stats.birthtimeMs}`;
    },
    async discard() {
      const aside = join(temporary, `damaged-${randomBytes(6).toString('hex')}`);
      await mkdir(temporary, { recursive: true });
      try {
        await rename(place, aside);
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return;
        throw error;
      }
      await rm(aside, { recursive: true, force: true });
    },
  };
}

async function movePacks(from: string, to: string): Promise<void> {
  const names = (await readdir(join(from, 'objects', 'pack'))).filter((name) => /^pack-[0-9a-f]+\.\w+$/.test(name));
  // A pack is there for git as soon as its index is.
  const isIndex = (name: string) => Number(name.endsWith('.idx'));
  names.sort((a, b) => isIndex(a) - isIndex(b));
  for (const name of names) {
    const place = join(to, 'objects', 'pack', name);
    // Named by what they hold.
    if (!existsSync(place)) await rename(join(from, 'objects', 'pack', name), place);
  }
}

/** Removes what killed processes left behind. */
export async function sweepStores(cache: string, now: number): Promise<void> {
  const folder = temporaryFolder(cache);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown): Dirent[] => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const { name } of entries) {
    const path = join(folder, name);
    const stats = await stat(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (stats !== undefined && now - stats.mtimeMs > deadMs) await rm(path, { recursive: true, force: true });
  }
}

function temporaryFolder(cache: string): string {
  return join(cache, 'git', '.fetching');
}
