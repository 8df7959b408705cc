/**
 * The first call that a thunk would make, put together by the parts that a run uses: its image, its talk, its tools. No model
 * is asked and nothing is written; what only a run or a connection can tell is said to be so.
 */
import { existsSync } from 'node:fs';
import { type AgentImage, nothingRecalled, type Talk, type ThunkImage, thunkTalk, toolsOf } from '../../agent/index.ts';
import { version } from '../../api/index.ts';
import type { Settings } from '../../config/index.ts';
import { StoreFailure } from '../../journal/index.ts';
import { createModels, type ModelCall, unpriced, wireNamesOf } from '../../model/index.ts';
import type { Json } from '../../plan/index.ts';
import { lookAtOffer, lookAtRecall, type Offered, scriptBeside } from '../../run/index.ts';
import { displayPath, realClock } from '../../sys/index.ts';
import type { JsonSchema } from '../../type/index.ts';
import type { UsualModels } from '../agents/settle-models.ts';
import type { Context } from '../context.ts';

/** The shape of `call` in `spec/json/explain.schema.json`. */
export interface ExplainedCall {
  readonly models: readonly ExplainedModel[];
  readonly tools: readonly ExplainedTool[];
  /** Services, and tools of them, that are known only when they are connected. */
  readonly pending: readonly string[];
  /** What stands before the messages, in words, where it is not looked up. */
  readonly recalled: readonly string[];
  /** The first one is the system's: the instructions. */
  readonly messages: ModelCall['messages'];
  /** Missing where text is wanted. */
  readonly output?: JsonSchema;
  readonly settings: ModelCall['settings'];
}

export interface ExplainedModel {
  /** As it is written. */
  readonly name: string;
  /** `provider/model`, where it is known. */
  readonly ref?: string;
  readonly why: string;
  readonly usable: boolean;
  /** Why it cannot be used. */
  readonly problem?: string;
}

