/**
 * Keys: what the result of a node depends on. Two commands with the same key may share a result; a key says nothing of
 * a node's name, place, `needs`, retry, timeout, cache or pool.
 *
 * A key is made of named parts, so that it can be told which one changed.
 */
import { hashOf } from './hash.ts';
import type {
  AgentSpec,
  HandlerAction,
  Json,
  ModuleImport,
  PluginImport,
  PluginNode,
  RunAction,
  StepNode,
  Value,
  WorkflowNode,
  WorkflowPlan,
} from './node.ts';
import { shapeOf } from './shape.ts';
import { nodesOf } from './walk.ts';

export type KeyPart =
  | ('prompt' | 'agent' | 'code' | 'handler' | 'output' | 'request' | 'input' | 'fields' | 'values')
  /** The services and plugins that it may use. */
  | 'uses';

export type KeyParts = Readonly<Partial<Record<KeyPart, Json>>>;

/** What only a run knows. Without it a key is that of the definition: texts as they are written. */
export interface KeyValues {
  /** The prompt with its holes filled. */
  readonly prompt?: string;
  /** The values that were read, by their paths; of a prompt, what its thunk is given, with its holes filled. */
  readonly values?: Json;
  /** Of a handler: a hash of its module and the local modules that it imports. */
  readonly module?: string;
  /** The same of all modules, by their names, where they are known: of services and plugins, too. */
  readonly modules?: Readonly<Record<string, string>>;
  /** The fields of a plugin's node, with their holes filled. */
  readonly fields?: Json;
}

/** The parts of a node's key; undefined for nodes that have no result of their own to keep. */
export function keyParts(node: WorkflowNode, plan: WorkflowPlan, known: KeyValues = {}): KeyParts | undefined {
  switch (node.kind) {
    case 'step':
      return stepParts(node, plan, known);
    case 'approval':
      return { request: [node.request.title.text, node.request.summary?.text ?? null] };
    case 'plugin': {
      const fields = known.fields ?? writtenValue(node.fields);
      const output = shapeOf(node.output, plan.types);
      const plugin = pluginOf(node, plan);
      const uses = plugin ? [pluginPart(plugin, known)] : [];
      return { fields: [node.type, node.module, fields], output, uses };
    }
    default:
      return undefined;
  }
}

export function keyOf(parts: KeyParts): string {
  return hashOf(parts);
}

function stepParts(node: StepNode, plan: WorkflowPlan, known: KeyValues): KeyParts {
  const { action } = node;
  const shared = {
    output: shapeOf(node.output, plan.types),
    ...(known.values !== undefined && { values: known.values }),
  };
  switch (action.kind) {
    case 'prompt': {
      const agent = plan.agents[action.agent];
      const prompt = known.prompt ?? action.prompt.text;
      const given = action.with && { values: known.values ?? writtenValue(action.with) };
      return { prompt, agent: agentPart(agent, known), ...shared, ...given };
    }
    case 'run':
      return withUses({ code: action.code, ...shared }, action, plan, known);
    default:
      return withUses({ handler: [action.module, action.name, known.module ?? null], ...shared }, action, plan, known);
  }
}

/** What a step may use of services and plugins. Code names it; a handler is given all there is. */
export function usesOf(
  action: RunAction | HandlerAction,
  { services, plugins }: Pick<WorkflowPlan, 'services' | 'plugins'>,
): Uses {
  if (services.length === 0 && plugins.length === 0) return noUses;
  const names = action.kind === 'run' ? new Set(action.uses) : undefined;
  if (names?.size === 0) return noUses;
  return {
    services: names ? services.filter(({ as }) => names.has(as)) : services,
    plugins: plugins.filter(({ gives = [] }) => (names ? gives.some((name) => names.has(name)) : gives.length > 0)),
  };
}

export interface Uses {
  readonly services: readonly ModuleImport[];
  readonly plugins: readonly PluginImport[];
}

const noUses: Uses = { services: [], plugins: [] };

/** The import of the plugin that brings the kind of a node. One module may be imported several times, with other configs. */
export function pluginOf({ module, name = 'default', type }: PluginNode, plan: WorkflowPlan): PluginImport | undefined {
  const all = plan.plugins.filter((each) => each.module === module && each.name === name);
  return all.find(({ kinds }) => kinds?.includes(type)) ?? all[0];
}

/** The names of all modules that a plan and its sub-workflows run: of handlers, services and plugins. */
export function modulesOf(plan: WorkflowPlan): string[] {
  const names = new Set<string>();
  const seen = new Set<WorkflowPlan>();
  for (const { node, plan: own } of nodesOf(plan)) {
    if (node.kind === 'step' && node.action.kind === 'handler') names.add(node.action.module);
    if (!seen.has(own)) addImports(own);
  }
  if (!seen.has(plan)) addImports(plan);
  return [...names];

  function addImports(each: WorkflowPlan): void {
    seen.add(each);
    for (const { module } of [...each.services, ...each.plugins]) names.add(module);
    for (const { plugin } of Object.values(each.agents)) if (plugin) names.add(plugin.module);
  }
}

function withUses(parts: KeyParts, action: RunAction | HandlerAction, plan: WorkflowPlan, known: KeyValues): KeyParts {
  const { services, plugins } = usesOf(action, plan);
  if (services.length === 0 && plugins.length === 0) return parts;
  const { modules = {} } = known;
  const uses = [
    ...services.map(({ module, name, as }): Json => [as, module, name, modules[module] ?? null]),
    ...plugins.map((plugin) => pluginPart(plugin, known)),
  ];
  return { ...parts, uses };
}

function pluginPart({ module, name, config }: PluginImport, { modules = {} }: KeyValues): Json {
  return [module, name, config, modules[module] ?? null];
}

/** The agent as declared; its name does not matter, and for how long it may work changes no answer. */
function agentPart(agent: AgentSpec | undefined, known: KeyValues): Json {
  if (agent === undefined) return null;
  const { type, plugin } = agent;
  const { timeoutMs: _, idleTimeoutMs: __, ...fields } = agent.fields;
  const from = agent.from ? [agent.from.module, agent.from.name] : null;
  const declared = { type, fields, from };
  if (agent.image !== undefined) return { ...declared, image: imageHash(agent.image) };
  return plugin ? { ...declared, plugin: pluginPart(plugin, known) } : declared;
}

const images = new WeakMap<object, string>();

/** A whole program, which every step of its agent counts. */
function imageHash(image: Json): string {
  if (typeof image !== 'object' || image === null) return hashOf(image);
  let hash = images.get(image);
  if (hash === undefined) {
    hash = hashOf(image);
    images.set(image, hash);
  }
  return hash;
}

/** A value as it was written. */
export function writtenValue(value: Value): Json {
  switch (value.kind) {
    case 'text':
      return value.text.text;
    case 'json':
      return value.value;
    case 'list':
      return value.items.map(writtenValue);
    default:
      return Object.fromEntries(Object.entries(value.fields).map(([key, each]) => [key, writtenValue(each)]));
  }
}
