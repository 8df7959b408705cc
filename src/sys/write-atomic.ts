/**
 * Replaces a file whole or not at all: a temporary file in the same directory, flushed, then renamed over the target.
 * Keeps the target's mode, writes through a link to what it points at (unless it may not), and leaves no temporary file
 * behind.
 */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, lstat, open, readlink, realpath, rename, unlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { type Clock, realClock } from './clock.ts';
import { type FailureKind, failure, isFailure, quotePath, type SysFailure, systemCode } from './failure.ts';

export interface WriteOptions {
  /** Of a file that is new; the one that is there keeps its own. */
  readonly mode?: number;
  /** False: the path is taken as it is. A link in its place is refused, and its directory is not looked up again. */
  readonly follow?: boolean;
  /** What messages call it, for the path. */
  readonly name?: string;
  /** For tests. */
  readonly clock?: Clock;
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Promise<void>;
}

const renameAttempts = 10;

export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  try {
    const target = options.follow === false ? await plainTarget(path, options) : await resolveTarget(path);
    await replace(target.path, target.mode, data, options);
  } catch (error) {
    throw asFailure(options.name ?? path, error);
  }
}

interface Target {
  readonly path: string;
  /** Undefined when there is no file yet. */
  readonly mode: number | undefined;
}

/** Follows links by hand, because the last one may point at a file that is still to be made. */
async function resolveTarget(path: string): Promise<Target> {
  let at = nodePath.resolve(path);
  for (let links = 0; links < 40; links++) {
    at = nodePath.join(await realpath(nodePath.dirname(at)), nodePath.basename(at));
    const stats = await lstat(at).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (!stats) return { path: at, mode: undefined };
    if (stats.isSymbolicLink()) {
      at = nodePath.resolve(nodePath.dirname(at), await readlink(at));
      continue;
    }
    return existingTarget(at, path, stats);
  }
  throw failure('loop', `${quotePath(path)} cannot be written: its links lead in a circle.`);
}

async function plainTarget(path: string, options: WriteOptions): Promise<Target> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  return stats ? existingTarget(path, options.name ?? path, stats) : { path, mode: undefined };
}

async function existingTarget(path: string, name: string, stats: Stats): Promise<Target> {
  if (stats.isDirectory()) throw failure('directory', `${quotePath(name)} is a directory, not a file.`);
  if (!stats.isFile()) throw failure('not-a-file', `${quotePath(name)} is not a file, and is not replaced by one.`);
  // To rename over a file only takes a writable directory; one its owner made read-only is still left alone.
  await access(path, constants.W_OK);
  return { path, mode: stats.mode & 0o7777 };
}

async function replace(
  target: string,
  keptMode: number | undefined,
  data: string | Uint8Array,
  options: WriteOptions,
): Promise<void> {
  const directory = nodePath.dirname(target);
  const mark = randomBytes(6).toString('hex');
  const temporary = nodePath.join(directory, `.${nodePath.basename(target).slice(0, 40)}.${mark}.tmp`);
  const handle = await open(temporary, 'wx', keptMode === undefined ? (options.mode ?? 0o666) : 0o600);
  try {
    try {
      await handle.writeFile(data);
      if (keptMode !== undefined) await handle.chmod(keptMode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameWithRetry(temporary, target, options);
  } catch (error) {
    await unlink(temporary).catch((second: unknown) => {
      if (systemCode(second) !== 'ENOENT') throw new AggregateError([error, second], messageOf(error));
    });
    throw error;
  }
  await syncDirectory(directory, options.platform ?? process.platform);
}

/** On Windows a virus scanner or an editor may hold either file for a moment. */
async function renameWithRetry(from: string, to: string, options: WriteOptions): Promise<void> {
  const platform = options.platform ?? process.platform;
  const clock = options.clock ?? realClock;
  const passing = platform === 'win32' ? ['EPERM', 'EBUSY', 'EACCES'] : ['EBUSY'];
  for (let attempt = 1; ; attempt++) {
    try {
      return await (options.rename ?? rename)(from, to);
    } catch (error) {
      if (attempt >= renameAttempts || !passing.includes(systemCode(error) ?? '')) throw error;
      await clock.sleep(10 * attempt);
    }
  }
}

/** The new name is on disk only when its directory is. Windows cannot flush directories; some file systems refuse. */
async function syncDirectory(directory: string, platform: NodeJS.Platform): Promise<void> {
  if (platform === 'win32') return;
  let handle: Awaited<ReturnType<typeof open>> | undefined;
  try {
    handle = await open(directory, 'r');
    await handle.sync();
  } catch (error) {
    if (!['EINVAL', 'EISDIR', 'ENOTSUP', 'EACCES', 'EPERM', 'EBADF'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

function asFailure(path: string, error: unknown): SysFailure {
  if (isFailure(error)) return error;
  const [kind, reason] = reasons[systemCode(error) ?? ''] ?? (['other', messageOf(error)] as const);
  return failure(kind, `${quotePath(path)} cannot be written: ${reason}.`, error);
}

const reasons: Readonly<Record<string, readonly [FailureKind, string]>> = {
  ENOENT: ['missing', 'its directory does not exist'],
  ENOTDIR: ['missing', 'a part of its path is a file'],
  EACCES: ['denied', 'permission denied'],
  EPERM: ['denied', 'permission denied'],
  EROFS: ['denied', 'the file system is read-only'],
  ENOSPC: ['full', 'the disk is full'],
  EDQUOT: ['full', 'the disk quota is used up'],
  ELOOP: ['loop', 'its links lead in a circle'],
  EBUSY: ['other', 'another program holds it'],
};

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split(/[\r\n]/, 1)[0] ?? '';
}
