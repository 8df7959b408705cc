/**
 * How much a run of a plan can ask of models, before it begins.
 * 1. It is the most that can be: every attempt is needed, every loop goes on to its end, of two arms the dearer is taken.
 * 2. What an attempt of a step asks is said by who knows the models; here it is only added up.
 * 3. Calls and dollars are bounded each for itself: the arm with more calls need not be the dearer one.
 */
import type { AgentSpec, PromptAction, StepNode, WorkflowNode, WorkflowPlan } from '../plan/index.ts';

export interface PromptStep extends StepNode {
  readonly action: PromptAction;
}

/** Of one attempt. */
export interface Weight {
  readonly calls: number;
  /** In dollars; missing where nobody knows. */
  readonly usd?: number;
}

export interface WeighedStep<W extends Weight = Weight> extends Weight {
  /** From the root, through sub-workflows. */
  readonly path: string;
  readonly step: PromptStep;
  readonly plan: WorkflowPlan;
  readonly agent: AgentSpec;
  /** How often it can be tried: attempts, in each turn of the loops around it. */
  readonly times: number;
  /** What was said of one attempt. */
  readonly weight: W;
}

export interface MostCalls<W extends Weight = Weight> {
  readonly calls: number;
  /** Of the steps whose price is known. */
  readonly usd: number;
  /** Each by itself, in written order, with all of its tries; those of arms that are not taken too. */
  readonly steps: readonly WeighedStep<W>[];
  /** Kinds of plugins: what their code asks is known to nobody. */
  readonly plugins: readonly string[];
}

export function mostCalls<W extends Weight>(
  root: WorkflowPlan,
  weigh: (step: PromptStep, plan: WorkflowPlan) => W,
): MostCalls<W> {
  const steps: WeighedStep<W>[] = [];
  const plugins = new Set<string>();
  const { calls, usd } = sumOf(root.children, root, '', 1);
  return { calls, usd, steps, plugins: [...plugins] };

  function sumOf(nodes: readonly WorkflowNode[], plan: WorkflowPlan, prefix: string, times: number): Required<Weight> {
    let calls = 0;
    let usd = 0;
    for (const node of nodes) {
      const most = mostOf(node, plan, prefix, times);
      calls += most.calls;
      usd += most.usd;
    }
    return { calls, usd };
  }

  /** `times`: how often what is around it is done. */
  function mostOf(node: WorkflowNode, plan: WorkflowPlan, prefix: string, times: number): Required<Weight> {
    switch (node.kind) {
      case 'step':
        return isPrompt(node) ? ofStep(node, plan, prefix, times) : nothing;
      case 'loop':
        return sumOf(node.children, plan, prefix, times * node.maxIterations);
      case 'branch': {
        const arms = [node.then, node.else].map((arm) => sumOf(arm, plan, prefix, times));
        return { calls: Math.max(...arms.map((arm) => arm.calls)), usd: Math.max(...arms.map((arm) => arm.usd)) };
      }
      case 'workflow': {
        const called = plan.workflows[node.use];
        return called ? sumOf(called.children, called, `${prefix}${node.path}/`, times) : nothing;
      }
      case 'plugin':
        plugins.add(node.type);
        return nothing;
      case 'approval':
        return nothing;
      default:
        return sumOf(node.children, plan, prefix, times);
    }
  }

  function ofStep(step: PromptStep, plan: WorkflowPlan, prefix: string, around: number): Required<Weight> {
    const agent = plan.agents[step.action.agent];
    if (agent === undefined) throw new Error(`the plan has no agent ${step.action.agent}`);
    const times = around * step.retry.maxAttempts;
    const weight = weigh(step, plan);
    const calls = weight.calls * times;
    const usd = weight.usd === undefined ? undefined : weight.usd * times;
    steps.push({
      path: prefix + step.path,
      step,
      plan,
      agent,
      times,
      weight,
      calls,
      ...(usd !== undefined && { usd }),
    });
    return { calls, usd: usd ?? 0 };
  }
}

const nothing: Required<Weight> = { calls: 0, usd: 0 };

function isPrompt(node: StepNode): node is PromptStep {
  return node.action.kind === 'prompt';
}
