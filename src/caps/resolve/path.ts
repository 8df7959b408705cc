/** What a path means in the files of a commit: one file, or the directory of a skill. */
import { entriesBelow, entryAt, type Tree, type TreeEntry } from '../git/tree.ts';
import { type Found, type Refused, refuse } from './problem.ts';
import type { RemoteKind } from './target.ts';

/** A file and its entry, or a skill's directory and all that is below it. */
export interface Located {
  readonly path: string;
  readonly entries: readonly TreeEntry[];
}

/** As written first, then with the ending that may be left out. Undefined: there is no such thing. */
export function locate(tree: Tree, kind: RemoteKind, path: string): Found<Located> | undefined {
  if (kind === 'skill') {
    const directory = path === 'SKILL.md' ? '' : path.replace(/\/SKILL\.md$/, '');
    // A directory may be called `SKILL.md` too.
    return skillAt(tree, path) ?? (directory === path ? undefined : skillAt(tree, directory));
  }
  return fileAt(tree, path) ?? fileAt(tree, `${path}${kind === 'agent' ? '.too' : '.md'}`);
}

/** Exactly this file, or this `SKILL.md` with its directory. */
export function locateExactly(tree: Tree, kind: RemoteKind, path: string): Found<Located> | undefined {
  return kind === 'skill' ? skillAt(tree, path.replace(/\/?SKILL\.md$/, '')) : fileAt(tree, path);
}

/** Why nothing was found, in words that help. */
export function missingWords(tree: Tree, kind: RemoteKind, path: string): string {
  const entry = entryAt(tree, path);
  if (entry?.kind === 'submodule') return 'it is a submodule, and those are not fetched';
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count++) {
    const above = entryAt(tree, parts.slice(0, count).join('/'));
    if (above?.kind === 'submodule') return `"${above.path}" is a submodule, and those are not fetched`;
  }
  if (kind === 'skill') {
    if (entry?.kind === 'tree' || path === '') return 'this directory has no SKILL.md';
    return entry ? 'it is a file; a skill is a directory with a SKILL.md' : 'there is no such directory';
  }
  return entry?.kind === 'tree' ? 'it is a directory' : 'there is no such file';
}

function fileAt(tree: Tree, path: string): Found<Located> | undefined {
  const link = linkOn(tree, path);
  if (link) return link;
  const entry = entryAt(tree, path);
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return undefined;
  return { ok: true, value: { path, entries: [entry] } };
}

function skillAt(tree: Tree, path: string): Found<Located> | undefined {
  const file = fileAt(tree, path === '' ? 'SKILL.md' : `${path}/SKILL.md`);
  if (!file?.ok) return file;
  return { ok: true, value: { path, entries: entriesBelow(tree, path) } };
}

/** A link on the way would lead to what nobody named. */
function linkOn(tree: Tree, path: string): Refused | undefined {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const entry = entryAt(tree, parts.slice(0, count).join('/'));
    if (entry?.kind === 'link') return linkProblem(entry.path);
  }
  return undefined;
}

export function linkProblem(path: string): Refused {
  return refuse(
    'TOO5317',
    `"${path}" is a link, and links are not followed.`,
    'Name the file that it points at; in a skill, put a copy in its place.',
  );
}
