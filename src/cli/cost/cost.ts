/** What a run of a workflow can cost at most, by its file and by the limits of the configuration. */
import type { Settings } from '../../config/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { mostCalls } from '../../view/index.ts';
import { agentPrices, type PriceOptions } from './agent-price.ts';
import { stepWeight } from './step-weight.ts';

/** The shape of `cost` in `spec/json/explain-workflow.schema.json`. */
export interface WorkflowCost {
  /** The most model calls that the file allows; `endless`: agents with tools may ask more often. */
  readonly calls: number;
  readonly endless: boolean;
  /** The most dollars of what has a price. */
  readonly usd: number;
  readonly steps: readonly StepCost[];
  /** Agents of which nobody knows what they cost. */
  readonly unknown: readonly { readonly agent: string; readonly model: string; readonly why: string }[];
  /** What is read of which the length is not known before, and which is not in the dollars. */
  readonly uncounted: readonly string[];
  /** Nodes of plugins, whose code may ask whom it likes. */
  readonly plugins: readonly string[];
  readonly limits: { readonly usd: number; readonly modelCalls?: number; readonly tokens?: number };
}

export interface StepCost {
  readonly path: string;
  readonly agent: string;
  readonly model: string;
  /** With all attempts, repairs and turns of loops. */
  readonly calls: number;
  readonly endless: boolean;
  readonly usd?: number;
}

export async function workflowCost(
  plan: WorkflowPlan,
  limits: Settings['limits'],
  options: PriceOptions,
): Promise<WorkflowCost> {
  const prices = await agentPrices(plan, options);
  const most = mostCalls(plan, (step, own) => stepWeight(step, own, prices));
  const unknown = new Map<string, WorkflowCost['unknown'][number]>();
  const uncounted = new Set<string>();
  const steps = most.steps.map(({ path, agent, calls, usd, weight }): StepCost => {
    const price = prices.get(agent);
    const model = price?.ref ?? agent.type;
    if (price?.kind === 'unknown') unknown.set(`${agent.name}\n${model}`, { agent: agent.name, model, why: price.why });
    for (const each of weight.unread) uncounted.add(each);
    return {
      path,
      agent: agent.name,
      model,
      calls: finite(calls),
      endless: weight.isEndless,
      ...(usd !== undefined && { usd: finite(usd) }),
    };
  });
  const { usd, model_calls: modelCalls, tokens } = limits;
  return {
    calls: finite(most.calls),
    endless: steps.some(({ endless }) => endless),
    usd: finite(most.usd),
    steps,
    unknown: [...unknown.values()],
    uncounted: [...uncounted],
    plugins: most.plugins,
    limits: { usd, ...(modelCalls !== undefined && { modelCalls }), ...(tokens !== undefined && { tokens }) },
  };
}

/** JSON has no number for what is beyond all numbers. */
function finite(n: number): number {
  return Math.min(n, Number.MAX_VALUE);
}
