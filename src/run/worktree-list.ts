/** The repository around a folder, and the folders that it has. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { quotePath, systemCode } from '../sys/index.ts';
import { failWith } from './worktree-failure.ts';
import { type Git, gitSaid } from './worktree-git.ts';

/** The folder that all worktrees of a repository share: `.git` of the main one. */
export async function commonFolder(git: Git, cwd: string): Promise<string> {
  const { code, out, err } = await git.run(['rev-parse', '--git-common-dir'], { cwd });
  if (code === 0) return realPath(resolve(cwd, out.replace(/\n$/, '')));
  const said = gitSaid(err);
  if (!/not a git repository/.test(said)) throw failWith({ message: `git cannot work in ${quotePath(cwd)}: ${said}` });
  const message = `${quotePath(cwd)} is in no git repository, and a worktree is a second folder of one`;
  throw failWith({
    message: `${message}: keep the workflow in a repository, or make one with "git init" and a first commit`,
  });
}

export interface ListedTree {
  readonly path: string;
  /** The full name. */
  readonly branch?: string;
}

/** All folders of the repository, also those that are gone. */
export async function listTrees(git: Git, cwd: string): Promise<ListedTree[]> {
  const text = await git.read(['worktree', 'list', '--porcelain'], { cwd });
  return text.split('\n\n').flatMap((entry) => {
    const lines = entry.split('\n');
    const value = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
    const path = value('worktree');
    const branch = value('branch');
    if (path === undefined) return [];
    return branch === undefined ? [{ path: resolve(path) }] : [{ path: resolve(path), branch }];
  });
}

export function isSameFolder(a: string, b: string): boolean {
  if (resolve(a) === resolve(b)) return true;
  const one = statSync(a, { throwIfNoEntry: false });
  const other = statSync(b, { throwIfNoEntry: false });
  return one !== undefined && one.ino !== 0 && one.ino === other?.ino && one.dev === other.dev;
}

/** Without links, as far as it is there: one folder has one name. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '') || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
