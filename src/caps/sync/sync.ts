/**
 * `toolang sync`: brings what is written down in the scopes of a home into their sync roots, locked and ready to run.
 * 1. Where nothing has changed, nothing is parsed, asked or written, and nothing is loaded that could do it.
 * 2. Nothing is written before all of it is known to be right and accepted: one wrong reference changes nothing.
 * 3. One process at a time changes a scope; the root is always taken before the home, so that nobody waits in a circle.
 * 4. The states are written last. Whatever is cut short before is found by the next sync, and made again.
 */
import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { prepareHome } from '../../config/index.ts';
import { inTurn, quotePath, samePath, systemCode } from '../../sys/index.ts';
import { type Diagnostic, ToolangError } from '../../text/index.ts';
import type { Resolved, Wanted } from '../resolve/target.ts';
import type { RemoteCap } from '../scope/authored.ts';
import type { Brought } from './brings.ts';
import type { Change } from './change.ts';
import { freshStates } from './fresh.ts';
import type { PartOptions } from './parts.ts';
import type { SyncRequest } from './request.ts';
import type { SyncState } from './state.ts';
import { writeTrouble } from './trouble.ts';

export interface SyncOptions extends PartOptions {
  readonly resolve: (wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, Resolved>>;
  /** Whether what references bring for the first time, or in another version, may be used. */
  readonly accept: (brought: readonly Brought[]) => Promise<boolean>;
  /** Fail where a lock would change. */
  readonly frozen?: boolean;
  /** Only look, without the network: nothing is written. */
  readonly check?: boolean;
  /** Told when another process has to be waited for. */
  readonly waiting?: (pid: number) => void;
  readonly signal?: AbortSignal;
}

export interface SyncReport {
  /** False where something is wrong, was not accepted, or, with `check`, is not up to date. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** What was changed; with `check`, what would be. */
  readonly changes: readonly Change[];
  /** References that were not accepted. */
  readonly refused?: readonly Brought[];
  /** With `check`: references that nobody has accepted yet. */
  readonly unlocked?: readonly RemoteCap[];
  readonly states: readonly SyncState[];
  /** Nothing had changed. */
  readonly isFresh: boolean;
}

export async function sync(request: SyncRequest, options: SyncOptions): Promise<SyncReport> {
  const { root, home } = request;
  if (home && samePath(home.lock, root.lock, nodePath)) throw homeIsRoot(home.dir);
  const fresh = await upToDate(request, options);
  if (fresh) return fresh;
  if (options.check) return full(request, options);
  try {
    return await inTurns(request, options);
  } catch (error) {
    throw writeTrouble(error);
  }
}

async function inTurns(request: SyncRequest, options: SyncOptions): Promise<SyncReport> {
  const { root, home } = request;
  const turn = {
    waiting: ({ pid }: { pid: number }) => options.waiting?.(pid),
    ...(options.signal && { signal: options.signal }),
  };
  const inHome = async () => {
    if (!home) return full(request, options);
    await prepareHome(home);
    await mkdir(home.sync, { recursive: true });
    // Whoever was waited for may have done it all.
    const again = async () => (await upToDate(request, options)) ?? full(request, options);
    return inTurn(nodePath.join(home.sync, '.turn'), again, turn);
  };
  // A root that is not there has nothing to be synced, and is not made for that. One that nobody may change needs no turns.
  if (!isWritable(root.dir)) return inHome();
  await mkdir(root.sync, { recursive: true });
  return inTurn(nodePath.join(root.sync, '.turn'), inHome, turn);
}

async function upToDate(request: SyncRequest, { isUpdated, toolang }: SyncOptions): Promise<SyncReport | undefined> {
  const states = isUpdated ? undefined : await freshStates(request, toolang);
  return states && { ok: true, diagnostics: [], changes: [], states, isFresh: true };
}

async function full(request: SyncRequest, options: SyncOptions): Promise<SyncReport> {
  const { syncNow } = await import('./full-sync.ts');
  return syncNow(request, options);
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) throw error;
    return false;
  }
}

/** Both would have the same lock. */
function homeIsRoot(dir: string): ToolangError {
  const help = `Put the agent in ${quotePath(nodePath.join(dir, 'agents', 'NAME'))}, or in a folder outside, or set TOOLANG_ROOT.`;
  return new ToolangError('TOO5120', `the home ${quotePath(dir)} is the Toolang root itself. ${help}`);
}
