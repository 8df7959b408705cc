/**
 * The files of a worktree, kept as a commit and set back to one.
 * 1. A snapshot holds what git would see there: tracked and untracked files with their modes and links; not what is ignored,
 *    not empty folders, not the insides of other repositories.
 * 2. To take one touches neither the branch, nor HEAD, nor what is staged: the index is a copy.
 * 3. Set back, the files are as they were, and git says of them what it said then: HEAD, the branch that the folder is on and
 *    what is staged are as they were too. Where all that is so already, nothing is written.
 * 4. Nothing is lost by that: what was there is kept as a snapshot of its own before, and a repository that was made inside
 *    of the folder is moved away.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode } from '../../sys/index.ts';
import { type Begun, isBegun, readBegun, restoreBegun } from './begun.ts';
import { claimOf } from './claim.ts';
import { type Git, gitFailure, type Watch } from './git.ts';
import { isSameFolder, listTrees } from './list.ts';
import { dropLocks } from './locks.ts';
import { type Look, lookAt, type Tree } from './private-index.ts';
import { indexRef, setRefs } from './refs.ts';

export interface Snapshot {
  readonly commit: string;
  /** The tree of what was staged; none while a merge has conflicts. */
  readonly index: string | undefined;
  /** What could not be kept, as git says it. */
  readonly unkept?: string;
}

/** What the message of a snapshot says beside its title. */
interface Said {
  /** The name of the worktree's node. */
  readonly worktree: string;
  /** The full name of the branch that it is on, if it is on one. */
  readonly branch?: string;
  readonly index?: string;
  readonly begun?: Begun;
  /** Repositories without a commit that were in it. */
  readonly unborn?: readonly string[];
}

/** One as it is looked up. */
export interface KnownSnapshot extends Said {
  readonly commit: string;
  readonly tree: string;
  /** The commit that was checked out. */
  readonly head?: string;
}

/** Undefined where there is none any more. */
export function treeAt(path: string): Tree | undefined {
  let text: string;
  try {
    text = readFileSync(join(path, '.git'), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
  const written = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
  const gitDir = written === undefined ? undefined : resolve(path, written);
  return gitDir !== undefined && existsSync(join(gitDir, 'HEAD')) ? { path, gitDir } : undefined;
}

/** Keeps the files under a ref. `title`: what people read in its message. */
export async function takeSnapshot(
  git: Git,
  tree: Tree,
  ref: string,
  worktree: string,
  title: string,
): Promise<Snapshot> {
  const now = await lookAt(git, tree);
  const commit = await commitOf(git, tree, now, worktree, title);
  await setRefs(git, refsFor(ref, commit, now.staged), { cwd: tree.path });
  return { commit, index: now.staged, ...(now.unkept !== undefined && { unkept: now.unkept }) };
}

/** The same files have one more name. */
export async function nameSnapshot(git: Git, { path }: Tree, ref: string, { commit, index }: Snapshot): Promise<void> {
  await setRefs(git, refsFor(ref, commit, index), { cwd: path });
}

export interface RestoreOptions {
  /** Where that is kept which was there before. */
  readonly left: string;
  readonly worktree: string;
  /** The branch is this run's own, and goes back with the files; else HEAD leaves it. */
  readonly isOwn: boolean;
  readonly watch?: Watch | undefined;
}

/** A repository that was made inside of the folder since, and where it is now. */
export interface Aside {
  readonly path: string;
  readonly to: string;
}

export interface Restored {
  /** Something had to be set back. */
  readonly isSet: boolean;
  readonly aside: readonly Aside[];
}

export async function restoreSnapshot(
  git: Git,
  tree: Tree,
  to: KnownSnapshot,
  options: RestoreOptions,
): Promise<Restored> {
  const { path, gitDir } = tree;
  dropLocks(tree, options.isOwn ? to.branch : undefined);
  const now = await lookAt(git, tree);
  const { index } = now;
  const branch = await branchOf(git, tree);
  const headNow = (await git.run(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { cwd: path })).out.trim();
  const isHead = to.head === undefined || headNow === to.head;
  const isThere = isHead && (branch === to.branch || !options.isOwn);
  const isStaged = to.index === undefined ? now.tree === to.tree : now.staged === to.index;
  const unborn = (now.unborn ?? []).filter((name) => !to.unborn?.includes(name));
  const isSame = now.tree === to.tree && isThere && isStaged && unborn.length === 0;
  if (isSame && isBegun(gitDir, to.begun ?? {})) return { isSet: false, aside: [] };
  // Whoever was killed in the middle of this has left something, too.
  const earlier = (await git.run(['rev-parse', '-q', '--verify', options.left], { cwd: path })).out.trim();
  const title = `what was there before ${options.left}`;
  const left = await commitOf(git, tree, now, options.worktree, title, earlier === '' ? [] : ['-p', earlier]);
  await setRefs(git, refsFor(options.left, left, now.staged), { cwd: path });
  const aside = setAside(tree, [...unborn, ...(await newRepositories(git, tree, to.tree, now.tree))]);
  // Our index has all that is there, so what is not in the snapshot goes.
  await git.read(['read-tree', '--reset', '-u', to.tree], { cwd: path, index, watch: options.watch });
  if (!isThere) await moveHead(git, tree, to, options);
  await git.read(['read-tree', '--reset', to.index ?? to.head ?? to.tree], { cwd: path, index });
  renameSync(index, join(gitDir, 'index'));
  restoreBegun(gitDir, to.begun ?? {});
  return { isSet: true, aside };
}

const aLink = '160000';

/** Of what was not there before. */
async function newRepositories(git: Git, { path }: Tree, to: string, now: string): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', to, now];
  const fields = (await git.read(args, { cwd: path })).split('\0');
  const names: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [before, after] = (fields[i] ?? '').slice(1).split(' ');
    if (after === aLink && before !== aLink) names.push(fields[i + 1] ?? '');
  }
  return names;
}

