/**
 * What a run keeps of an agent: its image, with the caps that it sees here, the models that answer for it, and the workflows
 * that it may call. What it names and cannot have is a problem, before anything is asked.
 */
import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import {
  type AgentImage,
  type ImageProblem,
  makeImage,
  type NamedHand,
  noCeiling,
  toolCeiling,
} from '../../agent/index.ts';
import {
  activeCaps,
  type EffectiveCaps,
  type Ranked,
  readSelector,
  type Selector,
  type SyncedCap,
  type Visibility,
} from '../../caps/index.ts';
import type { Settings } from '../../config/index.ts';
import type { Activation, WorkflowPlan } from '../../plan/index.ts';
import { scriptBeside } from '../../run/index.ts';
import { displayPath, realClock } from '../../sys/index.ts';
import { closest, didYouMean, fitsPattern } from '../../text/index.ts';
import { capKinds } from '../../too/index.ts';
import { builtinTools, defaultTools, missingVariables } from '../../tool/index.ts';
import { visibilityOf } from '../caps/visibility.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { OpenAgent, OpensAgent } from './open-agent.ts';
import type { UsualModels } from './settle-models.ts';

export interface ImageWish {
  readonly entry: string;
  readonly activation: Activation;
  readonly config: Settings;
  /** Where it works. */
  readonly cwd: string;
  /** `--script`: it answers for every model. */
  readonly script?: string | undefined;
  /** The models that its thunks were recorded with, where a recording answers: those that name none have them. */
  readonly replayed?: ((agent: string) => readonly string[] | undefined) | undefined;
  /** The one that a person wants to talk to. */
  readonly model?: string | undefined;
  /** Scripts that may answer for it where nobody else can, beside its own: those of workflows. */
  readonly scripts?: readonly string[];
  /** The image that a run has already: what was chosen for it stays so. */
  readonly recorded?: ((agent: string) => AgentImage | undefined) | undefined;
  /** How the agents of its workflows are opened; they are synced where nothing else is said. */
  readonly open?: OpensAgent | undefined;
}

export type AgentImageRead =
  | {
      readonly ok: true;
      readonly image: AgentImage;
      /** Hands that are workflows, by their names in the plan. */
      readonly workflows: Readonly<Record<string, WorkflowPlan>>;
      /** Why a script answers, or which model was chosen, where the file does not say. */
      readonly chosen?: string;
      readonly usual?: UsualModels;
      /** What it does without. */
      readonly notes: readonly string[];
    }
  /** `image`: what there is of it all the same. It is looked at, and never run. */
  | {
      readonly ok: false;
      readonly problems: readonly ImageProblem[];
      readonly image: AgentImage;
      readonly usual?: UsualModels;
    };

export async function agentImage(
  agent: OpenAgent,
  wish: ImageWish,
  args: Args,
  context: Context,
): Promise<AgentImageRead> {
  const { program, home } = agent;
  const { entry, activation, config, cwd } = wish;
  const caps = capsFor(agent, activation);
  const hands = await workflowHands(agent, entry, wish, args, context);
  const made = makeImage({
    program,
    agent: agent.name,
    entry,
    caps,
    hidden: (kind, name) => hiddenWhy(caps.all, kind, name),
    textOf: (cap) => writtenText(agent, cap),
    tools: builtinTools,
    defaultTools: config.tools.default ?? defaultTools,
    ceiling: activation.tools ? toolCeiling(activation.tools) : noCeiling,
    workflows: hands.found,
    depth: config.limits.depth,
    cwd,
    memory: home.memory,
    thread: activation.thread,
  });
  const lacking = lackingServices(made.image, context.env);
  const { settleModels } = await import('./settle-models.ts');
  const scripts = [scriptBeside(agent.file), ...(wish.scripts ?? [])];
  const settled = await settleModels(made.image, {
    env: context.env,
    settings: config,
    clock: realClock,
    ...(context.fetch && { fetch: context.fetch }),
    ceiling: activation.models,
    script: wish.script ?? scripts.find((path) => existsSync(path)),
    isForced: wish.script !== undefined,
    wanted: wish.model === undefined ? undefined : { model: wish.model, entry },
    recorded: wish.recorded?.(agent.name),
    replayed: wish.replayed?.(agent.name),
  });
  const problems = [
    ...hands.problems,
    ...(made.ok ? [] : made.problems),
    ...lacking.problems,
    ...(settled.ok ? [] : settled.problems),
  ];
  if (!settled.ok || problems.length > 0) {
    const { image, usual } = settled;
    return { ok: false, problems, image, ...(usual !== undefined && { usual }) };
  }
  return { ...settled, workflows: hands.plans, notes: lacking.notes };
}

