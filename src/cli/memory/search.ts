/** `toolang memory search`: finds memories as agents do. */
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { refuseUnknown, withMemory } from './here.ts';
import { printMemories } from './print.ts';

/** As many as a search gives. */
const most = 20;

export function run(args: Args, context: Context): Promise<ExitCode> {
  const { agent } = args.texts;
  return withMemory(args, context, (here) => {
    if (here) refuseUnknown(agent, here);
    const found = here?.memory.search(agent, args.positionals.join(' '), args.counts.limit ?? most) ?? [];
    return printMemories(found, here, 'no memory has any of these words', args, context);
  });
}
