/**
 * The modules that a plan runs, with a hash of each and of the local files that it imports: what a step that runs one of
 * them depends on. Nothing runs for it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isFunctionModule, modulesOf, type WorkflowPlan } from '../plan/index.ts';
import { fileHash } from './file-hash.ts';
import type { StoredRun } from './runs.ts';

export interface ModuleHashes {
  /** By the names in the plan. */
  readonly hashes: Readonly<Record<string, string>>;
  /** All files that they are made of, absolute. */
  readonly files: readonly string[];
}

/** `folder`: that of the workflow's file, from where modules are named. */
export async function moduleHashes(plan: WorkflowPlan, folder: string): Promise<ModuleHashes> {
  const hashes: Record<string, string> = {};
  const all = new Set<string>();
  const names = modulesOf(plan);
  if (names.length === 0) return { hashes, files: [] };
  // What reads modules is loaded where there are some.
  const { moduleFiles, resolveLocal } = await import('./module-files.ts');
  for (const name of names) {
    // No file has it: whoever runs the program knows its text.
    if (isFunctionModule(name)) continue;
    const { files } = await moduleFiles(entryOf(name, folder, resolveLocal));
    const sum = createHash('sha256');
    for (const { file, hash } of files) {
      all.add(file);
      // The folder may be moved with all that is in it.
      sum.update(`${relative(folder, file)}\0${hash}\0`);
    }
    hashes[name] = sum.digest('hex').slice(0, 32);
  }
  return { hashes, files: [...all] };
}

/**
 * Those of a run, as they are now: whoever takes it up runs the files of now, so results are known by those. Functions are
 * known by who has them, and stay what they were called.
 */
export async function modulesNow(
  { plan, started }: Pick<StoredRun, 'plan' | 'started'>,
  folder: string,
): Promise<ModuleHashes['hashes']> {
  const { modules = {}, files } = started;
  const names = modulesOf(plan);
  const isKnown = (name: string) => Object.hasOwn(modules, name);
  // To look for imports costs more than to read all files.
  if (names.every(isKnown) && (names.every(isFunctionModule) || isAsItWas(files))) return modules;
  const { hashes } = await moduleHashes(plan, folder);
  const functions = names.filter((name) => isFunctionModule(name) && isKnown(name));
  return { ...hashes, ...Object.fromEntries(functions.map((name) => [name, modules[name] ?? ''])) };
}

function isAsItWas(files: Readonly<Record<string, string>> | undefined): boolean {
  return files !== undefined && Object.entries(files).every(([file, hash]) => fileHash(file) === hash);
}

/** Of a package, what says its version. */
function entryOf(
  name: string,
  folder: string,
  resolveLocal: (specifier: string, folder: string) => string | undefined,
): string {
  if (/^\.{1,2}([\\/]|$)/.test(name) || isAbsolute(name)) return resolveLocal(name, folder) ?? resolve(folder, name);
  const parts = name.split('/').slice(0, name.startsWith('@') ? 2 : 1);
  for (let at = folder; ; at = dirname(at)) {
    const manifest = join(at, 'node_modules', ...parts, 'package.json');
    if (existsSync(manifest) || dirname(at) === at) return manifest;
  }
}
