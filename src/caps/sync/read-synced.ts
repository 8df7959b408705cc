/**
 * What one activation sees of the caps that were synced, and their texts. Nothing is used that is not what was synced: a
 * file that somebody has changed since is refused.
 */
import { readFileSync } from 'node:fs';
import { systemCode } from '../../sys/index.ts';
import { ToolangError } from '../../text/index.ts';
import { type EffectiveCaps, effectiveCaps, type Visibility } from '../scope/effective.ts';
import { scopes } from '../scope/scope.ts';
import type { SyncState } from './state.ts';
import type { SyncedCap } from './synced.ts';
import { differenceAt, sha256 } from './tree.ts';

export function activeCaps(state: SyncState, visibility: Visibility): EffectiveCaps<SyncedCap> {
  return effectiveCaps(
    scopes.flatMap((scope) => state.caps[scope]),
    visibility,
  );
}

/** The text of a cap, frontmatter included; of a skill, that of its `SKILL.md`. */
export function capText(cap: Pick<SyncedCap, 'kind' | 'name' | 'path' | 'files'>): string {
  const isSkill = cap.kind === 'skill';
  const file = isSkill ? 'SKILL.md' : `${cap.name}.md`;
  const text = readSynced(isSkill ? `${cap.path}/SKILL.md` : cap.path, cap);
  if (sha256(text) !== cap.files[file]) throw changed(cap, `"${file}" was changed`);
  return text.toString('utf8');
}

/** The directory of a skill, when all of it is as it was synced. */
export function skillDirectory(cap: Pick<SyncedCap, 'kind' | 'name' | 'path' | 'files'>): string {
  const difference = differenceAt(cap.path, cap.files, true);
  if (difference !== undefined) throw changed(cap, difference);
  return cap.path;
}

function readSynced(file: string, cap: Parameters<typeof changed>[0]): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw changed(cap, 'it cannot be read');
  }
}

function changed({ kind, name, path }: Pick<SyncedCap, 'kind' | 'name' | 'path'>, why: string): ToolangError {
  const message = `the ${kind} "${name}" in ${path} is not what was synced: ${why}. Run "toolang sync", which puts it back.`;
  return new ToolangError('TOO5405', message);
}
