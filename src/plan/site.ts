/**
 * Sites: the nodes of a workflow in their places, with components already opened up for each use. The order of sites
 * decides what may read what; names are looked up in spaces.
 *
 * Invariants:
 *  1. A space is one naming scope: the steps of a file, or one use of a component. Ids are unique in it.
 *  2. An id of a component with `{id}` in it is visible where the component is used, under its expanded name; every
 *     other id is not.
 *  3. The path of a site is unique in a plan, and does not change when steps are grouped otherwise.
 */
import { didYouMean } from '../text/index.ts';
import type { DraftList, DraftNode, DraftUse, Word } from './draft.ts';
import type { Target } from './node.ts';
import { reservedAs } from './read/reserved.ts';
import type { Reports } from './reports.ts';
import { suggest } from './suggest.ts';
import { type Component, componentNamed, knownIn, type Unit } from './unit.ts';

export interface Space {
  readonly unit: Unit;
  readonly ids: Map<string, Site>;
  /** The use of the component whose steps these are. */
  use?: Site;
  readonly component?: Component;
  /** The steps at its top. */
  readonly roots: Site[];
}

export interface Site {
  readonly draft: DraftNode;
  readonly space: Space;
  readonly parent: Site | undefined;
  /** Its place in the list of its parent; `arm` tells the lists of a branch apart. */
  readonly index: number;
  readonly arm: 'then' | 'else';
  readonly depth: number;
  readonly id: string | undefined;
  readonly path: string;
  /** What reads of its result mean in a plan: one for all of them. */
  readonly target: Target;
  readonly children: Site[];
  /** Of a use: what its steps see. */
  readonly inner: Space | undefined;
  /** Of a call: its workflow may give no value. */
  readonly mayLack: boolean;
}

/** Whether the workflow that a unit knows by a name may give no value. */
export type LackingCalls = (unit: Unit, name: string) => boolean;

/** A plan with more nodes than this was not written by hand: components that use each other multiply. */
const mostSites = 100_000;

const mostOpen = 64;

/** So many characters of components, where they are used, and of prompts from files that are used again. */
export const mostOpened = 2_000_000;

export interface SiteTree {
  readonly space: Space;
  readonly all: readonly Site[];
  /** There were too many nodes, which is reported, and now there are none: nobody waits for what a part of them says. */
  readonly isFull: boolean;
}

