/**
 * Which files of a commit are taken, and which are refused.
 * 1. No path leaves its directory or means another thing on another system; no two are the same where letter case does
 *    not count. Links are refused, submodules are left out.
 * 2. No file is larger than 10 MB, there are at most 2,000, and together they have at most 100 MB.
 * 3. Bytes stay as they are.
 */
import { Buffer } from 'node:buffer';
import type { TreeEntry } from '../git/tree.ts';
import { type Located, linkProblem } from './path.ts';
import { type Found, type Refused, refuse } from './problem.ts';
import type { RemoteFile } from './target.ts';

export const mostFileBytes = 10 * 1024 * 1024;
const mostFiles = 2000;
const mostBytes = 100 * 1024 * 1024;

/** A file that will be taken, before its content is there. */
export interface Planned {
  readonly path: string;
  readonly id: string;
  readonly isExecutable: boolean;
}

/** `where` is for the words: the repository. */
export function planFiles({ path, entries }: Located, where: string): Found<readonly Planned[]> {
  const [only] = entries;
  const isFile = only !== undefined && entries.length === 1 && only.path === path;
  const top = isFile ? path.slice(0, path.lastIndexOf('/') + 1) : path === '' ? '' : `${path}/`;
  const planned: Planned[] = [];
  const spelled = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === 'submodule') continue;
    if (entry.kind === 'link') return linkProblem(entry.path);
    const relative = entry.path.slice(top.length);
    const odd = entry.kind === 'other' ? 'it is no file and no directory' : oddPath(relative);
    if (odd !== undefined) {
      const help = 'Ask its owner to change that, or use another revision.';
      return refuse('TOO5317', `${where} holds ${JSON.stringify(entry.path)}, which is refused: ${odd}.`, help);
    }
    const folded = relative.normalize('NFC').toLowerCase();
    const other = spelled.get(folded);
    if (other !== undefined) {
      return refuse(
        'TOO5317',
        `${where} holds ${JSON.stringify(top + other)} and ${JSON.stringify(entry.path)}, which are one name on many systems.`,
        'Ask its owner to rename one of them.',
      );
    }
    spelled.set(folded, relative);
    if (entry.kind !== 'tree') planned.push(plan(relative, entry));
  }
  if (planned.length > mostFiles) {
    const at = path === '' ? where : `"${path}" in ${where}`;
    return refuse('TOO5318', `${at} has ${planned.length} files, and at most 2,000 are taken.`, smaller);
  }
  return { ok: true, value: planned };
}

const smaller = 'Large data does not belong into a cap: let it be fetched when it is needed.';

/** Undefined where all may be taken. */
export function sizeProblem(
  files: readonly Planned[],
  sizes: ReadonlyMap<string, number>,
  where: string,
): Refused | undefined {
  let total = 0;
  for (const { path, id } of files) {
    const size = sizes.get(id) ?? 0;
    total += size;
    if (size > mostFileBytes) {
      return refuse('TOO5318', `"${path}" in ${where} has ${megabytes(size)}, and at most 10 MB are taken.`, smaller);
    }
  }
  if (total <= mostBytes) return undefined;
  return refuse('TOO5318', `this brings ${megabytes(total)} of ${where}, and at most 100 MB are taken.`, smaller);
}

export function withContents(
  planned: readonly Planned[],
  contents: ReadonlyMap<string, Uint8Array>,
  where: string,
): Found<readonly RemoteFile[]> {
  const files: RemoteFile[] = [];
  for (const { path, id, isExecutable } of planned) {
    const bytes = contents.get(id);
    if (bytes === undefined) throw new Error(`${id} was not read`);
    if (isLargePointer(bytes)) {
      return refuse(
        'TOO5317',
        `"${path}" in ${where} is kept by Git LFS: the repository has only a pointer to it.`,
        'Git LFS is not used for caps. Ask its owner to put the file itself there.',
      );
    }
    files.push({ path, bytes, isExecutable });
  }
  return { ok: true, value: files };
}

function plan(path: string, { id, kind }: TreeEntry): Planned {
  return { path, id, isExecutable: kind === 'executable' };
}

/** Why a path is not taken; each part must be a name that every system can have. */
export function oddPath(path: string): string | undefined {
  if (path.includes('\ufffd')) return 'its name is not UTF-8';
  if (/[\u0000-\u001f\u007f\\<>:"|?*]/.test(path)) return 'it has a character that not every system can have in a name';
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..') return 'it leaves its directory';
    if (/^\.git$|^git~\d+$/i.test(part.replace(ignored, ''))) return 'it is a part of git itself';
    if (/[. ]$/.test(part)) return 'it ends in a dot or a blank';
    if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part)) return 'Windows keeps this name for itself';
    if (Buffer.byteLength(part) > 255) return 'its name is too long';
  }
  return undefined;
}

/** What some file systems leave out when they compare names. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

function isLargePointer(bytes: Uint8Array): boolean {
  if (bytes.length > 1024) return false;
  return Buffer.from(bytes).toString('latin1').startsWith('version https://git-lfs.github.com/spec/');
}

export function megabytes(size: number): string {
  return `${(size / 1024 / 1024).toFixed(1)} MB`;
}
