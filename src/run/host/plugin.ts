/**
 * What a plugin brings. A plugin is a module whose default export (or only exported function) is called with its config:
 *
 *   export default (config) => ({
 *     nodes: {
 *       'slack-post': {                       // kind: slack-post
 *         fields: { channel: 'string', text: 'string', urgent: 'boolean?' },  // or one schema of an object
 *         interpolate: ['text'],              // the fields in which {expressions} are read
 *         output: { ts: 'string' },           // left out: the node has no value
 *         run: async (fields, context) => ({ ts: '…' }),
 *       },
 *     },
 *     agents: { mine: { fields: { model: 'string?' }, run } },   // type: mine; run: async ({ prompt }) => '…'
 *     functions: { shout: (text) => text.toUpperCase() },        // in run code and handlers
 *     services: { tracker: { open() {} } },
 *   })
 *
 * It may return a promise. Types are written as `plugin-type.ts` says. Every key that is not one of these is an error.
 */
import type { PluginField, PluginInfo, PluginNodeInfo } from '../../plan/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { isRecord, type StructType } from '../../type/index.ts';
import { type Origin, unusable } from './describe-export.ts';
import { readPluginFields, readPluginType } from './plugin-type.ts';

type Exports = Readonly<Record<string, unknown>>;

/** What a plugin returned, looked through: its functions by kind and by type, and its description. */
export interface PluginParts {
  readonly nodes: Readonly<Record<string, (fields: unknown, context: unknown) => unknown>>;
  readonly agents: Readonly<Record<string, (request: unknown, context: unknown) => unknown>>;
  readonly functions: Readonly<Record<string, unknown>>;
  readonly services: Readonly<Record<string, unknown>>;
  readonly info: PluginInfo;
}

/** `name`: of the export, where one is named; `default` also means the only function. */
export interface PluginUse {
  readonly name?: string | undefined;
  readonly config: unknown;
}

/** The keys that every node of a plugin may have: no plugin gets them. */
const nodeKeys = ['kind', 'id', 'needs', 'timeout', 'retry', 'maxAttempts'];
/** What an agent is given besides its fields. */
const agentKeys = ['type', 'prompt', 'output', 'messages'];

/** Throws an Error that says what is wrong with the plugin. */
export async function readPlugin(exports: Exports, { name, config }: PluginUse, origin: Origin): Promise<PluginParts> {
  const made: unknown = await pluginFunction(exports, name)(config ?? {});
  const parts = record(made, 'what the plugin returns');
  onlyKeys(parts, ['nodes', 'agents', 'functions', 'services'], 'what the plugin returns');
  const nodes: [string, PluginNodeInfo][] = [];
  for (const [kind, node] of entries(parts, 'nodes')) {
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(kind)) {
      throw new Error(`nodes has ${JSON.stringify(kind)}, and a kind has a name of letters, digits, "-" and "_"`);
    }
    nodes.push([kind, await describeNode(node, `nodes.${kind}`, origin)]);
  }
  const agents: [string, readonly PluginField[]][] = [];
  for (const [name, agent] of entries(parts, 'agents')) {
    agents.push([name, await describeAgent(agent, `agents.${name}`, origin)]);
  }
  const functions = entries(parts, 'functions');
  for (const [key, value] of functions) {
    if (typeof value !== 'function') throw new Error(`functions.${key} is no function`);
    needsName(key, `functions.${key}`);
  }
  const services = entries(parts, 'services');
  for (const [key, value] of services) {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
      throw new Error(`services.${key} is no object`);
    }
    const wrong = unusable(value);
    if (wrong) throw new Error(`services.${key} is ${wrong.what}. ${wrong.help}`);
    needsName(key, `services.${key}`);
    if (functions.some(([name]) => name === key)) throw new Error(`services.${key} has the name of a function, too`);
  }
  return {
    nodes: runsIn(parts, 'nodes'),
    agents: runsIn(parts, 'agents'),
    functions: Object.fromEntries(functions),
    services: Object.fromEntries(services),
    info: {
      nodes: Object.fromEntries(nodes),
      agents: Object.fromEntries(agents),
      functions: functions.map(([key]) => key),
      services: services.map(([key]) => key),
    },
  };
}

