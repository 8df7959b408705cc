/** A clock whose time passes when it is told to, for the simulator. */
import type { Clock } from '../../sys/index.ts';

export interface SimulatedClock extends Clock {
  /** Wakes who sleeps shortest; false if nobody sleeps. */
  readonly next: () => boolean;
  readonly clear: () => void;
  readonly setBack: (ms: number) => void;
}

export function simulatedClock(): SimulatedClock {
  interface Sleeper {
    readonly at: number;
    readonly wake: () => void;
  }
  let now = 1_000_000_000;
  /** How much the clock shows too little. */
  let back = 0;
  let sleepers: Sleeper[] = [];
  return {
    now: () => now - back,
    setBack(ms) {
      back += ms;
    },
    monotonic: () => now,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          sleepers = sleepers.filter((each) => each !== sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        };
        const sleeper = { at: now + Math.max(0, ms), wake };
        signal?.addEventListener('abort', abort, { once: true });
        sleepers.push(sleeper);
      });
    },
    next() {
      const [first, ...others] = sleepers;
      if (first === undefined) return false;
      const earliest = others.reduce((best, each) => (each.at < best.at ? each : best), first);
      sleepers = sleepers.filter((each) => each !== earliest);
      now = Math.max(now, earliest.at);
      earliest.wake();
      return true;
    },
    clear() {
      sleepers = [];
    },
  };
}
