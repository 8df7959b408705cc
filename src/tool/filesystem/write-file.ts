/** Writes a file of an area, whole or not at all, with the folders that it needs; as `confine.ts` says. */
import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import nodePath from 'node:path';
import { quotePath, systemCode, writeFileAtomic } from '../../sys/index.ts';
import { ToolFailure } from '../define-tool.ts';
import { type Area, changed, kindOf, type Place, placeOf, systemFailure } from './confine.ts';
import { canAnchor } from './open-file.ts';

const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;

export async function writeInside(place: Place, area: Area, data: string | Uint8Array): Promise<void> {
  const name = place.parts.at(-1);
  const kind = place.stats && kindOf(place.stats);
  if (name === undefined || kind === 'folder') {
    throw new ToolFailure('arguments', `${quotePath(place.asked)} is a folder; a file is written by its own name.`);
  }
  if (kind !== undefined && kind !== 'file') {
    throw new ToolFailure('denied', `${quotePath(place.asked)} is a ${kind}, not a file; it is not written.`);
  }
  const folders = place.parts.slice(0, -1);
  const options = { follow: false, name: place.asked };
  if (!canAnchor) {
    makeFolders(folders, area, place.asked);
    checkFolder(folders, area, place.asked);
    await writeFileAtomic(place.real, data, options);
    return checkFolder(folders, area, place.asked);
  }
  const fd = openFolder(folders, area, place.asked);
  try {
    await writeFileAtomic(`/proc/self/fd/${fd}/${name}`, data, options);
  } finally {
    closeSync(fd);
  }
}

/** Goes down from the workspace, from one open folder to the next: no link can lead it elsewhere. */
function openFolder(parts: readonly string[], area: Area, asked: string): number {
  let fd = open(area.workspace, asked);
  for (const part of parts) {
    const path = `/proc/self/fd/${fd}/${part}`;
    try {
      makeFolder(path, asked);
      const next = open(path, asked);
      closeSync(fd);
      fd = next;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
  return fd;
}

function open(path: string, asked: string): number {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    throw systemCode(error) === 'ENOTDIR' ? changed(asked) : systemFailure(asked, error);
  }
}

function makeFolders(parts: readonly string[], area: Area, asked: string): void {
  for (let i = 1; i <= parts.length; i++) makeFolder(nodePath.join(area.workspace, ...parts.slice(0, i)), asked);
}

function makeFolder(path: string, asked: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw systemFailure(asked, error);
  }
}

/** Where a folder cannot be held open: that it leads where it did. */
function checkFolder(parts: readonly string[], area: Area, asked: string): void {
  const folder = placeOf(parts.join('/') || '.', area, 'look');
  if (folder.stats === undefined || folder.parts.join('/') !== parts.join('/')) throw changed(asked);
}
