/** What a `model` step says: who is asked, and what scripts may call it. */
import type { Json, StepCommand } from '../machine/index.ts';
import type { PluginImport } from '../plan/index.ts';
import { isRecord } from '../type/index.ts';
import type { ScriptAgent } from './scripts.ts';

export interface StepAgent extends ScriptAgent {
  /** Where it was declared. */
  readonly at?: string;
}

export function agentOf({ id, spec }: StepCommand): StepAgent {
  const { agent } = spec;
  if (!isRecord(agent) || typeof agent.name !== 'string' || typeof agent.type !== 'string') {
    throw new Error(`the model step ${id} has no agent`);
  }
  const { name, type, at, workflow } = agent;
  const made: { -readonly [K in keyof StepAgent]: StepAgent[K] } = {
    name,
    type,
    fields: isRecord(agent.fields) ? agent.fields : {},
  };
  if (typeof at === 'string') made.at = at;
  if (typeof workflow === 'string') made.workflow = workflow;
  if (isRecord(agent.plugin)) made.plugin = agent.plugin as unknown as PluginImport;
  return made;
}

/** The most specific first. */
export function namesOf({ id, spec }: StepCommand): readonly string[] {
  const names: Json | undefined = spec.for;
  if (!Array.isArray(names)) throw new Error(`the model step ${id} has no names`);
  return names.map(String);
}

/** The model, as the agent names it. */
export function modelOf({ spec }: StepCommand): string {
  return typeof spec.model === 'string' ? spec.model : '';
}
