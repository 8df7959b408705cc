/**
 * The homes that hold runs, remembered in `homes.json` of the root, so that a run is found from any directory; and the
 * `.toolang` folder of a home, made when it is first needed.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { inTurn, quotePath, readTextFile, systemCode, writeFileAtomic } from '../sys/index.ts';
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

/** Makes `.toolang`, with a `.gitignore` where it has none. */
export async function prepareHome({ state, ignore }: HomePlaces): Promise<void> {
  if (existsSync(ignore)) return;
  await mkdir(state, { recursive: true });
  // Whole or not at all: half of it would let into git what does not belong there. All write the same, so one name will do,
  // and whoever comes after one that was killed leaves nothing of it.
  const fresh = `${ignore}.new`;
  await writeFile(fresh, ignored);
  try {
    await rename(fresh, ignore);
  } catch (error) {
    // Another one was faster.
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Remembers the store of a home, or the one that `--store` names. A file that is broken, or of a newer toolang, is left as
 * it is, and what it says that we do not know is kept: gives why the store is not remembered.
 */
export async function rememberStore({ dir, homes }: RootPlaces, store: string): Promise<string | undefined> {
  if ((await readHomes(homes)).stores.includes(store)) return undefined;
  await mkdir(dir, { recursive: true });
  // Two processes that remember at once would undo each other.
  return inTurn(`${homes}.lock`, async () => {
    const { value, stores, problem } = await readHomes(homes);
    if (stores.includes(store)) return undefined;
    if (problem !== undefined) return problem;
    const { version = 1, stores: listed = [], ...rest } = value;
    if (version !== 1) return `${quotePath(homes)} was written by a newer toolang.`;
    const next = { version: 1, stores: [...listed, store], ...rest };
    await writeFileAtomic(homes, `${JSON.stringify(next, null, 2)}\n`);
    return undefined;
  });
}

export async function knownStores(homes: string): Promise<KnownStores> {
  const { stores, problem } = await readHomes(homes);
  return problem === undefined ? { stores } : { stores, problem };
}

interface Homes extends KnownStores {
  /** All that the file says. */
  readonly value: { readonly version?: unknown; readonly stores?: readonly unknown[] };
}

async function readHomes(homes: string): Promise<Homes> {
  const none = { stores: [], value: {} };
  const read = await readTextFile(homes);
  if (!read.ok) return read.problem.kind === 'missing' ? none : { ...none, problem: read.problem.message };
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    return { ...none, problem: `${quotePath(homes)} is not JSON: mend it, or delete it.` };
  }
  const stores = typeof value === 'object' && value !== null && 'stores' in value ? value.stores : undefined;
  if (!Array.isArray(stores)) return { ...none, problem: `${quotePath(homes)} has no list "stores".` };
  return { value: value as Homes['value'], stores: [...new Set(stores.filter((store) => typeof store === 'string'))] };
}
