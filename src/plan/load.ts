/**
 * Reads the files of a workflow and what they import. Files are read once each; modules are asked about all at once,
 * because starting a process for them is what takes time.
 */
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { createSource, didYouMean, type Source } from '../text/index.ts';
import { parseToon } from '../toon/index.ts';
import type { DraftImport, DraftWorkflow, Word } from './draft.ts';
import { draftFromJson } from './draft-json.ts';
import type { FileReader, ModuleAnswer, ModuleLoader, ModuleRequest } from './modules.ts';
import { reservedAs } from './read/reserved.ts';
import { toldOnce } from './read/told-once.ts';
import { readWorkflow, requireRunnable } from './read/workflow.ts';
import type { Reports } from './reports.ts';
import { suggest } from './suggest.ts';
import { type Component, type Known, knownIn, type LoadedPlugin, type Unit } from './unit.ts';

export interface LoadOptions {
  readonly read: FileReader;
  /** Absent: modules are not looked into. */
  readonly modules?: ModuleLoader;
  readonly strictToon?: boolean;
}

/** Files that import each other deeper than this were not written by hand. */
const mostImports = 200;

interface ReadFile {
  readonly file: string;
  readonly draft: DraftWorkflow;
  /** The files that its imports name, as they are written; undefined for one that could not be read. */
  readonly imported: ReadonlyMap<string, ReadFile | undefined>;
}

