/** What lies around a file: the configuration of its home and root, and the names of the caps there. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { checkUseRef } from '../caps/index.ts';
import type { ConfigLayer, HomePlaces, RootPlaces } from '../config/index.ts';
import type { Host, HostCap } from '../program/index.ts';
import { displayPath, quotePath, readTextFile, systemCode } from '../sys/index.ts';
import { createSource, type Diagnostic, diagnostic, span } from '../text/index.ts';
import { parse } from '../too/index.ts';
import { builtinTools, defaultTools } from '../tool/index.ts';
import { type NamedCap, namesInConfig, namesInFolders } from './cap-names.ts';
import type { Context } from './context.ts';
import type { InputFile } from './input.ts';

export interface DescribedHost {
  readonly host: Host;
  /** Of where the file lies, and of the configuration files: those only the first time that they are met. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the host of one file after the other; each home and root is read once. */
export function hostFinder(context: Context): (file: InputFile) => Promise<DescribedHost> {
  const scopes = new Map<string, Promise<Scope>>();
  const told = new Set<string>();
  return async (file) => {
    const diagnostics: Diagnostic[] = [];
    const look = async (places: HomePlaces | RootPlaces): Promise<Scope> => {
      const key = places.config;
      const scope = scopes.get(key) ?? lookInto(places, context);
      scopes.set(key, scope);
      if (!told.has(key)) diagnostics.push(...(await scope).diagnostics);
      told.add(key);
      return scope;
    };
    const host = await describeHost(file, context, look, diagnostics);
    return { host, diagnostics };
  };
}

interface Scope {
  readonly layer?: ConfigLayer;
  readonly caps: readonly NamedCap[];
  readonly diagnostics: readonly Diagnostic[];
}

async function describeHost(
  file: InputFile,
  context: Context,
  look: (places: HomePlaces | RootPlaces) => Promise<Scope>,
  diagnostics: Diagnostic[],
): Promise<Host> {
  const { findRoot, homeOfDirectory, homeOfFile, machineHost, mergeConfig } = await import('../config/index.ts');
  const { cwd, env } = context;
  const machine = { ...machineHost(), cwd, env, homeDirectory: env.HOME || homedir() };
  const found = file.path === undefined ? homeOfDirectory(cwd, machine) : homeOfFile(file.path, machine);
  if (!found.ok) {
    const { code, message, help } = found.problem;
    diagnostics.push(diagnostic(code, createSource(file.name, ''), span(0, 0), message, { help }));
  }
  const inRoot = await look(findRoot(machine));
  const inHome = found.ok && found.places ? await look(found.places) : undefined;
  const { settings } = mergeConfig({
    ...(inRoot.layer && { root: inRoot.layer }),
    ...(inHome?.layer && { home: inHome.layer }),
  });
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
    const name = displayPath(places.dir, context.cwd);
    const help = 'Check the spelling of TOOLANG_ROOT.';
    const message = `the root ${quotePath(name)} is not a directory.`;
    diagnostics.push(diagnostic('TOO5121', createSource(name, ''), span(0, 0), message, { help }));
  }
  const caps = [
    ...(await folderCaps(places, context, diagnostics)),
    ...(await usedCaps(places.uses, context, diagnostics)),
    ...namesInConfig(loaded.layer.config),
  ];
  return { layer: loaded.layer, caps, diagnostics };
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
    const message = `the caps of ${quotePath(name)} cannot be read: ${error instanceof Error ? error.message : system}.`;
    diagnostics.push(fileDiagnostic(name, { kind, message }));
    return [];
  }
}

/** The names that the `use` lines of an `agents.too` give. What is wrong with them is said when that file is checked. */
async function usedCaps(file: string, context: Context, diagnostics: Diagnostic[]): Promise<NamedCap[]> {
  const read = await readTextFile(file);
  if (!read.ok) {
    if (read.problem.kind === 'missing') return [];
    const { fileDiagnostic } = await import('../config/index.ts');
    diagnostics.push(fileDiagnostic(displayPath(file, context.cwd), read.problem));
    return [];
  }
  return parse(createSource(file, read.text)).program.items.flatMap((item) => {
    const result = item.kind === 'use' ? checkUseRef(item.capKind, item.ref.text) : undefined;
    return item.kind === 'use' && result?.ok ? [{ kind: item.capKind, name: result.ref.name }] : [];
  });
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
