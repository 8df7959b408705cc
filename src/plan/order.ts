/** What has run when a node reads the result of another: decided by their places alone. */
import type { Site } from './site.ts';

export type Relation =
  /** It has run, if it was to run at all: `absent` says that it may have been left out. */
  | { readonly kind: 'before'; readonly absent: boolean }
  /** They stand in different children of a `parallel`: reading it makes the reader wait. */
  | { readonly kind: 'beside'; readonly absent: boolean }
  /** It is the reader or holds it; or comes later; or stands in the other arm. In a loop an earlier iteration may have it. */
  | { readonly kind: 'self' | 'later' | 'other-arm'; readonly inLoop: boolean };

/** `after`: the reader reads when its own children are done (`until`), not before. */
export function relate(reader: Site, target: Site, after: boolean): Relation {
  let from: Site | undefined = reader;
  let to: Site | undefined = target;
  /** The children of what holds both, on the way to each. */
  let fromChild: Site | undefined;
  let toChild: Site | undefined;
  let absent = mayBeAbsent(target);
  while (from !== to) {
    const depth: number = from?.depth ?? -1;
    const toDepth: number = to?.depth ?? -1;
    if (toDepth >= depth) {
      if (toChild !== undefined && isLeftOut(toChild)) absent = true;
      toChild = to;
      to = to?.parent;
    }
    if (depth >= toDepth) {
      fromChild = from;
      from = from?.parent;
    }
  }
  if (toChild === undefined) return { kind: 'self', inLoop: loopOf(target) !== undefined };
  if (fromChild === undefined) {
    // The reader holds it.
    if (after) return { kind: 'before', absent: absent || isLeftOut(toChild) };
    return { kind: 'later', inLoop: loopOf(reader) !== undefined };
  }
  const inLoop = loopOf(toChild) !== undefined;
  if (from?.draft.kind === 'parallel') return { kind: 'beside', absent };
  if (from?.draft.kind === 'branch' && fromChild.arm !== toChild.arm) return { kind: 'other-arm', inLoop };
  return toChild.index < fromChild.index ? { kind: 'before', absent } : { kind: 'later', inLoop };
}

/** The innermost loop that holds it. */
export function loopOf(site: Site): Site | undefined {
  let at = site.parent;
  while (at !== undefined && at.draft.kind !== 'loop') at = at.parent;
  return at;
}

/** Whether a node that was reached may still give no value. */
export function mayBeAbsent(site: Site): boolean {
  const { draft, children } = site;
  if ('needs' in draft && draft.needs.some(({ text }) => skips(site.space.ids.get(text)))) return true;
  switch (draft.kind) {
    case 'step':
      return draft.skipIf !== undefined;
    case 'workflow':
      return site.mayLack;
    case 'branch':
      return draft.else === undefined || (['then', 'else'] as const).some((arm) => isLastAbsent(lastOf(children, arm)));
    case 'parallel':
      return false;
    default:
      return children.some(skips) || isLastAbsent(children.at(-1));
  }
}

function isLastAbsent(last: Site | undefined): boolean {
  return last !== undefined && mayBeAbsent(last);
}

function lastOf(children: readonly Site[], arm: Site['arm']): Site | undefined {
  return children.findLast((child) => child.arm === arm);
}

/** Whether a node may be left out where its parent runs: it stands in an arm, or behind an approval that skips the rest. */
function isLeftOut({ parent, index }: Site): boolean {
  if (parent === undefined || parent.draft.kind === 'parallel') return false;
  return parent.draft.kind === 'branch' || index > firstSkip(parent);
}

/** Asked for every read through a list, so it is looked for once. */
const firstSkips = new WeakMap<Site, number>();

function firstSkip(parent: Site): number {
  let index = firstSkips.get(parent);
  if (index === undefined) {
    index = parent.children.find(skips)?.index ?? Number.POSITIVE_INFINITY;
    firstSkips.set(parent, index);
  }
  return index;
}

function skips(site: Site | undefined): boolean {
  return site?.draft.kind === 'approval' && site.draft.onDeny === 'skip';
}
