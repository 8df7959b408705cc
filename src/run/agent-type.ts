/** What follows from the type of an agent. */
import { cliTypes } from '../plan/index.ts';

/** The types of agents that a provider answers for. */
const asked: ReadonlySet<string> = new Set(['anthropic', 'openai', 'api']);

/** Whether it is a program on this machine; agents of plugins may have any type. */
export function asksProgram({ type, plugin }: Asking): boolean {
  return plugin === undefined && cliTypes.has(type);
}

export interface Asking {
  readonly type: string;
  readonly plugin?: unknown;
  readonly fields?: { readonly [name: string]: unknown };
}

/** Whether a provider answers for it; agents of plugins may have any type. */
export function asksProvider({ type, plugin, fields }: Asking): boolean {
  if (plugin !== undefined) return false;
  if (type !== 'too') return asked.has(type);
  const models = thunkModels(fields);
  return models.length > 0 && !isScripted(models);
}

/** The models of a thunk, in order of preference; none where nothing has settled them. */
export function thunkModels(fields: Asking['fields']): readonly string[] {
  const models = fields?.models;
  return Array.isArray(models) ? models.filter((each) => typeof each === 'string') : [];
}

export function isScripted(models: readonly string[]): boolean {
  return models[0] === 'scripted';
}
