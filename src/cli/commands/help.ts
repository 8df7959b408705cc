/** `toolang help [COMMAND]`. */
import { closest, didYouMean } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { commandHelp, familyHelp, mainHelp } from '../help.ts';
import { allCommands, commandNamed, familyNamed, firstWords } from '../table.ts';

export function run(args: Args, context: Context): ExitCode {
  const name = args.positionals[0];
  if (name === undefined) {
    context.stdout.write(mainHelp(context.stdout.color));
    return exit.done;
  }
  const { color } = context.stdout;
  const family = familyNamed(name);
  const second = args.positionals[1];
  const whole = second === undefined ? name : `${name} ${second}`;
  const command = commandNamed(whole);
  if (family !== undefined && second === undefined) context.stdout.write(familyHelp(family, color));
  else if (command !== undefined) context.stdout.write(commandHelp(command, color));
  else {
    const near = closest(whole, second === undefined ? firstWords() : allCommands().map((c) => c.name));
    throw new UsageError(`unknown command "${whole}".${didYouMean(near)}`, 'all commands: toolang --help');
  }
  return exit.done;
}
