/**
 * Plans the workflow files of one command. Users' modules are looked into in a host that is started when the first one is
 * asked for, and each is asked about once: files share modules, and mending reads a file many times.
 */
import { dirname, resolve } from 'node:path';
import type {
  FileReader,
  ModuleAnswer,
  ModuleLoader,
  ModuleRequest,
  Planned,
  ThunkLookup,
  ToolLookup,
} from '../plan/index.ts';
import type { Signatures } from '../program/index.ts';
import type { ModuleHost } from '../run/index.ts';
import { displayPath, quotePath, readTextFile } from '../sys/index.ts';
import { createSource, type Source } from '../text/index.ts';
import type { Args } from './command.ts';
import type { Context } from './context.ts';
import { type InputFile, languageOf, placeOf } from './input.ts';

export interface Workflows {
  /** `root`: another file, from whose folder the plan names modules. Of replies and other data there is no plan; of the latter only the syntax is looked at. */
  readonly plan: (file: InputFile, source: Source, root?: string) => Promise<Planned>;
  /** The files that were read for it, or looked for, absolute. */
  readonly files: () => readonly string[];
  /** The modules of users that were looked into. */
  readonly modules: () => readonly string[];
  /** Ends the host. */
  readonly close: () => Promise<void>;
}

/**
 * `--no-code`, `--strict-toon`, and `--types`, which asks for what `tsc` has to read. `tools`: those that agents may name here;
 * where nothing is checked or run, a workflow of another machine may name others.
 */
export function openWorkflows({ switches }: Pick<Args, 'switches'>, context: Context, tools?: ToolLookup): Workflows {
  const strictToon = switches['strict-toon'] === true;
  const modules = switches.code === false ? undefined : moduleLoader(context);
  const files = new Set<string>();
  const readFile = fileReader(context.cwd);
  const read: FileReader = (path) => {
    files.add(path);
    return readFile(path);
  };
  const thunks = thunkLookup(read, context.cwd);
  return {
    files: () => [...files],
    plan: planFile,
    modules: () => modules?.files() ?? [],
    close: async () => modules?.close(),
  };

  async function planFile(file: InputFile, source: Source, root?: string): Promise<Planned> {
    const language = languageOf(file);
    if (language === 'test') {
      const { checkSuite, folderOf } = await import('./test/check-suite.ts');
      const { cwd } = context;
      const { diagnostics } = await checkSuite(source, {
        cwd,
        folder: folderOf(file, cwd),
        strictToon,
        plan: planFile,
      });
      return { diagnostics };
    }
    if (language === 'script') {
      const { checkScript } = await import('../model/index.ts');
      const folder = dirname(placeOf(file, context.cwd));
      return checkScript(source, (path) => read(resolve(folder, path)), { strictToon });
    }
    const { planWorkflow } = await import('../plan/index.ts');
    const options = {
      file: placeOf(file, context.cwd),
      ...(root !== undefined && { root }),
      read,
      strictToon,
      thunks,
      ...(tools && { tools }),
      ...(switches.types === true && { typesRoot: (await import('../run/index.ts')).tscRoot }),
    };
    return planWorkflow(source, modules ? { ...options, modules } : options);
  }
}

interface Loader extends ModuleLoader, Pick<ModuleHost, 'close'> {
  readonly files: () => readonly string[];
}

function moduleLoader({ cwd, env }: Context): Loader {
  let host: ModuleHost | undefined;
  const known = new Map<string, ModuleAnswer>();
  return {
    async describe(requests) {
      const fresh = requests.filter((request) => !known.has(keyOf(request)));
      if (fresh.length > 0) {
        const { createModuleHost } = await import('../run/index.ts');
        host ??= createModuleHost({ cwd, env });
        const answers = await host.describe(fresh);
        for (const [i, request] of fresh.entries()) {
          const answer = answers[i];
          if (answer) known.set(keyOf(request), answer);
        }
      }
      return requests.flatMap((request) => known.get(keyOf(request)) ?? []);
    },
    files: () => [...new Set([...known.values()].flatMap((each) => (each.ok ? [each.file] : [])))],
    close: async () => host?.close(),
  };
}

function keyOf({ specifier, folder, as, config, name }: ModuleRequest): string {
  return JSON.stringify([as, folder, specifier, config ?? null, name ?? null]);
}

/** The message stands in a diagnostic: the path as it is shown everywhere else, and no full stop. */
function fileReader(cwd: string): FileReader {
  return async (path) => {
    const read = await readTextFile(path);
    if (read.ok) return read;
    const shown = read.problem.message.replace(quotePath(path), () => quotePath(displayPath(path, cwd)));
    return { ok: false, message: shown.replace(/\.$/, '') };
  };
}

/** Each file is checked once, unless it was mended in between. */
function thunkLookup(read: FileReader, cwd: string): ThunkLookup {
  const known = new Map<string, { readonly text: string; readonly found: Signatures }>();
  return async (path) => {
    const answer = await read(path);
    if (!answer.ok) return answer;
    const { text } = answer;
    let entry = known.get(path);
    if (entry?.text !== text) {
      const { signaturesOf } = await import('../program/index.ts');
      entry = { text, found: signaturesOf(createSource(displayPath(path, cwd), text)) };
      known.set(path, entry);
    }
    return entry.found;
  };
}
