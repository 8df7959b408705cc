/** Ends work that gives no sign of life for too long. */
import type { Clock } from '../sys/index.ts';

export interface IdleWatch {
  /** Aborted like the one that was given, and when nothing was heard for too long. */
  readonly signal: AbortSignal;
  readonly alive: () => void;
  readonly isIdle: () => boolean;
  readonly stop: () => void;
}

export function createIdleWatch(clock: Clock, idleMs: number | undefined, outer: AbortSignal): IdleWatch {
  if (idleMs === undefined) return { signal: outer, alive: () => {}, isIdle: () => false, stop: () => {} };
  const limit = Math.max(1, idleMs);
  const own = new AbortController();
  let idle = false;
  let sleep = new AbortController();
  const watch = () => {
    clock.sleep(limit, sleep.signal).then(
      () => {
        idle = true;
        own.abort('idle');
      },
      () => undefined, // It was heard of, or it is over.
    );
  };
  watch();
  return {
    signal: AbortSignal.any([outer, own.signal]),
    alive() {
      sleep.abort();
      sleep = new AbortController();
      watch();
    },
    isIdle: () => idle,
    stop: () => sleep.abort(),
  };
}
