/**
 * Where a path leads, and that it stays in the workspace.
 * 1. Links are followed by hand, part by part, from the workspace on. Before anything is looked at it is known to lie inside:
 *    whoever asks for what is outside learns nothing, not even whether it exists.
 * 2. A place has no link in it. What is off limits is so by the name that was asked for, by the name of every link on the
 *    way and by where it leads in the end.
 * 3. Between a look and an opening somebody may swap a folder for a link. On Linux that wins nothing: the system is asked where
 *    what is open lies, and that must be the place that was checked; new files are made from open folders, opened one by one
 *    without following links. Elsewhere the path is followed again afterwards and must lead to the same inode, which leaves a
 *    moment to who swaps at the right time, twice.
 * 4. Only files and folders are opened: pipes, sockets and devices are told by their kind, and never waited for.
 * A hard link looks like any other file and cannot be told apart. Writing replaces files, so it never reaches through one.
 */
import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import nodePath from 'node:path';
import { isInside, quotePath, systemCode } from '../../sys/index.ts';
import { ToolFailure } from '../define-tool.ts';
import { type Access, type Guard, offLimits, offLimitsWords } from './off-limits.ts';
import { outsideProblem, readPathText } from './path-text.ts';

/** The folder that holds everything, and what in it is guarded. */
export interface Area {
  /** Absolute, links resolved. */
  readonly workspace: string;
  readonly guard: Guard;
}

export interface Place {
  /** As it was asked for, without `.` and `..`; `.` is the workspace. With slashes, whatever the system. */
  readonly asked: string;
  /** Where it leads: absolute, and from the workspace. */
  readonly real: string;
  readonly parts: readonly string[];
  /** Of what is there; undefined when nothing is. */
  readonly stats: BigIntStats | undefined;
}

const mostLinks = 40;

/** Throws a `ToolFailure` that says why not. */
export function placeOf(text: string, area: Area, access: Access): Place {
  const read = readPathText(text, area.workspace, nodePath);
  if (!read.ok) throw new ToolFailure('denied', read.problem);
  return placeOfParts(read.parts, area, access);
}

/** Of names that the system gave. */
export function placeOfParts(parts: readonly string[], area: Area, access: Access): Place {
  const asked = parts.join('/') || '.';
  checkLimits(asked, parts, area, access);
  const walk = follow(asked, parts, area, access);
  checkLimits(asked, walk.parts, area, access);
  return { asked, real: nodePath.join(area.workspace, ...walk.parts), ...walk };
}

/** What permissions are asked about: the path as it was written, and where it leads. */
export function subjectsOfPath(text: string, area: Area): string[] {
  const read = readPathText(text, area.workspace, nodePath);
  if (!read.ok) return [text];
  const asked = read.parts.join('/') || '.';
  try {
    const { parts } = follow(text, read.parts, area, 'look');
    return [...new Set([asked, parts.join('/') || '.'])];
  } catch (error) {
    // It is refused when it is done, with the reason.
    if (error instanceof ToolFailure) return [asked];
    throw error;
  }
}

/** Whether the same thing still lies there. */
export function isStillThere(place: Place, area: Area, opened: BigIntStats): boolean {
  try {
    const now = follow(place.asked, place.parts, area, 'look');
    return (
      now.stats?.ino === opened.ino && now.stats.dev === opened.dev && now.parts.join('/') === place.parts.join('/')
    );
  } catch (error) {
    if (error instanceof ToolFailure) return false;
    throw error;
  }
}

export function missing(asked: string): ToolFailure {
  return new ToolFailure('missing', `${quotePath(asked)} does not exist.`);
}

/** What something is that is neither a file nor a folder. */
export function kindOf(stats: BigIntStats): 'file' | 'folder' | 'link' | 'pipe' | 'socket' | 'device' {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  return stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'device';
}

interface Walk {
  readonly parts: readonly string[];
  readonly stats: BigIntStats | undefined;
}