/**
 * Git leaves the folders of other repositories where they are, and keeps nothing of what is in them: they are moved away. A
 * worktree of a run is not made by a step, and stays.
 */
function setAside({ path, gitDir }: Tree, names: readonly string[]): Aside[] {
  const common = resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim());
  const aside: Aside[] = [];
  for (const name of names) {
    const from = join(path, name);
    if (!existsSync(join(from, '.git')) || claimOf(common, from) !== undefined) continue;
    const folder = join(common, 'toolang', 'aside');
    mkdirSync(folder, { recursive: true });
    const target = join(mkdtempSync(join(folder, 'repository-')), basename(name));
    moveFolder(from, target);
    for (let at = dirname(from); at !== path && readdirSync(at).length === 0; at = dirname(at)) rmdirSync(at);
    aside.push({ path: name, to: target });
  }
  return aside;
}

/** Also to another disk. */
function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
}

export async function readSnapshot(git: Git, cwd: string, commit: string): Promise<KnownSnapshot> {
  const text = await git.read(['log', '-1', '--no-show-signature', '--format=%H%n%T%n%P%n%B', commit], { cwd });
  const [id = '', tree = '', parents = '', ...message] = text.split('\n');
  const said = JSON.parse(message.findLast((line) => line.startsWith('{')) ?? '{}') as Said;
  return { ...said, commit: id, tree, ...(parents !== '' && { head: parents.split(' ', 1)[0] ?? '' }) };
}

/** A commit of people, as if it were a snapshot: all is as that has it. */
export async function startSnapshot(
  git: Git,
  cwd: string,
  commit: string,
  branch: string | undefined,
): Promise<KnownSnapshot> {
  const tree = await git.read(['rev-parse', `${commit}^{tree}`], { cwd });
  const on = branch === undefined ? {} : { branch: `refs/heads/${branch}` };
  return { worktree: '', commit, tree, head: commit, index: tree, ...on };
}

/** The last one that was made, by the folders that git has for worktrees: most steps change nothing. */
const made = new Map<string, { readonly of: string; readonly commit: string }>();
const mostMade = 100;

async function commitOf(
  git: Git,
  tree: Tree,
  now: Look,
  worktree: string,
  title: string,
  also: readonly string[] = [],
): Promise<string> {
  const { path, gitDir } = tree;
  const branch = await branchOf(git, tree);
  const begun = readBegun(gitDir);
  const said: Said = {
    worktree,
    ...(branch !== undefined && { branch }),
    ...(now.staged !== undefined && { index: now.staged }),
    ...(Object.keys(begun).length > 0 && { begun }),
    ...(now.unborn && now.unborn.length > 0 && { unborn: now.unborn }),
  };
  const head = headIn(gitDir, branch);
  const of = JSON.stringify([now.tree, head, said]);
  const last = made.get(gitDir);
  if (head !== undefined && also.length === 0 && last?.of === of) return last.commit;
  const message = `${title.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}\n\n${JSON.stringify(said)}\n`;
  const options = { cwd: path, input: message };
  const args = ['commit-tree', '-p', 'HEAD', ...also, now.tree];
  const end = await git.run(args, options);
  if (end.code === 0) {
    const commit = end.out.trim();
    if (made.size >= mostMade) made.clear();
    made.set(gitDir, { of, commit });
    return commit;
  }
  // A branch that was begun anew has no commit yet.
  if ((await git.run(['rev-parse', '-q', '--verify', 'HEAD'], { cwd: path })).code === 0) throw gitFailure(args, end);
  return git.read(['commit-tree', ...also, now.tree], options);
}

/** The commit that is checked out, where a look at one file tells. */
function headIn(gitDir: string, branch: string | undefined): string | undefined {
  try {
    if (branch === undefined) return readFileSync(join(gitDir, 'HEAD'), 'utf8');
    const common = resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim());
    return readFileSync(join(common, branch), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

function refsFor(ref: string, commit: string, staged: string | undefined): Map<string, string> {
  const refs = new Map([[ref, commit]]);
  if (staged !== undefined) refs.set(indexRef(ref), staged);
  return refs;
}

/** The full name; undefined where HEAD is a commit. */
async function branchOf(git: Git, { path, gitDir }: Tree): Promise<string | undefined> {
  const head = readFileSync(join(gitDir, 'HEAD'), 'utf8').trim();
  if (!head.startsWith('ref: ')) return undefined;
  const name = head.slice('ref: '.length);
  if (name !== 'refs/heads/.invalid') return name;
  // How other stores of refs say that it is not in this file.
  const end = await git.run(['symbolic-ref', '-q', 'HEAD'], { cwd: path });
  return end.code === 0 ? end.out.trim() : undefined;
}

/** Only a branch of the run's own goes back, and only where no other folder is on it. */
async function moveHead(git: Git, { path }: Tree, to: KnownSnapshot, { isOwn }: RestoreOptions): Promise<void> {
  const { head, branch } = to;
  const options = { cwd: path };
  if (head === undefined) return;
  if (branch === undefined || !isOwn || (await isElsewhere(git, path, branch))) {
    await git.read(['update-ref', '--no-deref', '-m', 'toolang: set back', 'HEAD', head], options);
    return;
  }
  await git.read(['update-ref', '-m', 'toolang: set back', branch, head], options);
  await git.read(['symbolic-ref', '-m', 'toolang: set back', 'HEAD', branch], options);
}

async function isElsewhere(git: Git, path: string, branch: string): Promise<boolean> {
  return (await listTrees(git, path)).some((each) => each.branch === branch && !isSameFolder(each.path, path));
}
