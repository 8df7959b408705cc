/** The files of one's own caps, found by their names alone: one with mistakes in it is read by nobody, and still has to be opened. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isLocalRef, readLocalRef, type Scope } from '../../caps/index.ts';
import { isCapName } from '../../config/index.ts';
import type { CapKind } from '../../too/index.ts';
import type { CapPlaces } from './places.ts';

/** Where one of that name lies, or would lie. */
export function capFileAt(kind: CapKind, name: string, folder: string): string {
  return path.join(folder, kind === 'skill' ? name : `${name}.md`);
}

/** The file, or the directory of a skill, that a name or a local reference means: that of the home before that of the root. */
export function ownCapFile(
  kind: CapKind,
  text: string,
  { home, root }: CapPlaces,
  scope: Scope | undefined,
): string | undefined {
  const read = isLocalRef(text) ? readLocalRef(text) : undefined;
  if (read && !(read.ok && read.ref.kind === kind)) return undefined;
  const { name, wanted } = read?.ok ? { name: read.ref.name, wanted: read.ref.scope } : { name: text, wanted: scope };
  if (!isCapName(name)) return undefined;
  const folders = [
    ...(wanted === undefined || wanted === 'home' ? [home?.caps?.[kind]] : []),
    ...(wanted === undefined || wanted === 'root' ? [root.caps[kind]] : []),
  ];
  return folders
    .flatMap((folder) => folder ?? [])
    .map((folder) => capFileAt(kind, name, folder))
    .find(existsSync);
}

/** One that differs from a new name in letter case at most: on many systems both are one file. */
export function sameCapFile(kind: CapKind, name: string, folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const base = path.basename(capFileAt(kind, name, folder)).toLowerCase();
  const found = readdirSync(folder).find((each) => each.toLowerCase() === base);
  return found === undefined ? undefined : path.join(folder, found);
}
