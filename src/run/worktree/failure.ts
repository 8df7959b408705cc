/** What goes wrong with worktrees, as an error of the step. */
import type { RunError } from '../../machine/index.ts';
import { systemCode } from '../../sys/index.ts';

export interface Failure extends Error {
  readonly name: 'WorktreeFailure';
  readonly retryable: boolean;
}

export interface FailureWords {
  readonly message: string;
  /** Somebody else is in the way, who may leave. */
  readonly retryable?: boolean;
}

export function failWith({ message, retryable = false }: FailureWords, tell?: (failure: Failure) => void): Failure {
  const failure: Failure = Object.assign(new Error(message), { name: 'WorktreeFailure' as const, retryable });
  tell?.(failure);
  return failure;
}

export function isFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Error && thrown.name === 'WorktreeFailure';
}

/** What the system refuses is told as it says it. Anything else that is thrown is a mistake of ours. */
export function failureError(thrown: unknown, at: string | undefined): RunError {
  if (!isFailure(thrown) && !isRefusal(thrown)) throw thrown;
  const { message } = thrown;
  const retryable = isFailure(thrown) && thrown.retryable;
  const error = { code: 'worktree', message, retryable };
  return at === undefined ? error : { ...error, at };
}

function isRefusal(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'syscall' in thrown && systemCode(thrown) !== undefined;
}
