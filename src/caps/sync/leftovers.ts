/** What a sync that was cut short has left: trees and files that were not in their places yet. Only in one's turn. */
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../sys/index.ts';
import type { SyncRequest } from './request.ts';
import { scratchName } from './root.ts';

export async function clearLeftovers({ root, home }: SyncRequest, roots: readonly string[]): Promise<void> {
  for (const each of roots) await rm(path.join(each, scratchName), { recursive: true, force: true });
  await clearTemporary(path.dirname(root.lock), /^\.toolang\.lock\.[0-9a-f]+\.tmp$/);
  if (!home) return;
  await clearTemporary(path.dirname(home.lock), /^\.toolang\.lock\.[0-9a-f]+\.tmp$/);
  await clearTemporary(home.sync, /^\..+\.[0-9a-f]+\.tmp$/);
}

/** See `writeFileAtomic`. */
async function clearTemporary(dir: string, name: RegExp): Promise<void> {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return;
    throw error;
  }
  for (const each of names) if (name.test(each)) await rm(path.join(dir, each), { force: true });
}
