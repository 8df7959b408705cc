/** Git as the resolver runs it: asked over the network at most eight at a time, and locally without any network. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitExit, isGitFailure, spawnGit } from '../../sys/index.ts';
import { gitEnvironment, gitSettings } from './environment.ts';
import { createGate } from './gate.ts';

export interface GitContext {
  readonly cache: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** How long one command may take over the network. */
  readonly limitMs?: number | undefined;
}

export interface Git {
  /** Over the network. `settings` are added to ours. */
  readonly ask: (args: readonly string[], settings?: readonly string[], input?: string) => Promise<GitExit>;
  /** In a repository of the cache; no protocol is allowed. */
  readonly look: (folder: string, args: readonly string[], input?: string) => Promise<GitExit>;
}

/** Git is not there, or cannot do what is needed. */
export interface NoGit extends Error {
  readonly name: 'NoGit';
}

/** `fetch --stdin` and `--no-write-fetch-head` came with it. */
const oldest = [2, 29] as const;

const needed = 'git is needed to fetch from repositories';
const mostAtOnce = 8;
const usualLimitMs = 5 * 60_000;

export function createGit({ cache, env, signal, limitMs = usualLimitMs }: GitContext): Git {
  const gate = createGate(mostAtOnce);
  const localGate = createGate(mostAtOnce);
  const localEnv = { ...gitEnvironment(env), GIT_ALLOW_PROTOCOL: 'none' };
  // A folder that is no repository: none is found from there by accident.
  const outside = join(cache, 'git');
  let ready: Promise<NodeJS.ProcessEnv> | undefined;

  async function run(args: readonly string[], cwd: string, options: RunOptions): Promise<GitExit> {
    signal?.throwIfAborted();
    try {
      const exit = await spawnGit([...gitSettings, ...args], { cwd, signal, ...options });
      signal?.throwIfAborted();
      return exit;
    } catch (error) {
      if (!isGitFailure(error)) throw error;
      const isMissing = error.kind === 'missing';
      throw noGit(isMissing ? `${needed}, and there is no program "git" on the PATH` : error.message);
    }
  }

  /** Looked at once: whether git is new enough, and whether the user has an ssh of their own. */
  async function prepare(): Promise<NodeJS.ProcessEnv> {
    await mkdir(outside, { recursive: true });
    const ceiling = { GIT_CEILING_DIRECTORIES: cache };
    const [version, ssh] = await Promise.all([
      run(['--version'], outside, { env: localEnv }),
      run(['config', '--get', 'core.sshCommand'], outside, { env: { ...localEnv, ...ceiling } }),
    ]);
    const said = version.out.toString('utf8');
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(said) ?? [];
    const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
    if (isOld) throw noGit(`${needed}, and ${said.trim() || 'this git'} is older than ${oldest.join('.')}`);
    return { ...gitEnvironment(env, ssh.out.toString('utf8').trim()), ...ceiling };
  }

  return {
    ask: (args, settings = [], input) =>
      gate(async () => {
        ready ??= prepare();
        return run([...settings, ...args], outside, { env: await ready, input, limitMs });
      }),
    look: (folder, args, input) =>
      localGate(() => run([`--git-dir=${folder}`, ...args], outside, { env: localEnv, input })),
  };
}

export function isNoGit(error: unknown): error is NoGit {
  return error instanceof Error && error.name === 'NoGit';
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | undefined;
  readonly limitMs?: number | undefined;
}

function noGit(message: string): NoGit {
  return Object.assign(new Error(message), { name: 'NoGit' as const });
}
