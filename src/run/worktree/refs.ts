/**
 * Where the files of a run's worktrees are kept: refs of the repository, `refs/toolang/RUN/NODE`. No branch is one of them,
 * so nobody meets them who does not look for them, and git keeps what they point at.
 * 1. A name is legal for any node id, differs for different ids also where file names have no case, and no name is a folder
 *    of another one.
 * 2. What a later segment of the run keeps stands beside what the one before kept: `NODE.s17`.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type Git, type GitOptions, gitFailure, lockIn } from './git.ts';

export const allRefs = 'refs/toolang';

/**
 * `after`: when the step had ended well. `failed`: the commit that was checked out when it had not. `left`: what was there when
 * files were set back. `made`: `begin.ts`.
 */
export type RefPart = 'before' | 'after' | 'failed' | 'left' | 'made';

export interface RefName {
  readonly run: string;
  /** The id of a command, or the name of a node. */
  readonly node: string;
  /** The `seq` with which the segment begins; the first one is 1. */
  readonly segment: number;
  readonly part: RefPart;
}

export function refOf({ run, node, segment, part }: RefName): string {
  const later = segment > 1 ? `.s${segment}` : '';
  return `${refsOf(run)}/${encoded(node)}${later}${part === 'before' ? '' : `.${part}`}`;
}

/** What was staged when the files of a ref were kept. */
export function indexRef(ref: string): string {
  return `${ref}.index`;
}

export function refsOf(run: string): string {
  return `${allRefs}/${run}`;
}

const longest = 180;

/** Percent signs and hex digits; a long one ends with its hash. */
export function encoded(node: string): string {
  const text = Buffer.from(node, 'utf8').reduce((done, byte) => {
    const char = String.fromCharCode(byte);
    return done + (/[a-z0-9_-]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0')}`);
  }, '');
  if (text.length <= longest && text !== '') return text;
  const hash = createHash('sha256').update(node).digest('hex').slice(0, 32);
  return `${text.slice(0, longest - 40).replace(/%.?$/, '')}-${hash}`;
}

/** The refs of a run with what they point at. */
export async function listRefs(git: Git, run: string, options: GitOptions): Promise<Map<string, string>> {
  const text = await git.read(['for-each-ref', '--format=%(refname) %(objectname)', `${refsOf(run)}/`], options);
  const lines = text === '' ? [] : text.split('\n');
  return new Map(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
}

/** All at once, or none of them. */
export async function setRefs(git: Git, refs: ReadonlyMap<string, string>, options: GitOptions): Promise<void> {
  const input = [...refs].map(([ref, object]) => `update ${ref}\0${object}\0\0`).join('');
  await changeRefs(git, [...refs.keys()], input, options);
}

/** Nobody else writes them: a lock that stays was left by a process that was killed. */
async function changeRefs(git: Git, refs: readonly string[], input: string, options: GitOptions): Promise<void> {
  const args = ['update-ref', '-z', '--stdin'];
  const isOurs = (lock: string) => refs.some((ref) => lock.replaceAll('\\', '/').endsWith(`/${ref}.lock`));
  for (let tries = 0; ; tries++) {
    const end = await git.run(args, { ...options, input });
    if (end.code === 0) return;
    const lock = lockIn(end.err);
    if (lock === undefined || !isOurs(lock) || tries > refs.length) throw gitFailure(args, end);
    rmSync(lock, { force: true });
  }
}

/** What one run has kept before its segment `below` began, for another one that shares it; what that has stays. */
export async function copyRefs(
  git: Git,
  from: string,
  to: string,
  options: GitOptions,
  below = Number.POSITIVE_INFINITY,
): Promise<Map<string, string>> {
  const had = await listRefs(git, to, options);
  const names = new Map<string, string>();
  for (const [ref, object] of await listRefs(git, from, options)) {
    const name = refsOf(to) + ref.slice(refsOf(from).length);
    if (!ref.endsWith('.made') && segmentOf(ref) < below && !had.has(name)) names.set(name, object);
  }
  if (names.size > 0) await setRefs(git, names, options);
  return new Map([...had, ...names]);
}

function segmentOf(ref: string): number {
  return Number(/\.s(\d+)(?:\.[a-z]+)*$/.exec(ref)?.[1] ?? 1);
}

/** What nobody needs any more: git drops what only they pointed at. */
export async function dropRefs(git: Git, run: string, options: GitOptions): Promise<number> {
  const refs = [...(await listRefs(git, run, options)).keys()];
  if (refs.length === 0) return 0;
  const input = refs.map((ref) => `delete ${ref}\0\0`).join('');
  await changeRefs(git, refs, input, options);
  return refs.length;
}
