/** What a sync makes of a lock: entries that are still named stay, new ones come, and those nobody names any more go. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../../sys/index.ts';
import { createSource, type Diagnostic, diagnostic, span } from '../../text/index.ts';
import type { Shown } from './gather.ts';
import { type Lock, type Locked, type LockRead, lockKey, renderLock } from './lock.ts';

export interface LockChange {
  readonly file: string;
  readonly before: Lock;
  readonly after: Lock;
  readonly isSame: boolean;
}

/**
 * `entries` are those that were met by the `users` that were synced. What others name, as the other agents of a home, is
 * kept, as long as they are there.
 */
export function changedLock(
  file: string,
  { lock, text }: Extract<LockRead, { ok: true }>,
  entries: readonly Locked[],
  users: ReadonlySet<string>,
  dir: string,
): LockChange {
  const after = new Map<string, Locked>();
  const met = new Map<string, Set<string>>();
  for (const entry of entries) {
    const key = lockKey(entry.kind, entry.ref);
    const by = met.get(key) ?? new Set();
    for (const user of entry.usedBy) if (users.has(user)) by.add(user);
    met.set(key, by);
    after.set(key, entry);
  }
  for (const [key, entry] of lock) if (!after.has(key)) after.set(key, entry);
  for (const [key, entry] of after) {
    // The source of a guest, which is not a cap of it.
    if (entry.kind === 'agent') continue;
    const others = (lock.get(key)?.usedBy ?? []).filter((user) => !users.has(user) && isThere(user, dir));
    const usedBy = [...new Set([...others, ...(met.get(key) ?? [])])].sort();
    if (usedBy.length === 0) after.delete(key);
    else after.set(key, { ...entry, usedBy });
  }
  const isSame = after.size === 0 ? lock.size === 0 : renderLock(after) === text;
  return { file, before: lock, after, isSame };
}

/** A lock that locks nothing is not kept. */
export async function keepLock({ file, after, isSame }: LockChange): Promise<void> {
  if (isSame) return;
  if (after.size === 0) await rm(file, { force: true });
  else await writeFileAtomic(file, renderLock(after));
}

/** What `--frozen` says of a lock that would change. */
export function frozenProblem({ file, before, after, isSame }: LockChange, shown: Shown): Diagnostic | undefined {
  if (isSame) return undefined;
  const refs = (lock: Lock, other: Lock) =>
    [...lock].filter(([key]) => !other.has(key)).map(([, { ref }]) => `"${ref}"`);
  const parts = [...listed('it has no', refs(after, before)), ...listed('nobody names', refs(before, after))];
  const message = `the lock would change: ${parts.join('; ') || 'what it holds is not what is used'}.`;
  const help = 'Run "toolang sync" without --frozen, look at the change, and commit it.';
  return diagnostic('TOO5403', createSource(shown(file), ''), span(0, 0), message, { help });
}

function listed(words: string, refs: readonly string[]): string[] {
  if (refs.length === 0) return [];
  const more = refs.length > 5 ? ` and ${refs.length - 5} more` : '';
  return [`${words} ${refs.slice(0, 5).join(', ')}${more}`];
}

function isThere(user: string, dir: string): boolean {
  return user === 'home' || user === 'root' || existsSync(path.join(dir, ...user.split('/')));
}
