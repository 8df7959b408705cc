/** Whether a name can be that of a model: told without asking anybody, and without looking for keys. */
import type { Settings } from '../../config/index.ts';
import { loadCatalog } from '../catalog/index.ts';
import { isPassing, type ModelProblem } from './problem.ts';
import { providerNames, providers } from './providers.ts';
import { findUnaliased } from './unaliased.ts';

/**
 * Undefined where it may be one: an id of a known provider that no catalog has may be newer than this program. Of kind
 * `unknown-model`: a bare name that no catalog has; a server of somebody's own may have it.
 */
export async function modelNameProblem(
  name: string,
  settings: Pick<Settings, 'models'>,
): Promise<ModelProblem | undefined> {
  if (Object.hasOwn(settings.models.aliases, name)) return undefined;
  const slash = name.indexOf('/');
  const isPlain = !/[\s*[\]]/.test(name);
  if (isPlain && slash !== -1 && slash < name.length - 1 && providerNames.includes(name.slice(0, slash))) {
    return undefined;
  }
  // Each catalog takes a while to load, and most names are in one of the first.
  if (isPlain && slash === -1 && !providerNames.includes(name)) {
    for (const provider of providers) if ((await loadCatalog(provider.name)).named(name)) return undefined;
  }
  const lookup = { env: {}, settings, now: () => 0, catalog: loadCatalog, local: async () => [] };
  const found = await findUnaliased(name, lookup);
  return found.ok || isPassing(found.problem) ? undefined : found.problem;
}
