/**
 * Git, as child processes: an argument is an argument, no shell reads it.
 * 1. Of the caller's `GIT_…` environment only counts what is configured, and how to get at files that are elsewhere; no hooks
 *    run, nobody is asked for anything, and what git says is in English.
 * 2. What writes files is told to `watch`, so that whoever takes over can end it; what only reads them, or writes objects
 *    that nothing points at yet, does no harm when it outlives us.
 */
import { statSync } from 'node:fs';
import { isGitFailure, quotePath, spawnGit } from '../../sys/index.ts';
import { type Failure, failWith } from './failure.ts';

export interface GitOptions {
  /** The folder in which it runs. */
  readonly cwd: string;
  /** A private index instead of that of the folder. */
  readonly index?: string;
  readonly input?: string;
  readonly watch?: Watch | undefined;
  /** Ends it with all that it started. */
  readonly signal?: AbortSignal | undefined;
}

/** Who is told of the processes. */
export interface Watch {
  readonly spawned: (pid: number) => void;
  readonly ended: (pid: number) => void;
}

export interface GitEnd {
  readonly code: number;
  /** It was killed, and has tidied nothing up. */
  readonly isKilled: boolean;
  readonly out: string;
  readonly err: string;
}

export interface Git {
  /** However it ends. */
  readonly run: (args: readonly string[], options: GitOptions) => Promise<GitEnd>;
  /** What it printed, without the last line end; throws where it fails. */
  readonly read: (args: readonly string[], options: GitOptions) => Promise<string>;
  /** What it says of itself. Asked once. */
  readonly version: (cwd: string) => Promise<string>;
}

/** Configuration, as `safe.directory`; git itself; the way to files of a partial clone, or of LFS. None says where we are. */
const kept = /^GIT_(?:CONFIG_.+|EXEC_PATH|DISCOVERY_ACROSS_FILESYSTEM|SSH|SSH_.+|SSL_.+|LFS_.+)$/;

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  'core.quotePath=false',
  // What a snapshot says is in its message.
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'commit.gpgSign=false',
  'advice.addEmbeddedRepo=false',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting]);

export function createGit(env: NodeJS.ProcessEnv): Git {
  // Made when it is first needed: few runs have worktrees.
  let clean: NodeJS.ProcessEnv | undefined;
  let version: Promise<string> | undefined;

  async function run(args: readonly string[], { cwd, index, input, watch, signal }: GitOptions): Promise<GitEnd> {
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
      throw failWith({ message: `the folder ${quotePath(cwd)} does not exist` });
    }
    clean ??= gitEnvironment(env);
    const own = index === undefined ? clean : { ...clean, GIT_INDEX_FILE: index };
    const { spawned, ended } = watch ?? {};
    try {
      const exit = await spawnGit([...settings, ...args], { cwd, env: own, input, signal, spawned, ended });
      return { code: exit.code, isKilled: exit.isKilled, out: exit.out.toString('utf8'), err: exit.err };
    } catch (error) {
      if (!isGitFailure(error)) throw error; // Somebody else drives the run.
      throw failWith({ message: error.kind === 'missing' ? noGit : error.message });
    }
  }

  async function read(args: readonly string[], options: GitOptions): Promise<string> {
    const end = await run(args, options);
    if (end.code !== 0) throw gitFailure(args, end);
    return end.out.replace(/\n$/, '');
  }

  return {
    run,
    read,
    version(cwd) {
      version ??= read(['--version'], { cwd }).catch((error) => {
        version = undefined;
        throw error;
      });
      return version;
    },
  };
}

/** The first words are the command; what it was given may be long. */
export function gitFailure(args: readonly string[], { err, code }: Pick<GitEnd, 'err' | 'code'>): Failure {
  const words = args.slice(0, args[0] === 'worktree' ? 2 : 1).join(' ');
  const said = gitSaid(err);
  return failWith({ message: `git ${words} failed: ${said === '' ? `exit code ${code}` : said}${lockHelp(err)}` });
}

/** What it said, in one line; of a lock, without its advice. */
export function gitSaid(err: string): string {
  const lock = lockIn(err);
  if (lock !== undefined) return `Unable to create '${lock}': File exists`;
  const lines = err.split('\n').map((line) => line.replace(/^(fatal|error): /, '').trim());
  return lines.filter((line) => line !== '' && !/^(hint|warning):/.test(line)).join('; ');
}

/** The file that keeps others out, where that is what it failed for. */
export function lockIn(err: string): string | undefined {
  return /Unable to create '([^']+\.lock)': File exists/.exec(err)?.[1];
}

function lockHelp(err: string): string {
  const file = lockIn(err);
  if (file === undefined) return '';
  return `. If no git command runs there any more, remove ${quotePath(file)}`;
}

function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const out: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    if (!/^(GIT_|LC_|LANG$|LANGUAGE$)/i.test(name) || kept.test(name.toUpperCase())) out[name] = value;
  }
  const who = { NAME: 'toolang', EMAIL: 'toolang@localhost' };
  for (const [name, value] of Object.entries(who)) {
    out[`GIT_AUTHOR_${name}`] = value;
    out[`GIT_COMMITTER_${name}`] = value;
  }
  return Object.assign(out, {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_EDITOR: ':',
    // A look at a folder writes nothing there.
    GIT_OPTIONAL_LOCKS: '0',
  });
}

const noGit =
  'git is needed for worktrees, and there is no program "git" on the PATH: install it (https://git-scm.com)';
