/**
 * What the command line leaves to agents holds in the workflows that they call, too: an agent there that names more is a
 * problem before anything begins, and so is one that works by itself, which nobody could hold back.
 */
import { toolCeiling } from '../../agent/index.ts';
import { type AgentSpec, agentsWithTools, nodesOf, type WorkflowPlan } from '../../plan/index.ts';
import { createAgentModels } from '../../run/index.ts';
import { realClock } from '../../sys/index.ts';
import { builtinTools } from '../../tool/index.ts';
import type { Context } from '../context.ts';
import { capsFor, type ImageWish } from './agent-image.ts';
import type { OpenAgent } from './open-agent.ts';
import { modelCeiling } from './settle-models.ts';

/** The first of them, in words; undefined where all is within. */
export async function beyondCeiling(
  plan: WorkflowPlan,
  agent: OpenAgent,
  wish: ImageWish,
  context: Context,
): Promise<string | undefined> {
  const { tools, models, caps } = wish.activation;
  if (!tools && !models && !caps) return undefined;
  for (const each of agentsOf(plan)) {
    const why =
      (tools && toolBeyond(each, tools)) ??
      (caps && serviceBeyond(each, agent, wish)) ??
      (models && !wish.script ? await modelBeyond(each, models, wish, context) : undefined);
    if (why !== undefined) return `its agent "${each.name}" ${why}`;
  }
  return undefined;
}

/** Those that steps ask. Compiled ones are held to it already. */
function agentsOf(plan: WorkflowPlan): ReadonlySet<AgentSpec> {
  const asked = [...nodesOf(plan)].flatMap(({ node, plan: own }) => {
    const agent = node.kind === 'step' && node.action.kind === 'prompt' ? own.agents[node.action.agent] : undefined;
    return agent === undefined || (agent.type === 'too' && agent.plugin === undefined) ? [] : [agent];
  });
  return new Set(asked);
}

function isOurs({ type, plugin }: AgentSpec): boolean {
  return plugin === undefined && agentsWithTools.has(type);
}

function namesOf({ fields }: AgentSpec): readonly string[] {
  return Array.isArray(fields.tools) ? fields.tools.filter((name) => typeof name === 'string') : [];
}

function toolBeyond(agent: AgentSpec, patterns: readonly string[]): string | undefined {
  if (!isOurs(agent)) return 'has tools of its own, which --tools cannot hold back';
  const ceiling = toolCeiling(patterns);
  const beyond = namesOf(agent).find((name) => !ceiling.within(name, builtinTools.get(name)).includes(name));
  return beyond === undefined
    ? undefined
    : `names the tool "${beyond}", which it may not use here: --tools leaves it out`;
}

function serviceBeyond(agent: AgentSpec, owner: OpenAgent, { activation }: ImageWish): string | undefined {
  const caps = capsFor(owner, activation);
  const sets = namesOf(agent).map((name) => name.split('/', 1)[0] ?? '');
  const beyond = sets.find((set) => !builtinTools.has(set) && caps.find('service', set) === undefined);
  return beyond === undefined
    ? undefined
    : `names the service "${beyond}", which it may not use here: --caps leaves it out`;
}

async function modelBeyond(
  agent: AgentSpec,
  words: readonly string[],
  { config }: ImageWish,
  { env, fetch }: Context,
): Promise<string | undefined> {
  if (agent.type === 'scripted') return undefined;
  if (!isOurs(agent)) return 'asks models of its own, which --models cannot hold back';
  const tests = modelCeiling(words);
  const models = createAgentModels({ env, settings: config, clock: realClock, ...(fetch && { fetch }) });
  const { candidates } = await models.choose({ ...agent, fields: agent.fields });
  const beyond = candidates.find((each) => each.ok && !tests.some((test) => test(each.model)));
  return beyond && `names the model "${beyond.ref}", which it may not use here: --models leaves it out`;
}
