/**
 * `--models` and `--tools` for the agents of a workflow that are no thunks: what they name must be within. What brings tools
 * and models of its own cannot be held to it, and is refused.
 */
import { toolCeiling } from '../../agent/index.ts';
import type { Settings } from '../../config/index.ts';
import { type Activation, type AgentSpec, agentsWithTools, nodesOf, type WorkflowPlan } from '../../plan/index.ts';
import { asksProvider, modelRefs } from '../../run/index.ts';
import { realClock } from '../../sys/index.ts';
import { builtinTools } from '../../tool/index.ts';
import { modelsWithin } from '../agents/settle-models.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { placeText } from './refuse.ts';

export async function beyondCeiling(
  plan: WorkflowPlan,
  { models, tools }: Activation,
  config: Settings,
  { env, fetch }: Context,
): Promise<readonly InputProblem[]> {
  if (models === undefined && tools === undefined) return [];
  const problems: InputProblem[] = [];
  const aliases = new Set(Object.keys(config.models.aliases));
  for (const { agent, at } of askedAgents(plan)) {
    const say = (message: string) => problems.push({ message: `${placeText(at)}the agent "${agent.name}" ${message}` });
    if (tools !== undefined) {
      if (agent.plugin || !agentsWithTools.has(agent.type)) say('brings tools of its own: --tools cannot limit them');
      else for (const name of beyond(agent, tools)) say(`names the tool "${name}", ${leftOut('--tools', 'it')}`);
    }
    if (models === undefined) continue;
    if (agent.type !== 'scripted' && (agent.plugin || !asksProvider(agent))) {
      say('brings a model of its own: --models cannot limit it');
      continue;
    }
    const refs = agent.type === 'scripted' ? ['scripted'] : modelRefs(agent, aliases);
    const kept = await modelsWithin(refs, models, { env, settings: config, clock: realClock, ...(fetch && { fetch }) });
    const left = refs.filter((ref) => !kept.includes(ref));
    if (left.length > 0) say(`names the models ${left.join(', ')}, ${leftOut('--models', 'them')}`);
  }
  return problems;
}

function leftOut(flag: string, what: string): string {
  return `which it may not use here: ${flag} leaves ${what} out`;
}

/** Tools that are not within, and sets of which a part is not. */
function beyond({ fields }: AgentSpec, patterns: readonly string[]): readonly string[] {
  const names = Array.isArray(fields.tools) ? fields.tools.filter((name) => typeof name === 'string') : [];
  const { within } = toolCeiling(patterns);
  return names.filter((name) => {
    const rest = within(name, builtinTools.get(name));
    return rest.length !== 1 || rest[0] !== name;
  });
}

/** Each once, but for thunks. */
function askedAgents(plan: WorkflowPlan) {
  const seen = new Set<AgentSpec>();
  return [...nodesOf(plan)].flatMap(({ node, plan: own }) => {
    const agent = node.kind === 'step' && node.action.kind === 'prompt' ? own.agents[node.action.agent] : undefined;
    if (agent === undefined || seen.has(agent) || (agent.type === 'too' && agent.plugin === undefined)) return [];
    seen.add(agent);
    return [{ agent, at: agent.at ?? node.at }];
  });
}
