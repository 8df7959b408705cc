/** Lays the compiled agents over a plan: each agent of type `too` is opened, synced, and put together as it is run here. */
import { dirname, resolve } from 'node:path';
import type { AgentImage, ImageProblem } from '../../agent/index.ts';
import { type AgentSpec, type Json, splitExport, type WorkflowPlan } from '../../plan/index.ts';
import { scriptBeside } from '../../run/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { agentImage, type ImageWish } from './agent-image.ts';
import { type OpenAgent, openAgent } from './open-agent.ts';

export type WithImages =
  | { readonly ok: true; readonly plan: WorkflowPlan; readonly chosen: readonly string[] }
  | { readonly ok: false; readonly problems: readonly ImageProblem[] };

interface Work {
  readonly root: string;
  readonly wish: Omit<ImageWish, 'entry'>;
  readonly args: Args;
  readonly context: Context;
  readonly agents: Map<string, OpenAgent | undefined>;
  readonly problems: ImageProblem[];
  readonly chosen: Set<string>;
}

/** `root`: the file from whose folder the plan names agents. */
export async function withImages(
  plan: WorkflowPlan,
  root: string,
  wish: Omit<ImageWish, 'entry'>,
  args: Args,
  context: Context,
): Promise<WithImages> {
  const work: Work = { root, wish, args, context, agents: new Map(), problems: [], chosen: new Set() };
  const made = await lay(plan, work);
  if (work.problems.length > 0) return { ok: false, problems: work.problems };
  return { ok: true, plan: made, chosen: [...work.chosen] };
}

/** The images that a plan has, by the names of their agents. */
export function imagesOf(plan: WorkflowPlan): (agent: string) => AgentImage | undefined {
  const images = new Map<string, AgentImage>();
  const add = ({ agents, workflows }: WorkflowPlan) => {
    for (const { image } of Object.values(agents)) {
      const own = image as unknown as AgentImage | undefined;
      if (own !== undefined) images.set(own.agent, own);
    }
    Object.values(workflows).forEach(add);
  };
  add(plan);
  return (agent) => images.get(agent);
}

async function lay(plan: WorkflowPlan, work: Work): Promise<WorkflowPlan> {
  const agents: Record<string, AgentSpec> = {};
  const workflows: Record<string, WorkflowPlan> = {};
  for (const [name, inner] of Object.entries(plan.workflows)) workflows[name] = await lay(inner, work);
  for (const [name, agent] of Object.entries(plan.agents)) {
    agents[name] = agent.type === 'too' && agent.plugin === undefined ? await compiled(agent, workflows, work) : agent;
  }
  return { ...plan, agents, workflows };
}

async function compiled(agent: AgentSpec, workflows: Record<string, WorkflowPlan>, work: Work): Promise<AgentSpec> {
  const { root, wish, args, context, agents, problems, chosen } = work;
  const [source, entry] = splitExport(String(agent.fields.use ?? ''));
  const file = resolve(dirname(root), source);
  if (!agents.has(file)) agents.set(file, await (wish.open ?? openAgent)(file, args, context));
  const opened = agents.get(file);
  if (opened === undefined) {
    problems.push({ message: `the agent "${agent.name}" cannot be used: ${source} has errors` });
    return agent;
  }
  const inner = agent.workflow === undefined ? [] : [scriptBeside(resolve(dirname(root), agent.workflow))];
  const scripts = [...(wish.scripts ?? []), ...inner, scriptBeside(root)];
  const made = await agentImage(opened, { ...wish, entry, scripts }, args, context);
  if (!made.ok) {
    problems.push(...made.problems.map((each) => ({ ...each, message: `the agent "${agent.name}": ${each.message}` })));
    return agent;
  }
  if (made.chosen !== undefined) chosen.add(made.chosen);
  Object.assign(workflows, made.workflows);
  return { ...agent, image: made.image as unknown as Json };
}