/** Each was looked at before. */
function runsIn(parts: Exports, key: 'nodes' | 'agents'): PluginParts['nodes'] {
  return Object.fromEntries(
    entries(parts, key).map(([name, part]) => {
      const made = part as { readonly run: (given: unknown, context: unknown) => unknown };
      return [name, (given: unknown, context: unknown) => made.run(given, context)];
    }),
  );
}

function needsName(name: string, place: string): void {
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)) throw new Error(`${place} is no name that code can use`);
}

function pluginFunction(exports: Exports, wanted = 'default'): (config: unknown) => unknown {
  const named = Object.keys(exports).filter((name) => typeof exports[name] === 'function');
  const only = wanted === 'default' && named.length === 1 ? named[0] : undefined;
  const name = named.includes(wanted) ? wanted : only;
  const found = name === undefined ? undefined : exports[name];
  if (typeof found === 'function') return (config) => found(config);
  const has = named.length === 0 ? 'it exports none' : `it exports ${named.slice(0, 8).join(', ')}`;
  if (wanted !== 'default') throw new Error(`it exports no function "${wanted}"; ${has}`);
  throw new Error(`a plugin exports one function as its default; ${has}`);
}

async function describeNode(written: unknown, place: string, origin: Origin): Promise<PluginNodeInfo> {
  const node = record(written, place);
  onlyKeys(node, ['fields', 'interpolate', 'output', 'run'], place);
  needsRun(node, place);
  const types = new Map<string, StructType>();
  const fields = await describeFields(node, place, origin, types, nodeKeys);
  const output =
    node.output === undefined ? undefined : await readPluginType(node.output, `${place}.output`, { origin, types });
  return {
    fields,
    ...(output !== undefined && { output }),
    ...(types.size > 0 && { types: Object.fromEntries(types) }),
  };
}

async function describeAgent(written: unknown, place: string, origin: Origin): Promise<readonly PluginField[]> {
  const agent = record(written, place);
  onlyKeys(agent, ['fields', 'run'], place);
  needsRun(agent, place);
  const types = new Map<string, StructType>();
  const fields = await describeFields(agent, place, origin, types, agentKeys);
  if (types.size > 0) throw new Error(`${place}.fields may not hold a type that contains itself`);
  return fields;
}

async function describeFields(
  part: Readonly<Record<string, unknown>>,
  place: string,
  origin: Origin,
  types: Map<string, StructType>,
  taken: readonly string[],
): Promise<readonly PluginField[]> {
  const fields = await readPluginFields(part.fields ?? {}, `${place}.fields`, { origin, types });
  const names = fields.map((field) => field.name);
  const clash = names.find((name) => taken.includes(name));
  if (clash !== undefined) {
    throw new Error(
      `${place}.fields has "${clash}", which has a meaning of its own there. Give the field another name`,
    );
  }
  const { interpolate = [] } = part;
  if (!Array.isArray(interpolate)) throw new Error(`${place}.interpolate must be a list of field names`);
  for (const name of interpolate) {
    if (names.includes(name)) continue;
    throw new Error(
      `${place}.interpolate names "${name}", which is no field.${didYouMean(closest(String(name), names))}`,
    );
  }
  return fields.map(({ name, type, optional }) => ({ name, type, optional, interpolated: interpolate.includes(name) }));
}

function needsRun(part: Readonly<Record<string, unknown>>, place: string): void {
  if (typeof part.run !== 'function') throw new Error(`${place} has no function "run"`);
}

function entries(parts: Readonly<Record<string, unknown>>, key: string): [string, unknown][] {
  return parts[key] === undefined ? [] : Object.entries(record(parts[key], key));
}

function record(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new Error(`${place} must be an object`);
  return value;
}

function onlyKeys(value: Readonly<Record<string, unknown>>, known: readonly string[], place: string): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    throw new Error(
      `${place} has the unknown key "${key}".${didYouMean(closest(key, known)) || ` Known are ${known.join(', ')}.`}`,
    );
  }
}
