/** Loads one module of a user and describes what it exports, or says in plain words why it could not. Runs in hosts only. */
import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExportInfo, ModuleAnswer, ModuleRequest } from '../../plan/index.ts';
import { quotePath, systemCode } from '../../sys/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { isInPackage, type ModuleGraph, moduleFiles, resolveLocal } from '../module-files.ts';
import { describeExport, reasonOf } from './describe-export.ts';
import { readPlugin } from './plugin.ts';
import { isInstalled, type UserLibrary } from './user-library.ts';

type Failed = Extract<ModuleAnswer, { ok: false }>;

type Exports = Readonly<Record<string, unknown>>;

export type LoadedModule =
  | {
      readonly ok: true;
      readonly file: string;
      /** As its author wrote them. */
      readonly exports: Exports;
      /** As Node gives them to whoever imports it. */
      readonly imported: Exports;
    }
  | (Failed & {
      /** What its code threw, if it came so far. */
      readonly error?: unknown;
    });

export async function loadModule(request: ModuleRequest, library: UserLibrary): Promise<LoadedModule> {
  const found = findModule(request, library);
  if (!found.ok) return found;
  const { file } = found;
  try {
    const imported = await library.load(file);
    // What the module left behind may fail in the next turn: then it is still this module that is being loaded.
    await new Promise((next) => setImmediate(next));
    return { ok: true, file, exports: writtenExports(imported), imported };
  } catch (error) {
    return { ...loadFailure(error, request, file, await moduleFiles(file)), error };
  }
}

/** A module that was compiled to CommonJS has its default export within what Node takes for that: all of its exports. */
function writtenExports(imported: Exports): Exports {
  const { default: all } = imported;
  if (typeof all !== 'object' || all === null || !('__esModule' in all) || !Object.hasOwn(all, 'default'))
    return imported;
  const isWhole = Object.keys(imported).every((name) => name === 'module.exports' || name in all);
  return isWhole ? (all as unknown as Exports) : imported;
}

export async function describeModule(request: ModuleRequest, library: UserLibrary): Promise<ModuleAnswer> {
  const loaded = await loadModule(request, library);
  if (!loaded.ok) {
    const { error: _, ...failed } = loaded;
    return failed;
  }
  const { file, exports } = loaded;
  const origin = { file, library };
  const described: [string, ExportInfo][] = [];
  for (const name of Object.getOwnPropertyNames(exports)) {
    if (name === '__esModule' || name === 'module.exports') continue;
    described.push([name, await describeExport(name, () => exports[name], origin)]);
  }
  const answer = {
    ok: true,
    file,
    exports: Object.fromEntries(described),
    files: (await moduleFiles(file)).files,
  } as const;
  if (request.as !== 'plugin') return answer;
  try {
    const { name, config } = request;
    return { ...answer, plugin: (await readPlugin(exports, { name, config }, origin)).info };
  } catch (error) {
    const reason = error instanceof Error && error.name === 'Error' ? firstLine(error.message) : reasonOf(error);
    return {
      ok: false,
      message: `the plugin ${quotePath(request.specifier)} cannot be used: ${reason}${threwAt(error, request)}`,
    };
  }
}

function findModule({ specifier, folder }: ModuleRequest, library: UserLibrary): { ok: true; file: string } | Failed {
  const name = quotePath(specifier);
  if (/^\.{1,2}([\\/]|$)/.test(specifier) || isAbsolute(specifier)) {
    const file = resolveLocal(specifier, folder);
    if (file !== undefined) return { ok: true, file };
    return { ok: false, message: `the module ${name} does not exist.${meantFile(specifier, folder)}` };
  }
  if (isBuiltin(specifier)) return { ok: false, message: `${name} is a part of Node; import a file or a package` };
  const file = library.resolve(specifier, join(folder, 'from'));
  if (file !== undefined) return { ok: true, file };
  if (resolveLocal(`./${specifier}`, folder) !== undefined) {
    return {
      ok: false,
      message: `there is no package ${name}, but there is a file of that name.`,
      help: `Write "./${specifier}" for the file.`,
    };
  }
  const wanted = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  if (isInstalled(wanted, join(folder, 'from'))) {
    return { ok: false, message: `the package ${quotePath(wanted)} is installed, but has no ${name} to import` };
  }
  return { ok: false, message: `the package ${name} is not installed here`, help: `Install it: npm install ${wanted}` };
}