export function buildSites(
  unit: Unit,
  list: DraftList | undefined,
  lacks: LackingCalls,
  reports: Reports,
  component?: Component,
): SiteTree {
  const all: Site[] = [];
  /** The paths that are taken; of one that was wanted again, the last number that it got. */
  const paths = new Map<string, number>();
  /** The components that are open, so that one that holds itself is found. */
  const open: Component[] = component ? [component] : [];
  let isFull = false;
  /** The length of what was written once and stands here again. */
  let opened = 0;

  const space: Space = { unit, ids: new Map(), roots: [], ...(component && { component }) };
  if (list) build(list, space, undefined, space.roots, 'then', '');
  return isFull ? { space: { ...space, roots: [] }, all: [], isFull } : { space, all, isFull };

  function build(
    from: DraftList,
    into: Space,
    parent: Site | undefined,
    siblings: Site[],
    arm: Site['arm'],
    prefix: string,
  ): void {
    let index = 0;
    for (const draft of from.nodes) {
      if (isFull) return;
      siblings.push(add(draft, into, parent, arm, index++, prefix));
    }
  }

  function add(
    draft: DraftNode,
    into: Space,
    parent: Site | undefined,
    arm: Site['arm'],
    index: number,
    prefix: string,
  ): Site {
    const id = draft.id && expand(draft.id.text, into.use?.id ?? componentId(into));
    const path = freePath(prefix + pathPart(draft, id, index));
    const inner = draft.kind === 'component' ? innerOf(draft, into) : undefined;
    const site: Site = {
      draft,
      space: into,
      parent,
      index,
      arm,
      depth: (parent?.depth ?? -1) + 1,
      id,
      path,
      target: { kind: 'node', node: path },
      children: [],
      inner,
      mayLack: draft.kind === 'workflow' && draft.use !== undefined && lacks(into.unit, draft.use.text),
    };
    if (inner) inner.use = site;
    all.push(site);
    if (draft.id && id !== undefined) register(site, draft.id, id, into);
    checkExpanded(draft, id);
    if (into.use) opened += lengthOf(draft);
    if (all.length > mostSites || opened > mostOpened) {
      const what = opened > mostOpened ? `${mostOpened} characters of components` : `${mostSites} nodes`;
      reports.add('TOO4216', draft.at, `the workflow has more than ${what}`, tooManyHelp);
      isFull = true;
      return site;
    }
    addChildren(site, inner);
    return site;
  }

  function addChildren(site: Site, inner: Space | undefined): void {
    const { draft, space: into, path, children } = site;
    const prefix = draft.kind === 'loop' ? `${path}/` : path.slice(0, path.lastIndexOf('/') + 1);
    switch (draft.kind) {
      case 'sequence':
      case 'parallel':
      case 'loop':
      case 'worktree':
        build(draft.children, into, site, children, 'then', prefix);
        return;
      case 'branch':
        build(draft.then, into, site, children, 'then', prefix);
        if (draft.else) build(draft.else, into, site, children, 'else', prefix);
        return;
      case 'component':
        if (inner?.component?.draft.steps === undefined) return;
        open.push(inner.component);
        build(inner.component.draft.steps, inner, site, children, 'then', `${path}/`);
        open.pop();
        return;
      default:
    }
  }

  /** An id that is made from that of a use can turn out to be a word of the language. */
  function checkExpanded({ id: word }: DraftNode, id: string | undefined): void {
    const meaning = word?.text.includes('{id}') && id !== undefined ? reservedAs(id) : undefined;
    if (word && meaning !== undefined) reports.add('TOO4008', word, `the id becomes "${id}" here, which is ${meaning}`);
  }

  /** The space of a use; none when the component is not known or holds itself. */
  function innerOf({ use }: DraftUse, from: Space): Space | undefined {
    if (use === undefined) return undefined;
    let found = componentNamed(from.unit, use.text);
    if (found === undefined) {
      const { help, fix, hint } = suggest(use, knownIn(from.unit.components), 'components');
      reports.add('TOO4241', use, `unknown component "${use.text}".${didYouMean(hint)}`, { help, ...fix });
      // What follows is about the one that was probably meant.
      found = hint === undefined ? undefined : componentNamed(from.unit, hint);
    }
    if (found === undefined || found === 'reported') return undefined;
    if (open.length > mostOpen) {
      reports.add('TOO4216', use, `components use each other more than ${mostOpen} deep`, tooManyHelp);
      return undefined;
    }
    if (open.includes(found)) {
      const ring = [...open.slice(open.indexOf(found)), found].map(({ draft }) => draft.name.text).join(' → ');
      reports.add('TOO4246', use, `the component "${use.text}" contains itself: ${ring}`, {
        help: 'Repeat steps with kind: loop; a component is opened up where it is used, so it cannot hold itself.',
      });
      return undefined;
    }
    return { unit: found.unit, ids: new Map(), roots: [], component: found };
  }

  function register(site: Site, word: Word, id: string, into: Space): void {
    const first = into.ids.get(id);
    if (first !== undefined && first.id === id) {
      tellTwice(id, word, first);
      return;
    }
    // A name that is only short for another gives way.
    into.ids.set(id, site);
    if (!word.text.includes('{id}')) return;
    // Inside its component it goes by the rest of its name, because `{id}` cannot be written in an expression.
    const short = shorten(word.text);
    if (short !== '' && !into.ids.has(short)) into.ids.set(short, site);
    // Each use passes it on, as long as its own id is made from that of its user.
    let inside = word.text;
    for (let space = into; space.use !== undefined; ) {
      const { use } = space;
      const other = use.space.ids.get(id);
      if (other !== undefined && other.id === id) {
        tellTwice(id, use.draft.id ?? word, other);
        return;
      }
      use.space.ids.set(id, site);
      const outer = use.draft.id?.text ?? '';
      if (!outer.includes('{id}')) return;
      // There too `{id}` cannot be written, so it goes by what is left of both names.
      inside = inside.replaceAll('{id}', outer);
      const alias = shorten(inside);
      if (alias !== '' && !use.space.ids.has(alias)) use.space.ids.set(alias, site);
      space = use.space;
    }
  }

  function tellTwice(id: string, at: Word, first: Site): void {
    const written = first.draft.id;
    reports.add('TOO4221', at, `the id "${id}" is used twice`, {
      help: 'Give each node an id of its own: others read its result by that name.',
      ...(written && { related: [{ source: written.source, span: written.span, message: 'first used here' }] }),
    });
  }

  function freePath(wanted: string): string {
    let number = paths.get(wanted);
    if (number === undefined) {
      paths.set(wanted, 1);
      return wanted;
    }
    let path = wanted;
    while (paths.has(path)) path = `${wanted}~${++number}`;
    paths.set(wanted, number);
    paths.set(path, 1);
    return path;
  }
}

/** What stands in a node itself, without its children. */
function lengthOf(draft: DraftNode): number {
  switch (draft.kind) {
    case 'sequence':
    case 'parallel':
      return 0;
    case 'loop':
      return draft.until?.text.length ?? 0;
    case 'branch':
      return draft.condition?.text.length ?? 0;
    case 'worktree':
      return [draft.folder, draft.branch, draft.base].reduce((sum, text) => sum + (text?.text.length ?? 0), 0);
    default:
      return draft.at.span.end - draft.at.span.start;
  }
}

const tooManyHelp = { help: 'Components are opened up at each use; use a sub-workflow where many are needed.' };

/** A component that is checked by itself, without a use, has its own name for an id. */
function componentId(space: Space): string {
  return space.component?.draft.name.text ?? 'id';
}

function expand(id: string, caller: string): string {
  return id.includes('{') ? id.replaceAll('{id}', caller) : id;
}

/** `{id}-short` without what the caller gives. */
function shorten(id: string): string {
  return id.replaceAll('{id}', '').replace(/^[-_]+|[-_]+$/g, '');
}

/** A kind of a plugin that can stand in a path. */
const plainKind = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** What a node adds to the paths: ids of steps, loops and uses; others only have to be told apart. */
function pathPart(draft: DraftNode, id: string | undefined, index: number): string {
  if (draft.id?.text.includes('{id}')) return shorten(draft.id.text) || (id ?? '');
  if (id !== undefined) return id;
  if (draft.kind === 'loop') return firstId(draft) ?? `loop@${index + 1}`;
  const kind = draft.kind === 'other' && plainKind.test(draft.type.text) ? draft.type.text : draft.kind;
  return `${kind}@${index + 1}`;
}

/** A loop without an id takes that of its first step. */
function firstId(draft: DraftNode): string | undefined {
  for (let node: DraftNode | undefined = draft; node !== undefined; ) {
    if (node.id) return shorten(node.id.text) || node.id.text;
    if (node.kind === 'branch') [node] = node.then.nodes;
    else if ('children' in node) [node] = node.children.nodes;
    else return undefined;
  }
  return undefined;
}
