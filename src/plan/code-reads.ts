/** What inline code reads: checked like the reads of a text, but code does not wait by itself. */
import type { ValueType } from '../expr/index.ts';
import { type DiagnosticExtra, didYouMean } from '../text/index.ts';
import type { Type } from '../type/index.ts';
import type { ReadCode } from './code/index.ts';
import type { DraftText } from './draft.ts';
import { checkOrder, type Reader, targetOf, tellMeaningless } from './names.ts';
import type { Reference } from './node.ts';
import type { Reports } from './reports.ts';
import type { Site } from './site.ts';
import { suggest } from './suggest.ts';
import { markOf } from './texts.ts';
import type { Wait } from './waits.ts';

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
  return read.reads.flatMap(({ name, path, start, end }): Reference[] => {
    const target = targetOf(name, reader);
    if (target === undefined) {
      tellMeaningless(name, markOf(draft, start, end), reader, context.reports);
      return [];
    }
    const [first] = path;
    const type = context.texts.typeOf(name, reader);
    if (first !== undefined && type) checkField(name, first, end, type, draft, context.reports);
    const to = target.kind === 'node' ? site.space.ids.get(name) : undefined;
    if (to !== undefined) {
      const at = markOf(draft, start, end);
      const relation = checkOrder({ name }, to, reader, () => at, context.reports);
      if (relation?.kind === 'beside') context.siblingReads.push({ from: site, to, at, name });
    }
    return [{ name, target, path }];
  });
}

/** The first member that is read: TypeScript looks at all, but only where there is a TypeScript. */
function checkField(
  name: string,
  member: string,
  nameEnd: number,
  type: ValueType,
  draft: DraftText,
  reports: Reports,
): void {
  const dot = /^["'\]]*\s*\??\.\s*/.exec(draft.text.slice(nameEnd, nameEnd + 40))?.[0];
  if (type.kind !== 'record' || type.open || type.fields.has(member) || member in {} || dot === undefined) return;
  const start = nameEnd + dot.length;
  if (!draft.text.startsWith(member, start)) return;
  const at = markOf(draft, start, start + member.length);
  const { hint, help, fix } = suggest({ ...at, text: member }, type.fields.keys(), 'fields');
  reports.add('TOO3252', at, `"${name}" has no field "${member}".${didYouMean(hint)}`, { help, ...fix });
}

/** Objects that are returned as they are written: what the output lacks, and what it does not have. */
export function checkReturns(draft: DraftText, read: ReadCode, output: Type | undefined, reports: Reports): void {
  if (output?.kind !== 'struct') return;
  const known = new Map(output.fields.map((field) => [field.name, field]));
  for (const { start, end, fields } of read.returns) {
    if (fields === undefined) continue;
    const given = new Set(fields.map(({ name }) => name));
    const missing = new Set(output.fields.flatMap(({ name, optional }) => (optional || given.has(name) ? [] : [name])));
    for (const field of fields) {
      if (known.has(field.name)) continue;
      const at = markOf(draft, field.start, field.end);
      const free = output.fields.flatMap(({ name }) => (given.has(name) ? [] : [name]));
      const { hint, fix } = suggest({ ...at, text: field.name }, free, 'fields');
      if (hint !== undefined) missing.delete(hint);
      const isPlain = draft.text.slice(field.start, field.end) === field.name;
      reports.add('TOO3311', at, `the output has no field "${field.name}".${didYouMean(hint)}`, {
        help: `It has: ${[...known.keys()].join(', ')}.`,
        ...(isPlain && hint !== undefined && /^[A-Za-z_$][\w$]*$/.test(hint) && fix),
      });
    }
    if (missing.size > 0) {
      const names = [...missing].map((name) => `"${name}"`).join(', ');
      reports.add('TOO3311', markOf(draft, start, end), `the output also needs ${names}`, {
        help: 'Return every field that is not optional.',
      });
    }
  }
}

/** Reads of siblings that nothing makes wait: whether the value is there would be a matter of luck. */
export function checkSiblings(reads: readonly SiblingRead[], waits: readonly Wait[], reports: Reports): void {
  const known = new Map<Site, Set<Site>>();
  for (const { from, to } of waits) {
    const targets = known.get(from);
    if (targets) targets.add(to);
    else known.set(from, new Set([to]));
  }
  const open = reads.filter(({ from, to }) => !isWaitedFor(from, to, known));
  const names = new Map<Site, Set<string>>();
  for (const { from, name } of open) names.set(from, (names.get(from) ?? new Set()).add(name));
  const fixed = new Set<Site>();
  for (const { from, at, name } of open) {
    // One fix adds all of them: two would write the key twice.
    const fix = fixed.has(from) ? {} : addNeeds(from, [...(names.get(from) ?? [])]);
    fixed.add(from);
    reports.add('TOO4225', at, `"${name}" runs at the same time as this step, which does not wait for it`, {
      help: `Write needs: ${name}. Texts wait for what they read by themselves; code does not.`,
      ...fix,
    });
  }
}

/**
 * Whether the target has ended for sure when the node starts: all that the node and what holds it wait for has ended,
 * what stood before it in a sequence too, and so on from there.
 */
function isWaitedFor(from: Site, to: Site, known: ReadonlyMap<Site, ReadonlySet<Site>>): boolean {
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
  for (let site = todo.pop(); site !== undefined; site = todo.pop()) {
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
    const arms =
      parent.draft.kind === 'branch' ? parent.children.filter((other) => other.arm === arm) : parent.children;
    const before = arms[index - 1];
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
