/** What an agent needs: of each thunk that can be reached its models and tools; its caps, its hands, what it remembers. */
import { existsSync } from 'node:fs';
import type { AgentImage, ImageProblem, ThunkImage } from '../../agent/index.ts';
import { version } from '../../api/index.ts';
import type { Settings } from '../../config/index.ts';
import { StoreFailure } from '../../journal/index.ts';
import { type Choice, type Models, readScript, unpriced } from '../../model/index.ts';
import { lookAtOffer, openMemory, scriptBeside } from '../../run/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { createSource, hasErrors } from '../../text/index.ts';
import { activationOf, agentImage, capsFor } from '../agents/agent-image.ts';
import { type PeekedAgent, peekAgent, peekOpen } from '../agents/peek-agent.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { talkOf } from '../explain/call.ts';
import { shownPath } from '../shown-path.ts';
import { type Check, clause, rightCheck } from './check.ts';

export interface AgentCheckOptions {
  readonly models: Models;
  readonly settings: Settings;
  readonly connect: boolean;
  readonly signal: AbortSignal;
  /** The thunks that are run; all of them where nothing is said. */
  readonly entries?: readonly string[];
  /** Stands before the names of its checks: which agent of a workflow it is. */
  readonly before?: string;
  /** Scripts that may answer for it, beside its own. */
  readonly scripts?: readonly string[];
}

export async function agentChecks(
  word: string,
  options: AgentCheckOptions,
  args: Args,
  context: Context,
): Promise<Check[]> {
  const read = await peekAgent(word, args, context);
  if (!read.ok) return [rightCheck(read.input, read.diagnostics, read.problems)];
  const { agent } = read;
  const { before = '', entries = [...agent.program.thunks.keys()] } = options;
  const checks = before === '' ? [rightCheck(agent.input, agent.diagnostics, [])] : [];
  const thunks = new Map<string, Check[]>();
  const problems = new Map<string, ImageProblem>();
  const reached: AgentImage[] = [];
  for (const entry of entries.filter((name) => agent.program.thunks.has(name))) {
    if (thunks.has(entry)) continue;
    const made = await imageOf(agent, entry, options, args, context);
    for (const problem of made.ok ? [] : made.problems) problems.set(problem.message, problem);
    const { image } = made;
    reached.push(image);
    for (const name of Object.keys(image.thunks)) {
      if (!thunks.has(name)) thunks.set(name, await thunkChecks(image, name, agent, options, context));
    }
  }
  checks.push(...[...thunks.values()].flat());
  // Models are told of with each thunk.
  for (const { message, help, about } of problems.values()) {
    if (about === 'models') continue;
    const fix = help === undefined ? {} : { fix: clause(help) };
    checks.push({
      area: 'file',
      name: about === 'hand' ? 'hand' : 'agent',
      status: 'fail',
      says: clause(message),
      ...fix,
    });
  }
  checks.push(...handChecks(reached), ...capChecks(agent, reached, args), ...memoryChecks(agent, reached, context));
  return before === '' ? checks : checks.map((check) => ({ ...check, name: `${before}${check.name}` }));
}

function imageOf(agent: PeekedAgent, entry: string, options: AgentCheckOptions, args: Args, context: Context) {
  const { settings: config, scripts = [] } = options;
  const wish = { entry, activation: activationOf(args, agent.kind), config, cwd: context.cwd, scripts, open: peekOpen };
  return agentImage(agent, wish, args, context);
}

async function thunkChecks(
  image: AgentImage,
  name: string,
  agent: PeekedAgent,
  { models, settings, connect, signal, scripts = [] }: AgentCheckOptions,
  context: Context,
): Promise<Check[]> {
  const thunk = image.thunks[name];
  if (thunk === undefined) throw new Error(`the thunk "${name}" is gone`);
  const check = { area: 'file', name: `thunk ${name}` } as const;
  const [first] = thunk.models;
  const answers =
    first === 'scripted'
      ? await scriptCheck(check.name, [scriptBeside(agent.file), ...scripts], context)
      : pricedCheck(check.name, await models.choose(thunk.models), settings.limits.usd);
  const { offer } = talkOf({ image, thunk: name, values: {} });
  if (offer === undefined) return [answers];
  const { credentials } = agent.root;
  const { env } = context;
  const workspace = image.cwd;
  const offered = await lookAtOffer(offer.spec, {
    config: settings,
    env,
    workspace,
    credentials,
    version,
    connect,
    signal,
  });
  return [
    answers,
    ...offered.problems.map((says): Check => ({ ...check, status: 'fail', says: clause(says) })),
    ...offered.unavailable.map(
      ({ reason }): Check => ({ ...check, status: 'warn', says: `goes on without: ${reason}` }),
    ),
  ];
}

