/**
 * A checked program and the caps that it sees → what a run keeps of it. What a thunk names and cannot have is a problem here,
 * before anything is asked; what it does not name and cannot have is left out.
 */
import { capText, type EffectiveCaps, type SyncedCap, splitCapFile } from '../caps/index.ts';
import {
  type AgentProgram,
  effectiveSets,
  type Host,
  isOwnTool,
  type SetKey,
  type ThunkProgram,
} from '../program/index.ts';
import { closest, createSource, didYouMean } from '../text/index.ts';
import type { ToolCeiling } from './ceiling.ts';
import type { AgentImage, RecallSource, ServiceImage, SkillImage, ThunkImage, WorkflowHand } from './image.ts';

export interface ImageOptions {
  readonly program: AgentProgram;
  readonly agent: string;
  /** The thunk that is run. */
  readonly entry: string;
  /** What the activation sees. */
  readonly caps: EffectiveCaps<SyncedCap>;
  /** Why a cap that there is cannot be seen: its scope is off, or the command line leaves it out. */
  readonly hidden: (kind: SyncedCap['kind'], name: string) => string | undefined;
  /** The text of a cap that lies nowhere yet; of all others it is read from where it lies. */
  readonly textOf?: ((cap: SyncedCap) => string | undefined) | undefined;
  /** Built-in tools, and the sets of a thunk that names none. */
  readonly tools: NonNullable<Host['tools']>;
  readonly defaultTools: readonly string[];
  readonly ceiling: ToolCeiling;
  /** Workflows that thunks may call: by what directives write, `./release.toon` or a short name. */
  readonly workflows: ReadonlyMap<string, NamedHand>;
  readonly depth: number;
  readonly cwd: string;
  readonly memory: string;
  readonly thread?: string | undefined;
}

/** `hand` is missing where the workflow has problems, which were told. */
export interface NamedHand {
  readonly as: string;
  readonly hand?: WorkflowHand;
}

export interface ImageProblem {
  readonly message: string;
  readonly help?: string;
  /** Where it is of one thing, of which. */
  readonly about?: 'models' | 'hand';
}

export type ImageResult =
  | { readonly ok: true; readonly image: AgentImage }
  /** `image`: what there is of it all the same. It is looked at, and never run. */
  | { readonly ok: false; readonly problems: readonly ImageProblem[]; readonly image: AgentImage };

interface State extends ImageOptions {
  readonly host: Host;
  readonly problems: ImageProblem[];
  readonly skills: Record<string, SkillImage>;
  readonly services: Record<string, ServiceImage>;
  readonly hands: Record<string, WorkflowHand>;
  readonly texts: Map<SyncedCap, string>;
}

export function makeImage(options: ImageOptions): ImageResult {
  const { program, caps, tools, defaultTools } = options;
  const wider = caps.caps.flatMap(({ kind, name, scope }) => (scope === 'here' ? [] : [{ kind, name, scope }]));
  const state: State = {
    ...options,
    host: { tools, caps: wider, defaults: { tools: defaultTools, models: [] } },
    problems: [],
    skills: {},
    services: {},
    hands: {},
    texts: new Map(),
  };
  const thunks: Record<string, ThunkImage> = {};
  const todo = [options.entry];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const thunk = program.thunks.get(name);
    if (thunk === undefined || Object.hasOwn(thunks, name)) continue;
    const made = imageOf(thunk, state);
    thunks[name] = made;
    todo.push(...made.hands, ...made.handoffs);
  }
  const { agent, depth, cwd, memory, thread } = options;
  const image: AgentImage = {
    agent,
    types: Object.fromEntries(program.types),
    thunks,
    skills: state.skills,
    services: state.services,
    workflows: state.hands,
    depth,
    cwd,
    memory,
    ...(thread !== undefined && { thread }),
  };
  return state.problems.length > 0 ? { ok: false, problems: state.problems, image } : { ok: true, image };
}

