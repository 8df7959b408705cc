/** What a name in an expression means at its place, and whether it has a value there. */
import { field, numberType, structOf, type Type } from '../type/index.ts';
import type { Mark } from './draft.ts';
import type { Target } from './node.ts';
import type { Relation } from './order.ts';
import type { Reports } from './reports.ts';
import type { Site, Space } from './site.ts';

/** What `loop` is. */
export const loopType: Type = structOf([field('iteration', numberType)], { name: 'loop' });

/** The words of the context, besides ids of steps. */
export const contextWords = ['input', 'params', 'loop', 'id'] as const;

/** Where an expression is read. */
export interface Reader {
  readonly site?: Site;
  readonly space: Space;
  /** It is read when the children of `site` are done. */
  readonly after?: true;
}

/** The loop that `loop` means: the innermost one around, else the last one before it in the same sequence. */
export function loopFor({ site, after }: Reader): Site | undefined {
  if (site === undefined) return undefined;
  if (after && site.draft.kind === 'loop') return site;
  for (let at = site.parent; at !== undefined; at = at.parent) {
    // A component sees only its own loops.
    if (at.draft.kind === 'loop' && at.space === site.space) return at;
  }
  return lastLoopBefore(site);
}

function lastLoopBefore(site: Site): Site | undefined {
  const { parent, space, arm, index } = site;
  if (parent?.draft.kind === 'parallel') return undefined;
  const list = parent?.children ?? space.roots;
  const start = parent?.draft.kind === 'branch' && arm === 'else' ? parent.draft.then.nodes.length : 0;
  let found: Site | undefined;
  for (let at = start + index - 1; at >= start; at--) {
    const before = list[at];
    if (before === undefined) break;
    const isLoop = before.draft.kind === 'loop';
    found = isLoop ? before : lastLoops.get(before);
    if (isLoop || lastLoops.has(before)) break;
  }
  lastLoops.set(site, found);
  return found;
}

/** Every step of a long list may ask: the next one goes on from what this one found. */
const lastLoops = new WeakMap<Site, Site | undefined>();

const inputTarget: Target = { kind: 'input' };

/** What the name means, or undefined where it means nothing to a plan: a global, an unknown name. */
export function targetOf(name: string, reader: Reader): Target | undefined {
  switch (name) {
    case 'input':
      return inputTarget;
    case 'params':
    case 'id':
      return reader.space.component ? { kind: name } : undefined;
    case 'loop': {
      const loop = loopFor(reader);
      return loop && { kind: 'loop', node: loop.path };
    }
    default:
      return reader.space.ids.get(name)?.target;
  }
}

/** Whether a node in that place has a value, or had one in the iteration before. */
export function isReadable(relation: Relation): boolean {
  return relation.kind === 'before' || relation.kind === 'beside' || relation.inLoop;
}

/** Says why a node cannot be read there. */
export function tellUnreadable(
  name: string,
  target: Site,
  { kind }: Relation,
  reader: Site,
  at: Mark,
  reports: Reports,
): void {
  if (kind === 'before' || kind === 'beside') return;
  const { message, help } = whyNot(kind, name, reader === target);
  const written = target.draft.id;
  reports.add('TOO4231', at, message, {
    help,
    ...(written && { related: [{ source: written.source, span: written.span, message: `"${name}" stands here` }] }),
  });
}

function whyNot(
  kind: 'self' | 'later' | 'other-arm',
  name: string,
  isSame: boolean,
): { readonly message: string; readonly help: string } {
  if (kind === 'other-arm') {
    return {
      message: `"${name}" stands in the other arm of the branch, so it has no value here`,
      help: 'Read it behind the branch, or put it before the branch.',
    };
  }
  if (kind === 'later') {
    return {
      message: `"${name}" comes later, so it has no value here`,
      help: `Move this behind "${name}"; only in a loop is a later step that of the iteration before.`,
    };
  }
  return {
    message: isSame ? `"${name}" reads its own result` : `"${name}" holds this node, so it has no value here`,
    help: 'Only in a loop does a step have a result of the iteration before.',
  };
}

/** `loop` outside of loops, `params` outside of components: words that have no meaning at their place. */
export function tellMeaningless(name: string, at: Mark, reader: Reader, reports: Reports): void {
  if (name !== 'loop' && name !== 'params' && name !== 'id') return;
  if (reader.space.ids.has(name)) return;
  const where = name === 'loop' ? 'in a loop, and behind one in the same sequence' : 'in a component';
  reports.add('TOO4232', at, `"${name}" means something only ${where}`, {
    help: name === 'id' ? 'Write the id itself.' : 'Read an input field or a step instead.',
  });
}
