/**
 * The worktrees of a run in one segment: the places, with the results that were made or kept there in their order, and with what
 * each worktree began; whether one begins now as it did then.
 */
import type { StepCommand } from '../../machine/index.ts';

/** What is to come of a worktree. */
export interface Asked {
  /** The name of its node in the run. */
  readonly worktree: string;
  readonly branch?: string | undefined;
  readonly base?: string | undefined;
  /** As it is written, or as it was made: who shares a folder has the same. */
  readonly path: string;
  /** The worktree around it. */
  readonly around?: string | undefined;
}

const roles = ['branch', 'around', 'base', 'folder'] as const;

/** A result in a place, and those before it. */
interface Came {
  readonly seq: number;
  readonly prev: Came | undefined;
  /** The prompt step that it is a call of. */
  readonly inside: Thunk | undefined;
  /** All up to here have come there, too. */
  isIn?: Place;
}

export interface Thunk {
  /** Of its end, where it went well. */
  seq?: number;
  isVoid?: boolean;
  /** Of its last call. */
  files?: Files;
}

/** Under which name files are kept. */
export interface Files {
  readonly node: string;
  readonly segment: number;
}

export interface Place {
  readonly name: string;
  /** With which it began. */
  readonly first: Added;
  /** What has come, by `seq`, and as the how many-th; and in that order. */
  readonly came: Map<number, number>;
  readonly order: number[];
  /** How many of those are known to have come in another one. */
  readonly common: Map<Place, number>;
  head: Came | undefined;
  isTouched: boolean;
}

/** A worktree in one segment. */
export interface Added {
  readonly asked: Asked;
  readonly place: Place;
  readonly links: readonly Link[];
  /** Whether it begins as another one did. */
  readonly same: Map<Added, boolean>;
  /** The commit it began with, and whether it made its branch. */
  commit?: string | undefined;
  isNew?: boolean;
  /** Of the results that were kept in it the one that was done last. */
  lastKept?: Made;
  isOpen: boolean;
}

/** What a worktree begins with. `branch`: what was there of it; `folder`: another round of a loop has left it. */
interface Link {
  readonly role: (typeof roles)[number];
  readonly place: Place;
  readonly head: Came | undefined;
  /** How much had come. */
  readonly size: number;
  readonly isTouched: boolean;
  /** How much had come when the worktree was removed: that may have come at the same time. */
  until?: number;
}

/** A step of a worktree that was begun. */
export interface Begun {
  readonly files: Files;
  readonly added: Added;
  readonly head: Came | undefined;
}

/** A result that was made in a worktree. */
export interface Made {
  readonly seq: number;
  readonly files: Files;
  added: Added;
  place: Place;
  head: Came | undefined;
}

/** A time in which a run is driven with one definition. */
export interface PlaceSegment {
  /** Where it begins. */
  readonly at: number;
  readonly added: ReadonlyMap<string, Added>;
  readonly places: ReadonlyMap<string, Place>;
  /** By who they are: what was begun, the first attempt of each. */
  readonly begun: ReadonlyMap<string, Begun>;
  /** What was begun and has not ended, by ids. */
  readonly open: ReadonlyMap<string, Begun>;
  readonly isCancelled: boolean;
}

export interface OpenSegment extends PlaceSegment {
  readonly added: Map<string, Added>;
  readonly places: Map<string, Place>;
  readonly begun: Map<string, Begun>;
  readonly open: Map<string, Begun>;
  readonly thunks: Map<string, Thunk>;
  /** Folders that stay, by their paths. */
  readonly folders: Map<string, Place>;
  isCancelled: boolean;
}

/** What a command asks for that makes a worktree. */
export function askedBy({ spec, worktree }: StepCommand): Asked | undefined {
  if (spec.kind !== 'worktree' || spec.action !== 'add') return undefined;
  const { node, path, branch, base } = spec;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { worktree: String(node), path: String(path), branch: text(branch), base: text(base), around: worktree };
}

/** How a worktree begins in a segment. */
export function addedAs(segment: PlaceSegment, asked: Asked): Added {
  const { branch, base, worktree, around, path } = asked;
  const name = branch === undefined ? `worktree ${worktree}` : `branch ${branch}`;
  const there = segment.places.get(name);
  const places: [Link['role'], Place | undefined][] = [
    ['branch', there],
    ['around', segment.added.get(around ?? '')?.place],
    ['base', segment.places.get(`branch ${base}`)],
    ['folder', branch === undefined ? (segment as OpenSegment).folders.get(path) : undefined],
  ];
  // A branch that is there is taken as it is.
  const links = places.slice(0, there ? 1 : places.length).flatMap(([role, place]): Link[] => {
    return place ? [{ role, place, head: place.head, size: place.came.size, isTouched: place.isTouched }] : [];
  });
  const made = { asked, links, same: new Map<Added, boolean>(), isOpen: true };
  if (there) return { ...made, place: there };
  const added: Added = {
    ...made,
    place: {
      name,
      get first() {
        return added;
      },
      came: new Map(),
      order: [],
      common: new Map(),
      head: undefined,
      isTouched: false,
    },
  };
  return added;
}