function follow(text: string, parts: readonly string[], area: Area, access: Access): Walk {
  const { workspace } = area;
  const todo = parts.toReversed();
  let at: string[] = [];
  let stats = look(workspace, text);
  let links = 0;
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if (part === '..') {
      // Only links say that, and what they say is meant from where they lie.
      if (at.length === 0) throw new ToolFailure('denied', outsideProblem(text));
      at = at.slice(0, -1);
      stats = look(nodePath.join(workspace, ...at), text);
      continue;
    }
    if (stats && !stats.isDirectory()) {
      throw new ToolFailure('missing', `${quotePath(text)} does not exist: a part of its path is a file.`);
    }
    const next = [...at, part];
    stats = stats && look(nodePath.join(workspace, ...next), text);
    if (!stats?.isSymbolicLink()) {
      at = next;
      continue;
    }
    checkLimits(text, next, area, access);
    links++;
    if (links > mostLinks) throw new ToolFailure('failed', `${quotePath(text)}: its links lead in a circle.`);
    const target = linkTarget(nodePath.join(workspace, ...next), text);
    const steps = stepsOf(target, workspace);
    if (steps === undefined) throw new ToolFailure('denied', outsideProblem(text));
    if (nodePath.isAbsolute(target)) at = [];
    for (const step of steps.reverse()) todo.push(step);
    stats = look(nodePath.join(workspace, ...at), text);
  }
  return { parts: at, stats };
}

/** It may be gone by now, or be something else. */
function linkTarget(path: string, text: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    throw systemCode(error) === 'EINVAL' ? changed(text) : systemFailure(text, error);
  }
}

/** The parts of what a link says: from the workspace if it is absolute, and inside; else from where it lies. */
function stepsOf(target: string, workspace: string): string[] | undefined {
  const isAbsolute = nodePath.isAbsolute(target);
  if (isAbsolute && !isInside(nodePath.normalize(target), workspace)) return undefined;
  const text = isAbsolute ? nodePath.relative(workspace, nodePath.normalize(target)) : target;
  return text.split(nodePath.sep === '\\' ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
}

function look(path: string, text: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw systemFailure(text, error);
  }
}

/** What the system says, in our words; the path is the one that was asked for. */
export function systemFailure(asked: string, error: unknown): ToolFailure {
  const name = quotePath(asked);
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return missing(asked);
  if (code === 'EACCES' || code === 'EPERM')
    return new ToolFailure('denied', `${name}: the system does not permit it.`);
  if (code === 'ENAMETOOLONG') return new ToolFailure('arguments', `${name}: a name in it is too long.`);
  if (code === 'ELOOP') return changed(asked);
  const reason = (error instanceof Error ? error.message : String(error)).split(/[\r\n,]/, 1)[0];
  return new ToolFailure('failed', `${name}: ${reason}.`);
}

export function changed(asked: string): ToolFailure {
  return new ToolFailure(
    'failed',
    `${quotePath(asked)} was changed by somebody else in this moment; nothing was done. Try it again.`,
  );
}

/** Of a workspace that is the whole system: these are no files. */
const systemFolders = ['proc', 'sys', 'dev'];

function checkLimits(asked: string, parts: readonly string[], area: Area, access: Access): void {
  const real = nodePath.join(area.workspace, ...parts);
  const reason =
    offLimits(parts, real, access, area.guard, nodePath) ?? (isSystem(real) ? 'it belongs to the system' : undefined);
  if (reason === undefined) return;
  const what = access === 'write' ? 'may not be written' : 'may not be read';
  throw new ToolFailure(
    'denied',
    `${quotePath(asked)} is ${offLimitsWords}: ${reason}. It ${what}, whatever the permissions say.`,
  );
}

function isSystem(real: string): boolean {
  return nodePath.sep === '/' && systemFolders.some((name) => isInside(real, `/${name}`));
}
