/**
 * How long the steps of a run have been at work, and what that means where only so many minutes are allowed. Time in which
 * nobody drives it, or only people are awaited, is no work.
 */
import type { JournalEvent } from '../journal/index.ts';
import type { RunError } from '../machine/index.ts';
import type { Clock } from '../sys/index.ts';

export interface Work {
  /** Time has passed, with steps at work or without. */
  readonly pass: (isBusy: boolean) => void;
  /** Why nothing begins any more, if the time is over. */
  readonly over: () => RunError | undefined;
  /** A step is ended because of it; false if that is known. */
  readonly end: (id: string) => boolean;
  /** A step has ended: why, if it was ended because of it. */
  readonly ended: (id: string) => RunError | undefined;
}

const minute = 60_000;

/** `before`: milliseconds that it was at work before. */
export function createWork(clock: Clock, minutes: number | undefined, before: number): Work {
  if (minutes === undefined) {
    return { pass: () => undefined, over: () => undefined, end: () => false, ended: () => undefined };
  }
  const err: RunError = {
    code: 'limit',
    message: `the run may be at work for ${minutes} minutes (limits.minutes), and they are over`,
    retryable: false,
  };
  const stopped = new Set<string>();
  let worked = before;
  let last = clock.monotonic();
  const over = () => (worked >= minutes * minute ? err : undefined);
  return {
    pass(isBusy) {
      const ticks = clock.monotonic();
      if (isBusy) worked += ticks - last;
      last = ticks;
    },
    over,
    end(id) {
      const isNew = !stopped.has(id);
      stopped.add(id);
      return isNew;
    },
    ended: (id) => (stopped.delete(id) ? err : undefined),
  };
}

/** The same from a journal: from the begin of steps to what is written next, but not over the death of an owner. */
export function createWorked(before = 0): {
  readonly take: (event: JournalEvent, isOpen: boolean) => void;
  readonly ms: () => number;
} {
  const begun = new Set<string>();
  let last = 0;
  let ms = before;
  return {
    take({ at, node = '', body }, isOpen) {
      const isAgain = body.kind === 'node.started' && begun.has(node);
      if (begun.size > 0 && !isAgain) ms += Math.max(0, at - last);
      last = at;
      if (body.kind === 'node.started') begun.add(node);
      else if (body.kind === 'run.stopped') begun.clear();
      else if (!isOpen) begun.delete(node);
    },
    ms: () => ms,
  };
}
