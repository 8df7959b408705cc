/**
 * What one attempt of a step can cost.
 * 1. The prompt counts as it is written, with what it reads of other models at their longest. What else it reads has a length
 *    that nobody knows before: it is named, and not counted.
 * 2. An answer of a type may be sent back, each time with all that was said before; a text is taken as it is.
 */
import { mostRepairs, promptCall } from '../../agent/index.ts';
import type { Expression } from '../../expr/index.ts';
import { type ModelInfo, mostCostOf, mostOutputTokens, mostTokens, mostTokensOf } from '../../model/index.ts';
import { type AgentSpec, nodesOf, type WorkflowPlan } from '../../plan/index.ts';
import type { PromptStep, Weight } from '../../view/index.ts';
import type { AgentPrice } from './agent-price.ts';

/** What is said with an answer that is sent back: a dozen errors. */
const repairTokens = 1500;

export interface StepWeight extends Weight {
  /** What its prompt reads of which the length is not known, as it is written. */
  readonly unread: readonly string[];
  /** It has tools: how often it asks is up to the model. */
  readonly isEndless: boolean;
}

export function stepWeight(
  step: PromptStep,
  plan: WorkflowPlan,
  prices: ReadonlyMap<AgentSpec, AgentPrice>,
): StepWeight {
  const agent = plan.agents[step.action.agent];
  const price = agent && prices.get(agent);
  if (!agent || !price) throw new Error(`the plan has no agent ${step.action.agent}`);
  const { tools } = agent.fields;
  const isEndless = agent.type === 'too' || (isModel(agent) && Array.isArray(tools) && tools.length > 0);
  const types = new Map(Object.entries(plan.types));
  const { text, tokens: read, unread } = knownText(step, plan, prices);
  const call = promptCall(
    {
      agent: { name: agent.name, type: agent.type, fields: agent.fields },
      output: step.output,
      types,
      prompt: text,
      names: [],
    },
    [],
  );
  const calls = call.output === undefined ? 1 : 1 + mostRepairs;
  const rest = { calls, unread: price.kind === 'model' ? unread : [], isEndless };
  if (price.kind === 'unknown') return rest;
  if (price.kind === 'script') return { ...rest, usd: calls * price.dearest };
  const inputTokens = mostTokens(call) + read;
  return { ...rest, usd: Math.max(...price.infos.map((info) => mostOfAttempt(info, inputTokens, calls))) };
}

function mostOfAttempt(info: ModelInfo, inputTokens: number, calls: number): number {
  const more = mostOutputTokens(info) + repairTokens;
  let usd = 0;
  for (let nth = 0; nth < calls; nth++) usd += mostCostOf(info, { inputTokens: inputTokens + nth * more }) ?? 0;
  return usd;
}

/** The prompt without its holes, what those bring at most, and which of them nobody can tell. */
function knownText({ action }: PromptStep, plan: WorkflowPlan, prices: ReadonlyMap<AgentSpec, AgentPrice>) {
  const { prompt } = action;
  const unread: string[] = [];
  let text = '';
  let tokens = 0;
  for (const part of prompt.parts) {
    if (part.kind === 'text') {
      text += part.text;
      continue;
    }
    const most = mostOfHole(part.expression, prompt.reads, plan, prices);
    if (most === undefined) unread.push(prompt.text.slice(part.start + 1, part.end - 1).trim());
    else tokens += most;
  }
  return { text, tokens, unread };
}

/** The most tokens that a hole brings; undefined where nobody can tell. */
function mostOfHole(
  expression: Expression,
  reads: PromptStep['action']['prompt']['reads'],
  plan: WorkflowPlan,
  prices: ReadonlyMap<AgentSpec, AgentPrice>,
): number | undefined {
  const most = (part: Expression): number | undefined => {
    if (part.kind === 'literal') return mostTokensOf(String(part.value));
    if (part.kind === 'logical') return larger(most(part.left), most(part.right));
    if (part.kind === 'conditional') return larger(most(part.then), most(part.else));
    const name = plainName(part);
    const target = reads.find((each) => each.name === name)?.target;
    if (target?.kind === 'loop' || target?.kind === 'id') return shortTokens;
    if (target?.kind !== 'node') return undefined;
    const agent = agentsByPath(plan).get(target.node);
    const price = agent && prices.get(agent);
    return price?.kind === 'model' ? Math.max(...price.infos.map((info) => mostOutputTokens(info))) : undefined;
  };
  return most(expression);
}

/** Of the number of a turn, and of the id of a run. */
const shortTokens = 32;

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b);
}

/** What `a`, `a.b` and `a?.b.c` begin with; anything else may be longer than what it reads. */
function plainName(expression: Expression): string | undefined {
  let at = expression;
  for (;;) {
    if (at.kind === 'name') return at.name;
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'chain') at = at.expression;
    else return undefined;
  }
}

const known = new WeakMap<WorkflowPlan, ReadonlyMap<string, AgentSpec>>();

/** The agents of prompts, by the paths of their steps. */
function agentsByPath(plan: WorkflowPlan): ReadonlyMap<string, AgentSpec> {
  let agents = known.get(plan);
  if (agents === undefined) {
    const found = new Map<string, AgentSpec>();
    for (const { node, plan: own } of nodesOf(plan)) {
      if (own !== plan || node.kind !== 'step' || node.action.kind !== 'prompt') continue;
      const agent = plan.agents[node.action.agent];
      if (agent) found.set(node.path, agent);
    }
    agents = found;
    known.set(plan, agents);
  }
  return agents;
}

/** Others do what they do with their tools within one call. */
function isModel({ type, plugin }: AgentSpec): boolean {
  return plugin === undefined && (type === 'anthropic' || type === 'openai' || type === 'api' || type === 'scripted');
}
