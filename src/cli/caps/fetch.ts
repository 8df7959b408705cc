/** Fetches references for a command: what takes its time is told, and Ctrl-C ends what was started. */
import { type Resolved, resolveAll, type Wanted } from '../../caps/index.ts';
import type { RootPlaces } from '../../config/index.ts';
import { painter, printable } from '../../text/index.ts';
import type { Context } from '../context.ts';
import { stoppable } from '../stoppable.ts';

export interface FetchOptions {
  readonly offline?: boolean | undefined;
  /** Of who has taken over Ctrl-C already. */
  readonly signal?: AbortSignal;
}

export async function fetchRefs(
  wanted: readonly Wanted[],
  { cache }: RootPlaces,
  context: Context,
  { offline, signal }: FetchOptions = {},
): Promise<ReadonlyMap<string, Resolved>> {
  const fetch = (stop: AbortSignal) =>
    resolveAll(wanted, { cache, env: context.env, offline, progress: slow.say, signal: stop });
  const slow = slowly(context);
  try {
    return await (signal ? fetch(signal) : stoppable(context, fetch));
  } finally {
    slow.end();
  }
}

/** What takes less than a moment is not told. */
function slowly({ stderr }: Context): { readonly say: (text: string) => void; readonly end: () => void } {
  const paint = painter(stderr.color);
  let pending: string[] = [];
  let isLate = false;
  const flush = () => {
    for (const text of pending) stderr.write(`${paint.dim(printable(text))}\n`);
    pending = [];
  };
  const timer = setTimeout(() => {
    isLate = true;
    flush();
  }, 700).unref();
  return {
    say(text) {
      pending.push(text);
      if (isLate) flush();
    },
    end: () => clearTimeout(timer),
  };
}
