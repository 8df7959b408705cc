/**
 * Plugins in hosts: each is called once with its config, and what it returned does the nodes and answers for the agents of
 * steps.
 */
import type { PluginImport } from '../../plan/index.ts';
import { quotePath } from '../../sys/index.ts';
import { field, isRecord, structOf, validate } from '../../type/index.ts';
import { loadModule, threwAt } from './describe-module.ts';
import { jsonProblem } from './json-problem.ts';
import { type PluginParts, readPlugin } from './plugin.ts';
import type { AgentCall, PluginCall } from './protocol.ts';
import { Refusal } from './refusal.ts';
import type { StepPlace } from './services.ts';
import { thrownOf } from './thrown.ts';
import type { UserLibrary } from './user-library.ts';

export interface HostPlugin extends PluginParts {
  readonly id: string;
  /** In words. */
  readonly what: string;
  readonly file: string;
}

export interface HostPlugins {
  readonly load: (plugin: PluginImport, step: StepPlace) => Promise<HostPlugin>;
  readonly count: () => number;
  /** A module could not be loaded, and Node keeps that. */
  readonly isSpoiled: () => boolean;
}

export function createHostPlugins(library: UserLibrary): HostPlugins {
  const loaded = new Map<string, HostPlugin>();
  let isSpoiled = false;
  return {
    async load({ module, name, config }, step) {
      const { folder } = step;
      const id = JSON.stringify([folder, module, name, config]);
      const known = loaded.get(id);
      if (known) return known;
      const what = `the plugin ${quotePath(module)}`;
      const found = await loadModule({ specifier: module, folder, as: 'module' }, library);
      if (!found.ok) {
        isSpoiled = true;
        const retryable = 'error' in found && thrownOf(found.error).retryable;
        throw new Refusal(`${what} cannot be loaded: ${found.message}`, retryable);
      }
      const { file, exports } = found;
      const stopped = new Refusal(`${what} was still being made when the step was stopped`, true);
      let parts: PluginParts;
      try {
        parts = await before(readPlugin(exports, { name, config }, { file, library }), step.signal(), stopped);
      } catch (error) {
        if (error === stopped) {
          // Its function goes on.
          isSpoiled = true;
          throw error;
        }
        const { message, retryable, cause } = thrownOf(error, (thrown) => threwAt(thrown, { folder }));
        throw new Refusal(`${what} cannot be used: ${message}`, retryable, cause);
      }
      const plugin: HostPlugin = { ...parts, id, what, file };
      loaded.set(id, plugin);
      return plugin;
    },
    count: () => loaded.size,
    isSpoiled: () => isSpoiled,
  };
}

/** What was promised, unless the step is stopped before. */
async function before<T>(promised: Promise<T>, signal: AbortSignal, stopped: Refusal): Promise<T> {
  let onAbort = () => {};
  const never = new Promise<never>((_, reject) => {
    onAbort = () => reject(stopped);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promised, never]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

type Context = Readonly<Record<string, unknown>>;

/** What the function of a node gives, an Effect too. */
export async function callNode(
  { nodes, info, what }: HostPlugin,
  { type, fields }: PluginCall,
  context: Context,
): Promise<unknown> {
  const node = Object.hasOwn(nodes, type) ? nodes[type] : undefined;
  const about = info.nodes[type];
  if (node === undefined || about === undefined) throw new Refusal(`${what} has no kind "${type}" any more`, false);
  const wanted = structOf(about.fields.map((each) => field(each.name, each.type, { optional: each.optional })));
  const types = new Map(Object.entries(about.types ?? {}));
  const read = validate(fields, wanted, types);
  if (!read.ok) {
    const { misfit } = await import('./misfit.ts');
    throw new Refusal(`its fields do not fit: ${misfit(read.errors, wanted, types)}`, false);
  }
  return node(read.value, context);
}

export function callAgent({ agents, what }: HostPlugin, { type, request }: AgentCall, context: Context): unknown {
  const agent = Object.hasOwn(agents, type) ? agents[type] : undefined;
  if (agent === undefined) throw new Refusal(`${what} has no agents of type "${type}" any more`, false);
  return agent(request, context);
}

/** What an agent answered: a text, or a value as JSON; with `usage` it stands in an object with that. */
export function answerOf(value: unknown): { readonly text: string; readonly usage?: Record<string, number> } {
  if (!isRecord(value) || !('usage' in value)) return { text: textOf(value) };
  const { usage, ...rest } = value;
  const [key, ...more] = Object.keys(rest);
  // Without `text` or `value` beside it, it is a field of the value like any other.
  if (more.length > 0 || (key !== 'text' && key !== 'value')) return { text: textOf(value) };
  return { text: textOf(rest[key]), usage: usageOf(usage) };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) throw new Refusal('the agent returned nothing: it returns a text, or a value', true);
  const problem = jsonProblem(value);
  if (problem !== undefined) throw new Refusal(`the answer of the agent is not JSON: ${problem}`, true);
  return JSON.stringify(value);
}

const counts = ['inputTokens', 'outputTokens', 'cost'];

function usageOf(usage: unknown): Record<string, number> {
  if (!isRecord(usage))
    throw new Refusal(`the usage that an agent tells is an object with ${counts.join(', ')}`, false);
  const told: Record<string, number> = {};
  for (const [name, value] of Object.entries(usage)) {
    if (value === undefined) continue;
    if (!counts.includes(name)) {
      throw new Refusal(`the usage that an agent tells has ${counts.join(', ')}, not "${name}"`, false);
    }
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      const what = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? `a ${typeof value}`);
      throw new Refusal(`"${name}" of the usage that an agent tells must be a number from 0 on, not ${what}`, false);
    }
    told[name] = value;
  }
  return told;
}
