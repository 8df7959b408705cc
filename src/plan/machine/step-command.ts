/**
 * The command of a step: what is done, with which values, and the key that its result depends on. A key is made when it is
 * asked for: a run that is resumed makes all its commands again, and begins few of them.
 */
import {
  type ChildCommand,
  type Json,
  type KeyWith,
  keyed,
  type StepCommand,
  type StepSpec,
  type StepValues,
  workAt,
} from '../../machine/index.ts';
import { isRecord } from '../../type/index.ts';
import { isFunctionModule } from '../functions.ts';
import { type KeyValues, keyOf, keyParts, usesOf } from '../key.ts';
import type { AgentSpec, HandlerAction, PluginImport, PromptAction, RunAction, StepNode } from '../node.ts';
import { splitExport } from '../specifier.ts';
import { cacheSlot } from './cache-slot.ts';
import { nodeError, placeText, throwError } from './errors.ts';
import { type Frame, valueFor } from './frame.ts';
import { fillIn, namesIn, render, targetValue, valueRead } from './scope.ts';
import type { Spot } from './spot.ts';
import { noTypes, typesIn } from './types-in.ts';
import { readsAllSteps, visibleLoop, visibleStep, visibleSteps } from './visible.ts';
import { frameOf, type OpenCommand, type Work } from './work.ts';
import { placeOf } from './work-place.ts';

export function stepCommand(frame: Frame, node: StepNode, work: Work): OpenCommand {
  const { action } = node;
  if (action.kind === 'prompt') return promptCommand(frame, node, action, work);
  return codeCommand(frame, node, action, work);
}

function promptCommand(frame: Frame, node: StepNode, action: PromptAction, work: Work): OpenCommand {
  const name = work.nameOf(frame);
  const { path } = work.init;
  const prompt = render(action.prompt, 'prompt', frame, work);
  const given = action.with && fillIn(action.with, 'with', frame, work);
  const agent = work.plan.agents[action.agent];
  if (agent === undefined) throw new Error(`the plan "${work.plan.name}" has no agent "${action.agent}"`);
  const ref: Record<string, Json> & { kind: string } = {
    kind: 'thunk',
    form: agent.image === undefined ? 'prompt' : 'thunk',
    agent: agent.plugin ? pluginAgent(agent, agent.plugin, work) : plain(agent),
    output: plain(node.output),
    types: typesIn(node.output, work.plan.types),
    // The most specific first; a sub-workflow also has the names that it has when it runs by itself.
    for: distinct(name, path === '' ? name : name.slice(path.length + 1), node.id, action.agent),
  };
  let input: Json = null;
  if (agent.image === undefined) ref.prompt = prompt;
  else {
    const [, thunk] = splitExport(String(agent.fields.use));
    ref.thunk = thunk;
    ref.plan = work.planPath;
    input = argumentsOf(name, node, action.prompt.parts.length > 0 ? prompt : undefined, given);
  }
  if (node.timeoutMs !== undefined) ref.timeoutMs = node.timeoutMs;
  if (node.pool !== undefined) ref.pool = node.pool;
  if (node.at) ref.at = placeText(node.at);
  const read = given === undefined ? { prompt } : { prompt, values: given };
  const keyWith: KeyWith = (modules) => keyOf(keyParts(node, work.plan, { ...read, modules }) ?? {});
  const id = `${name}#${frame.attempt}`;
  const command = keyed<ChildCommand>({ op: 'child', id, ref, input }, () => keyWith(work.modules));
  if (agent.plugin) command.keyWith = keyWith;
  if (frame.spot.limited) command.limited = true;
  workAt(command, placeOf(frame, work));
  const cache = node.cache && cacheSlot(frame, node, work, () => read);
  if (cache) command.cache = cache;
  return command;
}

/** By the names of the parameters; one expression may have given them all. */
function argumentsOf(name: string, node: StepNode, prompt: string | undefined, given: Json | undefined): Json {
  const input = prompt === undefined ? {} : { input: prompt };
  if (given === undefined) return input;
  if (isRecord(given)) return { ...input, ...given };
  const message = `"with" has to give the parameters of the thunk by name, and is ${JSON.stringify(given)?.slice(0, 100)}`;
  return throwError(nodeError(name, node, 'input', message));
}

/** Who answers for it is known by its code, too: its calls have keys of their own. */
function pluginAgent(agent: AgentSpec, plugin: PluginImport, { modules }: Work): Json {
  const { module, name, config } = plugin;
  const hash = modules[module];
  const from = hash === undefined ? { module, name, config } : { module, name, config, hash };
  return plain({ ...agent, plugin: from });
}

function distinct(...names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) === at);
}

