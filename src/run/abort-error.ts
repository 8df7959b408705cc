/** What an aborted step has failed of, by the reason of its signal. */
import type { RunError } from '../machine/index.ts';

export function abortError({ reason }: AbortSignal): RunError {
  const isTimeout = reason === 'timeout' || (reason instanceof Error && reason.name === 'TimeoutError');
  return isTimeout
    ? { code: 'timeout', message: 'it took too long and was stopped', retryable: true }
    : { code: 'cancelled', message: 'it was cancelled', retryable: false };
}
