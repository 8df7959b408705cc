/** Agents by name, with the fields that their types have. */
import { dirname, resolve } from 'node:path';
import { didYouMean } from '../text/index.ts';
import { type FieldType, validate } from '../type/index.ts';
import type { AgentType } from './agent-types.ts';
import type { DraftAgent, DraftField, Word } from './draft.ts';
import type { AgentSpec, Json, PluginImport } from './node.ts';
import { placeOf } from './place.ts';
import type { Reports } from './reports.ts';
import { isPath, moduleFrom, pathFrom } from './specifier.ts';
import { suggest } from './suggest.ts';
import { typeText } from './type-text.ts';
import { knownIn, type Unit } from './unit.ts';

export interface Agents {
  /** The name in the plan of an agent of a unit; undefined when it is unknown, which is reported. */
  readonly find: (word: Word, unit: Unit) => string | undefined;
  readonly specs: ReadonlyMap<string, AgentSpec>;
}

export interface AgentPlaces {
  /** The file from whose folder modules and files are named. */
  readonly root: string;
  /** That of the workflow that has the agents. */
  readonly file: string;
  /** The plugin whose type that is in a unit. */
  readonly pluginOf: (type: string, unit: Unit) => PluginImport | undefined;
}

export function createAgents(
  types: ReadonlyMap<string, AgentType>,
  { root, file, pluginOf }: AgentPlaces,
  reports: Reports,
): Agents {
  const folder = dirname(root);
  const workflow = file === root ? undefined : pathFrom(folder, '', file);
  const specs = new Map<string, AgentSpec>();
  const done = new Map<object, string>();

  return {
    specs,
    find(word, unit) {
      const known = unit.agents.get(word.text);
      if (known === undefined) {
        const { hint, help, fix } = suggest(word, knownIn(unit.agents), 'agents');
        reports.add('TOO4201', word, `unknown agent "${word.text}".${didYouMean(hint)}`, { help, ...fix });
        return undefined;
      }
      if (known.kind === 'reported') return undefined;
      const key = known.kind === 'written' ? known.value : known.export;
      const before = done.get(key);
      if (before !== undefined) return before;
      const name = free(word.text);
      done.set(key, name);
      const spec = known.kind === 'written' ? declared(name, known.value, known.unit) : imported(name);
      specs.set(name, workflow === undefined ? spec : { ...spec, workflow });
      return name;

      function imported(as: string): AgentSpec {
        if (known?.kind !== 'module') throw new Error('an agent that is neither declared nor imported');
        const { specifier, folder: importer, name: exported, info } = known.export;
        const type = info?.kind === 'agent' ? info.type : 'imported';
        const fields = info?.kind === 'agent' ? (info.fields as Record<string, Json>) : {};
        const home = isPath(specifier) ? dirname(resolve(importer, specifier)) : importer;
        const plugin = pluginOf(type, unit);
        return {
          name: as,
          type,
          fields: fieldsFrom(folder, home, type, fields),
          from: { module: moduleFrom(folder, importer, specifier), name: exported, as },
          ...(plugin && { plugin }),
        };
      }
    },
  };

  function free(name: string): string {
    let unused = name;
    for (let n = 2; specs.has(unused); n++) unused = `${name}${n}`;
    return unused;
  }

  function declared(name: string, draft: DraftAgent, unit: Unit): AgentSpec {
    const texts = new Set(
      types.get(draft.type?.text ?? '')?.fields.flatMap((each) => (each.type.kind === 'text' ? [each.name] : [])),
    );
    const fields: Record<string, Json> = Object.fromEntries(
      draft.fields.map(({ key, value }) => [key.text, texts.has(key.text) ? joined(value) : value]),
    );
    const type = draft.type?.text ?? '';
    const plugin = pluginOf(type, unit);
    const spec = { name, type, fields: fieldsFrom(folder, unit.folder, type, fields), at: placeOf(draft.name) };
    return plugin ? { ...spec, plugin } : spec;
  }
}

/** The fields of an agent as they read from the folder `to`: its thunk and its replies are found from where it is declared. */
export function fieldsFrom(to: string, from: string, type: string, fields: AgentSpec['fields']): AgentSpec['fields'] {
  const { use, script } = fields;
  if (type === 'too' && typeof use === 'string') return { ...fields, use: moduleFrom(to, from, use) };
  if (type === 'scripted' && typeof script === 'string') return { ...fields, script: pathFrom(to, from, script) };
  return fields;
}

