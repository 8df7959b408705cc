/** `toolang remove AGENT`: deletes the home of a resident agent, or of a guest. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { agentFiles, type GuestAgent, listAgents, type ResidentAgent } from '../../caps/index.ts';
import { findRoot } from '../../config/index.ts';
import { closest, didYouMean, printable } from '../../text/index.ts';
import { hostOf } from '../caps/places.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { homeOptions } from '../home-options.ts';
import { shownPath } from '../shown-path.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [name = ''] = args.positionals;
  const { residents, guests } = listAgents(findRoot(hostOf(context), homeOptions(args.texts)));
  const all = [...residents, ...guests];
  const named = all.filter((agent) => agent.name === name || (isGuest(agent) && path.basename(agent.dir) === name));
  const [found] = named;
  if (!found) {
    const near = closest(
      name,
      all.map((agent) => agent.name),
    );
    throw new UsageError(
      `no agent "${printable(name)}" lives here.${didYouMean(near)}`,
      'toolang list shows those that do.',
    );
  }
  if (named.length > 1 && found.name === name && isGuest(found)) {
    const homes = named.map(({ dir }) => path.basename(dir)).join(', ');
    throw new UsageError(`several guests are called "${printable(name)}".`, `Name one by its home: ${homes}.`);
  }
  const { dir } = found;
  // The home of a guest holds nobody else.
  const others = isGuest(found) ? [] : agentFiles(dir).filter((file) => file !== found.file);
  const shown = shownPath(dir, context);
  if (others.length > 0) {
    const names = others.map((file) => path.basename(file)).join(', ');
    throw new UsageError(`the home ${printable(shown)} is shared with ${names}.`, 'Delete its .too file by hand.');
  }
  if (!(await confirm(`Delete ${printable(shown)}, with its caps, its runs and what it remembers?`, args, context))) {
    context.stderr.write('nothing was removed\n');
    return exit.failed;
  }
  await rm(dir, { recursive: true });
  context.stderr.write(`removed ${printable(name)}\n`);
  return exit.done;
}

function isGuest(agent: ResidentAgent | GuestAgent): agent is GuestAgent {
  return 'hash' in agent;
}
