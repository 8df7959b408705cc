/**
 * What a sync leaves for one agent: how everything was that went into it and came out of it, the compiled program, and
 * the caps of each scope with their exact targets. As long as nothing has changed, nothing is parsed or asked again.
 */
import { readTextFile, writeFileAtomic } from '../../sys/index.ts';
import { type Scope, scopes } from '../scope/scope.ts';
import { changedSince, type Stamps } from './stamp.ts';
import type { SyncedCap } from './synced.ts';

export interface SyncState {
  readonly version: 1;
  /** The toolang that wrote it: another one may compile otherwise. */
  readonly toolang: string;
  readonly agent: string;
  /** The `.too` file. */
  readonly source: string;
  /** The directory of the root that it was synced with. */
  readonly root: string;
  /** Inputs and outputs, as they were. */
  readonly stamps: Stamps;
  /** As the compiler gave it. */
  readonly program: unknown;
  readonly caps: Readonly<Record<Scope, readonly SyncedCap[]>>;
}

/** Undefined if there is none, or none that this toolang can use: then it is made anew. */
export async function readState(file: string, toolang: string): Promise<SyncState | undefined> {
  const read = await readTextFile(file, { maxBytes: 256 * 1024 * 1024 });
  if (!read.ok) return undefined;
  try {
    const state = JSON.parse(read.text) as SyncState;
    return state?.version === 1 && state.toolang === toolang && isWhole(state) ? state : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeState(file: string, state: SyncState): Promise<void> {
  await writeFileAtomic(file, JSON.stringify(state));
}

/** The first thing that has changed since. */
export function staleness(state: SyncState | undefined): string | undefined {
  return state === undefined ? 'it was never synced' : changedSince(state.stamps);
}

function isWhole({ stamps, caps }: SyncState): boolean {
  return typeof stamps === 'object' && stamps !== null && scopes.every((scope) => Array.isArray(caps?.[scope]));
}
