/** Units: the files of a workflow, each with the names it knows, declared or imported. */
import type { DraftAgent, DraftComponent, DraftPlugin, DraftType, DraftWorkflow, Word } from './draft.ts';
import type { ExportInfo, ModuleAnswer } from './modules.ts';

export interface Unit {
  /** The absolute path. */
  readonly file: string;
  readonly folder: string;
  readonly draft: DraftWorkflow;
  readonly schemas: ReadonlyMap<string, Known<DraftType>>;
  readonly agents: ReadonlyMap<string, Known<DraftAgent>>;
  readonly components: ReadonlyMap<string, Known<Component>>;
  /** Sub-workflows are whole files. */
  readonly workflows: ReadonlyMap<string, Known<Unit>>;
  readonly services: ReadonlyMap<string, Known<never>>;
  readonly plugins: readonly LoadedPlugin[];
}

/** What a name of a unit means: something written in a unit, an export of a module, or nothing, which was reported. */
export type Known<T> =
  | { readonly kind: 'written'; readonly word: Word; readonly unit: Unit; readonly value: T }
  | { readonly kind: 'module'; readonly word: Word; readonly export: ModuleExport }
  | { readonly kind: 'reported'; readonly word: Word };

export interface ModuleExport {
  readonly specifier: string;
  /** The folder of the file that imports it. */
  readonly folder: string;
  readonly name: string;
  /** Absent when modules are not looked into. */
  readonly info?: ExportInfo;
}

export interface Component {
  readonly unit: Unit;
  readonly draft: DraftComponent;
}

export interface LoadedPlugin {
  readonly draft: DraftPlugin;
  /** Absent when modules are not looked into. */
  readonly answer?: ModuleAnswer;
}

export function componentNamed(unit: Unit, name: string): Component | 'reported' | undefined {
  const known = unit.components.get(name);
  if (known === undefined) return undefined;
  return known.kind === 'written' ? known.value : 'reported';
}

/** The unit, and those whose components it uses, directly or through others. */
export function unitsUsed(unit: Unit): Unit[] {
  const units = new Set([unit]);
  // A set goes on over what is added while it is walked.
  for (const each of units) {
    for (const known of each.components.values()) if (known.kind === 'written') units.add(known.value.unit);
  }
  return [...units];
}

/** The names that mean something: those of failed imports are no good to suggest. */
export function* knownIn(names: ReadonlyMap<string, Known<unknown>>): Iterable<string> {
  for (const [name, { kind }] of names) if (kind !== 'reported') yield name;
}