/** Services whose variables are not set: a problem where a thunk names them, else they are left out. */
function lackingServices(
  { thunks, services }: AgentImage,
  env: Context['env'],
): { readonly problems: readonly ImageProblem[]; readonly notes: readonly string[] } {
  const problems: ImageProblem[] = [];
  const notes: string[] = [];
  for (const [name, service] of Object.entries(services)) {
    const missing = missingVariables(service, env);
    if (missing.length === 0) continue;
    const [what, not] = missing.length === 1 ? ['variable', 'is not set'] : ['variables', 'are not set'];
    const why = `the environment ${what} ${missing.join(', ')} ${not}`;
    const users = Object.values(thunks).filter((thunk) => thunk.services.includes(name));
    const named = users.find(({ tools, optional }) =>
      tools.some((tool) => tool.split('/', 1)[0] === name && !optional.includes(tool)),
    );
    if (named) {
      const message = `the thunk "${named.name}" names the service "${name}", which cannot be used: ${why}`;
      problems.push({ message, help: 'To look at all of them: toolang doctor' });
    } else if (users.length > 0) notes.push(`the service "${name}" is left out: ${why}`);
  }
  return { problems, notes };
}

/** What `--shared`, `--global`, `--models`, `--tools` and `--caps` say, as a run keeps it. */
export function activationOf(args: Args, kind: OpenAgent['kind'] | undefined): Activation {
  const { models, tools, caps } = args.lists;
  const { shared, global } = kind === undefined ? args.switches : visibilityOf(args, kind);
  return {
    ...(shared !== undefined && { shared }),
    ...(global !== undefined && { global }),
    ...(models && { models: wordsOf(models) }),
    ...(tools && { tools: wordsOf(tools) }),
    ...(caps && { caps: wordsOf(caps) }),
    ...(args.texts.thread !== undefined && { thread: args.texts.thread }),
  };
}

/** Commas within brackets belong to a selector. */
function wordsOf(lists: readonly string[]): string[] {
  return lists.flatMap((list) =>
    list.split(/,(?![^[]*\])/).flatMap((word) => (word.trim() === '' ? [] : [word.trim()])),
  );
}

/** Names on the command line that nothing has: a ceiling that is misspelt would leave everything out, without a word. */
export function refuseUnknown(agent: OpenAgent, { tools = [], caps = [] }: Activation): void {
  const all = activeCaps(agent.state, { shared: true, global: true }).all.map(({ cap }) => cap);
  const services = all.flatMap(({ kind, name }) => (kind === 'service' ? [name] : []));
  const sets = [...builtinTools.keys(), ...services];
  const known = [...sets, ...[...builtinTools].flatMap(([set, own]) => own.map((tool) => `${set}/${tool}`))];
  for (const word of tools) {
    if (/[[\]]/.test(word))
      throw new UsageError(
        `--tools: "${word}" is no name of a tool.`,
        'Write names and globs: filesystem, filesystem/*',
      );
    const [set = '', ...rest] = word.split('/');
    // Which tools a service has is known when it is connected.
    if (
      known.some((each) => fitsPattern(word, each)) ||
      (rest.length > 0 && services.some((each) => fitsPattern(set, each)))
    )
      continue;
    const near = didYouMean(closest(word, known));
    throw new UsageError(
      `--tools: there is no tool "${word}".${near}`,
      `Sets of tools, and services: ${sets.join(', ')}.`,
    );
  }
  for (const word of caps) {
    const names = [...new Set(all.map(({ name }) => name))];
    const selector = /[[\]*:\s]/.test(word) ? selectorOf(word) : undefined;
    // Conditions may hold for nothing; a name, with `*` or not, is meant for something.
    if (
      (selector && (!word.includes('*') || all.some((cap) => selector({ ...cap, status: 'active' })))) ||
      names.includes(word) ||
      capKinds.some((kind) => word === kind || word === `${kind}s`)
    )
      continue;
    throw new UsageError(
      `--caps: there is no cap "${word}".${didYouMean(closest(word, names))}`,
      'What there is: toolang caps list',
    );
  }
}

export interface SeenCaps extends EffectiveCaps<SyncedCap> {
  /** `leftOut`: why one that would be seen is not. */
  readonly all: readonly (Ranked<SyncedCap> & { readonly leftOut?: string })[];
}

