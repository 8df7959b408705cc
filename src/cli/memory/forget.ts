/** `toolang memory forget`: removes one memory. */
import { printable } from '../../text/index.ts';
import { shorten } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withMemory } from './here.ts';

export function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = ''] = args.positionals;
  const which = 'Its number stands first in a line of: toolang memory list';
  if (!/^[0-9]{1,15}$/.test(word)) {
    throw new UsageError(`"${printable(word)}" is no number of a memory.`, which);
  }
  const id = Number(word);
  return withMemory(args, context, (here) => {
    const meant = here?.memory.list().find((each) => each.id === id);
    if (meant === undefined || !here?.memory.forget(id)) throw new UsageError(`there is no memory ${id} here.`, which);
    context.stderr.write(`forgot ${id}: ${shorten(meant.text, 60)}\n`);
    return exit.done;
  });
}