function codeCommand(frame: Frame, node: StepNode, action: RunAction | HandlerAction, work: Work): OpenCommand {
  const { args, read, values } =
    action.kind === 'run' && !readsAllSteps(action) ? codeArgs(frame, action, work) : openArgs(frame, work);
  const spec = specOf(node, action, work);
  const keyWith: KeyWith = (modules) => keyOf(keyParts(node, work.plan, knownOf(action, read, modules)) ?? {});
  // By hand: conditional spreads are slow, and every step comes here.
  const id = `${work.nameOf(frame)}#${frame.attempt}`;
  const command = keyed<StepCommand>({ op: 'step', id, spec, args }, () => keyWith(work.modules));
  if (action.kind === 'handler' || spec.services || spec.plugins) command.keyWith = keyWith;
  if (values) command.values = values;
  const cache = node.cache && cacheSlot(frame, node, work, () => ({ values: read ?? [args, allOf(values)] }));
  if (cache) command.cache = cache;
  if (node.timeoutMs !== undefined) command.timeoutMs = node.timeoutMs;
  if (node.pool !== undefined) command.pool = node.pool;
  workAt(command, placeOf(frame, work));
  return command;
}

function allOf(values: StepValues | undefined): Json {
  return values?.names().map((name): Json => [name, values.get(name) ?? null]) ?? [];
}

/** Of who may read anything it is told afterwards what it read. */
function knownOf(action: RunAction | HandlerAction, read: Json | undefined, modules: Work['modules']): KeyValues {
  const module = action.kind === 'handler' ? modules[action.module] : undefined;
  return { ...(read !== undefined && { values: read }), ...(module !== undefined && { module }), modules };
}

function specOf(node: StepNode, action: RunAction | HandlerAction, work: Work): StepSpec {
  const spec: Record<string, Json> & { kind: string } =
    action.kind === 'handler'
      ? { kind: isFunctionModule(action.module) ? 'function' : 'handler', module: action.module, name: action.name }
      : { kind: 'run', code: action.code, edits: action.edits, names: namesOf(action, work) };
  spec.output = plain(node.output);
  const types = typesIn(node.output, work.plan.types);
  if (types !== noTypes) spec.types = types;
  if (node.at) spec.at = placeText(node.at);
  const { services, plugins } = usesOf(action, work.plan);
  if (services.length > 0) spec.services = plain(services);
  if (plugins.length > 0) spec.plugins = plain(plugins);
  return spec;
}

/** Of steps, services and functions. */
function namesOf({ reads, uses }: RunAction, work: Work): string[] {
  const names = namesIn(reads, work);
  return uses ? [...names, ...uses] : names;
}

interface Args {
  readonly args: Json;
  /** What it reads, where that is known before it runs. */
  readonly read?: Json;
  readonly values?: StepValues;
}

/** What the plan says that the code reads. */
function codeArgs(frame: Frame, { reads }: RunAction, work: Work): Args {
  if (reads.length === 0) return { args: { steps: {} }, read: {} };
  const steps: [string, Json][] = [];
  const rest: [string, Json][] = [];
  const values: [string, Json][] = [];
  for (const [name, target] of work.layout.targets(reads)) {
    const value = targetValue(target, frame, work);
    if (value !== undefined) (target.kind === 'node' ? steps : rest).push([name, value]);
  }
  for (const read of reads) {
    const value = valueRead(read, frame, work);
    if (value !== undefined) values.push([[read.name, ...read.path].join('.'), value]);
  }
  const args = Object.fromEntries([...rest, ['steps', Object.fromEntries(steps)]]);
  return { args, read: Object.fromEntries(values) };
}

/** All that can be seen from there: what stands around it, and the steps for who asks. */
function openArgs(frame: Frame, work: Work): Args {
  const { spot } = frame;
  const { component } = spot;
  const loop = visibleLoop(spot);
  const args: Record<string, Json> = { input: work.init.input, steps: {} };
  if (component) {
    args.params = frameOf(component, work).params;
    args.id = component.node.id ?? '';
  }
  if (loop) args.loop = { iteration: frameOf(loop, work).iteration };
  const valueAt = (seen: Spot | undefined) => seen && valueFor(spot, frameOf(seen, work), work.frames);
  const values: StepValues = {
    get: (name) => valueAt(visibleStep(spot, name, work.layout)),
    names: () => [...visibleSteps(spot)].flatMap(([name, seen]) => (valueAt(seen) === undefined ? [] : [name])),
  };
  return { args, values };
}

/** Plans are frozen plain data, which TypeScript does not know to be JSON. */
function plain(value: object): Json {
  return value as unknown as Json;
}
