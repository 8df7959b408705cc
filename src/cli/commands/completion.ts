/** `toolang completion SHELL`. */
import type { Args } from '../command.ts';
import { completionScript, type Shell } from '../completion.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';

export function run(args: Args, context: Context): ExitCode {
  context.stdout.write(completionScript(shellOf(args.positionals[0])));
  return exit.done;
}

/** The table lets no other word through. */
function shellOf(word: string | undefined): Shell {
  if (word === 'bash' || word === 'zsh' || word === 'fish') return word;
  throw new Error(`no completion for "${word}"`);
}
