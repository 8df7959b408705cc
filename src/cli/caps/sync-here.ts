/** Runs a sync for a command: with git, with questions, with words for people. What only a sync with work needs is loaded by it. */

import { version } from '../../api/index.ts';
import {
  agentKey,
  type Change,
  type Compile,
  type LocalAgent,
  type RemoteCap,
  type SyncReport,
  type SyncRequest,
  sync,
} from '../../caps/index.ts';
import type { HomePlaces, RootPlaces } from '../../config/index.ts';
import { displayPath } from '../../sys/index.ts';
import { painter, printable } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';
import { stoppable } from '../stoppable.ts';

export interface SyncWish {
  readonly frozen?: boolean;
  readonly check?: boolean;
  readonly offline?: boolean;
  readonly isUpdated?: (cap: RemoteCap) => boolean;
}

/** An agent whose source lies on this machine. */
export type AgentHere = Pick<LocalAgent, 'name' | 'file' | 'home'>;

/** One request for each home; the root goes with each, and is done with the first. */
export function requestsOf(agents: readonly AgentHere[], root: RootPlaces, home?: HomePlaces): SyncRequest[] {
  const homes = new Map<string, SyncRequest>();
  if (home) homes.set(home.dir, { root, home, agents: [] });
  for (const agent of agents) {
    const { agents: before = [] } = homes.get(agent.home.dir) ?? {};
    homes.set(agent.home.dir, {
      root,
      home: agent.home,
      agents: [...before, { name: agentKey(agent), file: agent.file }],
    });
  }
  return homes.size > 0 ? [...homes.values()] : [{ root, agents: [] }];
}

export async function syncHere(
  request: SyncRequest,
  wish: SyncWish,
  args: Args,
  context: Context,
): Promise<SyncReport> {
  const { cwd, stderr } = context;
  const { isUpdated, frozen, check, offline } = wish;
  return stoppable(context, (signal) =>
    sync(request, {
      toolang: version,
      compile: lazily(async () => (await import('./compile.ts')).compileFor(context, homeOptions(args.texts))),
      resolve: async (wanted) =>
        (await import('./fetch.ts')).fetchRefs(wanted, request.root, context, { offline, signal }),
      accept: async (brought) => (await import('./accept.ts')).accept(brought, args, context, signal),
      shown: (file) => displayPath(file, cwd),
      waiting: (pid) => stderr.write(`waiting for another sync (process ${pid})\n`),
      signal,
      ...(isUpdated && { isUpdated }),
      ...(frozen && { frozen }),
      ...(check && { check }),
    }),
  );
}

/** Made when it is first called. */
function lazily(make: () => Promise<Compile>): Compile {
  let made: Promise<Compile> | undefined;
  return async (source, file, wider) => {
    made ??= make();
    return (await made)(source, file, wider);
  };
}

const marks: Readonly<Record<Change['what'], string>> = { added: '+', updated: '~', repaired: '!', removed: '-' };

/** One line for each change. */
export function changeLines(changes: readonly Change[], { stdout }: Context, verb?: string): string {
  const paint = painter(stdout.color);
  const lines = changes.map(({ what, scope, form, kind, name, ref, why }) => {
    const told = [ref, why].filter((part) => part !== undefined).join(': ');
    const words = `${marks[what]} ${(verb ?? what).padEnd(8)} ${kind} ${printable(name)}`;
    return `${words.padEnd(36)} ${paint.dim(`${scope} ${form}${told === '' ? '' : `  ${printable(told)}`}`)}`;
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