/** The models of an agent or a thunk, in their order: the first that can be used is asked. */
export function chosenCheck(name: string, { candidates, problem }: Choice): Check {
  const check = { area: 'file', name } as const;
  if (problem) {
    const { message, help } = problem;
    return { ...check, status: 'fail', says: clause(message), ...(help !== undefined && { fix: clause(help) }) };
  }
  const usable = candidates.flatMap((each) => (each.ok ? [each.model.ref] : []));
  const passed = candidates.flatMap((each) => (each.ok ? [] : [`${each.ref} is passed over`]));
  const says = [`model ${usable.join(', ')}`, ...passed].join('; ');
  return { ...check, status: passed.length > 0 ? 'warn' : 'ok', says };
}

/** The same, where a limit in dollars has to be kept. */
function pricedCheck(name: string, choice: Choice, limit: number): Check {
  const check = chosenCheck(name, choice);
  if (check.status === 'fail') return check;
  for (const each of choice.candidates) {
    const dear = each.ok ? unpriced(each.model, each.notes, limit) : undefined;
    if (dear) return { ...check, status: 'fail', says: clause(dear.message), fix: clause(dear.help) };
  }
  return check;
}

async function scriptCheck(name: string, scripts: readonly string[], context: Context): Promise<Check> {
  const check = { area: 'file', name } as const;
  const [own = ''] = scripts;
  const path = scripts.find((each) => existsSync(each));
  const shown = displayPath(path ?? own, context.cwd);
  if (path === undefined) {
    return {
      ...check,
      status: 'fail',
      says: `scripted, and there is no ${shown}`,
      fix: 'write it (docs/scripted-models.md)',
    };
  }
  const read = await readTextFile(path);
  if (!read.ok) return { ...check, status: 'fail', says: clause(read.problem.message), fix: `look at ${shown}` };
  const { diagnostics } = readScript(createSource(shown, read.text));
  if (!hasErrors(diagnostics)) return { ...check, status: 'ok', says: `scripted: ${shown} answers` };
  return { ...check, status: 'fail', says: `${shown} has errors`, fix: `toolang check ${shown}` };
}

function handChecks(images: readonly AgentImage[]): Check[] {
  const hands = new Map(images.flatMap(({ workflows }) => Object.entries(workflows)));
  return [...hands].map(([name, hand]) => ({
    area: 'file',
    name: `hand ${name}`,
    status: 'ok',
    says: `the workflow "${hand.name}" can be run`,
  }));
}

/** Skills and psyches of thunks: whether they lie where a run finds them, as they were accepted. Services have their own lines. */
function capChecks(agent: PeekedAgent, images: readonly AgentImage[], args: Args): Check[] {
  const { late, input } = agent;
  const thunks = images.flatMap((image) => Object.values(image.thunks));
  const used = new Set(thunks.flatMap(capsOf));
  const sync = `toolang sync ${input.name}`;
  return capsFor(agent, activationOf(args, agent.kind)).all.flatMap(({ cap, status }): Check[] => {
    const name = `${cap.kind} ${cap.name}`;
    const why = late.get(cap);
    if (status !== 'active' || cap.kind === 'service') return [];
    const check = { area: 'file', name } as const;
    if (why?.kind === 'unknown') {
      const says = why.isLocked ? 'its files are not those that were accepted' : 'it was not synced yet';
      return [{ ...check, status: 'warn', says, fix: sync }];
    }
    if (why?.difference !== undefined) {
      return [{ ...check, status: 'warn', says: `it was changed where it was synced: ${why.difference}`, fix: sync }];
    }
    if (!used.has(name)) return [];
    return [{ ...check, status: 'ok', says: why ? 'a run syncs it' : 'synced, and unchanged' }];
  });
}

function capsOf({ skills, psyches }: ThunkImage): string[] {
  return [...skills.map((name) => `skill ${name}`), ...psyches.map(({ name }) => `psyche ${name}`)];
}

function memoryChecks({ home }: PeekedAgent, images: readonly AgentImage[], context: Context): Check[] {
  const recalls = images.some(({ thunks }) => Object.values(thunks).some(({ recall }) => recall.length > 0));
  const isThere = existsSync(home.memory);
  if (!recalls && !isThere) return [];
  const check = { area: 'file', name: 'memory' } as const;
  const shown = shownPath(home.memory, context);
  if (!isThere) return [{ ...check, status: 'ok', says: 'nothing is remembered yet' }];
  const memory = openMemory(home.memory);
  try {
    memory.list(undefined, 1);
    memory.threads();
    return [{ ...check, status: 'ok', says: shown }];
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return [{ ...check, status: 'fail', says: clause(error.message), fix: `look at ${shown}` }];
  } finally {
    memory.close();
  }
}
