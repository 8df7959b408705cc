/** A sync root: caps in `<form>/<kind>s/<name>`, put there whole, and nothing else. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../sys/index.ts';
import { type CapKind, capKinds } from '../../too/index.ts';
import { type Form, forms } from '../scope/scope.ts';
import type { Desired } from './desire.ts';
import { placeOf, type SyncedCap } from './synced.ts';
import { differenceAt, placeTree } from './tree.ts';

/** Where trees are written before they are moved to their places; on the same disk. */
export const scratchName = '.new';

export interface Stray {
  readonly form: Form;
  readonly kind: CapKind;
  readonly name: string;
}

/** How what lies in the place of a cap differs from these hashes, in words; undefined if it is the same. */
export function differenceIn(
  root: string,
  cap: Pick<SyncedCap, 'form' | 'kind' | 'name'>,
  files: Readonly<Record<string, string>>,
): string | undefined {
  const place = placeOf(cap);
  for (const depth of [1, 2]) {
    const stats = lstatSync(path.join(root, ...place.slice(0, depth)), { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) return 'a link leads elsewhere';
  }
  return differenceAt(path.join(root, ...place), files, cap.kind === 'skill');
}

export async function placeAll(root: string, desired: readonly Desired[]): Promise<void> {
  await ownFolders(root);
  const scratch = path.join(root, scratchName);
  try {
    for (const { synced, tree } of desired) if (tree) await placeTree(synced.path, tree, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A folder of a form or a kind that is a link or a file is taken away; what it leads to is left alone. */
async function ownFolders(root: string): Promise<void> {
  for (const { at, entry } of foldersIn(root)) if (!entry.isDirectory()) await rm(at, { force: true });
}

/** What lies in the root and does not belong there. */
export function straysIn(root: string, kept: readonly Pick<SyncedCap, 'form' | 'kind' | 'name'>[]): Stray[] {
  const places = new Set(kept.map((cap) => placeOf(cap).join('/')));
  return forms.flatMap((form) =>
    capKinds.flatMap((kind) =>
      namesIn(path.join(root, form, `${kind}s`))
        .filter((name) => !places.has(`${form}/${kind}s/${name}`))
        .map((name) => ({ form, kind, name })),
    ),
  );
}

export async function removeStrays(root: string, kept: readonly SyncedCap[]): Promise<Stray[]> {
  const strays = straysIn(root, kept);
  for (const { form, kind, name } of strays) {
    await rm(path.join(root, form, `${kind}s`, name), { recursive: true, force: true });
  }
  for (const { at, isKnown } of foldersIn(root)) if (!isKnown) await rm(at, { recursive: true, force: true });
  return strays.map((stray) => ({ ...stray, name: stray.name.replace(/\.md$/, '') }));
}

interface Folder {
  readonly at: string;
  readonly entry: Dirent;
  /** It is that of a form, or of a kind in one. */
  readonly isKnown: boolean;
}

const kindFolders: readonly string[] = capKinds.map((kind) => `${kind}s`);

/** What stands where the folders of forms and kinds do. Links are not followed. */
function foldersIn(root: string): Folder[] {
  const found: Folder[] = [];
  for (const form of entriesIn(root)) {
    const at = path.join(root, form.name);
    if (!(forms as readonly string[]).includes(form.name)) continue;
    found.push({ at, entry: form, isKnown: true });
    if (!form.isDirectory()) continue;
    for (const kind of entriesIn(at)) {
      found.push({ at: path.join(at, kind.name), entry: kind, isKnown: kindFolders.includes(kind.name) });
    }
  }
  return found;
}

function namesIn(dir: string): string[] {
  return entriesIn(dir)
    .map(({ name }) => name)
    .sort();
}

function entriesIn(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}
