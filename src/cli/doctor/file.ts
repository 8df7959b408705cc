/** What one file needs: that it is right, the models it names, and the programs of its agents. */
import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import type { AgentSpec, WorkflowPlan } from '../../plan/index.ts';
import { findCommand, isExecutable, realClock } from '../../sys/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { placeOf } from '../input.ts';
import type { AgentCheckOptions } from './agent.ts';
import { type Check, rightCheck } from './check.ts';

/** The programs of the types of agents that are programs of others. */
const programs: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  gemini: 'gemini',
  pi: 'pi',
  kimi: 'kimi',
  forge: 'forge',
};

export async function fileChecks(
  word: string,
  options: AgentCheckOptions,
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  if (isWorkflow(word)) return workflowChecks(word, options, args, context);
  const { agentChecks } = await import('./agent.ts');
  return agentChecks(word, options, args, context);
}

export function isWorkflow(word: string): boolean {
  return /\.toon$/i.test(word);
}

/** Where an agent or a workflow is written; throws where a word names neither. */
export async function fileOf(word: string, args: Args, context: Context): Promise<string> {
  if (/\.toon?$/i.test(word)) return nodePath.resolve(context.cwd, word);
  const { placesHere } = await import('../caps/places.ts');
  const { agent } = placesHere(args, context, word);
  if (agent === undefined) throw new Error('an agent was named, and none was found');
  return agent.file;
}

async function workflowChecks(
  word: string,
  options: AgentCheckOptions,
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  const { readPlan } = await import('../read-plan.ts');
  const { asksProvider, createAgentModels, scriptBeside } = await import('../../run/index.ts');
  const { plan, diagnostics, problems, file } = await readPlan(word, args, context);
  const checks = [rightCheck(file, diagnostics, problems)];
  const root = placeOf(file, context.cwd);
  const script = scriptBeside(root);
  const standIn = existsSync(script) ? nodePath.basename(script) : undefined;
  const models = createAgentModels({ env: context.env, settings: options.settings, clock: realClock });
  const { agentChecks, chosenCheck } = await import('./agent.ts');
  for (const agent of agentsOf(plan)) {
    const name = `agent ${agent.name}`;
    const program = programs[agent.type];
    if (agent.type === 'too' && agent.plugin === undefined) {
      const [source = '', entry = 'default'] = String(agent.fields.use ?? '').split('#');
      const inner =
        agent.workflow === undefined ? [] : [scriptBeside(nodePath.resolve(nodePath.dirname(root), agent.workflow))];
      const own = { entries: [entry], before: `${name} `, scripts: [...inner, script] };
      checks.push(
        ...(await agentChecks(nodePath.resolve(nodePath.dirname(root), source), { ...options, ...own }, args, context)),
      );
    } else if (asksProvider(agent)) checks.push(chosenCheck(name, await models.choose(agent)));
    else if (program !== undefined) checks.push(programCheck(name, agent.type, program, standIn, context));
  }
  return checks;
}

/** With those of its sub-workflows, each once. */
function agentsOf(plan: WorkflowPlan | undefined): readonly AgentSpec[] {
  const plans = new Set(plan && [plan]);
  for (const { workflows } of plans) for (const inner of Object.values(workflows)) plans.add(inner);
  const agents = [...plans].flatMap(({ agents: own }) => Object.values(own));
  return [
    ...new Map(agents.map((agent) => [JSON.stringify([agent.name, agent.workflow, agent.fields]), agent])).values(),
  ];
}

function programCheck(
  name: string,
  type: string,
  program: string,
  standIn: string | undefined,
  { cwd, env }: Context,
): Check {
  const check = { area: 'file', name } as const;
  const found = findCommand(program, { path: nodePath, platform: process.platform, cwd, env, isExecutable });
  if (found !== undefined) return { ...check, status: 'ok', says: `${type}: runs ${program}` };
  const says = `${type}: there is no program "${program}" on the PATH`;
  const fix = `install ${program}`;
  if (standIn === undefined) return { ...check, status: 'fail', says, fix };
  return { ...check, status: 'warn', says: `${says} (${standIn} answers for it until then)`, fix };
}
