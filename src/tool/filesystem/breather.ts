/** Lets others go on while much is done at once, and ends it when it is aborted or takes too long. */
import type { Clock } from '../../sys/index.ts';
import { ToolFailure } from '../define-tool.ts';

export interface Breather {
  /** To be called between small pieces of work; waits now and then, and throws when it is time to end. */
  readonly breathe: () => Promise<void>;
}

const sliceMs = 8;

export function createBreather(clock: Clock, signal: AbortSignal, mostMs: number): Breather {
  const start = clock.monotonic();
  let slice = performance.now();
  return {
    async breathe() {
      if (performance.now() - slice < sliceMs) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
      slice = performance.now();
      signal.throwIfAborted();
      if (clock.monotonic() - start <= mostMs) return;
      const message = `it took longer than ${mostMs / 1000} s, and was ended. Look in a smaller folder, with "path".`;
      throw new ToolFailure('timeout', message);
    },
  };
}