function meantFile(specifier: string, folder: string): string {
  const path = resolve(folder, specifier);
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return ` There is no folder ${quotePath(dirname(specifier))}.`;
  }
  const meant = closest(basename(path), names);
  return didYouMean(meant && specifier.slice(0, specifier.length - basename(specifier).length) + meant);
}

function loadFailure(error: unknown, request: ModuleRequest, file: string, graph: ModuleGraph): Failed {
  const name = quotePath(request.specifier);
  const syntax = syntaxOf(error, graph);
  if (syntax !== undefined) {
    const place = `${shown(syntax.file, request)}:${syntax.line}:${syntax.column}`;
    const where = syntax.file === file ? '' : `, which ${name} imports,`;
    return { ok: false, message: `${place}${where} has a syntax error: ${syntax.message}` };
  }
  const code = systemCode(error);
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') {
    const [missing] = graph.missing;
    if (missing !== undefined) {
      const what = `${shown(missing.from, request)} imports ${quotePath(missing.specifier)}, which does not exist.`;
      return { ok: false, message: what + meantFile(missing.specifier, dirname(missing.from)) };
    }
    const wanted = /Cannot find (?:module|package) '([^']+)'/.exec((error as Error).message)?.[1];
    if (wanted !== undefined) {
      const isPackage = !isAbsolute(wanted) && !wanted.startsWith('.');
      return {
        ok: false,
        message: `${name} could not be loaded: it imports ${quotePath(wanted)}, which ${isPackage ? 'is not installed' : 'does not exist'}`,
        ...(isPackage && { help: `Install it: npm install ${wanted}` }),
      };
    }
  }
  return { ok: false, message: `${name} threw while it was loaded: ${reasonOf(error)}${threwAt(error, request)}` };
}

function syntaxOf(error: unknown, graph: ModuleGraph): ModuleGraph['syntax'] {
  const text = error instanceof Error ? error.message : '';
  const transpiler = /^ParseError: ([^\n]*?)\s*\n\s*(.*):(\d+):(\d+)$/.exec(text);
  const isSyntax = transpiler !== null || (error instanceof SyntaxError && !/does not provide an export/.test(text));
  if (!isSyntax) return undefined;
  if (graph.syntax !== undefined) return graph.syntax;
  if (transpiler === null) return undefined;
  const [, message = '', file = '', line, column] = transpiler;
  return { message, file, line: Number(line), column: Number(column) + 1 };
}

/** ` (checks.ts:12)`: the first place in the user's own files; columns are not kept when types are taken away. */
export function threwAt(error: unknown, request: Pick<ModuleRequest, 'folder'>): string {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return '';
  for (const line of error.stack.slice(0, 20_000).split('\n')) {
    const [, path = '', number] = /^\s+at (?:.*\()?((?:file:\/\/)?[^()]+?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (path === '' || path.startsWith('node:')) continue;
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    if (isAbsolute(file) && !isInPackage(file) && !isOurs(file)) return ` (${shown(file, request)}:${number})`;
  }
  return '';
}

function isOurs(file: string): boolean {
  const here = dirname(fileURLToPath(import.meta.url));
  // Built, this is in `chunks/`, beside the programs.
  return file.startsWith(basename(here) === 'chunks' ? dirname(here) : here);
}

/** A path as the workflow's author sees it. */
function shown(file: string, { folder }: Pick<ModuleRequest, 'folder'>): string {
  const path = relative(folder, file);
  return isAbsolute(path) || path.startsWith('../../..') ? file : path;
}

function firstLine(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
