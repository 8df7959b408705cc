/**
 * Small trees of files: the content of one cap, how it is compared with what lies on the disk, and how it gets there.
 * 1. A tree is written beside its place and moved there whole: whoever looks finds the old one or the new one; only where a
 *    directory is replaced there is a moment without, which the next sync mends if it is cut short.
 * 2. What lies there is the same only if every file is, and nothing else is there: no other file, no link.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../sys/index.ts';

export interface TreeFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** The content of a cap: one file, or a directory with files. */
export interface Tree {
  readonly isDirectory: boolean;
  readonly files: readonly TreeFile[];
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function hashesOf({ files }: Tree): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file.path, sha256(file.bytes)]));
}

/** How what lies at `place` differs from these hashes, in words; undefined if it is the same. */
export function differenceAt(
  place: string,
  hashes: Readonly<Record<string, string>>,
  isDirectory: boolean,
): string | undefined {
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return 'it is a link';
  const found = listTree(place);
  if (found === undefined) return 'it is not there';
  if (found.isDirectory !== isDirectory) return isDirectory ? 'it is not a directory' : 'it is not a file';
  const [odd] = found.odd;
  if (odd !== undefined) return `"${odd}" is neither a file nor a directory`;
  const name = path.basename(place);
  const names = isDirectory ? found.files : [name];
  for (const file of names) if (!Object.hasOwn(hashes, file)) return `"${file}" does not belong there`;
  for (const [file, hash] of Object.entries(hashes)) {
    if (!names.includes(file)) return `"${file}" is missing`;
    const at = isDirectory ? path.join(place, ...file.split('/')) : place;
    if (sha256(readFileSync(at)) !== hash) return `"${file}" was changed`;
  }
  return undefined;
}

interface Listing {
  readonly isDirectory: boolean;
  /** Relative, with `/`. */
  readonly files: string[];
  readonly directories: string[];
  /** Links, and whatever else is neither a file nor a directory. */
  readonly odd: string[];
}

/** Undefined if nothing is there. Links are not followed. */
export function listTree(place: string): Listing | undefined {
  const files: string[] = [];
  const directories: string[] = [];
  const odd: string[] = [];
  const listing: Listing = { isDirectory: true, files, directories, odd };
  const walk = (dir: string, prefix: string): void => {
    const entries: Dirent[] = readdirSync(dir, { withFileTypes: true });
    for (const entry of entries) {
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) {
        directories.push(name);
        walk(path.join(dir, entry.name), `${name}/`);
      } else if (entry.isFile()) files.push(name);
      else odd.push(name);
    }
  };
  try {
    walk(place, '');
    return listing;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') return { isDirectory: false, files: [], directories: [], odd: [] };
    throw error;
  }
}

/**
 * Every path of it that has a stamp of its own: the place, its directories and files, its links and what they lead to.
 * `follows`: whether all that lies in a directory that a link leads to is part of it.
 */
export function pathsOf(place: string, follows: (real: string) => boolean = () => false): string[] {
  const met = new Set<string>();
  const walk = (top: string): string[] => {
    const listing = listTree(top);
    if (listing === undefined || !listing.isDirectory) return [top];
    const at = (name: string) => path.join(top, ...name.split('/'));
    const linked = listing.odd.flatMap((name) => {
      const target = realPath(at(name));
      if (target === undefined) return [at(name)];
      if (met.has(target) || !follows(target)) return [at(name), target];
      met.add(target);
      return [at(name), ...walk(target)];
    });
    return [top, ...listing.directories.map(at), ...listing.files.map(at), ...linked];
  };
  return walk(place);
}

/** Undefined of a link that leads nowhere. */
function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Puts the tree in its place, instead of what is there. `scratch` is on the same disk. */
export async function placeTree(place: string, tree: Tree, scratch: string): Promise<void> {
  const mark = randomBytes(6).toString('hex');
  const fresh = path.join(scratch, `${mark}.new`);
  await mkdir(path.dirname(place), { recursive: true });
  await mkdir(scratch, { recursive: true });
  try {
    if (tree.isDirectory) {
      for (const file of tree.files) await writeInto(path.join(fresh, ...file.path.split('/')), file);
    } else {
      const [file] = tree.files;
      if (file === undefined) throw new Error(`there is nothing to be written to ${place}`);
      await writeInto(fresh, file);
    }
    await swap(fresh, place, path.join(scratch, `${mark}.old`));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function writeInto(to: string, { bytes, isExecutable }: TreeFile): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  // Not flushed: what a power failure takes away is found by its stamp, and made again.
  await writeFile(to, bytes, { flag: 'wx', mode: isExecutable ? 0o755 : 0o644 });
}

async function swap(fresh: string, place: string, old: string): Promise<void> {
  try {
    // A file goes over a file in one step.
    await rename(fresh, place);
    return;
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EISDIR', 'ENOTDIR', 'EPERM', 'EACCES'].includes(systemCode(error) ?? '')) throw error;
  }
  await rename(place, old);
  try {
    await rename(fresh, place);
  } catch (error) {
    await rename(old, place);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}
