/** `--model [AGENT=]REF`: another model for the agents of a plan, or for one of them. */
import type { AgentSpec, WorkflowPlan } from '../../plan/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { UsageError } from '../command.ts';

interface Wish {
  /** Missing: all agents that have a model. */
  readonly agent?: string;
  readonly ref: string;
}

export function withModels(plan: WorkflowPlan, words: readonly string[]): WorkflowPlan {
  if (words.length === 0) return plan;
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
  return changed(plan, wishes);
}

function wishOf(word: string): Wish {
  const [, agent, ref = word] = /^([^=/]+)=(.*)$/s.exec(word) ?? [];
  if (ref.trim() === '') throw new UsageError(`"${word}" names no model.`, 'Write --model REF, or --model AGENT=REF');
  return agent === undefined ? { ref } : { agent, ref };
}

/** `too`: the model of a thunk is written in its own file. */
function hasModel({ type }: AgentSpec): boolean {
  return type !== 'too';
}

function collect({ agents, workflows }: WorkflowPlan, into: Set<string>): void {
  for (const agent of Object.values(agents)) if (hasModel(agent)) into.add(agent.name);
  for (const inner of Object.values(workflows)) collect(inner, into);
}

function changed(plan: WorkflowPlan, wishes: readonly Wish[]): WorkflowPlan {
  const agents = Object.entries(plan.agents).map(([name, agent]) => {
    const wish = hasModel(agent)
      ? wishes.findLast((each) => each.agent === undefined || each.agent === agent.name)
      : undefined;
    return [name, wish === undefined ? agent : { ...agent, fields: { ...agent.fields, model: wish.ref } }] as const;
  });
  const workflows = Object.entries(plan.workflows).map(([name, inner]) => [name, changed(inner, wishes)] as const);
  return { ...plan, agents: Object.fromEntries(agents), workflows: Object.fromEntries(workflows) };
}
