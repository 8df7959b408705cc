/** What is said of a run that others have: somebody drives it, or it was removed. Nobody's mistake: the exit code is 1. */
import { printable } from '../../text/index.ts';
import { UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { exit } from '../exit.ts';
import { command, ownerText } from './result.ts';

export function heldError(
  runs: { readonly short: (id: string) => string },
  root: string,
  by: Parameters<typeof ownerText>[0],
  context: Context,
): UsageError {
  const short = runs.short(root);
  return new UsageError(
    `the run ${short} is driven ${ownerText(by)}.`,
    `To see how it goes on: ${command(context, 'watch', short)}`,
    exit.failed,
  );
}

/** Between two looks at it. */
export function goneError(id: string, context: Context): UsageError {
  return new UsageError(
    `the run ${printable(id)} was removed meanwhile; nothing was done.`,
    `All runs: ${command(context, 'runs', '--all')}`,
    exit.failed,
  );
}
