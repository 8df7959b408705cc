/** Frames: what happens at the spots of a plan in one run. A loop does one iteration at a time, so each spot has one. */
import type { Json, RunError } from '../../machine/index.ts';
import type { Layout, Spot, Way } from './spot.ts';

export interface TreeState {
  /** Its folder, when it is there. */
  cwd?: string;
  /** What its nodes gave; then it is removed. */
  end?: { readonly value: Json | undefined };
  /** It is being removed. */
  isLeaving?: true;
}

export interface Frame {
  readonly spot: Spot;
  readonly parent: Frame | undefined;
  /** `due`: its turn has come. `waiting`: for what it needs. `live`: begun. */
  life: 'due' | 'waiting' | 'live' | 'settled';
  /** Changes when it begins, and in a loop with each iteration. */
  serial: number;
  /** The serial of what holds it, when it began: another one now means that it has not begun again. */
  born: number;
  /** How many of those that it needs have not settled. */
  pending: number;
  /** Who waits for it. */
  waiters: Frame[];
  /** What it gave this time; undefined when it has no value. */
  value: Json | undefined;
  /** The last value that it had in this run. */
  latest: Json | undefined;
  /** Of a list: how far it is. Of a `parallel`: how many children have not settled. */
  count: number;
  /** Of a loop. */
  iteration: number;
  /** Of a branch. */
  taken: 'then' | 'else' | undefined;
  /** Of a component. */
  params: Json;
  /** Of a worktree, from when it is asked for until it has been removed. */
  tree: TreeState | undefined;
  /** Of a step. */
  attempt: number;
  /** Of a step that waits to be tried again: why. */
  error: RunError | undefined;
  /** It stands in the line for a slot. */
  isQueued: boolean;
  /** Of a step or a sub-workflow: the child that gave its slot back, because all in it waits. */
  resting: string | undefined;
  /** Of an approval: it was not given, and nobody wanted to go on without. */
  denied: boolean;
}

/** By the numbers of their spots. */
export function createFrames({ spots }: Layout): readonly Frame[] {
  const frames: Frame[] = [];
  for (const spot of spots) {
    frames.push({
      spot,
      parent: spot.parent && frames[spot.parent.number],
      life: 'due',
      serial: 0,
      born: -1,
      pending: 0,
      waiters: [],
      value: undefined,
      latest: undefined,
      count: 0,
      iteration: 0,
      taken: undefined,
      params: null,
      tree: undefined,
      attempt: 0,
      error: undefined,
      isQueued: false,
      resting: undefined,
      denied: false,
    });
  }
  return frames;
}

/**
 * What somebody who stands there reads of it: inside of its loop the last value that it had, from outside that of the last
 * iteration.
 */
export function valueFor(reader: Spot, frame: Frame, frames: readonly Frame[]): Json | undefined {
  let inside = frame;
  for (let { loop } = frame.spot; loop && !holds(loop, reader); { loop } = loop) {
    const around = frames[loop.number] as Frame;
    if (inside.serial < around.serial) return undefined;
    inside = around;
  }
  return inside === frame ? frame.latest : frame.value;
}

function holds(loop: Spot, reader: Spot): boolean {
  for (let at: Spot | undefined = reader; at && at.depth >= loop.depth; at = at.parent) if (at === loop) return true;
  return false;
}

/** Its name in the run: the path with the iterations of the loops around, and what stands before all of the machine. */
export function nameOf({ spot }: Frame, frames: readonly Frame[], prefix: string): string {
  const { node, loop } = spot;
  if (loop === undefined) return prefix === '' ? node.path : `${prefix}/${node.path}`;
  const around = frames[loop.number] as Frame;
  return `${nameOf(around, frames, prefix)}[${around.iteration}]${node.path.slice(loop.node.path.length)}`;
}

/** Whether the last one on the way has settled, or will not begin any more. */
export function hasSettled({ from, through }: Way, frames: readonly Frame[]): boolean {
  let holder = frames[from.number] as Frame;
  for (const spot of through) {
    const frame = frames[spot.number] as Frame;
    if (frame.born !== holder.serial) return holder.taken !== undefined && holder.taken !== spot.arm;
    if (frame.life === 'settled') return true;
    holder = frame;
  }
  return false;
}

/** Whether the approval at the end of the way was denied, the last time that it was reached. */
export function wasDenied({ from, through }: Way, frames: readonly Frame[]): boolean {
  let holder = frames[from.number] as Frame;
  for (const spot of through) {
    const frame = frames[spot.number] as Frame;
    if (frame.born !== holder.serial) return false;
    holder = frame;
  }
  return holder.denied;
}
