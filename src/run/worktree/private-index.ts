/**
 * What git sees in a worktree, by an index of our own: that of the folder is copied and never written.
 * 1. The copy is as old as the original: what was changed in the same moment is looked at again.
 * 2. It is kept for the next look, as long as nothing is staged in between, so that files are not read again that have not
 *    changed. Another process has another one.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { quotePath, systemCode } from '../../sys/index.ts';
import { failWith } from './failure.ts';
import { type Git, gitFailure, gitSaid } from './git.ts';

/** A worktree that is there. */
export interface Tree {
  readonly path: string;
  /** Where git keeps what is its own: HEAD, the index. */
  readonly gitDir: string;
}

export interface Look {
  /** The index that holds all files. Who takes it away leaves none. */
  readonly index: string;
  /** Of all files. */
  readonly tree: string;
  /** What is staged; none while a merge has conflicts. */
  readonly staged: string | undefined;
  /** What could not be kept, as git says it. */
  readonly unkept?: string;
  /** Repositories inside that have no commit yet: git keeps nothing of them. */
  readonly unborn?: readonly string[];
}

interface Seen {
  /** Of the folder's index. */
  readonly real: string;
  readonly staged: string | undefined;
  /** Of our own, when it had been written. */
  readonly own: string;
  readonly tree: string;
}

const prefix = 'toolang-index-';
const name = `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`;
const add = ['add', '--all', '--ignore-errors'];

/** By the folders that git has for worktrees. */
const seen = new Map<string, Seen>();
const mostSeen = 100;

/** Writes what is there as trees. */
export async function lookAt(git: Git, { path, gitDir }: Tree): Promise<Look> {
  const index = join(gitDir, name);
  const options = { cwd: path, index };
  try {
    const real = markOf(join(gitDir, 'index'));
    const last = seen.get(gitDir);
    const before = last?.real === real && last.own === markOf(index) ? last : undefined;
    seen.delete(gitDir);
    if (before === undefined) copyIndex(gitDir, index);
    const staged = before ? before.staged : await stagedIn();
    const added = await git.run(add, options);
    const unkept = added.code === 0 ? undefined : gitSaid(added.err);
    // What cannot be read is left out and told; all else that goes wrong ends it.
    if (unkept !== undefined && added.code !== 1) throw gitFailure(add, added);
    const isSame = before !== undefined && markOf(index) === before.own;
    const tree = isSame ? before.tree : await git.read(['write-tree'], options);
    if (seen.size >= mostSeen) seen.clear();
    seen.set(gitDir, { real, staged, own: markOf(index), tree });
    return { index, tree, staged, ...(unkept !== undefined && { unkept, unborn: await unbornIn() }) };
  } catch (error) {
    if (existsSync(gitDir)) throw error;
    throw failWith({ message: `the worktree ${quotePath(path)} is gone` });
  }

  async function stagedIn(): Promise<string | undefined> {
    const end = await git.run(['write-tree'], options);
    return end.code === 0 ? end.out.trim() : undefined;
  }

  /** They are left over, where all else is in the index. */
  async function unbornIn(): Promise<string[]> {
    const text = await git.read(['ls-files', '--others', '--exclude-standard', '-z'], options);
    const folders = text.split('\0').flatMap((each) => (each.endsWith('/') ? [each.slice(0, -1)] : []));
    return folders.filter((folder) => existsSync(join(path, folder, '.git')));
  }
}

/** Nobody looks at it any more. */
export function dropIndexes(gitDir: string): void {
  seen.delete(gitDir);
  let names: string[];
  try {
    names = readdirSync(gitDir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  for (const each of names) if (each.startsWith(prefix)) rmSync(join(gitDir, each), { force: true });
}

function copyIndex(gitDir: string, index: string): void {
  dropIndexes(gitDir);
  const real = join(gitDir, 'index');
  const stat = statSync(real, { throwIfNoEntry: false });
  if (stat === undefined) return;
  copyFileSync(real, index);
  utimesSync(index, stat.atime, Math.floor(stat.mtimeMs / 1000));
}

/** Git replaces such a file, and never writes into it. */
function markOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : '';
}
