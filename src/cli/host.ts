/** What lies around a file: the configuration of its home and root, and the names of the caps there. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { checkUseRef, type NamedCap, namesInConfig, namesInFolders } from '../caps/index.ts';
import type { ConfigLayer, HomePlaces, RootPlaces } from '../config/index.ts';
import type { Host, HostCap } from '../program/index.ts';
import { displayPath, readTextFile } from '../sys/index.ts';
import { createSource, type Diagnostic, diagnostic } from '../text/index.ts';
import { parse } from '../too/index.ts';
import { builtinTools, defaultTools } from '../tool/index.ts';
import type { Context } from './context.ts';
import type { InputFile } from './input.ts';

export interface DescribedHost {
  readonly host: Host;
  /** Of the configuration files, and of where the file lies. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function describeHost(file: InputFile, context: Context): Promise<DescribedHost> {
  const { findRoot, homeOfDirectory, homeOfFile, machineHost } = await import('../config/index.ts');
  const machine = {
    ...machineHost(),
    cwd: context.cwd,
    env: context.env,
    homeDirectory: context.env.HOME || homedir(),
  };
  const diagnostics: Diagnostic[] = [];
  const found = file.path === undefined ? homeOfDirectory(context.cwd, machine) : homeOfFile(file.path, machine);
  if (!found.ok) {
    const { code, message, help } = found.problem;
    diagnostics.push(diagnostic(code, createSource(file.name, ''), { start: 0, end: 0 }, message, { help }));
  }
  const home = found.ok ? found.places : undefined;
  const root = findRoot(machine);
  const inRoot = await lookInto(root, context, diagnostics);
  const inHome = home && (await lookInto(home, context, diagnostics));
  const { mergeConfig } = await import('../config/index.ts');
  const { settings } = mergeConfig({
    ...(inRoot.layer && { root: inRoot.layer }),
    ...(inHome?.layer && { home: inHome.layer }),
  });
  const directory = file.path === undefined ? context.cwd : path.dirname(file.path);
  const caps: HostCap[] = [
    ...(inHome?.caps ?? []).map((cap) => ({ ...cap, scope: 'home' as const })),
    ...inRoot.caps.map((cap) => ({ ...cap, scope: 'root' as const })),
  ];
  return {
    host: {
      tools: builtinTools,
      caps,
      hands: Object.keys(settings.hands ?? {}),
      hasFile: (name) => existsSync(path.resolve(directory, name)),
      defaults: { tools: settings.tools?.default ?? defaultTools, models: settings.models?.default ?? [] },
    },
    diagnostics,
  };
}

interface Scope {
  readonly layer?: ConfigLayer;
  readonly caps: readonly NamedCap[];
}

/** One home or root: its config, its cap folders, its `agents.too`. */
async function lookInto(places: HomePlaces | RootPlaces, context: Context, diagnostics: Diagnostic[]): Promise<Scope> {
  const caps: NamedCap[] = [
    ...(places.caps ? namesInFolders(places.caps) : []),
    ...(await usedCaps(places.uses, context, diagnostics)),
  ];
  if (!existsSync(places.config)) return { caps };
  const { readConfig } = await import('../config/index.ts');
  const loaded = await readConfig(places.config, displayPath(places.config, context.cwd));
  diagnostics.push(...loaded.diagnostics);
  return { layer: loaded.layer, caps: [...caps, ...namesInConfig(loaded.layer.config)] };
}

/** The names that the `use` lines of an `agents.too` give. What is wrong with them is said when that file is checked. */
async function usedCaps(file: string, context: Context, diagnostics: Diagnostic[]): Promise<NamedCap[]> {
  if (!existsSync(file)) return [];
  const read = await readTextFile(file);
  if (!read.ok) {
    const { fileDiagnostic } = await import('../config/index.ts');
    diagnostics.push(fileDiagnostic(displayPath(file, context.cwd), read.problem));
    return [];
  }
  return parse(createSource(file, read.text)).program.items.flatMap((item) => {
    const result = item.kind === 'use' ? checkUseRef(item.capKind, item.ref.text) : undefined;
    return item.kind === 'use' && result?.ok ? [{ kind: item.capKind, name: result.ref.name }] : [];
  });
}
