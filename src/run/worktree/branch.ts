/**
 * Whether a branch may go where a run wants it: what people have committed on it stays there.
 * 1. Made by the run is what a step's end has and its beginning had not; of a step that was killed, what the folder's own
 *    log of HEAD has.
 * 2. A branch with nothing else on top goes where it should.
 * 3. Where people have gone on from there, the step goes on from that. Where their commits stand on work that is to be done
 *    again, or went another way, nothing is moved: people have to say what becomes of them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';
import type { Tree } from './private-index.ts';
import { refsOf } from './refs.ts';

export type BranchWay =
  | { readonly kind: 'free' }
  /** People's, on top of where it should go. */
  | { readonly kind: 'ahead'; readonly commit: string; readonly count: number }
  | { readonly kind: 'astray'; readonly commit: string; readonly count: number };

export interface BranchMove {
  /** The full name. */
  readonly branch: string;
  /** The commit that it should be at. */
  readonly to: string;
  /** Those with which the run has made branches: what they had is on others. */
  readonly bases: readonly string[];
}

export async function branchWay(
  git: Git,
  run: string,
  tree: Tree,
  { branch, to, bases }: BranchMove,
): Promise<BranchWay> {
  const cwd = { cwd: tree.path };
  const end = await git.run(['rev-parse', '-q', '--verify', `${branch}^{commit}`], cwd);
  const at = end.out.trim();
  if (end.code !== 0 || at === to) return { kind: 'free' };
  const dropped = await listed(git, tree, [at, ...[to, ...bases].map((each) => `^${each}`)]);
  const left = new Set(dropped);
  if (left.size > 0) await leaveOut(git, run, tree, left);
  const count = left.size;
  if (count === 0) return { kind: 'free' };
  const isOnTop = (await git.run(['merge-base', '--is-ancestor', to, at], cwd)).code === 0;
  return { kind: isOnTop && count === dropped.length ? 'ahead' : 'astray', commit: at, count };
}

/** Leaves only those that no step of the run has made. */
async function leaveOut(git: Git, run: string, tree: Tree, commits: Set<string>): Promise<void> {
  const log = logOf(tree);
  for (const { before, ends } of await stepsOf(git, run, tree)) {
    const tips = (ends.length > 0 ? ends : log).filter((tip) => tip !== before);
    if (tips.length === 0) continue;
    for (const made of await listed(git, tree, [...tips, `^${before}`])) commits.delete(made);
    if (commits.size === 0) return;
  }
}

interface Step {
  /** The commit that was checked out when it began, and those when it had ended, well or not. */
  readonly before: string;
  readonly ends: string[];
}

/** By what was kept of them. */
async function stepsOf(git: Git, run: string, { path }: Tree): Promise<Step[]> {
  const format = '--format=%(refname) %(objectname) %(parent)';
  const text = await git.read(['for-each-ref', format, `${refsOf(run)}/`], { cwd: path });
  const steps = new Map<string, Step>();
  const ends: { readonly of: string; readonly commit: string }[] = [];
  for (const line of text.split('\n')) {
    const [ref = '', own = '', head = ''] = line.split(' ');
    const name = /^(.+%23\d+(?:\.s\d+)?)(\.after|\.failed)?$/.exec(ref);
    if (name?.[1] === undefined) continue;
    if (name[2] !== undefined) ends.push({ of: name[1], commit: name[2] === '.failed' ? own : head });
    else if (head !== '') steps.set(name[1], { before: head, ends: [] });
  }
  for (const { of, commit } of ends) if (commit !== '') steps.get(of)?.ends.push(commit);
  return [...steps.values()];
}

/** The commits that were checked out in the folder. */
function logOf({ gitDir }: Tree): string[] {
  const file = join(gitDir, 'logs', 'HEAD');
  if (!existsSync(file)) return [];
  const ids = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ', 2)[1] ?? []);
  return [...new Set(ids)].filter((id) => !/^0*$/.test(id));
}

async function listed(git: Git, { path }: Tree, names: readonly string[]): Promise<string[]> {
  const text = await git.read(['rev-list', '--stdin', '--ignore-missing'], {
    cwd: path,
    input: `${names.join('\n')}\n`,
  });
  return text === '' ? [] : text.split('\n');
}
