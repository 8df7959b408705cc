/** What inline code reads: checked like the reads of a text, but code does not wait by itself. */
import type { ValueType } from '../expr/index.ts';
import type { DiagnosticExtra } from '../text/index.ts';
import type { ReadCode } from './code/index.ts';
import { checkMembers } from './code-members.ts';
import type { DraftText } from './draft.ts';
import { isReadable, type Reader, targetOf, tellMeaningless, tellUnreadable } from './names.ts';
import type { Reference } from './node.ts';
import { relate } from './order.ts';
import type { Reports } from './reports.ts';
import type { Site } from './site.ts';
import { markOf } from './texts.ts';
import { type Wait, waitsInCircles } from './waits.ts';

/** A step beside the reader that must be waited for by other means. */
export interface SiblingRead extends Wait {
  readonly name: string;
}

export function checkCode(
  site: Site,
  draft: DraftText,
  read: ReadCode,
  context: {
    readonly reports: Reports;
    readonly siblingReads: SiblingRead[];
    readonly texts: { readonly typeOf: (name: string, reader: Reader) => ValueType | undefined };
  },
): Reference[] {
  const reader = { site, space: site.space };
  return read.reads.flatMap(({ name, path, start, end, members }): Reference[] => {
    const target = targetOf(name, reader);
    if (target === undefined) {
      tellMeaningless(name, markOf(draft, start, end), reader, context.reports);
      return [];
    }
    const type = members.length > 0 ? context.texts.typeOf(name, reader) : undefined;
    if (type) checkMembers({ name, members }, type, { draft, tested: read.tested, reports: context.reports });
    const to = target.kind === 'node' ? site.space.ids.get(name) : undefined;
    if (to !== undefined) {
      const at = markOf(draft, start, end);
      const relation = relate(site, to, false);
      if (relation.kind === 'beside') context.siblingReads.push({ from: site, to, at, name });
      else if (!isReadable(relation)) tellUnreadable(name, to, relation, site, at, context.reports);
    }
    return [{ name, target, path }];
  });
}

/** Reads of siblings that nothing makes wait: whether the value is there would be a matter of luck. */
export function checkSiblings(
  sites: readonly Site[],
  reads: readonly SiblingRead[],
  waits: readonly Wait[],
  reports: Reports,
): void {
  const known = new Map<Site, Set<Site>>();
  for (const { from, to } of waits) addTo(known, from, to);
  const budget = { steps: mostSteps };
  const open = reads.filter(({ from, to }) => !known.get(from)?.has(to) && !isWaitedFor(from, to, known, budget));
  if (open.length === 0) return;
  const circular = waitsInCircles<Wait>(sites, [...waits, ...open]);
  const names = new Map<Site, Set<string>>();
  for (const read of open) if (!circular.has(read)) addTo(names, read.from, read.name);
  const fixed = new Set<Site>();
  for (const read of open) {
    const { from, at, name } = read;
    if (circular.has(read)) {
      reports.add(
        'TOO4225',
        at,
        `"${name}" runs at the same time as this step, and the two would wait for each other`,
        {
          help: `"${name}" waits for this step or reads it. Let only one of the two read the other, or put them in a sequence.`,
        },
      );
      continue;
    }
    // One fix adds all of them: two would write the key twice.
    const fix = fixed.has(from) ? {} : addNeeds(from, [...(names.get(from) ?? [])]);
    fixed.add(from);
    reports.add('TOO4225', at, `"${name}" runs at the same time as this step, which does not wait for it`, {
      help: `Write needs: ${name}. Texts wait for what they read by themselves; code does not.`,
      ...fix,
    });
  }
}

function addTo<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

/** When very many reads each lead through very many nodes, only what a step needs by itself counts in the end. */
const mostSteps = 5_000_000;

/**
 * Whether the target has ended for sure when the node starts: all that the node and what holds it wait for has ended,
 * what stood before it in a sequence too, and so on from there.
 */
function isWaitedFor(
  from: Site,
  to: Site,
  known: ReadonlyMap<Site, ReadonlySet<Site>>,
  budget: { steps: number },
): boolean {
  const holders = new Set<Site>();
  for (let site: Site | undefined = to; site !== undefined; site = site.parent) holders.add(site);
  /** True for what has ended, false for what has only started. */
  const seen = new Map<Site, boolean>();
  const todo: Site[] = [];
  const add = (site: Site, hasEnded: boolean) => {
    const before = seen.get(site);
    if (before === true || before === hasEnded) return;
    seen.set(site, hasEnded);
    todo.push(site);
  };
  add(from, false);
  for (let site = todo.pop(); site !== undefined && budget.steps-- > 0; site = todo.pop()) {
    if (seen.get(site)) {
      if (holders.has(site) && !isInside(from, site)) return true;
      for (const child of site.children) add(child, true);
    }
    for (const target of known.get(site) ?? []) add(target, true);
    const { parent, arm, index } = site;
    if (parent === undefined) continue;
    add(parent, false);
    if (parent.draft.kind === 'parallel') continue;
    // Those further back are found from the one before.
    if (index === 0) continue;
    const start = parent.draft.kind === 'branch' && arm === 'else' ? parent.draft.then.nodes.length : 0;
    const before = parent.children[start + index - 1];
    if (before) add(before, true);
  }
  return false;
}

function isInside(site: Site, holder: Site): boolean {
  for (let at: Site | undefined = site; at !== undefined; at = at.parent) if (at === holder) return true;
  return false;
}

function addNeeds({ draft }: Site, names: readonly string[]): DiagnosticExtra {
  if (draft.kind !== 'step' || draft.needs.length > 0 || draft.id === undefined) return {};
  const { source, span } = draft.id;
  const lineStart = source.text.lastIndexOf('\n', span.start) + 1;
  const [, blanks = '', dash = ''] = /^([ \t]*)(- )?id:/.exec(source.text.slice(lineStart, span.start)) ?? [];
  if (blanks === '' && dash === '') return {};
  const needs = names.length === 1 ? `needs: ${names.join('')}` : `needs[${names.length}]: ${names.join(',')}`;
  const text = `\n${blanks}${dash === '' ? '' : '  '}${needs}`;
  return { fix: { title: `add ${needs}`, edits: [{ span: { start: span.end, end: span.end }, text }] } };
}
