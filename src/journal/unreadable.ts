/** A run whose journal cannot be read: somebody else changed the store, or it is damaged. No bug of ours, and no other run's. */
import { ToolangError } from '../text/index.ts';

/** `what` does not fit, in words. */
export function unreadableRun(root: string, what: string, cause?: unknown): ToolangError {
  const message = `the run ${root} cannot be read: ${what}. Its journal was changed, or is damaged; other runs of the store are not touched by it`;
  return new ToolangError('TOO6001', message, { cause });
}
