/** What is known of the model behind an agent of a workflow: who answers, at which price. */
import { dirname, resolve } from 'node:path';
import { type ModelInfo, readScript } from '../../model/index.ts';
import type { AgentSpec, WorkflowPlan } from '../../plan/index.ts';
import { type AgentModels, asksProvider, scriptBeside } from '../../run/index.ts';
import { quotePath, readTextFile } from '../../sys/index.ts';
import { createSource } from '../../text/index.ts';

/**
 * `model`: its price is by tokens; of several models any may be the one that answers. `script`: each reply has its own, this is the dearest. `unknown`: nobody knows it before,
 * and `why` says why.
 */
export type AgentPrice =
  | { readonly kind: 'model'; readonly ref: string; readonly infos: readonly ModelInfo[] }
  | { readonly kind: 'script'; readonly ref: string; readonly dearest: number }
  | { readonly kind: 'unknown'; readonly ref: string; readonly why: string };

export interface PriceOptions {
  readonly models: AgentModels;
  /** The workflow file; standard input has none. */
  readonly file: string | undefined;
  readonly cwd: string;
}

/** Of all agents of a plan and of its sub-workflows. */
export async function agentPrices(
  plan: WorkflowPlan,
  options: PriceOptions,
): Promise<ReadonlyMap<AgentSpec, AgentPrice>> {
  const prices = new Map<AgentSpec, AgentPrice>();
  for (const agent of agentsOf(plan)) prices.set(agent, await priceOf(agent, options));
  return prices;
}

/** Sub-workflows that several import are looked at once. */
function agentsOf(plan: WorkflowPlan): Set<AgentSpec> {
  const plans = new Set([plan]);
  // A set goes on with what is added to it.
  for (const { workflows } of plans) for (const inner of Object.values(workflows)) plans.add(inner);
  return new Set([...plans].flatMap(({ agents }) => Object.values(agents)));
}

async function priceOf(agent: AgentSpec, { models, file, cwd }: PriceOptions): Promise<AgentPrice> {
  const { type, fields } = agent;
  if (agent.plugin) return { kind: 'unknown', ref: type, why: 'a plugin answers' };
  if (type === 'scripted') return scriptPrice(agent, file, cwd);
  if (type === 'too') return { kind: 'unknown', ref: String(fields.use ?? type), why: upToIt };
  if (!asksProvider(agent))
    return { kind: 'unknown', ref: type, why: 'it is a program of its own, which says its price only afterwards' };
  const { candidates } = await models.choose(agent);
  const ref = candidates.map((each) => (each.ok ? each.model.ref : (each.problem.model?.ref ?? each.ref))).join(', ');
  const infos: ModelInfo[] = [];
  for (const each of candidates) {
    // Without its key a model costs the same.
    const model = each.ok ? each.model : each.problem.model;
    if (model === undefined) return { kind: 'unknown', ref, why: each.ok ? '' : each.problem.message };
    if (model.info?.price === undefined) return { kind: 'unknown', ref, why: unknownPrice(model.alias) };
    infos.push(model.info);
  }
  return { kind: 'model', ref, infos };
}

const upToIt = 'how often it asks, and its hands and tools, is up to it; your limits end it';

function unknownPrice(alias: string | undefined): string {
  return alias === undefined
    ? 'its price is not in the catalog'
    : `[models.aliases.${alias}] has no price_in and price_out`;
}

async function scriptPrice(
  { fields, workflow }: AgentSpec,
  file: string | undefined,
  cwd: string,
): Promise<AgentPrice> {
  const folder = file === undefined ? cwd : dirname(file);
  const own = typeof fields.script === 'string' ? resolve(folder, fields.script) : undefined;
  const beside = workflow === undefined ? file : resolve(folder, workflow);
  const places =
    own === undefined ? [beside, file].flatMap((each) => (each === undefined ? [] : [scriptBeside(each)])) : [own];
  for (const path of places) {
    const text = await readTextFile(path);
    if (!text.ok) {
      if (text.problem.kind === 'missing') continue;
      return { kind: 'unknown', ref: 'scripted', why: text.problem.message };
    }
    const { script } = readScript(createSource(path, text.text));
    if (script === undefined) return { kind: 'unknown', ref: 'scripted', why: `${quotePath(path)} has errors` };
    return { kind: 'script', ref: 'scripted', dearest: Math.max(0, ...script.replies.map(({ price = 0 }) => price)) };
  }
  return { kind: 'unknown', ref: 'scripted', why: 'its script is not there' };
}
