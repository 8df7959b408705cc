/** `toolang memory list`: what the agents of a home remember. */
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { refuseUnknown, withMemory } from './here.ts';
import { printMemories } from './print.ts';

export function run(args: Args, context: Context): Promise<ExitCode> {
  const [agent] = args.positionals;
  return withMemory(args, context, (here) => {
    if (here) refuseUnknown(agent, here);
    const none = 'nothing is remembered here: thunks with "recall += memory" save what matters again';
    return printMemories(here?.memory.list(agent) ?? [], here, none, args, context);
  });
}