/** The unit of a draft that was read already; its imports are read from beside `file`. */
export async function loadUnit(
  draft: DraftWorkflow,
  file: string,
  options: LoadOptions,
  reports: Reports,
): Promise<Unit> {
  const read = new Map<string, ReadFile>();
  const root = await readImports(draft, file, []);
  const answers = await askModules([...read.values()]);
  const units = new Map<ReadFile, Unit>();
  return unitOf(root);

  async function readImports(found: DraftWorkflow, path: string, open: readonly string[]): Promise<ReadFile> {
    const imported = new Map<string, ReadFile | undefined>();
    const result: ReadFile = { file: path, draft: found, imported };
    read.set(path, result);
    const { schemas, agents, components, workflows } = found.imports;
    for (const { from } of [...schemas, ...agents, ...components, ...workflows]) {
      if (isWorkflowFile(from.text) && !imported.has(from.text)) {
        imported.set(from.text, await readImported(from, path, [...open, path]));
      }
    }
    return result;
  }

  async function readImported(from: Word, importer: string, open: readonly string[]): Promise<ReadFile | undefined> {
    if (!isPath(from.text)) {
      reports.add('TOO4261', from, `"${from.text}" is not a path`, {
        help: `A workflow file is imported by its path: "./${from.text}".`,
        fix: { title: `write "./${from.text}"`, edits: [{ span: from.span, text: `./${from.text}` }] },
      });
      return undefined;
    }
    const path = join(dirname(importer), from.text);
    if (open.includes(path)) {
      const ring = [...open.slice(open.indexOf(path)), path].map((each) => basename(each)).join(' → ');
      reports.add('TOO4265', from, `imports go round in a circle: ${ring}`, {
        help: 'Move what both files need into a third one.',
      });
      return undefined;
    }
    const before = read.get(path);
    if (before !== undefined) return before;
    if (open.length > mostImports) {
      reports.add('TOO4265', from, `files import each other more than ${mostImports} deep`);
      return undefined;
    }
    const answer = await options.read(path);
    if (!answer.ok) {
      reports.add('TOO4261', from, answer.message, { help: 'Paths are relative to the importing file.' });
      return undefined;
    }
    const source = createSource(nameBeside(from.source, importer, path), answer.text);
    return readImports(readDraft(source, options, reports), path, open);
  }

  async function askModules(files: readonly ReadFile[]): Promise<Map<string, ModuleAnswer>> {
    const requests = new Map<string, ModuleRequest>();
    for (const found of files) {
      const folder = dirname(found.file);
      const { schemas, services, agents, components, workflows, plugins } = found.draft.imports;
      for (const { from } of [...schemas, ...services, ...agents, ...components, ...workflows]) {
        if (isWorkflowFile(from.text)) continue;
        const request: ModuleRequest = { specifier: from.text, folder, as: 'module' };
        requests.set(keyOf(request), request);
      }
      for (const { from, config } of plugins) {
        const request: ModuleRequest = { specifier: from.text, folder, as: 'plugin', config };
        requests.set(keyOf(request), request);
      }
    }
    if (options.modules === undefined || requests.size === 0) return new Map();
    const told = await options.modules.describe([...requests.values()]);
    return new Map([...requests.keys()].flatMap((key, index) => (told[index] ? [[key, told[index]]] : [])));
  }

  function unitOf(found: ReadFile): Unit {
    const before = units.get(found);
    if (before !== undefined) return before;
    const folder = dirname(found.file);
    const { imports } = found.draft;
    const unit: { -readonly [K in keyof Unit]: Unit[K] } = {
      file: found.file,
      folder,
      draft: found.draft,
      schemas: new Map(),
      agents: new Map(),
      components: new Map(),
      workflows: new Map(),
      services: new Map(),
      plugins: [],
    };
    units.set(found, unit);
    unit.schemas = names('schema', [
      ...found.draft.schemas.map(({ name, type }): Known<typeof type> => written(name, unit, type)),
      ...imports.schemas.flatMap((each) => importedFrom(found, each, 'schemas', 'schema')),
    ]);
    unit.agents = names('agent', [
      ...found.draft.agents.map((agent): Known<typeof agent> => written(agent.name, unit, agent)),
      ...imports.agents.flatMap((each) => importedFrom(found, each, 'agents', 'agent')),
    ]);
    unit.components = names('component', [
      ...found.draft.components.map((each): Known<Component> => written(each.name, unit, { unit, draft: each })),
      ...imports.components.flatMap((each) => importedFrom(found, each, 'components', 'component')),
    ]);
    unit.workflows = names(
      'workflow',
      imports.workflows.flatMap((each) => workflowFrom(found, each)),
    );
    for (const { use, as } of imports.services) for (const word of as ? [as] : use) tellReserved(word);
    unit.services = names(
      'service',
      imports.services.flatMap((each) => fromModule(found, each, 'service')),
    );
    unit.plugins = imports.plugins.map((plugin): LoadedPlugin => {
      const answer = answers.get(keyOf({ specifier: plugin.from.text, folder, as: 'plugin', config: plugin.config }));
      if (answer?.ok === false) blame(plugin.from, answer);
      return { draft: plugin, ...(answer && { answer }) };
    });
    return unit;
  }

  /** Names of another workflow file, or of a module. */
  function importedFrom<K extends 'schemas' | 'agents' | 'components'>(
    importer: ReadFile,
    each: DraftImport,
    category: K,
    what: string,
  ): (Unit[K] extends ReadonlyMap<string, infer V> ? V : never)[] {
    type V = Unit[K] extends ReadonlyMap<string, infer Value> ? Value : never;
    if (!isWorkflowFile(each.from.text)) return fromModule(importer, each, what).map(built) as V[];
    const target = importer.imported.get(each.from.text);
    // Without any name it was reported when it was read.
    if (each.use.length === 0 && each.as !== undefined) {
      reports.add('TOO4263', each.at, `an import of ${category} says with "use" which ones`, {
        help: 'Write the columns as {from,use}.',
      });
    }
    return each.use.flatMap((word): V[] => {
      const as = each.as && each.use.length === 1 ? each.as : word;
      if (target === undefined) return [{ kind: 'reported', word: as } as V];
      const from = unitOf(target);
      const known = from[category].get(word.text);
      if (known !== undefined) return [{ ...known, word: as } as V];
      const { hint, help, fix } = suggest(word, others(knownIn(from[category]), each.use), category);
      reports.add('TOO4263', word, `"${each.from.text}" has no ${what} "${word.text}".${didYouMean(hint)}`, {
        help,
        ...fix,
      });
      return unknown(as, as === word ? hint : undefined) as V[];
    });
  }

  /** A component of the builder is like one of a file that is only imported. */
  function built(known: Known<unknown>): Known<unknown> {
    const info = known.kind === 'module' ? known.export.info : undefined;
    if (known.kind !== 'module' || info?.kind !== 'component') return known;
    const path = join(known.export.folder, known.export.specifier);
    const unit = unitOf({ file: path, draft: draftFromJson(info.draft), imported: new Map() });
    const found = unit.components.get(info.name);
    return found?.kind === 'written' ? { ...found, word: known.word } : { kind: 'reported', word: known.word };
  }

  function workflowFrom(importer: ReadFile, each: DraftImport): Known<Unit>[] {
    if (!isWorkflowFile(each.from.text)) return fromModule(importer, each, 'workflow');
    const target = importer.imported.get(each.from.text);
    const word = each.as ?? each.use[0];
    if (word === undefined) return [];
    if (target === undefined) return [{ kind: 'reported', word }];
    const lacks = requireRunnable(target.draft).map(({ message }) => message);
    if (lacks.length > 0) {
      reports.add('TOO4264', each.from, `"${each.from.text}" cannot be called: ${lacks.join(', ')}`, {
        help: 'Import what it has under "schemas", "components" or "agents".',
      });
      return [{ kind: 'reported', word }];
    }
    const [use] = each.use;
    const name = target.draft.name?.text;
    if (use !== undefined && name !== undefined && use.text !== name) {
      reports.add('TOO4263', use, `the workflow in "${each.from.text}" is named "${name}", not "${use.text}"`, {
        help: `Write "as" instead of "use" to give it a name of your own.`,
      });
    }
    return [written(word, unitOf(target), unitOf(target))];
  }

  function fromModule<T>(importer: ReadFile, each: DraftImport, what: string): Known<T>[] {
    const folder = dirname(importer.file);
    const answer = answers.get(keyOf({ specifier: each.from.text, folder, as: 'module' }));
    const words = each.use.length > 0 ? each.use : each.as ? [{ ...each.as, text: 'default' }] : [];
    if (answer?.ok === false) blame(each.from, answer);
    return words.flatMap((word): Known<T>[] => {
      const as = each.as && words.length === 1 ? each.as : word;
      if (answer?.ok === false) return [{ kind: 'reported', word: as }];
      const info = answer?.exports[word.text];
      if (answer !== undefined && info === undefined) {
        const { hint, help, fix } = suggest(word, others(Object.keys(answer.exports), each.use), 'exports');
        reports.add('TOO4263', word, `"${each.from.text}" exports no "${word.text}".${didYouMean(hint)}`, {
          help,
          ...fix,
        });
        return unknown(as, as === word ? hint : undefined);
      }
      if (info !== undefined && !fits(info.kind, what)) {
        reports.add(
          'TOO4264',
          word,
          `"${word.text}" of "${each.from.text}" is ${kindText(info)}, not ${article(what)}`,
          {
            help: helpFor(what),
          },
        );
        return [{ kind: 'reported', word: as }];
      }
      const found = { specifier: each.from.text, folder, name: word.text, ...(info && { info }) };
      return [{ kind: 'module', word: as, export: found }];
    });
  }

  /** Code knows services by their names, beside the words that it has anyway. */
  function tellReserved(word: Word): void {
    const why = reservedAs(word.text);
    if (why === undefined) return;
    reports.add('TOO4008', word, `"${word.text}" is ${why} and cannot be the name of a service`, {
      help: 'Import it under another name with "as".',
    });
  }

  function blame(from: Word, answer: Extract<ModuleAnswer, { ok: false }>): void {
    reports.add('TOO4262', from, answer.message, answer.help === undefined ? {} : { help: answer.help });
  }

  /** By name; of one that comes twice the first counts. */
  function names<T>(what: string, known: readonly Known<T>[]): ReadonlyMap<string, Known<T>> {
    const map = new Map<string, Known<T>>();
    for (const each of known) {
      const { word } = each;
      const first = map.get(word.text);
      if (first === undefined) map.set(word.text, each);
      // A name that was meant and is not there was told already.
      else if (each.kind !== 'reported') {
        reports.add('TOO4212', word, `there are two ${what}s "${word.text}"`, {
          help: 'Give one of them another name; an import takes one with "as".',
          related: [{ source: first.word.source, span: first.word.span, message: 'first declared here' }],
        });
      }
    }
    return map;
  }
}

