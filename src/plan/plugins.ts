/**
 * What the plugins of a workflow bring: kinds of nodes, types of agents, names for code. Each name has one meaning: who
 * brings one that is there already is told so where the plugin is imported.
 */
import { dirname } from 'node:path';
import { field, numberType, textType } from '../type/index.ts';
import { type AgentType, agentTypes } from './agent-types.ts';
import type { Word } from './draft.ts';
import type { PluginInfo, PluginNodeInfo } from './modules.ts';
import type { PluginImport } from './node.ts';
import { nodeKinds } from './node.ts';
import type { PlanOptions } from './plan.ts';
import { reservedAs } from './read/reserved.ts';
import type { Reports } from './reports.ts';
import { moduleFrom } from './specifier.ts';
import { type LoadedPlugin, type Unit, unitsUsed } from './unit.ts';

/** A kind of node that a plugin brings. */
export interface PluginKind {
  readonly plugin: PluginImport;
  readonly info: PluginNodeInfo;
}

export interface Plugins {
  /** Those of the file and of the files whose components it uses, each once. */
  readonly imports: readonly PluginImport[];
  readonly kinds: ReadonlyMap<string, PluginKind>;
  /** Whether one of them was not looked into, or could not be: then there may be more. */
  readonly hasUnknown: boolean;
  /** The plugin that answers for agents of a type that are declared in a unit. */
  readonly agentOf: (type: string, unit: Unit) => PluginImport | undefined;
}

/** What every agent may have is there for agents of plugins, too. */
const shared = [
  field('instructions', textType, { optional: true }),
  field('timeoutMs', numberType, { optional: true }),
];

export function createPlugins(unit: Unit, options: Pick<PlanOptions, 'file'>): Plugins {
  const imports = new Map<string, PluginImport>();
  const kinds = new Map<string, PluginKind>();
  let hasUnknown = false;
  for (const each of unitsUsed(unit)) {
    for (const loaded of each.plugins) {
      const made = importOf(loaded, each, options);
      const id = idOf(made);
      const plugin = imports.get(id) ?? made;
      imports.set(id, plugin);
      const info = infoOf(loaded);
      hasUnknown ||= info === undefined;
      for (const [kind, node] of Object.entries(info?.nodes ?? {})) {
        if (!kinds.has(kind)) kinds.set(kind, { plugin, info: node });
      }
    }
  }
  return {
    imports: [...imports.values()],
    kinds,
    hasUnknown,
    agentOf(type, from) {
      if (agentTypes.has(type)) return undefined;
      const loaded = from.plugins.find((each) => Object.hasOwn(infoOf(each)?.agents ?? {}, type));
      return loaded && importOf(loaded, from, options);
    },
  };
}

/** The types of agents that a unit has from its plugins. */
export function pluginAgentTypes({ plugins }: Unit): [string, AgentType][] {
  return plugins.flatMap((loaded) =>
    Object.entries(infoOf(loaded)?.agents ?? {}).map(([name, own]): [string, AgentType] => {
      const more = shared.filter((each) => own.every((known) => known.name !== each.name));
      return [name, { name, fields: [...own, ...more] }];
    }),
  );
}

/** What code has from the plugins of a unit, by name, and where each plugin is imported. */
export function pluginNames({ plugins }: Unit): Map<string, Word> {
  const names = new Map<string, Word>();
  for (const loaded of plugins) {
    for (const name of givenBy(infoOf(loaded))) if (!names.has(name)) names.set(name, loaded.draft.from);
  }
  return names;
}

/** Says where a plugin of the unit, or of one whose components it uses, brings a name that has a meaning already. */
export function checkPlugins(unit: Unit, options: Pick<PlanOptions, 'file'>, reports: Reports): void {
  const units = unitsUsed(unit);
  const services = units.flatMap((each) => [...each.services.keys()]);
  const kinds = claims(nodeKinds, 'the language');
  const types = claims(agentTypes.keys(), 'the language');
  const names = claims(services, '"imports.services"');
  const twice = new Set<string>();
  for (const each of units) {
    for (const loaded of each.plugins) {
      const info = infoOf(loaded);
      const given = givenBy(info);
      claim(loaded, each, 'kind', Object.keys(info?.nodes ?? {}), kinds);
      claim(loaded, each, 'type of agent', Object.keys(info?.agents ?? {}), types);
      claim(loaded, each, 'name', given, names);
      for (const name of given) tellReserved(name, loaded.draft.from);
    }
  }

  /** The same plugin may be imported by several files. */
  function claim(loaded: LoadedPlugin, by: Unit, what: string, all: readonly string[], known: Claims): void {
    const { from } = loaded.draft;
    const made = importOf(loaded, by, options);
    const id = idOf(made);
    for (const name of all) {
      const other = known.get(name);
      if (other === undefined) known.set(name, { who: `the plugin "${from.text}"`, id, plugin: made, from });
      else if (other.id !== id) {
        if (other.plugin && other.from && isSameExport(other.plugin, made)) tellTwice(from, other.from, [other.id, id]);
        else {
          reports.add('TOO4212', from, `the plugin brings the ${what} "${name}", which ${other.who} has already`, {
            help: 'Give it another name in the plugin.',
          });
        }
      }
    }
  }

  /** Whatever it brings is there twice: that is one mistake. */
  function tellTwice(from: Word, first: Word, ids: readonly unknown[]): void {
    const pair = JSON.stringify(ids);
    if (twice.has(pair)) return;
    twice.add(pair);
    reports.add('TOO4212', from, `the plugin "${from.text}" is imported twice, with different configs`, {
      help: 'What it brings has one meaning in a workflow and the components that it uses: give both imports the same "config".',
      related: [{ source: first.source, span: first.span, message: 'imported here first' }],
    });
  }

  function tellReserved(name: string, from: Word): void {
    const why = reservedAs(name);
    if (why === undefined) return;
    reports.add('TOO4008', from, `the plugin brings the name "${name}", which is ${why}`, {
      help: 'Give it another name in the plugin.',
    });
  }
}

/** Who has a name, by the name; `id`: of the plugin. */
type Claims = Map<
  string,
  { readonly who: string; readonly id?: string; readonly plugin?: PluginImport; readonly from?: Word }
>;

function isSameExport(a: PluginImport, b: PluginImport): boolean {
  return a.module === b.module && a.name === b.name;
}

function claims(names: Iterable<string>, who: string): Claims {
  return new Map(Array.from(names, (name) => [name, { who }]));
}

function idOf({ module, name, config }: PluginImport): string {
  return JSON.stringify([module, name, config]);
}

function importOf(
  { draft, answer }: LoadedPlugin,
  { folder }: Unit,
  { file }: Pick<PlanOptions, 'file'>,
): PluginImport {
  const made = {
    module: moduleFrom(dirname(file), folder, draft.from.text),
    name: draft.use?.text ?? 'default',
    config: draft.config,
  };
  const info = answer?.ok ? answer.plugin : undefined;
  const gives = givenBy(info);
  const kinds = Object.keys(info?.nodes ?? {});
  return { ...made, ...(gives.length > 0 && { gives }), ...(kinds.length > 0 && { kinds }) };
}

function infoOf({ answer }: LoadedPlugin): PluginInfo | undefined {
  return answer?.ok ? answer.plugin : undefined;
}

function givenBy(info: PluginInfo | undefined): readonly string[] {
  return [...(info?.functions ?? []), ...(info?.services ?? [])];
}
