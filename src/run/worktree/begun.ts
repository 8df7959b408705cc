/** What git has begun in a worktree and not ended, as a merge: it is set back with the files. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of files; folders have none. */
export type Begun = Readonly<Record<string, string>>;

const files = ['MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'AUTO_MERGE', 'SQUASH_MSG'];
const folders = ['rebase-merge', 'rebase-apply', 'sequencer'];

export function readBegun(gitDir: string): Begun {
  const begun: Record<string, string> = {};
  for (const name of files) {
    const file = join(gitDir, name);
    if (existsSync(file)) begun[name] = readFileSync(file, 'utf8');
  }
  for (const name of folders) if (existsSync(join(gitDir, name))) begun[name] = '';
  return begun;
}

export function isBegun(gitDir: string, begun: Begun): boolean {
  return JSON.stringify(readBegun(gitDir)) === JSON.stringify(begun);
}

/** What was begun since is ended; a rebase that has gone on cannot be taken back to where it was. */
export function restoreBegun(gitDir: string, begun: Begun): void {
  for (const name of [...files, ...folders]) {
    const text = begun[name];
    if (text === undefined) rmSync(join(gitDir, name), { recursive: true, force: true });
    else if (text !== '') writeFileSync(join(gitDir, name), text);
  }
}
