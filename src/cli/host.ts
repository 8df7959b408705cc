/** What lies around a file: the configuration of its home and root, and the caps there. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { readScopeCaps, type ScopeCaps } from '../caps/index.ts';
import {
  type ConfigLayer,
  findRoot,
  type HomeOptions,
  type HomePlaces,
  homeOfDirectory,
  homeOfFile,
  machineHost,
  mergeConfig,
  type RootPlaces,
  readConfig,
  type Settings,
} from '../config/index.ts';
import type { Host, HostCap } from '../program/index.ts';
import { displayPath, quotePath, samePath, systemCode } from '../sys/index.ts';
import { byPosition, createSource, type Diagnostic, diagnostic, span } from '../text/index.ts';
import { builtinTools, defaultTools } from '../tool/index.ts';
import type { Context } from './context.ts';
import { checkConfigNames } from './host-config.ts';
import { type InputFile, placeOf } from './input.ts';

export interface DescribedHost {
  readonly host: Host;
  /** Of where the file lies, of the configuration files and of `agents.too`: those only when they are first met. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of the cap files of its home and root, when those are first met. They need not be any that the file uses. */
  readonly ofCaps: readonly Diagnostic[];
  /** What the configuration says of models. */
  readonly models: Settings['models'];
}

/**
 * Finds the host of one file after the other; each home and root is read once. `files` are those that will be checked
 * themselves: what checking one of them says is not said here too.
 */
export function hostFinder(
  context: Context,
  files: readonly InputFile[] = [],
  options: HomeOptions = {},
): (file: InputFile) => Promise<DescribedHost> {
  const scopes = new Map<string, Promise<Scope>>();
  const told = new Set<string>();
  const checked = new Set(files.map((file) => file.path));
  return async (file) => {
    const diagnostics: Diagnostic[] = [];
    const ofCaps: Diagnostic[] = [];
    const look = (places: HomePlaces | RootPlaces): Promise<Scope> => {
      const scope = scopes.get(places.config) ?? lookInto(places, context);
      scopes.set(places.config, scope);
      return scope;
    };
    const tell = (scope: Scope, services: ReadonlySet<string>) => {
      const { layer, places, caps } = scope;
      if (told.has(places.config)) return;
      told.add(places.config);
      const shownDir = displayPath(places.dir, context.cwd);
      const itself = checked.has(places.uses) || (file.path !== undefined && samePath(file.path, places.uses));
      diagnostics.push(
        ...scope.diagnostics,
        ...byPosition([...checkConfigNames(layer, { dir: places.dir, shownDir, services, isFile }), ...caps.ofWired]),
        ...(itself ? caps.uses.declarations : caps.uses.diagnostics),
      );
      const isOther = (d: Diagnostic) => !checked.has(placeOf({ path: undefined, name: d.source.name }, context.cwd));
      ofCaps.push(...caps.ofFiles.filter(isOther));
    };
    const described = await describeHost(file, context, { look, tell, options }, diagnostics);
    return { ...described, diagnostics, ofCaps };
  };
}

interface Scope {
  readonly places: HomePlaces | RootPlaces;
  readonly layer: ConfigLayer;
  readonly caps: ScopeCaps;
  readonly diagnostics: readonly Diagnostic[];
}

interface Scopes {
  readonly look: (places: HomePlaces | RootPlaces) => Promise<Scope>;
  /** Tells what is wrong with a scope, the first time. */
  readonly tell: (scope: Scope, services: ReadonlySet<string>) => void;
  readonly options: HomeOptions;
}

async function describeHost(
  file: InputFile,
  context: Context,
  scopes: Scopes,
  diagnostics: Diagnostic[],
): Promise<Pick<DescribedHost, 'host' | 'models'>> {
  const { cwd, env } = context;
  const machine = machineHost({ cwd, env });
  const { options } = scopes;
  const found =
    file.path === undefined ? homeOfDirectory(cwd, machine, options) : homeOfFile(file.path, machine, options);
  if (!found.ok) {
    const { code, message, help } = found.problem;
    // Its path stands before the message.
    const short = file.path === undefined ? message : message.replace(quotePath(file.path), () => 'this file');
    diagnostics.push(diagnostic(code, createSource(file.name, ''), span(0, 0), short, { help }));
  }
  const inRoot = await scopes.look(findRoot(machine, options));
  const inHome = found.ok && found.places ? await scopes.look(found.places) : undefined;
  const caps = [...namesOf(inHome, 'home'), ...namesOf(inRoot, 'root')];
  const services = new Set(caps.filter((cap) => cap.kind === 'service').map((cap) => cap.name));
  scopes.tell(inRoot, services);
  if (inHome) scopes.tell(inHome, services);
  const { settings } = mergeConfig({ root: inRoot.layer, ...(inHome && { home: inHome.layer }) });
  const directory = file.path === undefined ? cwd : path.dirname(file.path);
  const host: Host = {
    tools: builtinTools,
    caps,
    hands: Object.keys(settings.hands ?? {}),
    hasFile: (name) => isFile(path.resolve(directory, name)),
    defaults: { tools: settings.tools?.default ?? defaultTools, models: settings.models?.default ?? [] },
  };
  return { host, models: settings.models };
}

/** One home or root: its config, its cap folders, its `agents.too`. What cannot be read is told, and has no names. */
async function lookInto(places: HomePlaces | RootPlaces, context: Context): Promise<Scope> {
  const loaded = await readConfig(places.config, displayPath(places.config, context.cwd));
  const diagnostics = [...loaded.diagnostics];
  if (isFile(places.dir)) {
    const source = createSource(displayPath(places.dir, context.cwd), '');
    const help = 'Check the spelling of TOOLANG_ROOT.';
    diagnostics.push(diagnostic('TOO5121', source, span(0, 0), 'the root is not a directory.', { help }));
  }
  const caps = await readScopeCaps(places, loaded.layer, (file) => displayPath(file, context.cwd));
  return { places, layer: loaded.layer, caps, diagnostics };
}

/** One that is wrong has its report, and is known by its name all the same. */
function namesOf(scope: Scope | undefined, as: HostCap['scope']): HostCap[] {
  if (!scope) return [];
  const { caps, broken } = scope.caps;
  return [...caps, ...broken].map(({ kind, name }) => ({ kind, name, scope: as }));
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    // A path that leads through a file or in a circle, or that may not be looked at, names no file for us.
    if (systemCode(error) !== undefined) return false;
    throw error;
  }
}
