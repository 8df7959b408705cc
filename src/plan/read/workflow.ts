/**
 * Reads the tree of a workflow file into a draft: every shape is checked here, no name and no expression is.
 * 1. All mistakes are reported, each once, at its place, in the order of the file.
 * 2. A top-level key that was written is in the draft, however broken, so that it is not missed as well.
 */
import { byPosition, type Diagnostic, diagnostic, type Span } from '../../text/index.ts';
import type { ToonDocument, ToonEntry, ToonObject } from '../../toon/index.ts';
import { jsonType } from '../../type/index.ts';
import type { DraftImport, DraftType, DraftWorkflow, Word } from '../draft.ts';
import { agentNames, agents, components, schemaNames, schemas } from './declarations.ts';
import { imports, noImports } from './imports.ts';
import { readBlock, shape } from './keys.ts';
import { nodeList } from './nodes.ts';
import { describe, mark, type Read, type Reader, report, valueSpan, word, written } from './reader.ts';
import { plainWord } from './text.ts';
import { fieldTypes } from './type.ts';

export interface ReadWorkflow {
  readonly draft: DraftWorkflow;
  readonly diagnostics: readonly Diagnostic[];
}

/** Invariant 2. */
const name: Read<Word> = (r, entry) => plainWord(r, entry) ?? word(r, written(r, valueSpan(entry)), valueSpan(entry));
const input: Read<DraftType> = (r, entry) =>
  fieldTypes(r, entry) ?? { ...mark(r, entry.key.span), type: jsonType, names: [] };

const importing = shape('a workflow file', { imports });
const workflow = shape('a workflow file', { name, input, agents, schemas, components, steps: nodeList, imports });

export function readWorkflow(document: ToonDocument): ReadWorkflow {
  const { source, root } = document;
  const first: Reader = {
    source,
    found: new Map(),
    schemas: new Set(),
    agents: new Map(),
    thunks: false,
    plugins: false,
    component: false,
  };
  if (root.kind !== 'object') {
    report(first, 'TOO4003', root.span, `a workflow file is a block of keys, not ${describe(root)}`, {
      help: 'Begin with "name: …".',
    });
    // That says it all: nothing else is missing.
    const at = mark(first, root.span);
    const all = {
      name: { ...at, text: '' },
      input: { ...at, type: jsonType, names: [] },
      steps: { key: at, nodes: [] },
    };
    return { draft: draftOf(first, all), diagnostics: [...first.found.values()] };
  }
  // What types and kinds can mean is known before they are read; what is read twice is reported once.
  const { imports: used = noImports } = readBlock(first, only(root, 'imports'), importing).values;
  const declared = schemaNames(entryOf(root, 'schemas'));
  // What is imported may be of any type.
  const imported = importedNames(used.agents).map((each) => [each, true] as const);
  const agentsHere = new Map([...imported, ...agentNames(entryOf(root, 'agents'))]);
  const r: Reader = {
    ...first,
    schemas: new Set([...importedNames(used.schemas), ...declared]),
    agents: agentsHere,
    thunks: [...agentsHere.values()].includes(true),
    plugins: used.plugins.length > 0,
  };
  const { values } = readBlock(r, root, workflow);
  return { draft: draftOf(r, values), diagnostics: byPosition([...r.found.values()]) };
}

/** What a workflow needs to run; a file that is only imported does not. A key whose line is broken has been reported. */
export function requireRunnable(draft: DraftWorkflow): Diagnostic[] {
  const at: Span = draft.name?.span ?? { start: 0, end: 0 };
  return (['name', 'input', 'steps'] as const)
    .filter((key) => draft[key] === undefined && !new RegExp(`(?:^\\ufeff?|\\n)${key}\\b`).test(draft.source.text))
    .map((key) => diagnostic('TOO4002', draft.source, at, `a workflow needs "${key}"`, { help: samples[key] }));
}

const samples = {
  name: 'Write "name: my-workflow" in its first line.',
  input: 'Write "input:" and its fields below, or only "input:" when it takes none.',
  steps: 'Write "steps[1]:" and below it "- id: …".',
};

function importedNames(all: readonly DraftImport[]): string[] {
  return all.flatMap(({ use, as }) => (as ? [as.text] : use.map(({ text }) => text)));
}

function entryOf(root: ToonObject, name: string): ToonEntry | undefined {
  return root.entries.find(({ key }) => key.text === name);
}

function only(root: ToonObject, name: string): ToonObject {
  return { ...root, entries: root.entries.filter(({ key }) => key.text === name) };
}

function draftOf({ source }: Reader, values: Partial<Omit<DraftWorkflow, 'source'>>): DraftWorkflow {
  return { agents: [], schemas: [], components: [], imports: noImports, ...values, source };
}
