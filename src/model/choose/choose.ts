/** Models in order of preference: which are tried, one after the other, and why others are not. */
import type { ResolvedModel } from '../resolved.ts';
import { findModel } from './find.ts';
import type { Lookup } from './lookup.ts';
import { isPassing, type ModelProblem, oneOf, problem } from './problem.ts';
import { hasKey, providers } from './providers.ts';
import { localModel } from './resolve.ts';

/** One of the models that were named, as it was written. */
export type Candidate =
  | { readonly ref: string; readonly ok: true; readonly model: ResolvedModel; readonly notes: readonly string[] }
  | { readonly ref: string; readonly ok: false; readonly problem: ModelProblem };

export interface Choice {
  /** In order; those that cannot be used now stay in it, so that it can be told that they were passed over. */
  readonly candidates: readonly Candidate[];
  /** Where they come from. */
  readonly from: 'named' | 'config' | 'default';
  /** Why nothing can be begun: one of them is a mistake, or none of them can be used. */
  readonly problem?: ModelProblem;
}

export async function chooseModels(refs: readonly string[], lookup: Lookup): Promise<Choice> {
  if (refs.length > 0) return chooseNamed(refs, 'named', lookup);
  const { default: configured } = lookup.settings.models;
  return configured.length > 0 ? chooseNamed(configured, 'config', lookup) : chooseDefault(lookup);
}

async function chooseNamed(refs: readonly string[], from: 'named' | 'config', lookup: Lookup): Promise<Choice> {
  const candidates = await Promise.all(
    refs.map(async (ref): Promise<Candidate> => ({ ref, ...(await findModel(ref, lookup)) })),
  );
  const wrong = candidates.flatMap((each) => (each.ok ? [] : [each.problem]));
  // A misspelt name is told of, however many others there are: it would be passed over for ever.
  const mistake = wrong.find((each) => !isPassing(each));
  if (mistake) return { candidates, from, problem: mistake };
  const [first] = wrong;
  if (candidates.some(({ ok }) => ok) || first === undefined) return { candidates, from };
  return { candidates, from, problem: wrong.length === 1 ? first : noneOf(wrong) };
}

function noneOf(wrong: readonly ModelProblem[]): ModelProblem {
  const message = `none of the models can be used. ${wrong.map((each) => sentence(each.message)).join(' ')}`;
  return problem('none', wrong.map(({ ref }) => ref).join(', '), message, {
    help: 'Make one of them usable, or name another; "toolang models" says what can be used now.',
  });
}

/** As it stands behind another one. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Nobody names a model: the first provider with a key, else what runs here. */
async function chooseDefault(lookup: Lookup): Promise<Choice> {
  const from = 'default';
  const provider = providers.find(({ keyEnv }) => hasKey(lookup.env, keyEnv));
  if (provider) {
    const ref = `${provider.name}/${provider.model}`;
    const found = await findModel(ref, lookup);
    return { candidates: [{ ref, ...found }], from, ...(!found.ok && { problem: found.problem }) };
  }
  for (const server of await lookup.local()) {
    const served = server.models.find(({ hasTools }) => hasTools) ?? server.models[0];
    if (!served) continue;
    const model = localModel(server, served);
    return { candidates: [{ ref: model.ref, ok: true, model, notes: [] }], from };
  }
  const keys = providers.flatMap(({ keyEnv }) => keyEnv);
  const none = problem('none', '', 'no model is named, and none can be used here.', {
    help: `Set one of ${oneOf(keys)}, start a local server such as Ollama, or answer from a script (docs/scripted-models.md).`,
  });
  return { candidates: [], from, problem: none };
}
