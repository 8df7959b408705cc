/**
 * What a run needs of providers, programs and tools, looked at before anything is begun: which models its agents ask, whether
 * their keys are there, whether the programs that agents are can be found, whether the tools that they name exist, and whether services have what they need. What only a service knows
 * is not asked here.
 */
import { type AgentSpec, agentsWithTools, nodesOf, type Place, type WorkflowPlan } from '../../plan/index.ts';
import type { PlacedAgent, PlanScripts, RunService } from '../../run/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { placeText } from './refuse.ts';
import type { RunSettings } from './stores.ts';

export interface Asked {
  /** The models that will be asked, those of each agent in their order. */
  readonly refs: readonly string[];
  /** What whoever uses them should know. */
  readonly notes: readonly string[];
  readonly problems: readonly InputProblem[];
}

export async function readProviders(
  plan: WorkflowPlan,
  { asked, programs }: Pick<PlanScripts, 'asked' | 'programs'>,
  settings: RunSettings,
  { env, cwd }: Context,
): Promise<Asked> {
  const refs = new Set<string>();
  const notes = new Set<string>();
  const problems: InputProblem[] = [];
  if (asked.length > 0 && settings.config) {
    const [{ createAgentModels }, { unpriced }, { realClock }] = await Promise.all([
      import('../../run/index.ts'),
      import('../../model/index.ts'),
      import('../../sys/index.ts'),
    ]);
    const models = createAgentModels({ env, settings: settings.config, clock: realClock });
    for (const { agent, at } of asked) {
      const { candidates, problem } = await models.choose(agent);
      if (problem) {
        const { message, help } = problem;
        problems.push({ message: `${placeText(at)}the agent "${agent.name}": ${message}`, ...(help && { help }) });
        continue;
      }
      for (const each of candidates) {
        if (!each.ok) notes.add(`${each.ref} is passed over: ${each.problem.message}`);
        else {
          refs.add(each.model.ref);
          const { limit } = settings;
          const why = limit === undefined ? undefined : unpriced(each.model, each.notes, limit);
          if (why === undefined) for (const note of each.notes) notes.add(note);
          else problems.push({ message: `${placeText(at)}the agent "${agent.name}": ${why.message}`, help: why.help });
        }
      }
    }
  }
  problems.push(...(await programProblems(programs, { env, cwd })));
  problems.push(...(await toolProblems(plan, settings.services, env)));
  return { refs: [...refs], notes: [...notes], problems };
}

/** Agents whose programs are not on this machine. */
async function programProblems(
  programs: readonly PlacedAgent[],
  host: Pick<Context, 'env' | 'cwd'>,
): Promise<InputProblem[]> {
  if (programs.length === 0) return [];
  const { cliAgents, findProgram } = await import('../../agent/cli/index.ts');
  return programs.flatMap(({ agent, at }) => {
    const cli = cliAgents.get(agent.type);
    if (cli === undefined || findProgram(cli.program, host) !== undefined) return [];
    const why = `is of type ${agent.type}, and there is no program "${cli.program}" on the PATH`;
    return [
      {
        message: `${placeText(at)}the agent "${agent.name}" ${why}`,
        help: `To install it: ${cli.install}. Until then: --script FILE`,
      },
    ];
  });
}

/** Names of tools that nothing has. The tools of a service are known only once it is connected. */
export async function toolProblems(
  plan: WorkflowPlan,
  services: RunSettings['services'],
  env: Context['env'],
): Promise<InputProblem[]> {
  const problems: InputProblem[] = [];
  const names = toolNames(plan);
  if (names.length === 0) return problems;
  const { builtinTools, missingVariables } = await import('../../tool/index.ts');
  let known: readonly RunService[] | undefined;
  for (const { agent, at, name } of names) {
    const [set = '', ...rest] = name.split('/');
    const tools = builtinTools.get(set);
    if (tools && (rest.length === 0 || tools.includes(rest.join('/')))) continue;
    known ??= (await services?.()) ?? [];
    const service = tools ? undefined : known.find((each) => each.name === set);
    if (service) {
      const why = 'reason' in service ? service.reason : unset(missingVariables(service, env));
      const message = `${placeText(at)}the agent "${agent}" names the service "${set}", which cannot be used: ${why}`;
      // Of several of its tools that are named, once.
      if (why !== undefined && !problems.some((each) => each.message === message)) {
        problems.push({ message, help: 'To look at all of them: toolang doctor' });
      }
      continue;
    }
    const all = [...builtinTools].flatMap(([each, own]) => [each, ...own.map((tool) => `${each}/${tool}`)]);
    const near = didYouMean(closest(name, [...all, ...known.map((each) => each.name)]));
    const sets = [...builtinTools.keys(), ...known.map((each) => each.name)].join(', ');
    problems.push({
      message: `${placeText(at)}the agent "${agent}" names the tool "${name}", which does not exist.${near}`,
      help: `Sets of tools, and services: ${sets}. "toolang tools" lists them.`,
    });
  }
  return problems;
}

/** Why a service could not even be asked; undefined where nothing is missing. */
function unset(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  const [are, not] = missing.length === 1 ? ['variable', 'is not set'] : ['variables', 'are not set'];
  return `the environment ${are} ${missing.join(', ')} ${not}`;
}

interface NamedTool {
  readonly agent: string;
  readonly at: Place | undefined;
  readonly name: string;
}

/** Those that are ours to call, each agent once. */
function toolNames(plan: WorkflowPlan): readonly NamedTool[] {
  const seen = new Set<AgentSpec>();
  return [...nodesOf(plan)].flatMap(({ node, plan: own }) => {
    const agent = node.kind === 'step' && node.action.kind === 'prompt' ? own.agents[node.action.agent] : undefined;
    if (agent === undefined || seen.has(agent) || agent.plugin || !agentsWithTools.has(agent.type)) return [];
    seen.add(agent);
    const { tools } = agent.fields;
    const names = Array.isArray(tools) ? tools.filter((name) => typeof name === 'string') : [];
    return names.map((name) => ({ agent: agent.name, at: agent.at ?? node.at, name }));
  });
}
