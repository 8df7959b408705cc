/** Makes units of the files of a workflow: what each name in them means, declared or imported. */
import { basename, dirname } from 'node:path';
import { didYouMean } from '../text/index.ts';
import type { DraftBuilt, DraftImport, DraftWorkflow, Word } from './draft.ts';
import { exportsIn, type LoadOptions, pluginRequest, type ReadFile, readFiles } from './files.ts';
import type { ExportInfo, ModuleAnswer } from './modules.ts';
import { reservedAs } from './read/reserved.ts';
import { requireRunnable } from './read/workflow.ts';
import type { Reports } from './reports.ts';
import { isWorkflowFile } from './specifier.ts';
import { suggest } from './suggest.ts';
import { type Component, type Known, knownIn, type LoadedPlugin, type Unit } from './unit.ts';

/** Files that import each other deeper than this were not written by hand. */
const mostImports = 200;

/** The unit of a draft that was read already; its imports are read from beside `file`. */
export async function loadUnit(
  draft: DraftWorkflow,
  file: string,
  options: LoadOptions,
  reports: Reports,
): Promise<Unit> {
  const { root, answerTo, builtFile } = await readFiles(draft, file, options, reports);
  const units = new Map<ReadFile, Unit>();
  /** The files whose units are being made, each imported by the one before. */
  const open: ReadFile[] = [];
  /** Several imports of one file are one mistake. */
  const told = new Set<string>();
  return unitOf(root);

  /** The unit of an imported file; undefined where it cannot be had, which is reported. */
  function unitFrom(target: ReadFile | undefined, from: Word): Unit | undefined {
    if (target === undefined) return undefined;
    const at = open.indexOf(target);
    if (at === -1 && open.length <= mostImports) return unitOf(target);
    const key = `${open.at(-1)?.file} ${from.text}`;
    if (told.has(key)) return undefined;
    told.add(key);
    const ring = [...open.slice(at), target].map((each) => basename(each.file)).join(' → ');
    if (at === -1) reports.add('TOO4265', from, `files import each other more than ${mostImports} deep`);
    else {
      reports.add('TOO4265', from, `imports go round in a circle: ${ring}`, {
        help: 'Move what both files need into a third one.',
      });
    }
    return undefined;
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
    open.push(found);
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
    unit.workflows = names('workflow', [
      ...(found.draft.workflows ?? []).map((each) => builtWorkflow(each, folder)),
      ...imports.workflows.flatMap((each) => workflowFrom(found, each)),
    ]);
    for (const { use, as } of imports.services) for (const word of as ? [as] : use) tellReserved(word);
    unit.services = names(
      'service',
      imports.services.flatMap((each) => fromModule(found, each, 'service')),
    );
    unit.plugins = imports.plugins.map((plugin): LoadedPlugin => {
      const answer = answerTo(pluginRequest(plugin, folder));
      if (answer?.ok === false) blame(plugin.from, answer);
      return { draft: plugin, ...(answer && { answer }) };
    });
    open.pop();
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
    const from = each.use.length > 0 ? unitFrom(importer.imported.get(each.from.text), each.from) : undefined;
    // Without any name it was reported when it was read.
    if (each.use.length === 0 && each.as !== undefined) {
      reports.add('TOO4263', each.at, `an import of ${category} says with "use" which ones`, {
        help: 'Write the columns as {from,use}.',
      });
    }
    return each.use.flatMap((word): V[] => {
      const as = each.as && each.use.length === 1 ? each.as : word;
      if (from === undefined) return [{ kind: 'reported', word: as } as V];
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
    if (info?.kind !== 'component') return known;
    const found = unitFrom(builtFile(info), known.word)?.components.get(info.name);
    return found?.kind === 'written' ? { ...found, word: known.word } : { kind: 'reported', word: known.word };
  }

  function workflowFrom(importer: ReadFile, each: DraftImport): Known<Unit>[] {
    if (!isWorkflowFile(each.from.text)) return fromModule(importer, each, 'workflow');
    const target = importer.imported.get(each.from.text);
    const word = each.as ?? each.use[0];
    if (word === undefined) return [];
    const unit = unitFrom(target, each.from);
    if (target === undefined || unit === undefined) return [{ kind: 'reported', word }];
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
    return [written(word, unit, unit)];
  }

  function fromModule<T>(importer: ReadFile, each: DraftImport, what: string): Known<T>[] {
    const folder = dirname(importer.file);
    const answer = answerTo({ specifier: each.from.text, folder, as: 'module' });
    const words = exportsIn(each);
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
      if (info !== undefined && !fits(info, what)) {
        reports.add(
          'TOO4264',
          word,
          `"${word.text}" of "${each.from.text}" is ${kindText(info)}, not ${article(what)}`,
          {
            help: (what === 'service' && info.kind === 'other' ? info.help : undefined) ?? helpFor(what),
          },
        );
        return [{ kind: 'reported', word: as }];
      }
      if (info && 'functions' in info && info.functions?.[0] !== undefined) tellFunction(word, each, info.functions[0]);
      const found = { specifier: each.from.text, folder, name: word.text, ...(info && { info }) };
      return [{ kind: 'module', word: as, export: found }];
    });
  }

  /** Modules are loaded in processes of their own, and a function cannot be sent to one. */
  function tellFunction(word: Word, { from }: DraftImport, first: string): void {
    const step = first.slice(first.indexOf(':') + 1);
    reports.add('TOO4264', word, `"${word.text}" of "${from.text}" has a step that is a function (${step})`, {
      help: 'Only the program that it is built in can run it: write the step as code in a string, or as a "handler" of a module.',
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

/** A sub-workflow of a builder program, as if a module gave it. */
function builtWorkflow({ name, plan, file }: DraftBuilt, folder: string): Known<Unit> {
  const info = plan && ({ kind: 'workflow', name: name.text, plan, file } as const);
  const found = { specifier: `builder:${name.text}`, folder, name: name.text, ...(info && { info }) };
  return { kind: 'module', word: name, export: found };
}

/** What could be meant: not what is imported anyway. */
function others(names: Iterable<string>, words: readonly Word[]): readonly string[] {
  let free = othersOf.get(words);
  if (free === undefined) {
    const taken = new Set(words.map(({ text }) => text));
    free = [...names].filter((name) => !taken.has(name));
    othersOf.set(words, free);
  }
  return free;
}

/** By the names of an import: thousands of them may be unknown. */
const othersOf = new WeakMap<readonly Word[], readonly string[]>();

/** A name that is not there, and the one that was meant: uses of either are not reported again. */
function unknown(word: Word, meant: string | undefined): { kind: 'reported'; word: Word }[] {
  const names = meant === undefined ? [word] : [word, { ...word, text: meant }];
  return names.map((each) => ({ kind: 'reported', word: each }));
}

function written<T>(word: Word, unit: Unit, value: T): Known<T> {
  return { kind: 'written', word, unit, value };
}

function fits(info: ExportInfo, what: string): boolean {
  if (what !== 'service') return info.kind === what;
  // Code can use any value; what nobody can use says what to export instead.
  return info.kind === 'other' ? info.help === undefined : ['service', 'function'].includes(info.kind);
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
  if (what === 'service') return 'Export an object with functions, or an Effect service with a static "layer".';
  return `A ${what} is imported from a .toon file, or from a module that builds it.`;
}
