/** The files of a commit, as `ls-tree -r -t -z` lists them. */
import { Buffer } from 'node:buffer';
import { isObjectId } from './refs.ts';

export interface TreeEntry {
  /** From the top of the repository; U+FFFD stands for what is no UTF-8. */
  readonly path: string;
  readonly kind: 'file' | 'executable' | 'link' | 'tree' | 'submodule' | 'other';
  readonly id: string;
}

/** In the order of git, which is that of bytes: what is below a tree stands right behind it. */
export interface Tree {
  readonly entries: readonly TreeEntry[];
  readonly at: ReadonlyMap<string, number>;
}

const kinds: Readonly<Record<string, TreeEntry['kind']>> = {
  '100644': 'file',
  // Written by very old versions.
  '100664': 'file',
  '100755': 'executable',
  '120000': 'link',
  '040000': 'tree',
  '160000': 'submodule',
};

/** Undefined where it is not what git prints. */
export function readTree(out: Uint8Array): Tree | undefined {
  const bytes = Buffer.from(out.buffer, out.byteOffset, out.byteLength);
  const entries: TreeEntry[] = [];
  const at = new Map<string, number>();
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    const tab = bytes.indexOf(9, start);
    if (end === -1 || tab === -1 || tab > end) return undefined;
    const [mode = '', type, id = '', more] = bytes.toString('latin1', start, tab).split(' ');
    if (type === undefined || more !== undefined || !isObjectId(id)) return undefined;
    const path = bytes.toString('utf8', tab + 1, end);
    at.set(path, entries.length);
    entries.push({ path, kind: kinds[mode] ?? 'other', id });
    start = end + 1;
  }
  return { entries, at };
}

export function entryAt(tree: Tree, path: string): TreeEntry | undefined {
  const index = tree.at.get(path);
  return index === undefined ? undefined : tree.entries[index];
}

/** All that is below a directory, not itself; everything for the top (`''`). */
export function entriesBelow(tree: Tree, path: string): readonly TreeEntry[] {
  if (path === '') return tree.entries;
  const index = tree.at.get(path);
  if (index === undefined) return [];
  let end = index + 1;
  while (tree.entries[end]?.path.startsWith(`${path}/`)) end++;
  return tree.entries.slice(index + 1, end);
}
