/**
 * The tools of a run, by the names that files use: built-in sets and services stand side by side.
 * 1. A name is a set (`filesystem`, a service) or one tool of it (`filesystem/read`); anything else is a problem with the
 *    closest name. Nothing is offered where one name is wrong.
 * 2. A source is asked for its tools when one of its names is used, and not before: a service is connected only then.
 * 3. What is called is found by its whole name, in the source that has it now.
 */
import { closest, didYouMean } from '../text/index.ts';
import type { Tool } from './tool.ts';

/** A set of tools: built in, or a service. */
export interface ToolSource {
  readonly name: string;
  readonly list: (signal: AbortSignal) => Promise<SourceTools>;
}

export type SourceTools =
  /** `all`: the names of those that it has, where these are only some of them. */
  | { readonly ok: true; readonly tools: readonly Tool[]; readonly all?: readonly string[] }
  /** Why there are none now. `isMistake`: because of what somebody has written, so nothing goes on without them. */
  | { readonly ok: false; readonly message: string; readonly isMistake?: true };

export interface Toolbox {
  /** What names come to, in their order, each tool once. Where one of `optional` cannot be had, the others are offered. */
  readonly offer: (names: readonly string[], signal: AbortSignal, optional?: ReadonlySet<string>) => Promise<Offer>;
  readonly find: (name: string, signal: AbortSignal) => Promise<FoundTool>;
}

export type Offer =
  | { readonly ok: true; readonly tools: readonly Tool[]; readonly unavailable: readonly UnavailableTools[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface UnavailableTools {
  readonly name: string;
  readonly reason: string;
}

export type FoundTool = { readonly ok: true; readonly tool: Tool } | { readonly ok: false; readonly message: string };

export function createToolbox(sources: Iterable<ToolSource>): Toolbox {
  const byName = new Map<string, ToolSource>();
  for (const source of sources) byName.set(source.name, source);

  async function resolve(name: string, signal: AbortSignal): Promise<Resolved> {
    const slash = name.indexOf('/');
    const set = slash === -1 ? name : name.slice(0, slash);
    const source = byName.get(set);
    if (source === undefined) return { ok: false, message: unknownSet(name) };
    const listed = await source.list(signal);
    if (!listed.ok) return listed;
    if (slash === -1) return listed;
    const tool = listed.tools.find((each) => each.name === name);
    if (tool !== undefined) return { ok: true, tools: [tool] };
    const names = listed.all ?? listed.tools.map((each) => each.name);
    const near = didYouMean(closest(name, names));
    return { ok: false, message: `"${set}" has no tool "${name.slice(slash + 1)}".${near} ${known(names)}` };
  }

  function unknownSet(name: string): string {
    const names = [...byName.keys()];
    return `there is no tool or service "${name}".${didYouMean(closest(name, names))} ${known(names)}`;
  }

  return {
    async offer(names, signal, optional = none) {
      const all = await Promise.all(
        [...new Set(names)].map(async (name) => ({ name, ...(await resolve(name, signal)) })),
      );
      const wrong = all.flatMap((each) => (each.ok ? [] : [{ name: each.name, reason: each.message }]));
      const problems = all.flatMap((each) =>
        each.ok || (optional.has(each.name) && !each.isMistake) ? [] : [each.message],
      );
      if (problems.length > 0) return { ok: false, problems: [...new Set(problems)] };
      const tools = new Map<string, Tool>();
      for (const each of all) if (each.ok) for (const tool of each.tools) tools.set(tool.name, tool);
      return { ok: true, tools: [...tools.values()], unavailable: wrong };
    },
    async find(name, signal) {
      const found = await resolve(name, signal);
      if (!found.ok) return found;
      const [tool] = found.tools;
      if (tool?.name === name) return { ok: true, tool };
      return { ok: false, message: `"${name}" is a set of tools, not one of them.` };
    },
  };
}

type Resolved = SourceTools;

const none: ReadonlySet<string> = new Set();

const mostNames = 20;

function known(names: readonly string[]): string {
  if (names.length === 0) return 'It has none.';
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `Known: ${names.slice(0, mostNames).join(', ')}${more}.`;
}
