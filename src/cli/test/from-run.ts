/** `toolang test --from RUN`. */
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';

export async function caseFromRun(word: string, args: Args, context: Context): Promise<ExitCode> {
  void word;
  void args;
  void context;
  return exit.usage;
}
