/**
 * One git command as a child process: an argument is an argument, no shell reads it, and it ends with all that it
 * started. What it may read of the environment and of the configuration is for the caller to say.
 */
import { Buffer } from 'node:buffer';
import { failure, type SysFailure, systemCode } from './failure.ts';
import { killGroup, spawnGroup } from './process-group.ts';

export interface GitSpawn {
  /** The folder in which it runs. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | undefined;
  /** Ends it with all that it started. */
  readonly signal?: AbortSignal | undefined;
  /** Ends it likewise, after so long. */
  readonly limitMs?: number | undefined;
  /** Told of its process at once; where this throws, the process is ended and nothing else is thrown. */
  readonly spawned?: ((pid: number) => void) | undefined;
  readonly ended?: ((pid: number) => void) | undefined;
}

export interface GitExit {
  readonly code: number;
  /** It was killed, and has tidied nothing up. */
  readonly isKilled: boolean;
  /** It was killed because it took too long. */
  readonly isLate: boolean;
  readonly out: Buffer;
  readonly err: string;
}

const mostPrinted = 64 * 1024 * 1024;

/** However it ends. Throws a failure of the kind `missing` where there is no git (`isGitFailure`). */
export function spawnGit(args: readonly string[], options: GitSpawn): Promise<GitExit> {
  const { cwd, env, input, signal: stop, limitMs } = options;
  return new Promise((resolve, reject) => {
    const child = spawnGroup('git', args, {
      cwd,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    let isLate = false;
    const { pid } = child;
    const leave = () => {
      if (pid !== undefined) killGroup(pid);
    };
    const take = (into: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostPrinted) into.push(chunk);
    };
    child.stdout?.on('data', take(out));
    child.stderr?.on('data', take(err));
    // Who ends before it has read all is told by its exit code.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', (error) => {
      const isMissing = systemCode(error) === 'ENOENT';
      reject(gitFailure(isMissing ? 'missing' : 'other', `git could not be started: ${error.message}`, error));
    });
    stop?.addEventListener('abort', leave, { once: true });
    const late = () => {
      isLate = true;
      leave();
    };
    const timer = limitMs === undefined ? undefined : setTimeout(late, limitMs);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', leave);
      if (pid !== undefined) options.ended?.(pid);
      const said = Buffer.concat(err).toString('utf8');
      if (size > mostPrinted) reject(gitFailure('other', `git ${args[commandAt(args)]} printed more than 64 MB`));
      else
        resolve({
          code: code ?? 128,
          isKilled: signal !== null,
          isLate,
          out: Buffer.concat(out),
          err: signal === null ? said : `${said}it was ended by ${signal}`,
        });
    });
    if (pid === undefined) {
      clearTimeout(timer);
      return;
    }
    if (stop?.aborted) leave();
    try {
      options.spawned?.(pid);
    } catch (error) {
      leave();
      reject(error);
    }
  });
}

/** Whether it is git that could not be run, and not a refusal of whoever was told of its process. */
export function isGitFailure(error: unknown): error is SysFailure {
  return error instanceof Error && error.name === 'GitFailure';
}

function gitFailure(kind: SysFailure['kind'], message: string, cause?: unknown): SysFailure {
  return Object.assign(failure(kind, message, cause), { name: 'GitFailure' });
}

/** Behind the options of git itself. */
function commandAt(args: readonly string[]): number {
  let at = 0;
  while (args[at]?.startsWith('-')) at += args[at] === '-c' || args[at] === '-C' ? 2 : 1;
  return at;
}
