/** The model that a name means. */
import { findAlias } from './alias.ts';
import type { FoundModel, Lookup } from './lookup.ts';
import { findUnaliased } from './unaliased.ts';

/** What the configuration calls so comes first. */
export async function findModel(ref: string, lookup: Lookup): Promise<FoundModel> {
  const name = ref.trim();
  const { aliases } = lookup.settings.models;
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return alias ? findAlias(name, alias, lookup) : findUnaliased(name, lookup);
}
