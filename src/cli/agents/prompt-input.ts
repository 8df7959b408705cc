/** Prompts as commands in what people type: `/rewrite tone=short text…`. A word that names no prompt stays what it is. */
import { capBody, expandSlash, type SlashPrompt } from '../../agent/index.ts';
import type { SyncedCap } from '../../caps/index.ts';
import type { Activation, Json } from '../../plan/index.ts';
import { UsageError } from '../command.ts';
import { capsFor, writtenText } from './agent-image.ts';
import type { OpenAgent } from './open-agent.ts';

/** The prompts that an agent sees, by their names. */
export function promptsOf(agent: OpenAgent, activation: Activation): ReadonlyMap<string, SlashPrompt> {
  const prompts = capsFor(agent, activation).caps.filter(({ kind }) => kind === 'prompt');
  return new Map(prompts.map((cap) => [cap.name, promptOf(cap, writtenText(agent, cap))]));
}

function promptOf(cap: SyncedCap, written: string | undefined): SlashPrompt {
  const description = cap.facts.kind === 'prompt' ? cap.facts.description : undefined;
  return {
    // Read when it is used.
    get text() {
      return capBody(cap, written);
    },
    ...(description !== undefined && { description }),
  };
}

/** The arguments with the prompt that their input names, written out. Throws where that cannot be done. */
export function withPrompts(args: Readonly<Record<string, unknown>>, agent: OpenAgent, activation: Activation): Json {
  const { input } = args;
  if (typeof input !== 'string' || !input.startsWith('/')) return args as Json;
  const slash = expandSlash(input, promptsOf(agent, activation));
  if (slash.kind === 'wrong') throw new UsageError(slash.message);
  return slash.kind === 'unknown' ? (args as Json) : { ...(args as Record<string, Json>), input: slash.text };
}
