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
 *     agents: { mine: { fields: { model: 'string?' }, run } },   // type: mine
 *     functions: { shout: (text) => text.toUpperCase() },        // in run code
 *     services: { tracker: { open() {} } },
 *   })
 *
 * It may return a promise. Types are written as `plugin-type.ts` says. Every key that is not one of these is an error.
 */
import type { PluginField, PluginInfo, PluginNodeInfo } from '../plan/index.ts';
import { closest, didYouMean } from '../text/index.ts';
import { isRecord, type StructType } from '../type/index.ts';
import type { Origin } from './describe-export.ts';
import { readPluginFields, readPluginType } from './plugin-type.ts';

type Exports = Readonly<Record<string, unknown>>;

/** Throws an Error that says what is wrong with the plugin. */
export async function describePlugin(exports: Exports, config: unknown, origin: Origin): Promise<PluginInfo> {
  const made: unknown = await pluginFunction(exports)(config ?? {});
  const parts = record(made, 'what the plugin returns');
  onlyKeys(parts, ['nodes', 'agents', 'functions', 'services'], 'what the plugin returns');
  const nodes: [string, PluginNodeInfo][] = [];
  for (const [name, node] of entries(parts, 'nodes'))
    nodes.push([name, await describeNode(node, `nodes.${name}`, origin)]);
  const agents: [string, readonly PluginField[]][] = [];
  for (const [name, agent] of entries(parts, 'agents')) {
    agents.push([name, await describeAgent(agent, `agents.${name}`, origin)]);
  }
  const functions = entries(parts, 'functions').map(([name, value]) => {
    if (typeof value !== 'function') throw new Error(`functions.${name} is no function`);
    return name;
  });
  const services = entries(parts, 'services').map(([name, value]) => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
      throw new Error(`services.${name} is no object`);
    }
    return name;
  });
  return { nodes: Object.fromEntries(nodes), agents: Object.fromEntries(agents), functions, services };
}

function pluginFunction(exports: Exports): (config: unknown) => unknown {
  const named = Object.keys(exports).filter((name) => typeof exports[name] === 'function');
  const name = named.includes('default') ? 'default' : named.length === 1 ? named[0] : undefined;
  const found = name === undefined ? undefined : exports[name];
  if (typeof found === 'function') return (config) => found(config);
  const has = named.length === 0 ? 'it exports none' : `it exports ${named.slice(0, 8).join(', ')}`;
  throw new Error(`a plugin exports one function as its default; ${has}`);
}

async function describeNode(written: unknown, place: string, origin: Origin): Promise<PluginNodeInfo> {
  const node = record(written, place);
  onlyKeys(node, ['fields', 'interpolate', 'output', 'run'], place);
  needsRun(node, place);
  const types = new Map<string, StructType>();
  const fields = await describeFields(node, place, origin, types);
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
  const fields = await describeFields(agent, place, origin, types);
  if (types.size > 0) throw new Error(`${place}.fields may not hold a type that contains itself`);
  return fields;
}

async function describeFields(
  part: Readonly<Record<string, unknown>>,
  place: string,
  origin: Origin,
  types: Map<string, StructType>,
): Promise<readonly PluginField[]> {
  const fields = await readPluginFields(part.fields ?? {}, `${place}.fields`, { origin, types });
  const names = fields.map((field) => field.name);
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