function imageOf(thunk: ThunkProgram, state: State): ThunkImage {
  const sets = effectiveSets(state.program, thunk, state.host);
  const names = (key: SetKey) => sets[key].items.map(({ name }) => name);
  const skills = capsOf('skill', 'skills', names('skills'), thunk, state);
  const services = capsOf('service', 'services', names('services'), thunk, state).filter((cap) =>
    hasOwnName(cap, state),
  );
  const psyches = capsOf('psyche', 'psyches', names('psyches'), thunk, state);
  for (const cap of skills) addSkill(cap, state);
  for (const cap of services) addService(cap, state);
  const { tools, optional } = toolsOf(thunk, names('tools'), services, state);
  const hands = names('hands').flatMap((name) => handOf(thunk, name, state));
  const handoffs = names('handoffs');
  checkNames(thunk, hands, handoffs, state);
  const made: { -readonly [K in keyof ThunkImage]: ThunkImage[K] } = {
    name: thunk.name,
    params: thunk.params.map(({ name, type, optional: isOptional }) => ({ name, type, optional: isOptional })),
    output: thunk.output,
    models: names('models'),
    tools,
    optional,
    skills: skills.map(({ name }) => name),
    services: services.map(({ name }) => name).filter((name) => tools.some((each) => setOf(each) === name)),
    psyches: psyches.map((cap) => ({ name: cap.name, text: bodyOf(cap, state) })),
    hands,
    handoffs,
    recall: recallOf(thunk, state.thread),
    messages: thunk.messages.map(({ role, text }) => ({ role, text: text.text })),
  };
  if (thunk.doc !== undefined) made.doc = thunk.doc;
  if (thunk.instruct.from !== 'none') made.instruct = thunk.instruct.text.text;
  if (thunk.context.from !== 'none') made.context = thunk.context.text.text;
  return made;
}

/** `default`: what was said before where there is a conversation, else nothing. */
function recallOf({ recall }: ThunkProgram, thread: string | undefined): readonly RecallSource[] {
  if (recall === 'none') return [];
  return recall === 'default' ? (thread === undefined ? [] : ['history']) : recall;
}

/** What directives write, and do not take away. */
function named({ directives }: ThunkProgram, ...keys: readonly SetKey[]): ReadonlySet<string> {
  const words = directives.filter(({ key, op }) => op !== '-=' && keys.some((each) => each === key));
  return new Set(words.flatMap(({ values }) => values.map(({ text }) => text)));
}

function capsOf(
  kind: SyncedCap['kind'],
  key: SetKey,
  names: readonly string[],
  thunk: ThunkProgram,
  state: State,
): readonly SyncedCap[] {
  const written = named(thunk, key);
  return names.flatMap((name) => {
    const cap = state.caps.find(kind, name);
    if (cap !== undefined) return [cap];
    if (!written.has(name)) return [];
    const why = state.hidden(kind, name);
    state.problems.push(
      why === undefined
        ? missing(thunk, kind, name, state)
        : { message: `the thunk "${thunk.name}" names the ${kind} "${name}", which it may not use here: ${why}` },
    );
    return [];
  });
}

function missing(thunk: ThunkProgram, kind: SyncedCap['kind'], name: string, { caps }: State): ImageProblem {
  const known = caps.caps.flatMap((cap) => (cap.kind === kind ? [cap.name] : []));
  return {
    message: `the thunk "${thunk.name}" names the ${kind} "${name}", which is not there.${didYouMean(closest(name, known))}`,
    help: 'What there is: toolang caps list',
  };
}

/** A service cannot stand for tools that are built in: who names those means those. */
function hasOwnName({ name }: SyncedCap, { tools, problems }: State): boolean {
  if (!tools.has(name)) return true;
  const message = `the service "${name}" has the name of built-in tools, and cannot be used`;
  if (!problems.some((each) => each.message === message)) problems.push({ message, help: 'Give it another name.' });
  return false;
}