/** What an activation sees, less what `--caps` leaves out, and what is not known before it is synced. */
export function capsFor({ kind, state, late }: OpenAgent, { shared, global, caps: words }: Activation): SeenCaps {
  const usual = visibilityOf({ positionals: [], switches: {}, texts: {}, counts: {}, lists: {} }, kind);
  const visibility: Visibility = { shared: shared ?? usual.shared, global: global ?? usual.global };
  const seen = activeCaps(state, visibility);
  if (words === undefined && late === undefined) return seen;
  const selectors = words?.map(selectorOf);
  const leftOut = (cap: SyncedCap) => {
    if (selectors?.some((selector) => selector({ ...cap, status: 'active' })) === false) return '--caps leaves it out';
    return late?.get(cap)?.kind === 'unknown' ? notSynced : undefined;
  };
  const isIn = (cap: SyncedCap) => leftOut(cap) === undefined;
  return {
    caps: seen.caps.filter(isIn),
    all: seen.all.map((each) => {
      const why = each.status === 'active' ? leftOut(each.cap) : undefined;
      return why === undefined ? each : { ...each, leftOut: why };
    }),
    find(kindOfCap, name) {
      const cap = seen.find(kindOfCap, name);
      return cap && isIn(cap) ? cap : undefined;
    },
  };
}

const notSynced = 'it was not synced yet: run toolang sync';

/** Of a cap that does not lie where a run would find it: what is written. */
export function writtenText({ late }: OpenAgent, cap: SyncedCap): string | undefined {
  const found = late?.get(cap);
  return found?.kind === 'written' ? found.text : undefined;
}

/** `[scope:home]rev*`: conditions in brackets, and a name. */
function selectorOf(word: string): Selector {
  const read = readSelector(word.replaceAll(/\[([^\]]*)\]/g, '$1 '));
  if (!read.ok) throw new UsageError(`--caps: ${read.problem.message} (${read.problem.code})`, read.problem.help);
  return read.selector;
}

/** Why a cap that there is cannot be used. */
export function hiddenWhy(all: SeenCaps['all'], kind: string, name: string): string | undefined {
  const found = all.find(({ cap }) => cap.kind === kind && cap.name === name);
  if (found?.leftOut !== undefined) return found.leftOut;
  if (found?.status !== 'hidden') return undefined;
  return found.cap.scope === 'home' ? 'caps of the home are off: --shared' : 'caps of the root are off: --global';
}

interface Hands {
  readonly found: ReadonlyMap<string, NamedHand>;
  readonly plans: Readonly<Record<string, WorkflowPlan>>;
  readonly problems: readonly ImageProblem[];
}

/** The workflows that thunks name as hands, planned: by a path from the source, or by a short name of the configuration. */
async function workflowHands(
  agent: OpenAgent,
  entry: string,
  wish: ImageWish,
  args: Args,
  context: Context,
): Promise<Hands> {
  const { program } = agent;
  const names = handNames(program, entry).filter((name) => !program.thunks.has(name));
  if (names.length === 0) return { found: new Map(), plans: {}, problems: [] };
  const { planHand } = await import('./workflow-hand.ts');
  const found = new Map<string, NamedHand>();
  const plans: Record<string, WorkflowPlan> = {};
  const problems: ImageProblem[] = [];
  for (const name of names) {
    const file = handFile(name, agent, wish.config);
    if (file === undefined) continue;
    const as = nodePath.basename(file, '.toon').replaceAll(/[^A-Za-z0-9_-]/g, '_');
    const called = /\.toon$/i.test(name) ? as : name;
    const key = `hand:${called}`;
    const planned = await planHand(file, agent, wish, args, context);
    if (!planned.ok) {
      found.set(name, { as: called });
      problems.push({
        message: `the hand "${name}", ${displayPath(file, context.cwd)}: ${planned.message}`,
        help: planned.help,
        about: 'hand',
      });
      continue;
    }
    const { plan } = planned;
    plans[key] = plan;
    found.set(name, { as: called, hand: { input: plan.input, types: plan.types, plan: key, name: plan.name } });
  }
  return { found, plans, problems };
}

/** What the directives of all thunks that can be reached name as hands. */
function handNames(program: OpenAgent['program'], entry: string): string[] {
  const names = new Set<string>();
  const seen = new Set<string>();
  const todo = [entry];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    const thunk = program.thunks.get(at);
    if (thunk === undefined || seen.has(at)) continue;
    seen.add(at);
    for (const { key, op, values } of thunk.directives) {
      if ((key !== 'hands' && key !== 'handoffs') || op === '-=') continue;
      for (const { text } of values) {
        if (key === 'hands') names.add(text);
        todo.push(text);
      }
    }
  }
  return [...names];
}

function handFile(name: string, { file, home, root }: OpenAgent, { hands }: Settings): string | undefined {
  if (/\.toon$/i.test(name)) return nodePath.resolve(nodePath.dirname(file), name);
  const path = Object.hasOwn(hands, name) ? hands[name] : undefined;
  if (path === undefined) return undefined;
  const own = nodePath.resolve(home.dir, path);
  return existsSync(own) ? own : nodePath.resolve(root.dir, path);
}
