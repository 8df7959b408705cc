/**
 * Opens files and folders of an area for reading, as `confine.ts` says. All calls are synchronous: on a local disk each takes
 * a few microseconds, and a search makes many; whoever does many of them takes a breath between (`breather.ts`).
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { quotePath, systemCode } from '../../sys/index.ts';
import { ToolFailure } from '../define-tool.ts';
import { type Area, changed, isStillThere, kindOf, missing, type Place, systemFailure } from './confine.ts';

export interface OpenFile {
  readonly size: number;
  /** The next bytes; fewer than asked for only at the end. The buffer is used again by the next call. */
  readonly read: (bytes: number) => Uint8Array;
  readonly close: () => void;
}

const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/** Who else writes may win a race or two by chance. */
const attempts = 3;

export function openFile(place: Place, area: Area): OpenFile {
  if (place.stats === undefined) throw missing(place.asked);
  const kind = kindOf(place.stats);
  if (kind === 'folder') {
    throw new ToolFailure('arguments', `${quotePath(place.asked)} is a folder; "filesystem/list" shows what it holds.`);
  }
  if (kind !== 'file') throw notAFile(place.asked, kind);
  const fd = openChecked(place, area, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const buffer = Buffer.allocUnsafe(chunk);
  return {
    size: Number(fstatSync(fd).size),
    read: (bytes) => readFully(fd, buffer, Math.min(bytes, chunk), place.asked),
    close: () => closeSync(fd),
  };
}

const chunk = 64 * 1024;

/** All of a file that has at most `most` bytes; undefined when it has more. */
export function readWhole(place: Place, area: Area, most: number): Uint8Array | undefined {
  const file = openFile(place, area);
  try {
    if (file.size > most) return undefined;
    const parts: Uint8Array[] = [];
    let size = 0;
    // Files may grow while they are read, so the end is where reading ends.
    for (let part = file.read(chunk); part.length > 0; part = file.read(chunk)) {
      size += part.length;
      if (size > most) return undefined;
      parts.push(Buffer.from(part));
    }
    return Buffer.concat(parts);
  } finally {
    file.close();
  }
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export interface FolderEntries {
  readonly entries: readonly FolderEntry[];
  /** There are more than were read. */
  readonly more: boolean;
}

/** What a folder holds, sorted by name; at most `most` of it. */
export function readFolder(place: Place, area: Area, most: number): FolderEntries {
  if (place.stats === undefined) throw missing(place.asked);
  const kind = kindOf(place.stats);
  if (kind !== 'folder') {
    throw kind === 'file'
      ? new ToolFailure('arguments', `${quotePath(place.asked)} is a file, not a folder.`)
      : notAFile(place.asked, kind);
  }
  if (!canAnchor) return entriesOf(place.real, place.asked, most);
  const fd = openChecked(place, area, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  try {
    return entriesOf(`/proc/self/fd/${fd}`, place.asked, most);
  } finally {
    closeSync(fd);
  }
}

/** Whether a path can go on from an open folder, whatever becomes of its name. */
export const canAnchor = process.platform === 'linux' && existsSync('/proc/self/fd');

function entriesOf(path: string, asked: string, most: number): FolderEntries {
  try {
    const folder = opendirSync(path, { bufferSize: 512 });
    const entries: FolderEntry[] = [];
    let more = false;
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (entries.length >= most) {
          more = true;
          break;
        }
        const kind = entry.isFile()
          ? 'file'
          : entry.isDirectory()
            ? 'folder'
            : entry.isSymbolicLink()
              ? 'link'
              : 'other';
        entries.push({ name: entry.name, kind });
      }
    } finally {
      folder.closeSync();
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { entries, more };
  } catch (error) {
    throw systemFailure(asked, error);
  }
}

function openChecked(place: Place, area: Area, flags: number): number {
  for (let attempt = 1; ; attempt++) {
    const opened = tryOpen(place, flags);
    let stats: BigIntStats;
    try {
      stats = fstatSync(opened, { bigint: true });
      const kind = kindOf(stats);
      if (kind !== 'file' && kind !== 'folder') throw notAFile(place.asked, kind);
      if (isWhereItWasChecked(opened, place, area, stats)) return opened;
    } catch (error) {
      closeSync(opened);
      throw error;
    }
    closeSync(opened);
    if (attempt >= attempts) throw changed(place.asked);
  }
}

/**
 * Where the system says that what is open lies, in one moment. Elsewhere the path is followed once more and must lead to the
 * same inode; who swaps folders during that, too, may win.
 */
function isWhereItWasChecked(fd: number, place: Place, area: Area, stats: BigIntStats): boolean {
  if (!canAnchor) return isStillThere(place, area, stats);
  const lies = readlinkSync(`/proc/self/fd/${fd}`);
  if (lies === place.real) return true;
  // A disk of another system may write the name in another case than it was asked for.
  const plain = (path: string) => path.normalize('NFC').toLowerCase();
  return plain(lies) === plain(place.real) && isStillThere(place, area, stats);
}

function tryOpen(place: Place, flags: number): number {
  try {
    return openSync(place.real, flags);
  } catch (error) {
    // Sockets, and devices without a driver.
    if (systemCode(error) === 'ENXIO') throw notAFile(place.asked, 'device');
    throw systemFailure(place.asked, error);
  }
}

function readFully(fd: number, buffer: Buffer, bytes: number, asked: string): Uint8Array {
  let filled = 0;
  try {
    while (filled < bytes) {
      const read = readSync(fd, buffer, filled, bytes - filled, null);
      if (read === 0) break;
      filled += read;
    }
  } catch (error) {
    throw systemFailure(asked, error);
  }
  return buffer.subarray(0, filled);
}

function notAFile(asked: string, kind: string): ToolFailure {
  return new ToolFailure('denied', `${quotePath(asked)} is a ${kind}, not a file; it is not opened.`);
}
