/** What one file needs: an agent, or a workflow. */
import nodePath from 'node:path';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import type { AgentCheckOptions } from './agent.ts';
import type { Check } from './check.ts';

export async function fileChecks(
  word: string,
  options: AgentCheckOptions,
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  if (isWorkflow(word)) {
    const { workflowChecks } = await import('./workflow.ts');
    return workflowChecks(word, options, args, context);
  }
  const { agentChecks } = await import('./agent.ts');
  return agentChecks(word, options, args, context);
}

export function isWorkflow(word: string): boolean {
  return /\.toon$/i.test(word);
}

/** Where an agent or a workflow is written; throws where a word names neither. */
export async function fileOf(word: string, args: Args, context: Context): Promise<string> {
  if (/\.toon?$/i.test(word)) return nodePath.resolve(context.cwd, word);
  const { placesHere } = await import('../caps/places.ts');
  const { agent } = placesHere(args, context, word);
  if (agent === undefined) throw new Error('an agent was named, and none was found');
  return agent.file;
}
