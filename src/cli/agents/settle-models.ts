/**
 * Which models answer for the thunks of an image. What a thunk names is what is asked. One that names none is answered by the
 * default of the configuration, else by the first provider that can be used, else by a script beside its source.
 */
import type { AgentImage, ImageProblem, ThunkImage } from '../../agent/index.ts';
import {
  createModels,
  isModelName,
  type Models,
  type ModelsOptions,
  providers,
  type ResolvedModel,
  readModelSelector,
} from '../../model/index.ts';
import { UsageError } from '../command.ts';

export interface SettleOptions extends ModelsOptions {
  /** `--models`: the most that may be asked. */
  readonly ceiling: readonly string[] | undefined;
  /** The script that may answer, there. */
  readonly script: string | undefined;
  /** It answers for every model. */
  readonly isForced: boolean;
  /** The one that a person wants to talk to: the entry thunk asks it, and those that name none. */
  readonly wanted?: { readonly model: string; readonly entry: string } | undefined;
  /** What was chosen when the run began, which it goes on with. */
  readonly recorded?: AgentImage | undefined;
  /** What it was recorded with, where a recording answers. */
  readonly replayed?: readonly string[] | undefined;
}

/** Why thunks that name no models have those that they have. */
export type UsualModels = 'config' | 'first' | 'script' | '--models' | '--script';

export type Settled =
  | { readonly ok: true; readonly image: AgentImage; readonly chosen?: string; readonly usual?: UsualModels }
  /** `image`: with the models that each thunk would ask, if any. */
  | {
      readonly ok: false;
      readonly problems: readonly ImageProblem[];
      readonly image: AgentImage;
      readonly usual?: UsualModels;
    };

const scripted = 'scripted';

export async function settleModels(image: AgentImage, options: SettleOptions): Promise<Settled> {
  const models = createModels(options);
  const ceiling = options.ceiling && modelCeiling(options.ceiling);
  const thunks: Record<string, ThunkImage> = {};
  const problems: ImageProblem[] = [];
  let usual: Usual | undefined;
  if (options.wanted) {
    const problem = await wantedProblem(image, options.wanted, models, ceiling, options);
    if (problem) return { ok: false, problems: [problem], image };
    usual = { models: [options.wanted.model], why: 'chosen' };
  }
  for (const [name, thunk] of Object.entries(image.thunks)) {
    const before = thunk.models.length === 0 ? options.recorded?.thunks[name]?.models : undefined;
    if (before !== undefined && before.length > 0) {
      thunks[name] = { ...thunk, models: before };
      continue;
    }
    if (thunk.models.length === 0) {
      usual ??= await usualModels(models, ceiling, options);
      thunks[name] = { ...thunk, models: usual.models };
      if (usual.problem && !problems.includes(usual.problem)) problems.push(usual.problem);
      continue;
    }
    if (options.wanted?.entry === name) {
      thunks[name] = { ...thunk, models: [options.wanted.model] };
      continue;
    }
    const own = ceiling ? await within(thunk.models, ceiling, models) : thunk.models;
    if (own.length === 0) {
      const message = `the thunk "${name}" names the models ${thunk.models.join(', ')}, which it may not use here: --models leaves them out`;
      problems.push({ message, about: 'models' });
    }
    thunks[name] = { ...thunk, models: own };
  }
  if (problems.length > 0) return { ok: false, problems, image: { ...image, thunks }, ...whyOf(usual) };
  return { ok: true, image: { ...image, thunks }, ...whyOf(usual) };
}

/** Nobody reaches past what the file names, the command line allows, or a script answers for. */
async function wantedProblem(
  image: AgentImage,
  { model, entry }: NonNullable<SettleOptions['wanted']>,
  models: Models,
  ceiling: readonly Ceiling[] | undefined,
  { isForced, script }: SettleOptions,
): Promise<ImageProblem | undefined> {
  const about = 'models' as const;
  if (isForced) return { message: 'the script answers for every model: none can be chosen.', about };
  if (model === scripted) {
    if (script === undefined) return { message: 'there is no script beside the agent that could answer.', about };
    if (ceiling) return { message: 'the script may not answer here: --models leaves it out.', about };
  } else {
    const found = await models.find(model);
    if (!found.ok) {
      const { message, help } = found.problem;
      return { message, ...(help !== undefined && { help }), about };
    }
    if (ceiling && !ceiling.some((test) => test(found.model) || test({ ...found.model, ref: model })))
      return { message: `the model "${model}" may not be used here: --models leaves it out.`, about };
  }
  const named = image.thunks[entry]?.models ?? [];
  if (named.length === 0 || named.includes(model)) return undefined;
  const [mine, ...theirs] = await Promise.all([model, ...named].map(async (ref) => refOf(await models.find(ref), ref)));
  if (mine !== undefined && theirs.includes(mine)) return undefined;
  return {
    message: `the thunk "${entry}" may not ask "${model}": its file names ${named.join(', ')}.`,
    help: `Choose one of them, or change "models" of the thunk.`,
    about,
  };
}

