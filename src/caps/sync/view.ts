/**
 * The prepared view of a root or of a resident agent: `.caps/inline`, `.caps/ref` and `.caps/wired`, made of links into the
 * sync roots, or of copies where links are not possible. It is generated, for people and tools that look: nothing reads it
 * back.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../sys/index.ts';
import type { SyncedCap } from './synced.ts';
import { placeOf } from './synced.ts';
import { differenceAt, listTree } from './tree.ts';

/** As `symlink` of Node; for tests. */
export type Link = (target: string, at: string, type: 'dir' | 'file') => Promise<void>;

/** Of two in one place the first is shown. A view without caps is not made. */
export async function buildView(view: string, caps: readonly SyncedCap[], link: Link = symlink): Promise<void> {
  const shown = new Map<string, SyncedCap>();
  for (const cap of caps) {
    const place = placeOf(cap).join('/');
    if (cap.form !== 'file' && !shown.has(place)) shown.set(place, cap);
  }
  // A link or a file in its place is not ours to fill, nor is what it leads to.
  const stats = lstatSync(view, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) await rm(view, { force: true });
  await removeOthers(view, shown);
  for (const [place, cap] of shown) await show(path.join(view, ...place.split('/')), cap, link);
}

async function show(at: string, { path: target, kind, files }: SyncedCap, link: Link): Promise<void> {
  const isDirectory = kind === 'skill';
  if (linkAt(at) === path.relative(path.dirname(at), target)) return;
  if (linkAt(at) === undefined && differenceAt(at, files, isDirectory) === undefined) return;
  await rm(at, { recursive: true, force: true });
  await mkdir(path.dirname(at), { recursive: true });
  try {
    await link(path.relative(path.dirname(at), target), at, isDirectory ? 'dir' : 'file');
  } catch (error) {
    // Windows lets only some users make links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(systemCode(error) ?? '')) throw error;
    await cp(target, at, { recursive: true });
  }
}

function linkAt(at: string): string | undefined {
  try {
    return readlinkSync(at);
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'ENOTDIR', 'UNKNOWN'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function removeOthers(view: string, shown: ReadonlyMap<string, SyncedCap>): Promise<void> {
  const found = listTree(view);
  if (found === undefined) return;
  if (shown.size === 0) {
    await rm(view, { recursive: true, force: true });
    return;
  }
  for (const name of [...found.files, ...found.odd]) {
    const place = name.split('/').slice(0, 3).join('/');
    if (!shown.has(place)) await rm(path.join(view, ...place.split('/')), { recursive: true, force: true });
  }
}
