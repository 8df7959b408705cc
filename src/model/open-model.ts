/** Opens a model that was found by its name. What calls providers is loaded here, and a provider's package by its first call. */
import type { OpenOptions } from './call/provider-model.ts';
import type { Model } from './model.ts';
import type { ResolvedModel } from './resolved.ts';

export type { Environment } from './call/access.ts';
export type { OpenOptions };

/** Asks nobody; a key that is missing is told by the first call. */
export async function openModel(resolved: ResolvedModel, options: OpenOptions): Promise<Model> {
  const { createProviderModel } = await import('./call/provider-model.ts');
  return createProviderModel(resolved, options);
}
