/** What follows from the type of an agent. */

/** The types of agents that a provider answers for. */
const asked: ReadonlySet<string> = new Set(['anthropic', 'openai', 'api']);

/** Whether a provider answers for it; agents of plugins may have any type. */
export function asksProvider({ type, plugin }: { readonly type: string; readonly plugin?: unknown }): boolean {
  return plugin === undefined && asked.has(type);
}
