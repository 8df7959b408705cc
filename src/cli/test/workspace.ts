/**
 * The folder in which one case runs: a copy of the user's, in a temporary place that is removed afterwards.
 * 1. Nothing of the user's is written: what tools and steps write, they write into the copy.
 * 2. Runs, memories and logs of the home are not copied: every case begins without a past. Nor is `.git`; where a workflow makes
 *    worktrees, the copy is a repository of its own with one commit.
 * 3. Installed packages are linked, not copied: nobody changes them.
 */
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { displayPath, isInside, quotePath, spawnGit, systemCode } from '../../sys/index.ts';

export interface Workspace {
  /** The copy, and what it is a copy of. */
  readonly dir: string;
  readonly from: string;
  /** The places of a person who has nothing yet. */
  readonly home: string;
  readonly root: string;
  /** Where a file of the user's lies in the copy. */
  readonly at: (file: string) => string;
  /** A text in which places of the copy are told as the user's own. */
  readonly shown: (text: string) => string;
  readonly remove: () => Promise<void>;
}

/** More than this is no folder of one project. */
const usualMost = { files: 20_000, bytes: 500 * 1024 * 1024 };

/** It cannot be made; the message says what to do. */
export class WorkspaceProblem extends Error {
  override readonly name = 'WorkspaceProblem';
}

export async function makeWorkspace(from: string, cwd: string, most = usualMost): Promise<Workspace> {
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'toolang-test-')));
  const remove = () => rm(top, { recursive: true, force: true, maxRetries: 3 });
  try {
    const [work, home, root] = [path.join(top, 'work'), path.join(top, 'home'), path.join(top, 'root')];
    const dir = path.join(work, path.basename(from) || 'workspace');
    for (const each of [work, home, root]) await mkdir(each);
    await copyTree(from, dir, { cwd, most, without: top });
    await linkPackages(from, work);
    const at = (file: string) => (isInside(file, from) ? path.join(dir, path.relative(from, file)) : file);
    const own = displayPath(from, cwd);
    const shown = (text: string) => {
      const prefix = own === '.' ? '' : `${own}${path.sep}`;
      return text.replaceAll(`${dir}${path.sep}`, prefix).replaceAll(dir, own);
    };
    return { dir, from, home, root, at, shown, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** State of a home that belongs to its runs, not to its files. */
const past = /^(?:(?:runs|memory)\.db.*|logs|worktrees)$/;

interface CopyOptions {
  readonly cwd: string;
  readonly most: typeof usualMost;
  /** The temporary folder itself, which may lie in what is copied. */
  readonly without: string;
}

async function copyTree(from: string, to: string, { cwd, most, without }: CopyOptions): Promise<void> {
  let files = 0;
  let bytes = 0;
  await copy(from, to, false);

  async function copy(source: string, target: string, isState: boolean): Promise<void> {
    await mkdir(target);
    for (const entry of await readdir(source, { withFileTypes: true })) {
      const { name } = entry;
      const [own, copied] = [path.join(source, name), path.join(target, name)];
      if (name === '.git' || (isState && past.test(name)) || own === without) continue;
      if (name === 'node_modules') await symlink(own, copied, 'junction');
      else if (entry.isSymbolicLink()) await copyLink(own, copied, from);
      else if (entry.isDirectory()) await copy(own, copied, name === '.toolang');
      else if (entry.isFile()) await copyOne(own, copied);
    }
  }

  async function copyOne(own: string, copied: string): Promise<void> {
    files++;
    bytes += (await lstat(own)).size;
    if (files > most.files || bytes > most.bytes) {
      const shown = quotePath(displayPath(from, cwd));
      const limit = `${most.files} files or ${most.bytes / 1024 / 1024} MB`;
      throw new WorkspaceProblem(
        `each case runs in a copy of ${shown}, which has more than ${limit}: name a smaller folder with "workspace"`,
      );
    }
    // As a clone where the file system can: then nothing is read.
    await copyFile(own, copied, constants.COPYFILE_FICLONE);
  }
}

/** A link within the folder leads to the same place in the copy; others lead where they lead. */
async function copyLink(own: string, copied: string, from: string): Promise<void> {
  const target = await readlink(own);
  const full = path.resolve(path.dirname(own), target);
  const isDirectory = await stat(full).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  await symlink(
    isInside(full, from) ? path.relative(path.dirname(own), full) : full,
    copied,
    isDirectory ? 'dir' : 'file',
  );
}

/** What modules find above the folder: the packages of the project around it, and what that says of its modules. */
async function linkPackages(from: string, work: string): Promise<void> {
  const wanted = new Set(['node_modules', 'package.json']);
  for (let at = path.dirname(from); wanted.size > 0; at = path.dirname(at)) {
    for (const name of [...wanted]) {
      const own = path.join(at, name);
      const stats = await stat(own).catch((error: unknown) => {
        if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
        throw error;
      });
      if (stats === undefined) continue;
      wanted.delete(name);
      if (stats.isDirectory()) await symlink(own, path.join(work, name), 'junction');
      else await copyFile(own, path.join(work, name));
    }
    if (path.dirname(at) === at) return;
  }
}

/** Makes the copy a repository, for workflows that make worktrees. */
export async function makeRepository({ dir, home }: Workspace, env: NodeJS.ProcessEnv): Promise<void> {
  const own = { ...env, HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    [...who, 'commit', '--quiet', '--allow-empty', '--message', 'The files of the test'],
  ]) {
    const { code, err } = await spawnGit(args, { cwd: dir, env: own });
    if (code !== 0) throw new WorkspaceProblem(`the copy cannot be made a git repository: ${err.trim()}`);
  }
}

/** The same commit each time. */
const date = '2000-01-01T00:00:00Z';