/** The draft of a file, and what is wrong with its shape. */
export function readDraft(source: Source, options: { readonly strictToon?: boolean }, reports: Reports): DraftWorkflow {
  const { document, diagnostics } = parseToon(source, { profile: options.strictToon !== true });
  const { draft, diagnostics: shapes } = readWorkflow(document);
  reports.addAll(toldOnce(diagnostics, shapes));
  return draft;
}

/** What could be meant: not what is imported anyway. */
function others(names: Iterable<string>, words: readonly Word[]): string[] {
  const taken = new Set(words.map(({ text }) => text));
  return [...names].filter((name) => !taken.has(name));
}

/** A name that is not there, and the one that was meant: uses of either are not reported again. */
function unknown(word: Word, meant: string | undefined): { kind: 'reported'; word: Word }[] {
  const names = meant === undefined ? [word] : [word, { ...word, text: meant }];
  return names.map((each) => ({ kind: 'reported', word: each }));
}

function written<T>(word: Word, unit: Unit, value: T): Known<T> {
  return { kind: 'written', word, unit, value };
}

/** `./module.ts#name`; without a name the default is meant. */
export function splitExport(reference: string): [file: string, name: string] {
  const [file = '', name = 'default'] = reference.split('#', 2);
  return [file, name];
}

export function isPath(specifier: string): boolean {
  return /^\.{1,2}[\\/]/.test(specifier) || isAbsolute(specifier);
}

