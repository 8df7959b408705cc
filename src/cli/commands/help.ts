/** `toolang help [COMMAND]`. */
import { closest, didYouMean } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { commandHelp, mainHelp } from '../help.ts';
import { commandNamed, commands } from '../table.ts';

export function run(args: Args, context: Context): ExitCode {
  const name = args.positionals[0];
  if (name === undefined) {
    context.stdout.write(mainHelp(context.stdout.color));
    return exit.done;
  }
  const command = commandNamed(name);
  if (command === undefined) {
    const near = closest(
      name,
      commands.map((c) => c.name),
    );
    throw new UsageError(`unknown command "${name}".${didYouMean(near)}`, 'all commands: toolang --help');
  }
  context.stdout.write(commandHelp(command, context.stdout.color));
  return exit.done;
}
