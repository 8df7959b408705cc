/** The effective sets of a thunk: what it starts from, what its directives do, and the reason for each item. */
import { positionAt } from '../text/index.ts';
import type { CapKind, Directive, DirectiveKey } from '../too/index.ts';
import type { Host } from './host.ts';
import type { AgentProgram, ThunkProgram } from './program.ts';

export type SetKey = Exclude<DirectiveKey, 'recall'>;

export interface SetItem {
  readonly name: string;
  /** Why it is in the set, or why it no longer is. */
  readonly why: string;
}

export interface EffectiveSet {
  readonly items: readonly SetItem[];
  readonly removed: readonly SetItem[];
  /** What a "-=" names that was not in the set: the line does nothing. */
  readonly idle: readonly SetItem[];
}

export const setKeys: readonly SetKey[] = ['models', 'tools', 'skills', 'services', 'psyches', 'hands', 'handoffs'];

export function effectiveSets(
  program: AgentProgram,
  thunk: ThunkProgram,
  host: Host,
): Readonly<Record<SetKey, EffectiveSet>> {
  const sets = {} as Record<SetKey, EffectiveSet>;
  for (const key of setKeys) {
    const directives = thunk.directives.filter((directive) => directive.key === key);
    const tools = key === 'tools' ? host.tools : undefined;
    sets[key] = applyDirectives(program, startingSet(program, host, key), directives, tools);
  }
  return sets;
}

function applyDirectives(
  program: AgentProgram,
  start: readonly SetItem[],
  directives: readonly Directive[],
  tools: Host['tools'],
): EffectiveSet {
  const idle = new Map<string, string>();
  const items = new Map(start.map((item) => [item.name, item.why]));
  const removed = new Map<string, string>();
  for (const directive of directives) {
    const why = `"${directive.key} ${directive.op} …" at line ${positionAt(program.source, directive.span.start).line}`;
    const named = directive.values.map((value) => value.text);
    if (directive.op === '=') {
      for (const name of items.keys()) if (!named.includes(name)) removed.set(name, `left out by ${why}`);
      items.clear();
    }
    for (const name of named) {
      if (directive.op === '-=') {
        if (remove(items, name, tools)) removed.set(name, `removed by ${why}`);
        else idle.set(name, `not in the set: ${why} does nothing`);
      } else {
        removed.delete(name);
        if (!items.has(name)) items.set(name, why);
      }
    }
  }
  return { items: toItems(items), removed: toItems(removed), idle: toItems(idle) };
}

/** Removes an item. A set goes with all of its tools; of a set one of whose tools goes, the others stay. */
function remove(items: Map<string, string>, name: string, tools: Host['tools']): boolean {
  const isThere = items.delete(name);
  const slash = name.indexOf('/');
  if (slash === -1) {
    const members = [...items.keys()].filter((item) => tools && item.startsWith(`${name}/`));
    for (const member of members) items.delete(member);
    return isThere || members.length > 0;
  }
  const set = name.slice(0, slash);
  const why = items.get(set);
  const members = tools?.get(set);
  // The set may stand beside its tool.
  if (why === undefined || !members?.includes(name.slice(slash + 1))) return isThere;
  items.delete(set);
  for (const member of members) {
    const other = `${set}/${member}`;
    if (other !== name && !items.has(other)) items.set(other, `${why}, as part of ${set}`);
  }
  return true;
}

/** What a thunk has before its first directive. */
function startingSet(program: AgentProgram, host: Host, key: SetKey): SetItem[] {
  switch (key) {
    case 'hands':
    case 'handoffs':
      return [];
    case 'models':
    case 'tools':
      return (host.defaults?.[key] ?? []).map((name) => ({ name, why: 'default' }));
    case 'skills':
      return visibleCaps(program, host, 'skill');
    case 'services':
      return visibleCaps(program, host, 'service');
    case 'psyches':
      return visibleCaps(program, host, 'psyche');
  }
}

/** Every cap of a kind, nearest first: inline, `use`, home, root. A name is taken once; the nearest wins. */
export function visibleCaps(program: AgentProgram, host: Host, kind: CapKind): SetItem[] {
  const found = new Map<string, string>();
  const add = (name: string, why: string) => {
    const winner = found.get(name);
    found.set(name, winner === undefined ? `default: ${why}` : `${winner}, shadows ${why}`);
  };
  for (const cap of program.caps) if (cap.kind === kind) add(cap.name, 'inline');
  for (const use of program.uses) if (use.kind === kind) add(use.name, `use ${use.ref}`);
  for (const scope of ['home', 'root'] as const) {
    for (const cap of host.caps ?? []) if (cap.kind === kind && cap.scope === scope) add(cap.name, scope);
  }
  return toItems(found);
}

function toItems(map: ReadonlyMap<string, string>): SetItem[] {
  return [...map].map(([name, why]) => ({ name, why }));
}
