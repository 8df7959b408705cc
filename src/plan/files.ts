/**
 * Reads the files of a workflow and what they import. Files are read once each; modules are asked about all at once,
 * because starting a process for them is what takes time. Only what is built in a module may lead to further ones.
 */
import { dirname, resolve } from 'node:path';
import { createSource, type Source } from '../text/index.ts';
import { parseToon } from '../toon/index.ts';
import type { DraftImport, DraftPlugin, DraftWorkflow, Word } from './draft.ts';
import { draftFromJson } from './draft-json.ts';
import type { ExportInfo, FileReader, ModuleAnswer, ModuleLoader, ModuleRequest } from './modules.ts';
import { toldOnce } from './read/told-once.ts';
import { readWorkflow } from './read/workflow.ts';
import type { Reports } from './reports.ts';
import { isPath, isWorkflowFile, nameBeside } from './specifier.ts';

export interface LoadOptions {
  readonly read: FileReader;
  /** Absent: modules are not looked into. */
  readonly modules?: ModuleLoader;
  readonly strictToon?: boolean;
}

/** A file that was read, or a component of a module as the file that could stand for it. */
export interface ReadFile {
  readonly file: string;
  readonly draft: DraftWorkflow;
  /** The files that its imports name, as they are written; undefined for one that could not be read. */
  readonly imported: ReadonlyMap<string, ReadFile | undefined>;
}

export interface ReadFiles {
  readonly root: ReadFile;
  readonly answerTo: (request: ModuleRequest) => ModuleAnswer | undefined;
  /** The file that stands for a component which a module builds. */
  readonly builtFile: (info: ExportInfo) => ReadFile | undefined;
}

/** Files that import each other are followed by recursion, and nobody writes so many. */
const mostFiles = 1000;

const tooManyHelp = { help: 'Put what belongs together into one file.' };

/** `draft` was read already; its imports are read from beside `file`. */
export async function readFiles(
  draft: DraftWorkflow,
  file: string,
  options: LoadOptions,
  reports: Reports,
): Promise<ReadFiles> {
  const read = new Map<string, ReadFile>();
  /** Those whose modules are still to be asked about. */
  const unasked: ReadFile[] = [];
  const answers = new Map<string, ModuleAnswer>();
  const builtFiles = new Map<ExportInfo, ReadFile>();
  let isFull = false;
  const root = await readImports(draft, file);
  while (unasked.length > 0) {
    const files = unasked.splice(0);
    await askModules(files);
    for (const each of files) await readBuilt(each);
  }
  return { root, answerTo, builtFile: (info) => builtFiles.get(info) };

  async function readImports(found: DraftWorkflow, path: string): Promise<ReadFile> {
    const imported = new Map<string, ReadFile | undefined>();
    const result: ReadFile = { file: path, draft: found, imported };
    // Before what it imports: files may import each other.
    if (isWorkflowFile(path)) read.set(path, result);
    unasked.push(result);
    const { schemas, agents, components, workflows } = found.imports;
    for (const { from } of [...schemas, ...agents, ...components, ...workflows]) {
      if (isWorkflowFile(from.text) && !imported.has(from.text)) {
        imported.set(from.text, await readImported(from, path));
      }
    }
    return result;
  }

  async function readImported(from: Word, importer: string): Promise<ReadFile | undefined> {
    if (!isPath(from.text)) {
      reports.add('TOO4261', from, `"${from.text}" is not a path`, {
        help: `A workflow file is imported by its path: "./${from.text}".`,
        fix: { title: `write "./${from.text}"`, edits: [{ span: from.span, text: `./${from.text}` }] },
      });
      return undefined;
    }
    const path = resolve(dirname(importer), from.text);
    const before = read.get(path);
    if (before !== undefined) return before;
    if (read.size > mostFiles) {
      if (!isFull) reports.add('TOO4216', from, `the workflow imports more than ${mostFiles} files`, tooManyHelp);
      isFull = true;
      return undefined;
    }
    const answer = await options.read(path);
    if (!answer.ok) {
      reports.add('TOO4261', from, answer.message, { help: 'Paths are relative to the importing file.' });
      return undefined;
    }
    const source = createSource(nameBeside(from.source, importer, path), answer.text);
    return readImports(readDraft(source, options, reports), path);
  }

  async function readBuilt({ file: importer, draft: { imports } }: ReadFile): Promise<void> {
    for (const each of imports.components) {
      const answer = answerTo({ specifier: each.from.text, folder: dirname(importer), as: 'module' });
      if (answer?.ok !== true) continue;
      for (const { text } of exportsIn(each)) {
        const info = answer.exports[text];
        if (info?.kind !== 'component' || builtFiles.has(info)) continue;
        builtFiles.set(info, await readImports(draftFromJson(info.draft), answer.file));
      }
    }
  }

  async function askModules(files: readonly ReadFile[]): Promise<void> {
    const requests = new Map<string, ModuleRequest>();
    for (const found of files) {
      const folder = dirname(found.file);
      const { schemas, services, agents, components, workflows, plugins } = found.draft.imports;
      for (const { from } of [...schemas, ...services, ...agents, ...components, ...workflows]) {
        if (isWorkflowFile(from.text)) continue;
        add({ specifier: from.text, folder, as: 'module' });
      }
      for (const each of plugins) add(pluginRequest(each, folder));
    }
    if (options.modules === undefined || requests.size === 0) return;
    const told = await options.modules.describe([...requests.values()]);
    for (const [index, key] of [...requests.keys()].entries()) {
      const answer = told[index];
      if (answer) answers.set(key, answer);
    }

    function add(request: ModuleRequest): void {
      const key = keyOf(request);
      if (!answers.has(key)) requests.set(key, request);
    }
  }

  function answerTo(request: ModuleRequest): ModuleAnswer | undefined {
    return answers.get(keyOf(request));
  }
}

/** The draft of a file, and what is wrong with its shape. */
export function readDraft(source: Source, options: { readonly strictToon?: boolean }, reports: Reports): DraftWorkflow {
  const { document, diagnostics, spoiled } = parseToon(source, { profile: options.strictToon !== true });
  const { draft, diagnostics: shapes } = readWorkflow(document);
  reports.addAll(toldOnce(diagnostics, shapes, spoiled));
  if (spoiled.length > 0) reports.silence(source, spoiled);
  return draft;
}

/** The exports that an import names; without `use` it is the default one. */
export function exportsIn({ use, as }: DraftImport): readonly Word[] {
  return use.length > 0 || as === undefined ? use : [{ ...as, text: 'default' }];
}

export function pluginRequest({ from, use, config }: DraftPlugin, folder: string): ModuleRequest {
  const request = { specifier: from.text, folder, as: 'plugin', config } as const;
  return use === undefined ? request : { ...request, name: use.text };
}

function keyOf({ specifier, folder, as, config, name }: ModuleRequest): string {
  return JSON.stringify([as, folder, specifier, config ?? null, name ?? null]);
}
