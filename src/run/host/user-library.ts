/**
 * Loads users' modules, and the libraries that they were made with: always the copy that the user's own code gets.
 * Runs in hosts only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { systemCode } from '../../sys/index.ts';

export interface UserLibrary {
  /** The file that a package name means for code in `from` (any path in the folder); undefined if there is none. */
  readonly resolve: (name: string, from: string) => string | undefined;
  readonly load: (file: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Node's own loader gave up, before any code of the module ran. */
const loaderCodes = new Set(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT']);

export async function createUserLibrary(): Promise<UserLibrary> {
  // The cache would be a folder that others may write to; `interopDefault` would mix a default export into the others.
  const jiti = createJiti(import.meta.url, { fsCache: false, interopDefault: false });
  // Node's own `import()`, through a `data:` module because jiti rewrites it in our sources when tests run those.
  const source = 'data:text/javascript,export const load = (url) => import(url)';
  const native = await jiti.import<{ load: (url: string) => Promise<Record<string, unknown>> }>(source);
  return {
    resolve(name, from) {
      // jiti goes on to look beside itself: what is installed there is ours, and nothing to the user's code.
      if (!isInstalled(name, from)) return undefined;
      const found = jiti.esmResolve(name, { parentURL: pathToFileURL(from).href, try: true });
      return found?.startsWith('file:') ? fileURLToPath(found) : undefined;
    },
    async load(file) {
      const url = pathToFileURL(file).href;
      // jiti runs plain JavaScript a second time when it throws; Node does not. jiti is for what Node cannot load.
      if (['.js', '.mjs', '.cjs'].includes(extname(file))) {
        try {
          return await native.load(url);
        } catch (error) {
          const isLoaders = loaderCodes.has(systemCode(error) ?? '') || isSyntaxError(error);
          if (!isLoaders) throw error;
        }
      }
      return await jiti.import<Record<string, unknown>>(url);
    },
  };
}

/** Whether a package of that name can be found from there, or is the one that it is in. */
export function isInstalled(name: string, from: string): boolean {
  const [packageName] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [];
  if (packageName === undefined || name.startsWith('#')) return true;
  let isOwn: boolean | undefined;
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', packageName))) return true;
    isOwn ??= nameIn(folder, packageName);
    if (folder === dirname(folder)) return isOwn === true;
  }
}

/** Whether the package of that folder has that name; undefined where the folder is not that of a package. */
function nameIn(folder: string, name: string): boolean | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown }).name === name;
  } catch {
    // Whoever loads the package says what is wrong with it.
    return true;
  }
}

/** Of the text, not of what it imports: a name that another module does not export is the user's mistake. */
function isSyntaxError(error: unknown): boolean {
  return error instanceof SyntaxError && !/does not provide an export named/.test(error.message);
}