/** Whether a worktree begins now as it did then. */
export function isSameStart(then: Added, now: Added): boolean {
  const known = now.same.get(then);
  if (known !== undefined) return known;
  const isSame =
    then.asked.branch === now.asked.branch &&
    then.asked.base === now.asked.base &&
    roles.every((role) => hasSameLink(then, now, role));
  now.same.set(then, isSame);
  return isSame;
}

/** Whether the commit is the same with which it begins where it makes its branch, or has none. */
export function isSameBase(then: Added, now: Added): boolean {
  return then.asked.base === now.asked.base && hasSameLink(then, now, 'around') && hasSameLink(then, now, 'base');
}

function hasSameLink(then: Added, now: Added, role: Link['role']): boolean {
  const before = then.links.find((link) => link.role === role);
  const link = now.links.find((each) => each.role === role);
  if (before === undefined) return link === undefined || role === 'folder';
  return link !== undefined && isSameLink(before, link);
}

function isSameLink(then: Link, now: Link): boolean {
  if (now.isTouched || !hasAll(now.place, then.head) || !isSameStart(then.place.first, now.place.first)) return false;
  const { until = Number.POSITIVE_INFINITY } = then;
  return now.place.order.slice(0, now.size).every((seq) => (then.place.came.get(seq) ?? until) < until);
}

/** Whether the same has come in the place as before a step that was begun, and it began as now. */
export function isSameBefore(begun: Begun, now: Added): boolean {
  const { came } = now.place;
  const before = new Set<number>();
  for (let at = begun.head; at; at = at.prev) if (!at.inside?.isVoid) before.add(at.inside?.seq ?? at.seq);
  if (before.size !== came.size || !isSameStart(begun.added, now)) return false;
  for (const seq of before) if (!came.has(seq)) return false;
  return true;
}

export function openSegment(at: number): OpenSegment {
  return {
    at,
    added: new Map(),
    places: new Map(),
    begun: new Map(),
    open: new Map(),
    thunks: new Map(),
    folders: new Map(),
    isCancelled: false,
  };
}

export function addIn(segment: OpenSegment, asked: Asked): Added {
  // A process that was killed had added it.
  const again = segment.added.get(asked.worktree);
  if (again?.isOpen) return again;
  const added = addedAs(segment, asked);
  segment.added.set(asked.worktree, added);
  segment.places.set(added.place.name, added.place);
  return added;
}

/** `isLeft`: its folder may be there for the next one. */
export function leaveIn(segment: OpenSegment, worktree: string, isLeft: boolean): void {
  const added = segment.added.get(worktree);
  if (added === undefined) return;
  added.isOpen = false;
  for (const link of added.links) link.until = link.place.came.size;
  if (isLeft) segment.folders.set(added.asked.path, added.place);
  else segment.folders.delete(added.asked.path);
}

export function touch(added: Added | undefined): void {
  if (added) added.place.isTouched = true;
}

export function come(place: Place, seq: number, inside: Thunk | undefined): void {
  if (place.came.has(seq)) return;
  count(place, seq);
  place.head = { seq, prev: place.head, inside };
}

export function count({ came, order }: Place, seq: number): void {
  came.set(seq, came.size);
  order.push(seq);
}

/** Whether all of these have come in the place. What was found is remembered: places only grow. */
export function hasAll(place: Place, head: Came | undefined): boolean {
  for (let at = head; at && at.isIn !== place; at = at.prev) {
    const { seq, inside } = at;
    const isThere = inside?.isVoid || place.came.has(seq) || (inside?.seq !== undefined && place.came.has(inside.seq));
    if (!isThere) return false;
  }
  for (let at = head; at && at.isIn !== place; at = at.prev) at.isIn = place;
  return true;
}

/** Whether all that has come in the place has come in the other one. */
export function isPart(place: Place, other: Place): boolean {
  const { order, common } = place;
  for (let i = common.get(other) ?? 0; i < order.length; i++) {
    if (!other.came.has(order[i] as number)) return false;
    common.set(other, i + 1);
  }
  return true;
}
