/**
 * The homes that hold runs, remembered in `homes.json` of the root, so that a run is found from any directory; and the
 * `.toolang` folder of a home, made when it is first needed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { readTextFile, systemCode, writeFileAtomic } from '../sys/index.ts';
import type { HomePlaces, RootPlaces } from './places.ts';

/** The files of stores, each once. */
export interface KnownStores {
  readonly stores: readonly string[];
  /** Why `homes.json` could not be read, if it could not. */
  readonly problem?: string;
}

/** What runs leave behind stays out of git; what people write does not. */
const ignored = [
  '# What runs leave behind stays out of git; the configuration and the caps do not.',
  '/*',
  '!/.gitignore',
  '!/config.toml',
  '!/agents.too',
  '!/psyches/',
  '!/skills/',
  '!/services/',
  '!/prompts/',
  '',
].join('\n');

/** Two processes that remember at once may undo each other, so it is looked at again. */
const tries = 5;

/** Makes `.toolang`, with a `.gitignore` where it has none. */
export async function prepareHome({ state, ignore }: HomePlaces): Promise<void> {
  await mkdir(state, { recursive: true });
  try {
    await writeFile(ignore, ignored, { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Remembers the store of a home, or the one that `--store` names. */
export async function rememberStore({ dir, homes }: RootPlaces, store: string): Promise<void> {
  for (let i = 0; i < tries; i++) {
    const { stores } = await knownStores(homes);
    if (stores.includes(store)) return;
    await mkdir(dir, { recursive: true });
    await writeFileAtomic(homes, `${JSON.stringify({ version: 1, stores: [...stores, store] }, null, 2)}\n`);
  }
}

export async function knownStores(homes: string): Promise<KnownStores> {
  const read = await readTextFile(homes);
  if (!read.ok) return read.problem.kind === 'missing' ? { stores: [] } : { stores: [], problem: read.problem.message };
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    return { stores: [], problem: `"${homes}" is not JSON.` };
  }
  const stores = typeof value === 'object' && value !== null && 'stores' in value ? value.stores : undefined;
  if (!Array.isArray(stores)) return { stores: [], problem: `"${homes}" has no list "stores".` };
  return { stores: [...new Set(stores.filter((store) => typeof store === 'string'))] };
}