/** Of a service that `tools` names only in part, those tools; of any other one, all. */
function toolsOf(
  thunk: ThunkProgram,
  names: readonly string[],
  services: readonly SyncedCap[],
  state: State,
): Pick<ThunkImage, 'tools' | 'optional'> {
  const isService = new Set(services.map(({ name }) => name));
  const written = named(thunk, 'tools', 'services');
  const tools: string[] = [];
  for (const name of names) {
    if (state.tools.has(setOf(name))) tools.push(...allowed(name, written.has(name), thunk, state));
    else if (!isService.has(setOf(name))) {
      const service = setOf(name);
      const why = state.hidden('service', service) ?? `the service "${service}" is not in its services`;
      if (written.has(name)) {
        state.problems.push({
          message: `the thunk "${thunk.name}" names the tool "${name}", which it may not use: ${why}`,
        });
      }
    }
  }
  const optional: string[] = [];
  for (const { name } of services) {
    const own = names.filter((each) => setOf(each) === name);
    const wanted = own.length === 0 || own.includes(name) ? [name] : own;
    const isNamed = written.has(name) || own.some((each) => written.has(each));
    const offered = wanted.flatMap((each) => allowed(each, isNamed, thunk, state));
    tools.push(...offered);
    if (!isNamed) optional.push(...offered);
  }
  return { tools: [...new Set(tools)], optional };
}

/** What of a set or a tool the command line lets through. */
function allowed(name: string, isNamed: boolean, thunk: ThunkProgram, state: State): readonly string[] {
  const { ceiling, tools } = state;
  const rest = ceiling.within(name, tools.get(name));
  if (rest.length === 0 && isNamed) {
    const message = `the thunk "${thunk.name}" names the tool "${name}", which it may not use here: --tools leaves it out`;
    state.problems.push({ message });
  }
  return rest;
}

function setOf(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? name : name.slice(0, slash);
}

function handOf(thunk: ThunkProgram, name: string, state: State): readonly string[] {
  if (state.program.thunks.has(name)) return [name];
  const found = state.workflows.get(name);
  if (found === undefined) {
    state.problems.push({ message: `the thunk "${thunk.name}" names the hand "${name}", which is not there` });
    return [];
  }
  const { as, hand } = found;
  if (hand === undefined) return [];
  if (state.program.thunks.has(as) || (Object.hasOwn(state.hands, as) && state.hands[as] !== hand)) {
    state.problems.push({
      message: `the hand "${name}" of the thunk "${thunk.name}" would be called "${as}", and so is another one`,
      help: 'Give it a short name of its own: [hands] in config.toml.',
    });
    return [];
  }
  state.hands[as] = hand;
  return [as];
}

/** Tools go by these names beside those of hands. */
function checkNames(
  { name }: ThunkProgram,
  hands: readonly string[],
  handoffs: readonly string[],
  { problems }: State,
): void {
  for (const hand of hands) {
    if (!isOwnTool(hand, handoffs)) continue;
    const message = `the hand "${hand}" of the thunk "${name}" has the name of a tool that the runtime brings`;
    problems.push({ message, help: 'Give the thunk another name.' });
  }
}

function addSkill({ name, path, files, facts }: SyncedCap, { skills }: State): void {
  skills[name] = { description: facts.kind === 'skill' ? facts.description : '', path, files };
}

function addService({ name, facts }: SyncedCap, { services }: State): void {
  if (facts.kind !== 'service') return;
  const { description, target, env } = facts;
  const shared = { name, ...(description !== undefined && { description }), target, env };
  services[name] =
    facts.transport === 'http'
      ? { ...shared, transport: 'http', headers: facts.headers }
      : { ...shared, transport: 'stdio', argv: facts.argv };
}

/** Each is read once. */
function bodyOf(cap: SyncedCap, { texts, textOf }: State): string {
  let text = texts.get(cap);
  if (text === undefined) {
    text = capBody(cap, textOf?.(cap));
    texts.set(cap, text);
  }
  return text;
}

/** What a cap says, without its frontmatter. */
export function capBody(cap: SyncedCap, text = capText(cap)): string {
  const { body } = splitCapFile(createSource(cap.path, text));
  return text.slice(body.start, body.end).replaceAll('\r\n', '\n').trim();
}
