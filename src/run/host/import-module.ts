/** `import()` of `run` code: from the folder of the workflow, TypeScript too. Runs in hosts only. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveLocal } from '../module-files.ts';
import { loadModule } from './describe-module.ts';
import type { failureAt } from './thrown.ts';
import type { UserLibrary } from './user-library.ts';

export async function importModule(
  specifier: string,
  folder: string,
  library: UserLibrary,
  failed: ReturnType<typeof failureAt>,
): Promise<unknown> {
  if (isBuiltin(specifier) || specifier.startsWith('data:')) return import(specifier);
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier;
  const file = path.startsWith('.') || isAbsolute(path) ? resolveLocal(path, folder) : undefined;
  if (file?.endsWith('.json')) return { default: JSON.parse(readFileSync(file, 'utf8')) };
  const loaded = await loadModule({ specifier: path, folder, as: 'module' }, library);
  if (loaded.ok) return loaded.imported;
  throw failed(`import(): ${loaded.message}`, 'error' in loaded ? { cause: loaded.error } : {});
}
