/**
 * The models of agents that ask a provider: which they are, in order of preference, and what a call of them may cost. What is
 * named is what is asked; that a model could not be, and the next one was, is told.
 */
import type { RunError } from '../machine/index.ts';
import {
  type Candidate,
  type Choice,
  createModels,
  createPreferredModel,
  type Model,
  type ModelCall,
  type ModelError,
  type ModelResult,
  type Models,
  mostCostOf,
  mostTokens,
  openModel,
  providerNames,
} from '../model/index.ts';
import { thunkModels } from './agent-type.ts';
import type { Price } from './purse.ts';
import type { ScriptAgent } from './scripts.ts';

export interface AgentModels {
  /** The models that an agent names, as they are now. */
  readonly choose: (agent: ScriptAgent) => Promise<Choice>;
  /** What answers for it; `asked` is told of each model whose turn it is. */
  readonly open: (agent: ScriptAgent, asked: (ref: string) => void) => Promise<Model | RunError>;
  /** What a call can cost at most; undefined where the price of one of its models is not known. */
  readonly mostCost: (agent: ScriptAgent, call: ModelCall) => Promise<Price | undefined>;
}

export type ModelSettings = Parameters<typeof createModels>[0];

export function createAgentModels(options: ModelSettings): AgentModels {
  const { env, settings, fetch } = options;
  let made: Models | undefined;
  /** By what an agent says of its model: every call asks. */
  const choices = new Map<string, Promise<Choice>>();

  function choose(agent: ScriptAgent): Promise<Choice> {
    const refs = modelRefs(agent, new Set(Object.keys(settings.models.aliases)));
    const id = refs.join(',');
    made ??= createModels(options);
    // Where commas stand alone no model is named, and none is taken instead.
    const known = choices.get(id) ?? made.choose(refs.length === 0 ? [''] : refs);
    choices.set(id, known);
    // What cannot be used now may be later: a key does not come, but a server may be started.
    known
      .then(({ candidates }) => candidates.every(({ ok }) => ok) || choices.delete(id))
      .catch(() => choices.delete(id));
    return known;
  }

  return {
    choose,
    async open(agent, asked) {
      const { candidates, problem } = await choose(agent);
      if (problem) return unusable(agent, problem, candidates);
      const named = candidates.map((candidate) => ({ ...candidate, ref: refOf(candidate) }));
      return createPreferredModel(named, async (each) => {
        if (!each.ok) return { ref: each.ref, generate: async () => passed(each.problem) };
        asked(each.ref);
        return openModel(each.model, { env, ...(fetch && { fetch }) });
      });
    },
    async mostCost(agent, call) {
      const { candidates, problem } = await choose(agent);
      // It is not asked at all.
      if (problem) return 0;
      let most = 0;
      for (const each of candidates) {
        if (!each.ok) continue;
        const { info, tools } = each.model;
        const cost = mostCostOf(info, { ...call.settings, inputTokens: mostTokens(call, tools) });
        if (cost === undefined) return undefined;
        most = Math.max(most, cost);
      }
      return most;
    },
  };
}

/** Those whose own names of models have slashes: what stands before one is no provider. */
const slashed: ReadonlySet<string> = new Set(['openrouter', 'groq', 'ollama', 'llamacpp', 'lmstudio']);

/**
 * What stands in `model`, several with commas between, each once: an alias, a model with its provider before it, or one of the agent's
 * own provider.
 */
export function modelRefs(
  { type, fields }: Pick<ScriptAgent, 'type' | 'fields'>,
  aliases: ReadonlySet<string>,
): string[] {
  if (type === 'too') return [...thunkModels(fields)];
  const provider = type === 'api' && typeof fields.provider === 'string' ? fields.provider : type;
  const words = typeof fields.model === 'string' ? fields.model.split(',') : [];
  const refs = words.flatMap((word) => {
    const name = word.trim();
    if (name === '') return [];
    const first = name.includes('/') ? name.split('/', 1).join('') : '';
    const isOther = !slashed.has(provider) && providerNames.includes(first);
    return [aliases.has(name) || first === provider || isOther ? name : `${provider}/${name}`];
  });
  return [...new Set(refs)];
}

function unusable(
  { name }: ScriptAgent,
  { message, help, kind }: NonNullable<Choice['problem']>,
  candidates: readonly Candidate[],
): RunError {
  const isOff = (each: Candidate) => !each.ok && each.problem.kind === 'not-running';
  const isPassing = kind === 'no-key' || kind === 'not-running' || kind === 'none';
  const code = !isPassing ? 'model-unknown' : candidates.every(isOff) ? 'model-connection' : 'model-key';
  const words = `the agent "${name}": ${message}${help === undefined ? '' : `\n${help}`}`;
  return { code, message: words, retryable: isPassing && candidates.some(isOff) };
}

/** As it is recorded. */
function refOf(candidate: Candidate): string {
  return candidate.ok ? candidate.model.ref : (candidate.problem.model?.ref ?? candidate.ref);
}

function passed({ kind, message }: Extract<Candidate, { ok: false }>['problem']): ModelResult {
  const error: ModelError =
    kind === 'not-running'
      ? { code: 'model-connection', message, retryable: true }
      : { code: 'model-key', message, retryable: false };
  return { ok: false, error };
}
