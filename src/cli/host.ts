/** What lies around a file: the configuration of its home and root, and the names of the caps there. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { checkUsesFile } from '../caps/index.ts';
import type { ConfigLayer, HomeOptions, HomePlaces, RootPlaces } from '../config/index.ts';
import type { Host, HostCap } from '../program/index.ts';
import { displayPath, quotePath, readTextFile, samePath, systemCode } from '../sys/index.ts';
import { createSource, type Diagnostic, diagnostic, span } from '../text/index.ts';
import { parse } from '../too/index.ts';
import { builtinTools, defaultTools } from '../tool/index.ts';
import { type NamedCap, namesInConfig, namesInFolders } from './cap-names.ts';
import type { Args } from './command.ts';
import type { Context } from './context.ts';
import { checkConfigNames } from './host-config.ts';
import type { InputFile } from './input.ts';

export interface DescribedHost {
  readonly host: Host;
  /** Of where the file lies, of the configuration files and of `agents.too`: those only when they are first met. */
  readonly diagnostics: readonly Diagnostic[];
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
    const look = (places: HomePlaces | RootPlaces): Promise<Scope> => {
      const scope = scopes.get(places.config) ?? lookInto(places, context);
      scopes.set(places.config, scope);
      return scope;
    };
    const tell = (scope: Scope, services: ReadonlySet<string>) => {
      const { layer, places } = scope;
      if (told.has(places.config)) return;
      told.add(places.config);
      const shownDir = displayPath(places.dir, context.cwd);
      const itself = checked.has(places.uses) || (file.path !== undefined && samePath(file.path, places.uses));
      diagnostics.push(
        ...scope.diagnostics,
        ...checkConfigNames(layer, { dir: places.dir, shownDir, services, isFile }),
        ...(itself ? scope.declarations : [...scope.uses, ...scope.declarations]),
      );
    };
    const host = await describeHost(file, context, { look, tell, options }, diagnostics);
    return { host, diagnostics };
  };
}

interface Scope {
  readonly places: HomePlaces | RootPlaces;
  readonly layer: ConfigLayer;
  readonly caps: readonly NamedCap[];
  readonly diagnostics: readonly Diagnostic[];
  /** What is wrong with the lines of its `agents.too`, and which of them do not belong there. */
  readonly uses: readonly Diagnostic[];
  readonly declarations: readonly Diagnostic[];
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
): Promise<Host> {
  const { findRoot, homeOfDirectory, homeOfFile, machineHost, mergeConfig } = await import('../config/index.ts');
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
  const services = new Set(
    [...(inHome?.caps ?? []), ...inRoot.caps].filter((cap) => cap.kind === 'service').map((cap) => cap.name),
  );
  scopes.tell(inRoot, services);
  if (inHome) scopes.tell(inHome, services);
  const { settings } = mergeConfig({ root: inRoot.layer, ...(inHome && { home: inHome.layer }) });
  const directory = file.path === undefined ? cwd : path.dirname(file.path);
  const caps: HostCap[] = [
    ...(inHome?.caps ?? []).map((cap) => ({ ...cap, scope: 'home' as const })),
    ...inRoot.caps.map((cap) => ({ ...cap, scope: 'root' as const })),
  ];
  return {
    tools: builtinTools,
    caps,
    hands: Object.keys(settings.hands ?? {}),
    hasFile: (name) => isFile(path.resolve(directory, name)),
    defaults: { tools: settings.tools?.default ?? defaultTools, models: settings.models?.default ?? [] },
  };
}

/** One home or root: its config, its cap folders, its `agents.too`. What cannot be read is told, and has no names. */
async function lookInto(places: HomePlaces | RootPlaces, context: Context): Promise<Scope> {
  const { readConfig } = await import('../config/index.ts');
  const loaded = await readConfig(places.config, displayPath(places.config, context.cwd));
  const diagnostics = [...loaded.diagnostics];
  if (isFile(places.dir)) {
    const source = createSource(displayPath(places.dir, context.cwd), '');
    const help = 'Check the spelling of TOOLANG_ROOT.';
    diagnostics.push(diagnostic('TOO5121', source, span(0, 0), 'the root is not a directory.', { help }));
  }
  const inFolders = await folderCaps(places, context, diagnostics);
  const used = await usedCaps(places.uses, context, diagnostics);
  const caps = [...inFolders, ...used.caps, ...namesInConfig(loaded.layer.config)];
  return { places, layer: loaded.layer, caps, diagnostics, uses: used.uses, declarations: used.declarations };
}

async function folderCaps(
  { caps, config }: HomePlaces | RootPlaces,
  context: Context,
  diagnostics: Diagnostic[],
): Promise<NamedCap[]> {
  if (!caps) return [];
  try {
    return namesInFolders(caps);
  } catch (error) {
    const system = systemCode(error);
    if (system === undefined) throw error;
    const { fileDiagnostic } = await import('../config/index.ts');
    const name = displayPath(path.dirname(config), context.cwd);
    const kind = system === 'EACCES' || system === 'EPERM' ? 'denied' : 'other';
    const message = `the caps in it cannot be read: ${error instanceof Error ? error.message : system}.`;
    diagnostics.push(fileDiagnostic(name, { kind, message }));
    return [];
  }
}

/** The names that the `use` lines of an `agents.too` give, and what is wrong with it. */
async function usedCaps(
  file: string,
  context: Context,
  diagnostics: Diagnostic[],
): Promise<Pick<Scope, 'caps' | 'uses' | 'declarations'>> {
  const read = await readTextFile(file);
  const name = displayPath(file, context.cwd);
  if (!read.ok) {
    if (read.problem.kind !== 'missing') {
      const { fileDiagnostic } = await import('../config/index.ts');
      diagnostics.push(fileDiagnostic(name, read.problem, file));
    }
    return { caps: [], uses: [], declarations: [] };
  }
  const { checkProgram } = await import('../program/index.ts');
  const parsed = parse(createSource(name, read.text));
  // What else is declared there does not belong there: what it says is of no matter.
  const items = parsed.program.items.filter((item) => item.kind === 'use');
  const checked = checkProgram({ ...parsed, program: { ...parsed.program, items } });
  const caps = checked.program.uses.map((use) => ({ kind: use.kind, name: use.name }));
  return { caps, uses: checked.diagnostics, declarations: checkUsesFile(parsed.program) };
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

/** `--root` and `--home`. */
export function homeOptions({ root, home }: Args['texts']): HomeOptions {
  return { ...(root !== undefined && { root }), ...(home !== undefined && { home }) };
}