/** Every agent that the file declares, used or not. Of a plugin that is not known nobody knows the types either. */
export function checkAgents(unit: Unit, types: ReadonlyMap<string, AgentType>, reports: Reports): void {
  const mayHaveMore = unit.plugins.some(({ answer }) => !answer?.ok);
  const isUnknown = ({ text }: Word) => mayHaveMore && !types.has(text);
  for (const agent of unit.draft.agents) {
    if (agent.type && !isUnknown(agent.type)) checkAgent(agent, agent.type, types, reports);
  }
  for (const known of unit.agents.values()) {
    const info = known.kind === 'module' ? known.export.info : undefined;
    if (info?.kind !== 'agent') continue;
    // Its fields stand in another file, so all that is wrong with them is told at its name.
    const { word } = known;
    const fields = Object.entries(info.fields).map(([name, value]) => ({
      key: { ...word, text: name },
      value: value as Json,
      at: word,
    }));
    const type = { ...word, text: info.type };
    if (!isUnknown(type)) checkAgent({ name: word, fields, at: word }, type, types, reports);
  }
}

function checkAgent(agent: DraftAgent, word: Word, types: ReadonlyMap<string, AgentType>, reports: Reports): void {
  const { hint, help, fix } = suggest(word, types.keys(), 'types');
  const exact = types.get(word.text);
  if (exact === undefined) {
    reports.add('TOO4202', word, `unknown type of agent "${word.text}".${didYouMean(hint)}`, {
      help,
      ...(isWritten(word) && fix),
    });
  }
  // A type that is misspelt still says which fields were meant.
  const type = exact ?? (hint === undefined ? undefined : types.get(hint));
  if (type === undefined) return;
  const known = new Map(type.fields.map((each) => [each.name, each]));
  for (const field of agent.fields) {
    const wanted = known.get(field.key.text);
    known.delete(field.key.text);
    if (wanted) checkField(field, wanted, reports);
    else if (!type.isOpen) {
      const meant = unknownField(field.key, type, reports);
      // The one that was meant is not missing too.
      if (meant !== undefined) known.delete(meant);
    }
  }
  for (const missing of known.values()) {
    // What only a guessed type needs is not missing yet.
    if (missing.optional || exact === undefined) continue;
    reports.add('TOO4204', agent.name, `the agent "${agent.name.text}" has no "${missing.name}"`, {
      help: `An agent of type ${type.name} needs it: write "${missing.name}: …" below "${agent.name.text}:".`,
    });
  }
}

function unknownField(key: Word, type: AgentType, reports: Reports): string | undefined {
  const names = type.fields.map((each) => each.name);
  const { hint, fix } = suggest(key, names, 'fields');
  reports.add('TOO4203', key, `an agent of type ${type.name} has no field "${key.text}".${didYouMean(hint)}`, {
    help: `Its fields: type, ${names.join(', ')}.`,
    ...(isWritten(key) && fix),
  });
  return hint;
}

function checkField({ key, value, at }: DraftField, wanted: FieldType, reports: Reports): void {
  const given = wanted.type.kind === 'text' ? joined(value) : value;
  if (validate(given, wanted.type, new Map()).ok) return;
  const word: Word = { ...at, text: typeof value === 'string' ? value : '' };
  const choices = wanted.type.kind === 'literal' ? wanted.type.values : [];
  const { hint, fix } = suggest(word, choices, 'values');
  const message = `"${key.text}" of an agent takes ${typeText(wanted.type)}, not ${JSON.stringify(value)}`;
  reports.add('TOO4205', at, `${message}${hint === undefined ? '' : `.${didYouMean(hint)}`}`, {
    ...(choices.length === 0 && { help: `Write a value of that type behind "${key.text}:".` }),
    ...(isWritten(word) && fix),
  });
}

/** Whether the word stands there as it is: what an import brings stands elsewhere. */
function isWritten({ source, span, text }: Word): boolean {
  return source.text.slice(span.start, span.end) === text;
}

/** A long text may be written as its lines. */
function joined(value: Json): Json {
  return Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === 'string')
    ? value.join('\n')
    : value;
}
