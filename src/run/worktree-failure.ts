/** What goes wrong with worktrees, as an error of the step. */
import type { RunError } from '../machine/index.ts';

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

/** Anything else that is thrown is a mistake of ours. */
export function failureError(thrown: unknown, at: string | undefined): RunError {
  if (!isFailure(thrown)) throw thrown;
  const { message, retryable } = thrown;
  const error = { code: 'worktree', message, retryable };
  return at === undefined ? error : { ...error, at };
}
