/** Where a command about caps works: the root, the home of the current directory, and the agent that it is about. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type Agent,
  agentFiles,
  findAgent,
  findAgents,
  type LocalAgent,
  type VisitingAgent,
} from '../../caps/index.ts';
import {
  type AgentKind,
  findRoot,
  type HomeHost,
  type HomePlaces,
  homeOfDirectory,
  machineHost,
  type RootPlaces,
} from '../../config/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';

export interface CapPlaces {
  readonly root: RootPlaces;
  readonly home?: HomePlaces;
  readonly agent?: AgentSourceHere;
}

/** An agent whose source lies on this machine; that of a guest, since it was synced. */
export type AgentSourceHere = Omit<LocalAgent, 'kind'> & { readonly kind: AgentKind };

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
}

export function hostOf({ cwd, env }: Context): HomeHost {
  return machineHost({ cwd, env });
}

/** `--agent`, else the one agent that lies here; without one, the home that the current directory is in. */
export function placesHere(args: Args, context: Context, named = args.texts.agent): CapPlaces {
  const host = hostOf(context);
  const options = homeOptions(args.texts);
  const root = findRoot(host, options);
  const text = named ?? onlyAgent(context.cwd);
  if (text !== undefined) {
    const found = findAgent(text, host, options);
    if (!found.ok) throw refusal(found.problem);
    const agent = found.agent.kind === 'visiting' ? guestHere(found.agent) : found.agent;
    return { root, home: agent.home, agent };
  }
  const found = homeOfDirectory(context.cwd, host, options);
  if (!found.ok) throw refusal(found.problem);
  return { root, ...(found.places && { home: found.places }) };
}

/** The same for commands that write. What belongs to a guest comes from elsewhere, and is not changed here. */
export function ownPlaces(args: Args, context: Context): CapPlaces {
  const places = placesHere(args, context);
  if (places.agent?.kind !== 'visiting') return places;
  const { name } = places.agent;
  throw new UsageError(
    `the agent "${name}" is a guest: nothing of it is changed here.`,
    `Make it one of your own: toolang clone ${args.texts.agent ?? name}`,
  );
}

/** Every agent that is meant. Without a text: the agents of the current directory. */
export function agentsOf(text: string | undefined, args: Args, context: Context): readonly Agent[] {
  const found = findAgents(text ?? '.', hostOf(context), homeOptions(args.texts));
  if (!found.ok) throw refusal(found.problem);
  return found.agents;
}

export function refusal({ code, message, help }: Problem): UsageError {
  return new UsageError(`${message} (${code})`, help);
}

function guestHere({ kind, name, ref, home }: VisitingAgent): AgentSourceHere {
  const file = guestFile(name, home);
  if (existsSync(file)) return { kind, name, file, home };
  throw new UsageError(`"${ref}" was not fetched yet.`, `Run: toolang sync ${ref}, or toolang clone ${ref}`);
}

/** Where the source of a guest lies. */
export function guestFile(name: string, home: HomePlaces): string {
  return path.join(home.dir, `${name}.too`);
}

function onlyAgent(cwd: string): string | undefined {
  const [file, ...more] = agentFiles(cwd);
  return file === undefined || more.length > 0 ? undefined : `.${path.sep}${path.basename(file)}`;
}
