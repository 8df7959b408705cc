/**
 * `--model [AGENT=]REF`: another model for the agents of a plan, or for one of them. What was chosen is kept with the run, by
 * the names of agents, and laid over the plan of its file whenever that is looked at.
 */

import type { AgentImage } from '../../agent/index.ts';
import { providerNames } from '../../model/index.ts';
import type { AgentSpec, Json, WorkflowPlan } from '../../plan/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { UsageError } from '../command.ts';

export type Models = Readonly<Record<string, string>>;

/** Stands for every agent, also one that comes later: no agent can be called so. */
const all = '*';

interface Wish {
  /** Missing: all agents that have a model. */
  readonly agent?: string;
  readonly ref: string;
}

/** What some words choose for the agents of a plan; of several for one of them, the last. */
export function chosenModels(plan: WorkflowPlan, words: readonly string[]): Models {
  if (words.length === 0) return {};
  const wishes = words.map(wishOf);
  const names = new Set<string>();
  collect(plan, names);
  for (const { agent } of wishes) {
    if (agent === undefined || names.has(agent)) continue;
    throw new UsageError(
      `the workflow has no agent "${agent}" with a model.${didYouMean(closest(agent, [...names]))}`,
      names.size === 0 ? 'None of its agents has a model.' : `Its agents: ${[...names].join(', ')}`,
    );
  }
  if (names.size === 0) throw new UsageError('none of the agents of the workflow has a model.');
  let chosen: Models = {};
  for (const { agent, ref } of wishes) chosen = withChoice(chosen, { [agent ?? all]: ref });
  return chosen;
}

/** What is chosen for all stands instead of what was chosen for some. */
export function withChoice(before: Models, chosen: Models): Models {
  return Object.hasOwn(chosen, all) ? chosen : { ...before, ...chosen };
}

export function withModels(plan: WorkflowPlan, models: Models): WorkflowPlan {
  if (Object.keys(models).length === 0) return plan;
  const agents = Object.entries(plan.agents).map(([as, agent]) => {
    const name = Object.hasOwn(models, agent.name) ? agent.name : all;
    const ref = hasModel(agent) ? models[name] : undefined;
    return [as, ref === undefined ? agent : withModel(agent, ref)] as const;
  });
  const workflows = Object.entries(plan.workflows).map(([name, inner]) => [name, withModels(inner, models)] as const);
  return { ...plan, agents: Object.fromEntries(agents), workflows: Object.fromEntries(workflows) };
}

/** `--model ollama/qwen3` for an agent that says its provider: that is another one, too. */
function withModel(agent: AgentSpec, ref: string): AgentSpec {
  const { type, fields, image } = agent;
  if (image !== undefined) return { ...agent, image: imageWith(image, ref) };
  const slash = ref.indexOf('/');
  const provider = slash === -1 ? '' : ref.slice(0, slash);
  if (type !== 'api' || !providerNames.includes(provider)) return { ...agent, fields: { ...fields, model: ref } };
  return { ...agent, fields: { ...fields, provider, model: ref.slice(slash + 1) } };
}

/** For all its thunks: those that it hands over to, too. */
function imageWith(image: Json, ref: string): Json {
  const { thunks, ...rest } = image as unknown as AgentImage;
  const chosen = Object.entries(thunks).map(([name, thunk]) => [name, { ...thunk, models: [ref] }] as const);
  return { ...rest, thunks: Object.fromEntries(chosen) } as unknown as Json;
}

/** What was chosen for an agent stays with it under another name: where one that is new is declared as it was, and no other. */
export function withNames(models: Models, before: WorkflowPlan, after: WorkflowPlan): Models {
  const [old, now] = [declared(before), declared(after)];
  const entries = Object.entries(models).map(([name, ref]): [string, string] => {
    const was = now.has(name) ? undefined : old.get(name);
    if (was === undefined) return [name, ref];
    const same = [...now].filter(([other, is]) => !old.has(other) && is === was);
    const [only] = same;
    return [same.length === 1 && only ? only[0] : name, ref];
  });
  return Object.fromEntries(entries);
}

/** Agents with a model as they are declared but for that, by their names. */
function declared({ agents, workflows }: WorkflowPlan): Map<string, string> {
  const found = new Map<string, string>();
  for (const inner of Object.values(workflows)) for (const [name, text] of declared(inner)) found.set(name, text);
  for (const agent of Object.values(agents)) {
    const { model: _, ...fields } = agent.fields;
    const { type, from = null, plugin = null } = agent;
    if (hasModel(agent)) found.set(agent.name, JSON.stringify([type, fields, from, plugin]));
  }
  return found;
}

function wishOf(word: string): Wish {
  const [, agent, ref = word] = /^([^=/]+)=(.*)$/s.exec(word) ?? [];
  if (ref.trim() === '') throw new UsageError(`"${word}" names no model.`, 'Write --model REF, or --model AGENT=REF');
  return agent === undefined ? { ref } : { agent, ref };
}

/** A thunk that was not compiled yet has no models of its own. */
function hasModel({ type, image }: AgentSpec): boolean {
  return type !== 'too' || image !== undefined;
}

function collect({ agents, workflows }: WorkflowPlan, into: Set<string>): void {
  for (const agent of Object.values(agents)) if (hasModel(agent)) into.add(agent.name);
  for (const inner of Object.values(workflows)) collect(inner, into);
}