/** A module as it is named from the folder of the root file, wherever the file stands that imports it. */
export function moduleFrom(root: string, folder: string, specifier: string): string {
  if (!isPath(specifier)) return specifier;
  const away = relative(root, join(folder, specifier)).replaceAll('\\', '/');
  return away.startsWith('.') ? away : `./${away}`;
}

function isWorkflowFile(specifier: string): boolean {
  return /\.toon$/i.test(specifier);
}

function keyOf({ specifier, folder, as, config }: ModuleRequest): string {
  return JSON.stringify([as, folder, specifier, config ?? null]);
}

/** What people see of another file: its path from where they stand, as far as the importing file has one. */
export function nameBeside(source: Source, file: string, other: string): string {
  const away = relative(dirname(file), other);
  const shown = join(dirname(source.name), away);
  return shown.replaceAll('\\', '/');
}

function fits(kind: string, what: string): boolean {
  if (what === 'service') return kind === 'service' || kind === 'function' || kind === 'other';
  return kind === what;
}

function article(what: string): string {
  return `${what === 'agent' ? 'an' : 'a'} ${what}`;
}

function kindText(info: { readonly kind: string; readonly what?: string }): string {
  if (info.kind === 'other') return info.what ?? 'something else';
  return article(info.kind);
}

function helpFor(what: string): string {
  if (what === 'schema') return 'Export an Effect Schema, or a schema that follows Standard Schema.';
  if (what === 'agent') return 'Export a plain object with a "type" and the fields of that type.';
  return `A ${what} is imported from a .toon file, or from a module that builds it.`;
}
