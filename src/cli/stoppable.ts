/** Work that Ctrl-C and kills end. */
import { UsageError } from './command.ts';
import type { Context, StopSignal } from './context.ts';
import { stopCode } from './exit.ts';

/** Does it until Ctrl-C or a kill, which then is the error. */
export async function stoppable<T>(context: Context, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const release = context.onSignal?.((signal) => stop.abort(stopped(signal)));
  try {
    return await work(stop.signal);
  } finally {
    release?.();
  }
}

function stopped(signal: StopSignal): UsageError {
  return new UsageError('stopped: nothing was changed.', undefined, stopCode(signal));
}
