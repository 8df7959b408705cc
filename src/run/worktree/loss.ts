/**
 * What is in a worktree and nowhere else.
 * Git keeps the repositories of submodules in its folder of the worktree, and they go with it: what was committed there and
 * not pushed would be lost, and the commit of the worktree would name what does not exist. No snapshot holds it either.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { quotePath } from '../../sys/index.ts';
import { isFailure } from './failure.ts';
import { type Git, gitFailure } from './git.ts';
import type { Tree } from './private-index.ts';

/** In words, or undefined. `start`: the commit with which it began. */
export async function wouldLose(git: Git, tree: Tree, start: string | undefined): Promise<string | undefined> {
  const { path } = tree;
  const changed = await changesIn(git, path);
  if (changed > 0) return `it holds work that is not committed (${changed === 1 ? 'one path' : `${changed} paths`})`;
  const inside = await lossInside(git, tree, start, 'HEAD');
  if (inside !== undefined) return inside;
  const onBranch = await git.run(['symbolic-ref', '-q', 'HEAD'], { cwd: path });
  if (onBranch.code === 0) return undefined;
  const known = ['--branches', '--tags', '--remotes', ...(start === undefined ? [] : [start])];
  const args = ['rev-list', '--count', 'HEAD', '--not', ...known];
  const alone = Number(await git.read(args, { cwd: path }));
  return alone > 0 ? `it holds commits that no branch has (${alone})` : undefined;
}

/** Of submodules, and of other repositories that stand in it. `now`: a commit that names them, as that of a snapshot. */
export async function lossInside(
  git: Git,
  { path, gitDir }: Tree,
  start: string | undefined,
  now: string,
): Promise<string | undefined> {
  const names = [...new Set([...(await modulesOf(git, path)), ...(await newLinks(git, path, start, now))])];
  const inner = [...modulesIn(join(gitDir, 'modules')), ...(await checkedOut(git, path, names))];
  if (inner.length === 0) return undefined;
  const known = start === undefined ? [] : await commitsOf(git, path, start, names);
  for (const { name, gitDir: own, folder } of inner) {
    const changed = folder === undefined ? 0 : await countedBy(() => changesIn(git, folder));
    const alone = own === undefined ? 0 : await countedBy(() => countAlone(git, path, own, known));
    if (changed === undefined || alone === undefined) {
      return `it holds the repository ${quotePath(name)}, into which git cannot look`;
    }
    if (changed > 0) return `it holds work in the repository ${quotePath(name)} that is not committed`;
    if (alone > 0) return `it holds commits of the repository ${quotePath(name)} that are nowhere else (${alone})`;
  }
  return undefined;
}

interface Inner {
  /** As people know it. */
  readonly name: string;
  /** Where its commits are, if that goes with the worktree. */
  readonly gitDir?: string;
  /** Where its files are. */
  readonly folder?: string;
}

async function countedBy(count: () => Promise<number>): Promise<number | undefined> {
  try {
    return await count();
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}

async function changesIn(git: Git, cwd: string): Promise<number> {
  const status = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=none'];
  return (await git.read(status, { cwd })).split('\n').filter((line) => line !== '').length;
}

async function countAlone(git: Git, cwd: string, gitDir: string, known: readonly string[]): Promise<number> {
  // Its files may be gone.
  const args = [`--git-dir=${gitDir}`, `--work-tree=${gitDir}`, 'rev-list', '--count', '--ignore-missing'];
  // Tags come with what others have.
  const these = ['--exclude=refs/tags/*', '--all', '--not', '--remotes', '--tags', ...known];
  const end = await git.run([...args, ...these], { cwd });
  if (end.code !== 0) throw gitFailure(['rev-list'], end);
  return Number(end.out);
}

/** The paths of submodules, as they are written. */
async function modulesOf(git: Git, cwd: string): Promise<string[]> {
  if (!existsSync(join(cwd, '.gitmodules'))) return [];
  const args = ['config', '-z', '--file', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  const { code, out } = await git.run(args, { cwd });
  if (code !== 0) return [];
  return out.split('\0').flatMap((entry) => (entry === '' ? [] : [entry.slice(entry.indexOf('\n') + 1)]));
}

/** Repositories that were put there: a list of all files would be long. */
async function newLinks(git: Git, cwd: string, start: string | undefined, now: string): Promise<string[]> {
  if (start === undefined) return [];
  const { code, out } = await git.run(['diff-tree', '-r', '-z', '--no-renames', start, now], { cwd });
  // A branch that was begun anew has no commit yet.
  if (code !== 0) return [];
  const parts = out.split('\0');
  return parts.flatMap((part, at) => (/^:\d+ 160000 /.test(part) ? [parts[at + 1] ?? ''] : []));
}

async function commitsOf(git: Git, cwd: string, start: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const text = await git.read(['ls-tree', '-z', '--full-tree', start, '--', ...names], { cwd });
  return text.split('\0').flatMap((entry) => /^160000 commit ([0-9a-f]+)\t/.exec(entry)?.[1] ?? []);
}

/** Those of which files are there. */
async function checkedOut(git: Git, path: string, names: readonly string[]): Promise<Inner[]> {
  const found: Inner[] = [];
  for (const name of names) {
    const folder = join(path, name);
    const own = join(folder, '.git');
    const stat = statSync(own, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    // A file says that it is with those of git's folder, or far from here.
    found.push(stat.isDirectory() ? { name, folder, gitDir: own } : { name, folder });
    if (!stat.isDirectory()) continue;
    const inside = [
      ...modulesIn(join(own, 'modules')),
      ...(await checkedOut(git, folder, await modulesOf(git, folder))),
    ];
    for (const each of inside) found.push({ ...each, name: `${name}/${each.name}` });
  }
  return found;
}

/** In git's folder. Names may hold slashes, and a module has modules of its own. */
function modulesIn(all: string): Inner[] {
  const found: Inner[] = [];
  const look = (folder: string) => {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const at = join(folder, entry.name);
      if (!entry.isDirectory()) continue;
      if (!existsSync(join(at, 'HEAD'))) look(at);
      else {
        found.push({ name: relative(all, at).replaceAll('\\', '/'), gitDir: at });
        look(join(at, 'modules'));
      }
    }
  };
  look(all);
  return found;
}
