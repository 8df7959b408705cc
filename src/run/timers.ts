/**
 * When the timers of a run are due.
 * 1. While a driver lives they are measured by ticks that never go back: a clock that is set back lengthens no wait.
 * 2. A clock that went further than the ticks ends them too: a machine that slept has waited.
 * 3. Of a timer that an earlier owner set there is never more left than its whole length.
 */
import type { Clock } from '../sys/index.ts';
import type { OpenSignal, OpenTimer } from './open-command.ts';

export interface Timers {
  readonly look: (now: number) => TimersNow;
}

export interface TimersNow {
  readonly due: readonly string[];
  /** Those that end much earlier than was told, and when. */
  readonly moved: readonly { readonly opened: OpenTimer; readonly until: number }[];
  /** Milliseconds until the next one; infinite if there is none. */
  readonly left: number;
}

/** So far a told deadline may be wrong. */
const slackMs = 1000;

export function createTimers(clock: Clock, waits: ReadonlyMap<string, OpenTimer | OpenSignal>): Timers {
  /** In ticks. */
  let ends = new Map<string, number>();
  return {
    look(now) {
      const ticks = clock.monotonic();
      const due: string[] = [];
      const moved: { opened: OpenTimer; until: number }[] = [];
      let next = Number.POSITIVE_INFINITY;
      const known = ends;
      ends = new Map();
      for (const [id, opened] of waits) {
        if (!('until' in opened)) continue;
        const told = opened.until - now;
        const end = known.get(id) ?? ticks + Math.min(opened.effect.ms, Math.max(0, told));
        ends.set(id, end);
        const left = Math.min(end - ticks, told);
        if (left <= 0) due.push(id);
        else if (told > left + slackMs) moved.push({ opened, until: now + left });
        next = Math.min(next, left);
      }
      return { due, moved, left: next };
    },
  };
}
