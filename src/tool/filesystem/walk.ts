/**
 * Goes through a folder and those below it, sorted by name, as `list`, `glob` and `grep` do.
 * 1. Links are told and not followed: what lies in the workspace is met once.
 * 2. What is off limits, or refused by the rules, is told as such and not entered. So is what somebody would have to be asked
 *    about, if the call itself needed nobody: who allows a folder has not allowed that. `.git` and `node_modules` are not entered
 *    unless they are asked for.
 * 3. However much there is, it ends: after so many entries, after a time, or when it is aborted.
 */
import nodePath from 'node:path';
import { ToolFailure } from '../define-tool.ts';
import type { ToolContext } from '../tool.ts';
import { type Area, type Place, placeOfParts } from './confine.ts';
import { offLimits } from './off-limits.ts';
import { readFolder } from './open-file.ts';

export interface Found {
  /** From the folder that the walk began in, and from the workspace. */
  readonly below: string;
  readonly path: string;
  readonly parts: readonly string[];
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Off limits, or refused by the rules. */
  readonly closed: boolean;
  /** Of a folder: why it is not entered, in a word. */
  readonly left?: 'usual' | 'closed' | 'unread';
}

export interface WalkOptions {
  readonly start: Place;
  readonly area: Area;
  /** Whose rules are asked. */
  readonly tools: readonly string[];
  readonly permission: ToolContext['permission'];
  /** Names that are entered though they usually are not. */
  readonly asked: ReadonlySet<string>;
  /** Whether to go into a folder. */
  readonly enter: (below: string) => boolean;
  readonly breathe: () => Promise<void>;
}

export interface WalkTotals {
  /** Entries that were met. */
  seen: number;
  /** It was ended before all was seen. */
  cut: boolean;
}

/** Folders that nobody wrote. */
const usuallyLeft = ['.git', 'node_modules'];
const mostSeen = 200_000;
const mostInFolder = 20_000;

export async function* walk(options: WalkOptions, totals: WalkTotals): AsyncGenerator<Found> {
  const { start, area, asked } = options;
  const begun = new Set(start.parts);
  const isClosed = closedBy(options);
  const stack = [readSorted(start, area, isClosed, totals, '')];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const found = top.pop();
    if (found === undefined) {
      stack.pop();
      continue;
    }
    await options.breathe();
    if (++totals.seen > mostSeen) {
      totals.cut = true;
      return;
    }
    const name = found.below.slice(found.below.lastIndexOf('/') + 1);
    if (found.kind !== 'folder' || !options.enter(found.below)) {
      yield found;
      continue;
    }
    if (found.closed) yield { ...found, left: 'closed' };
    else if (usuallyLeft.includes(name) && !asked.has(name) && !begun.has(name)) yield { ...found, left: 'usual' };
    else {
      const entries = tryFolder(found, area, isClosed, totals);
      yield entries ? found : { ...found, left: 'unread' };
      if (entries) stack.push(entries);
    }
  }
}

type IsClosed = (path: string) => boolean;

/** What the rules say of paths below, measured by what they say of the start. */
function closedBy({ start, tools, permission }: WalkOptions): IsClosed {
  if (permission === undefined) return () => false;
  const root = start.parts.join('/') || '.';
  const free = new Set(tools.filter((tool) => permission(tool, root) === 'allow'));
  return (path) =>
    tools.some((tool) => {
      const verdict = permission(tool, path);
      return verdict === 'deny' || (verdict === 'ask' && free.has(tool));
    });
}

/** A folder that may not be read, or that has just gone, is passed over and told. */
function tryFolder(found: Found, area: Area, isClosed: IsClosed, totals: WalkTotals): Found[] | undefined {
  try {
    return readSorted(placeOfParts(found.parts, area, 'look'), area, isClosed, totals, `${found.below}/`);
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

/** Last first, so that the next is taken from the end. */
function readSorted(place: Place, area: Area, isClosed: IsClosed, totals: WalkTotals, prefix: string): Found[] {
  const { entries, more } = readFolder(place, area, mostInFolder);
  if (more) totals.cut = true;
  return entries
    .map(({ name, kind }): Found => {
      const parts = [...place.parts, name];
      const path = parts.join('/');
      const isOff = offLimits(parts, nodePath.join(place.real, name), 'read', area.guard, nodePath) !== undefined;
      return { below: prefix + name, path, parts, kind, closed: isOff || isClosed(path) };
    })
    .reverse();
}

/** What a walk has to say in the end. */
export function walkNote({ cut, seen }: WalkTotals): string[] {
  if (!cut) return [];
  return [
    `[there is more: after ${seen} entries, or ${mostInFolder} of one folder, it was ended. Look in a smaller folder, with "path"]`,
  ];
}