export interface ExplainedTool {
  readonly name: string;
  /** As providers are told. */
  readonly wire: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface CallWish {
  readonly image: AgentImage;
  readonly thunk: string;
  readonly values: Readonly<Record<string, Json>>;
  /** They stand for what nobody gave. */
  readonly isSample: boolean;
  readonly usual: UsualModels | undefined;
  readonly config: Settings;
  /** The source of the agent. */
  readonly file: string;
  readonly script: string | undefined;
  readonly credentials: string;
  readonly connect: boolean;
  readonly signal: AbortSignal;
}

export interface CallRead {
  readonly call: ExplainedCall;
  /** What stands in the way of a run, or is to be known of this one. */
  readonly remarks: readonly string[];
}

export async function explainCall(wish: CallWish, context: Context): Promise<CallRead> {
  const { image, isSample } = wish;
  const thunk = image.thunks[wish.thunk];
  if (thunk === undefined) throw new Error(`the agent "${image.agent}" has no thunk "${wish.thunk}"`);
  const remarks: string[] = [];
  const talk = talkOf(wish);
  if (talk.problem !== undefined) remarks.push(isSample ? `no whole sample: ${talk.problem}` : stops(talk.problem));
  const offer = await offerOf(talk, wish, context);
  remarks.push(...offer.problems.map(stops));
  const { recalled, words } = recallOf(talk, thunk, wish, remarks);
  const { tools, unavailable, pending } = offer;
  const first = talk.first({ tools: toolsOf(talk, tools), recalled, unavailable });
  const { messages, output, settings } = first;
  const wire = wireNamesOf(first);
  const { models, notes } = await modelsOf(thunk, wish, context);
  return {
    call: {
      models,
      tools: (first.tools ?? []).map((tool) => ({ ...tool, wire: wire.toWire(tool.name) })),
      pending,
      recalled: words,
      messages,
      ...(output && { output }),
      settings,
    },
    remarks: [...remarks, ...notes],
  };
}

/** What keeps a run from asking. */
export function stops(why: string): string {
  return `a run would stop: ${why}`;
}

/** As a run would begin it. */
export function talkOf({ image, thunk, values }: Pick<CallWish, 'image' | 'thunk' | 'values'>): Talk {
  const agent = { name: image.agent, fields: {}, image };
  const at = realClock.now();
  const ref = { agent, thunk, types: new Map(), names: [thunk], plan: '', chain: [] };
  return thunkTalk(ref, values, { runId: '<run>', path: '', input: values, at, cwd: image.cwd });
}

const nothing: Offered = { tools: [], unavailable: [], pending: [], problems: [] };

async function offerOf({ offer }: Talk, wish: CallWish, { env }: Context): Promise<Offered> {
  if (offer === undefined) return nothing;
  const { config, image, credentials, connect, signal } = wish;
  return lookAtOffer(offer.spec, { config, env, workspace: image.cwd, credentials, version, connect, signal });
}

/** A conversation that is named is read; what a sample would find is of no use to anybody. */
function recallOf({ recall }: Talk, thunk: ThunkImage, { image, isSample }: CallWish, remarks: string[]) {
  const { thread } = image;
  const isRead = thread !== undefined;
  const looksUp = thunk.recall.filter((source) => isRead && (source === 'history' || !isSample));
  const words = thunk.recall.filter((source) => !looksUp.includes(source)).map((source) => recallWords[source]);
  if (recall === undefined || looksUp.length === 0) return { recalled: nothingRecalled, words };
  try {
    return { recalled: lookAtRecall({ ...recall.spec, sources: looksUp }), words };
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    remarks.push(stops(error.message));
    return { recalled: nothingRecalled, words };
  }
}

const recallWords = {
  history: 'the earlier turns of the conversation that --thread names',
  memory: 'what it has saved that has words of the input, 8 texts at most; with --thread and an input it is shown',
} as const;

export const usualWords: Readonly<Record<UsualModels, string>> = {
  config: 'default: [models] of config.toml',
  first: 'default: the first that can be used',
  script: 'default: no key was found, and a script lies beside the source',
  '--models': '--models',
  '--script': '--script answers for every model',
};

async function modelsOf({ name, models }: ThunkImage, wish: CallWish, context: Context) {
  const { config, usual, file, script } = wish;
  const { env, fetch, cwd } = context;
  const notes: string[] = [];
  if (models.length === 0) return { models: [], notes };
  const why = usual === undefined ? 'named by the thunk' : usualWords[usual];
  const { candidates } = await createModels({
    env,
    settings: config,
    clock: realClock,
    ...(fetch && { fetch }),
  }).choose(models);
  const listed = candidates.map((each): ExplainedModel => {
    if (!each.ok) {
      const ref = each.problem.model?.ref;
      return { name: each.ref, ...(ref !== undefined && { ref }), why, usable: false, problem: each.problem.message };
    }
    const { ref, tools } = each.model;
    if (ref === 'scripted') return scriptedModel(each.ref, why, script ?? scriptBeside(file), cwd);
    const dear = unpriced(each.model, each.notes, config.limits.usd);
    notes.push(...(dear ? [] : each.notes));
    if (tools === 'text') notes.push(`${ref} calls tools in text: how, is added to the instructions when it is asked.`);
    return { name: each.ref, ref, why, usable: dear === undefined, ...(dear && { problem: dear.message }) };
  });
  if (usual === undefined && !listed.some(({ usable }) => usable))
    notes.unshift(stops(`none of the models of "${name}" can be used here now.`));
  return { models: listed, notes };
}

function scriptedModel(name: string, why: string, script: string, cwd: string): ExplainedModel {
  const shown = displayPath(script, cwd);
  if (existsSync(script)) return { name, ref: 'scripted', why: `${why}; ${shown} answers`, usable: true };
  return { name, ref: 'scripted', why, usable: false, problem: `its replies are not there: ${shown}` };
}
