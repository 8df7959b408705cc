/** Time as an argument: the real clock, and one that tests move by hand. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some moment: it never goes back, whatever is done to the clock. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface ManualClock extends Clock {
  /** Moves time and wakes who sleeps, in order; each has run as far as it can before the next is woken. */
  advance(ms: number): Promise<void>;
  /** How many are asleep. */
  sleeping(): number;
}

/** The longest wait a timer of the platform can hold; longer ones are waited in parts. */
const longestTimer = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic,
  async sleep(ms, signal) {
    for (let left = Math.max(0, ms); ; left -= longestTimer) {
      await oneTimer(Math.min(left, longestTimer), signal);
      if (left <= longestTimer) return;
    }
  },
};

/** As `performance.now()`, without the module of Node that it would load at first. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export function manualClock(start = 0): ManualClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    monotonic: () => now,
    sleeping: () => sleepers.size,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: now + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        sleepers.add(sleeper);
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let next = earliest(sleepers); next && next.at <= end; next = earliest(sleepers)) {
        now = Math.max(now, next.at);
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

function oneTimer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) if (!first || sleeper.at < first.at) first = sleeper;
  return first;
}

/** A turn of the event loop, so that everything waiting on promises has run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
