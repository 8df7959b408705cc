/** The repository around a folder, and the folders that it has. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { quotePath, systemCode } from '../../sys/index.ts';
import { failWith } from './failure.ts';
import { type Git, gitSaid } from './git.ts';

/** The folder that all worktrees of a repository share: `.git` of the main one. Undefined where there is no repository. */
export async function findCommonFolder(git: Git, cwd: string): Promise<string | undefined> {
  await refuseOld(git, cwd);
  const { code, out, err } = await git.run(['rev-parse', '--git-common-dir'], { cwd });
  if (code === 0) return realPath(resolve(cwd, out.replace(/\n$/, '')));
  const said = gitSaid(err);
  if (/not a git repository/.test(said)) return undefined;
  throw failWith({ message: `git cannot work in ${quotePath(cwd)}: ${said}` });
}

export async function commonFolder(git: Git, cwd: string): Promise<string> {
  const found = await findCommonFolder(git, cwd);
  if (found !== undefined) return found;
  const message = `${quotePath(cwd)} is in no git repository, and a worktree is a second folder of one`;
  throw failWith({
    message: `${message}: keep the workflow in a repository, or make one with "git init" and a first commit`,
  });
}

/** Before it, git took some of what we say to it for something else. */
const oldest = [2, 31] as const;

async function refuseOld(git: Git, cwd: string): Promise<void> {
  const said = await git.version(cwd);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  if (major === undefined || Number(major) > oldest[0]) return;
  if (Number(major) === oldest[0] && Number(minor) >= oldest[1]) return;
  const message = `worktrees need git ${oldest.join('.')} or newer, and here is "${said}": install a newer one`;
  throw failWith({ message: `${message} (https://git-scm.com)` });
}

export interface ListedTree {
  readonly path: string;
  /** The full name. */
  readonly branch?: string;
  /** The first folder of the repository, or the repository itself where it is bare. */
  readonly isMain: boolean;
}

/** All folders of the repository, also those that are gone. */
export async function listTrees(git: Git, cwd: string): Promise<ListedTree[]> {
  const text = await git.read(['worktree', 'list', '--porcelain'], { cwd });
  return text.split('\n\n').flatMap((entry, at) => {
    const lines = entry.split('\n');
    const value = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
    const path = value('worktree');
    const branch = value('branch');
    if (path === undefined) return [];
    const listed = { path: resolve(path), isMain: at === 0 };
    return branch === undefined ? [listed] : [{ ...listed, branch }];
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