function refOf(found: Awaited<ReturnType<Models['find']>>, ref: string): string {
  return found.ok ? found.model.ref : (found.problem.model?.ref ?? ref);
}

function whyOf(usual: Usual | undefined) {
  const { why, from } = usual ?? {};
  return { ...(why !== undefined && { chosen: why }), ...(from !== undefined && { usual: from }) };
}

interface Usual {
  readonly models: readonly string[];
  readonly from?: UsualModels;
  /** For the head of a run. */
  readonly why?: string;
  readonly problem?: ImageProblem;
}

/** Of a thunk that names none. */
async function usualModels(
  models: Models,
  ceiling: readonly Ceiling[] | undefined,
  options: SettleOptions,
): Promise<Usual> {
  if (options.isForced) return { models: options.replayed ?? [scripted], from: '--script' };
  const named = options.ceiling?.filter(isModelName) ?? [];
  const { candidates, from, problem } = await models.choose();
  const found = candidates.flatMap((each) => (each.ok ? [each.model] : []));
  const allowed = ceiling ? found.filter((model) => ceiling.some((test) => test(model))) : found;
  if (allowed.length > 0) {
    const refs = candidates.map(({ ref }) => ref).filter((_, at) => !ceiling || (candidates[at]?.ok ?? false));
    const kept = ceiling ? allowed.map(({ ref }) => ref) : refs;
    return from === 'default'
      ? { models: kept, from: 'first', why: 'the first that can be used' }
      : { models: kept, from: 'config' };
  }
  if (named.length > 0) return { models: named, from: '--models', why: '--models' };
  const other = ceiling && (await firstWithin(ceiling, models));
  if (other !== undefined) return { models: [other], from: 'first', why: 'the first within --models' };
  if (problem?.kind === 'none' && options.script !== undefined && from === 'default' && options.ceiling === undefined) {
    return { models: [scripted], from: 'script', why: 'no key found' };
  }
  const isLeftOut = ceiling !== undefined && (problem === undefined || found.length > 0);
  const left = { message: 'no model may be used here: --models leaves out all that could be.', help: undefined };
  const { message, help } = isLeftOut || problem === undefined ? left : problem;
  const refs = candidates.map(({ ref }) => ref);
  const problemHere = { message, ...(help !== undefined && { help }), about: 'models' as const };
  return { models: refs, from: from === 'config' ? 'config' : 'first', problem: problemHere };
}

/** Of the providers that can be used now, in the order of their preference. */
async function firstWithin(ceiling: readonly Ceiling[], models: Models): Promise<string | undefined> {
  for (const { name, model } of providers) {
    const found = await models.find(`${name}/${model}`);
    if (found.ok && ceiling.some((test) => test(found.model))) return found.model.ref;
  }
  return undefined;
}

type Ceiling = (model: Pick<ResolvedModel, 'ref' | 'provider' | 'id'> & { readonly alias?: string }) => boolean;

/** Which of some models the ceiling lets through. */
export async function modelsWithin(
  refs: readonly string[],
  ceiling: readonly string[],
  options: ModelsOptions,
): Promise<readonly string[]> {
  return within(refs, ceiling.map(selectorOf), createModels(options));
}

async function within(
  refs: readonly string[],
  ceiling: readonly Ceiling[],
  models: Models,
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const ref of refs) {
    const found = await models.find(ref);
    const model = found.ok ? found.model : found.problem.model;
    // What is not known is told of by whoever asks it; here it counts as it is written.
    const [provider = ''] = ref.split('/', 1);
    const shape = model ?? { ref, provider, id: ref.slice(provider.length + 1) || ref };
    if (ceiling.some((test) => test(shape) || test({ ...shape, ref }))) kept.push(ref);
  }
  return kept;
}

/** One test for each word of `--models`. */
export function modelCeiling(words: readonly string[]): readonly Ceiling[] {
  return words.map(selectorOf);
}

function selectorOf(word: string): Ceiling {
  const read = readModelSelector(word);
  if (!read.ok) throw new UsageError(`--models: ${read.message} (${read.code})`, read.help);
  return (model) => read.selector({ tools: 'native', status: 'usable', ...model });
}
