/**
 * What a workflow needs, before it runs: that it is right, the models, keys and programs of its agents, the tools and services
 * that they name, the modules that it loads, its handlers.
 */
import nodePath from 'node:path';
import type { CliAgent, CliProbe } from '../../agent/cli/index.ts';
import { type AgentSpec, nodesOf, splitExport, type WorkflowPlan } from '../../plan/index.ts';
import { realClock } from '../../sys/index.ts';
import { type Diagnostic, positionAt } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { placeOf } from '../input.ts';
import { toolProblems } from '../runs/providers.ts';
import { runSettings } from '../runs/stores.ts';
import { shownPath } from '../shown-path.ts';
import type { AgentCheckOptions } from './agent.ts';
import { type Check, clause, rightCheck } from './check.ts';

export async function workflowChecks(
  word: string,
  options: AgentCheckOptions,
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  const { readPlan } = await import('../read-plan.ts');
  const { plan, diagnostics, problems, file, files, modules } = await readPlan(word, args, context);
  const root = placeOf(file, context.cwd);
  const checks = [rightCheck(file, diagnostics, problems), ...errorChecks(diagnostics)];
  if (plan === undefined) return checks;
  const agents = agentsOf(plan);
  for (const agent of agents) checks.push(...(await agentLine(agent, root, options, args, context)));
  checks.push(...(await programChecks(agents, context)));
  checks.push(...(await toolChecks(plan, root, args, context)));
  checks.push(...handlerChecks(plan), ...moduleChecks([...files, ...modules], root, context));
  return checks;
}

const mostErrors = 10;

/** What is wrong, one by one: a module that cannot be loaded, a handler that is not there. */
function errorChecks(diagnostics: readonly Diagnostic[]): Check[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, mostErrors)
    .map(({ source, span, message, help }) => {
      const { line, column } = positionAt(source, span.start);
      const fix = help === undefined ? {} : { fix: clause(help) };
      return { area: 'file', name: `${source.name}:${line}:${column}`, status: 'fail', says: clause(message), ...fix };
    });
}

/** Of an agent that is a thunk, or asks a provider. */
async function agentLine(
  agent: AgentSpec,
  root: string,
  options: AgentCheckOptions,
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  const { asksProvider, createAgentModels, scriptBeside } = await import('../../run/index.ts');
  const { agentChecks, chosenCheck } = await import('./agent.ts');
  const name = `agent ${agent.name}`;
  if (agent.type === 'too' && agent.plugin === undefined) {
    const [source, entry] = splitExport(String(agent.fields.use ?? ''));
    const inner =
      agent.workflow === undefined ? [] : [scriptBeside(nodePath.resolve(nodePath.dirname(root), agent.workflow))];
    const own = { entries: [entry], before: `${name} `, scripts: [...inner, scriptBeside(root)] };
    return agentChecks(nodePath.resolve(nodePath.dirname(root), source), { ...options, ...own }, args, context);
  }
  if (!asksProvider(agent)) return [];
  const models = createAgentModels({ env: context.env, settings: options.settings, clock: realClock });
  return [chosenCheck(name, await models.choose(agent))];
}

/** With those of its sub-workflows, each once. */
function agentsOf(plan: WorkflowPlan): readonly AgentSpec[] {
  const plans = new Set([plan]);
  for (const { workflows } of plans) for (const inner of Object.values(workflows)) plans.add(inner);
  const agents = [...plans].flatMap(({ agents: own }) => Object.values(own));
  return [
    ...new Map(agents.map((agent) => [JSON.stringify([agent.name, agent.workflow, agent.fields]), agent])).values(),
  ];
}

/** Programs are slow to tell their versions: each is asked once, all at the same time. */
async function programChecks(agents: readonly AgentSpec[], { cwd, env }: Context): Promise<Check[]> {
  const { asksProgram } = await import('../../run/index.ts');
  const own = agents.filter(asksProgram);
  if (own.length === 0) return [];
  const { cliAgents } = await import('../../agent/cli/index.ts');
  const probes = new Map<string, Promise<CliProbe>>();
  return Promise.all(
    own.flatMap((agent) => {
      const cli = cliAgents.get(agent.type);
      if (cli === undefined) return [];
      const probe = probes.get(cli.type) ?? cli.probe({ cwd, env });
      probes.set(cli.type, probe);
      return [probe.then((told) => programCheck(agent, cli, told))];
    }),
  );
}

function programCheck({ name, type }: AgentSpec, cli: CliAgent, { found, version, hint }: CliProbe): Check {
  const check = { area: 'file', name: `agent ${name}` } as const;
  if (found === undefined) {
    const says = `${type}: there is no program "${cli.program}" on the PATH`;
    return { ...check, status: 'fail', says, ...(hint !== undefined && { fix: hint }) };
  }
  if (version === undefined) {
    const says = `${type}: runs ${cli.program}, whose version is not known`;
    return { ...check, status: 'warn', says, ...(hint !== undefined && { fix: hint }) };
  }
  const asks = cli.asksNobody ? '; it uses its tools without asking' : '';
  return { ...check, status: 'ok', says: `${type}: runs ${cli.program} ${version}${asks}` };
}

/** Tools and services that agents name. Where the configuration is wrong, that has its own line. */
async function toolChecks(plan: WorkflowPlan, root: string, args: Args, context: Context): Promise<Check[]> {
  try {
    const { services } = await runSettings(root, args, context);
    const problems = await toolProblems(plan, services, context.env);
    return problems.map(({ message, help }) => {
      const fix = help === undefined ? {} : { fix: clause(help) };
      return { area: 'file', name: 'tools', status: 'fail', says: clause(message), ...fix };
    });
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** That they are exported is known; where they are not, that is an error of the file. */
function handlerChecks(plan: WorkflowPlan): Check[] {
  const names = new Set<string>();
  for (const { node } of nodesOf(plan)) {
    if (node.kind !== 'step' || node.action.kind !== 'handler') continue;
    const { module, name } = node.action;
    names.add(name === 'default' ? module : `${module}#${name}`);
  }
  return [...names].map((name) => ({ area: 'file', name: `handler ${name}`, status: 'ok', says: 'is there' }));
}

/** Of schemas, services, agents and plugins, and other workflows. */
function moduleChecks(files: readonly string[], root: string, context: Context): Check[] {
  const others = [...new Set(files)].filter((each) => nodePath.resolve(each) !== root);
  return others.map((each) => {
    const what = /\.(?:toon?|md|txt)$/i.test(each) ? 'was read' : 'was loaded';
    return { area: 'file', name: `module ${shownPath(each, context)}`, status: 'ok', says: what };
  });
}
