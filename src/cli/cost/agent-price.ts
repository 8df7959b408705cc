/** What is known of the model behind an agent of a workflow: who answers, at which price. */
import { dirname, resolve } from 'node:path';
import { type ModelInfo, type Models, readScript } from '../../model/index.ts';
import type { AgentSpec, WorkflowPlan } from '../../plan/index.ts';
import { scriptBeside } from '../../run/index.ts';
import { quotePath, readTextFile } from '../../sys/index.ts';
import { createSource } from '../../text/index.ts';

/**
 * `model`: its price is by tokens. `script`: each reply has its own, this is the dearest. `unknown`: nobody knows it before,
 * and `why` says why.
 */
export type AgentPrice =
  | { readonly kind: 'model'; readonly ref: string; readonly info: ModelInfo; readonly notes: readonly string[] }
  | { readonly kind: 'script'; readonly ref: string; readonly dearest: number }
  | { readonly kind: 'unknown'; readonly ref: string; readonly why: string };

export interface PriceOptions {
  readonly models: Models;
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
  if (type === 'too')
    return { kind: 'unknown', ref: `too/${String(fields.use)}`, why: 'its thunk says which models and tools it has' };
  const provider = type === 'api' ? String(fields.provider) : type;
  if (provider !== 'anthropic' && provider !== 'openai') {
    return { kind: 'unknown', ref: type, why: 'it is a program of its own, which says its price only afterwards' };
  }
  const ref = `${provider}/${String(fields.model)}`;
  const found = await models.find(ref);
  // Without its key a model costs the same.
  const model = found.ok ? found.model : found.problem.model;
  if (model === undefined) return { kind: 'unknown', ref, why: found.ok ? '' : found.problem.message };
  const { info } = model;
  if (info?.price === undefined) return { kind: 'unknown', ref, why: 'its price is not in the catalog' };
  return { kind: 'model', ref, info, notes: found.ok ? found.notes : [] };
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
