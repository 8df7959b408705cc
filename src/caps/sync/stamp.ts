/**
 * How a file or directory was when it was last looked at: enough to know, without reading it, that nothing has changed.
 * The time of the last change of the inode is part of it, which nobody can set back.
 */
import { lstatSync } from 'node:fs';
import { systemCode } from '../../sys/index.ts';

/** `null`: there is nothing there. */
export type Stamp = string | null;

/** Paths with their stamps. */
export type Stamps = Readonly<Record<string, Stamp>>;

export function stampOf(path: string): Stamp {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return null;
    const { mode, size, mtimeNs, ctimeNs, ino } = stats;
    // What lies in a directory is part of its time; its size depends on the file system.
    return [mode, stats.isDirectory() ? 0 : size, mtimeNs, ctimeNs, ino].map((part) => part.toString(36)).join('.');
  } catch (error) {
    // A part of its path is a file, or may not be looked into: then there is nothing for us either.
    if (['ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

export function stampAll(paths: Iterable<string>): Stamps {
  const stamps: Record<string, Stamp> = {};
  for (const path of paths) stamps[path] = stampOf(path);
  return stamps;
}

/** The first path that is not as it was. */
export function changedSince(stamps: Stamps): string | undefined {
  for (const path in stamps) if (stampOf(path) !== stamps[path]) return path;
  return undefined;
}
