/** Reads a text file or stdin, or says in plain words why not. Never blocks on what is not a file. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { decodeText, type ReadProblem, type ReadResult } from './decode-text.ts';
import { quotePath, systemCode } from './failure.ts';

export interface ReadOptions {
  readonly maxBytes?: number;
}

export interface StdinOptions extends ReadOptions {
  /** For tests; the process's own input otherwise. */
  readonly stream?: AsyncIterable<Uint8Array | string>;
}

const defaultMaxBytes = 16 * 1024 * 1024;

export type BytesResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: ReadProblem };

export async function readTextFile(path: string, options: ReadOptions = {}): Promise<ReadResult> {
  const read = await readBytesFile(path, options);
  return read.ok ? decodeText(read.bytes, path) : read;
}

/** The same of a file that may be no text. */
export async function readBytesFile(path: string, options: ReadOptions = {}): Promise<BytesResult> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  let handle: FileHandle | undefined;
  try {
    // Asked before opening: to open a device can already do something. Asked again after: the path may have changed.
    const before = refusal(path, await stat(path), maxBytes);
    if (before) return { ok: false, problem: before };
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    const after = refusal(path, stats, maxBytes);
    if (after) return { ok: false, problem: after };
    const bytes = await readUpTo(handle, stats.size, maxBytes);
    if (!bytes) return { ok: false, problem: tooLarge(quotePath(path), undefined, maxBytes) };
    return { ok: true, bytes };
  } catch (error) {
    return { ok: false, problem: systemProblem(path, error) };
  } finally {
    await handle?.close();
  }
}

/**
 * The same at once, for the many small files of a folder: two calls of the system fewer for each, and no waiting between
 * them. What the path leads to must be known not to be a device.
 */
export function readTextFileSync(path: string, options: ReadOptions = {}): ReadResult {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    const problem = refusal(path, stats, maxBytes);
    if (problem) return { ok: false, problem };
    const buffer = Buffer.allocUnsafe(stats.size);
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(file, buffer, filled, buffer.length - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return decodeText(buffer.subarray(0, filled), path);
  } catch (error) {
    return { ok: false, problem: systemProblem(path, error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export async function readStdin(options: StdinOptions = {}): Promise<ReadResult> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of options.stream ?? process.stdin) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      if (size > maxBytes) return { ok: false, problem: tooLarge('the input', undefined, maxBytes) };
      chunks.push(bytes);
    }
  } catch (error) {
    return { ok: false, problem: systemProblem('<stdin>', error) };
  }
  return decodeText(Buffer.concat(chunks), '<stdin>');
}

interface Stats {
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

function refusal(path: string, stats: Stats, maxBytes: number): ReadProblem | undefined {
  const name = quotePath(path);
  if (stats.isDirectory()) return { kind: 'directory', message: `${name} is a directory, not a file.` };
  if (!stats.isFile()) {
    const what = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
    return { kind: 'other', message: `${name} is ${what}, not a file; write "-" to read from stdin.` };
  }
  return stats.size > maxBytes ? tooLarge(name, stats.size, maxBytes) : undefined;
}

/** Files may grow while they are read, and those of /proc say 0: so the end is where reading ends. */
async function readUpTo(handle: FileHandle, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  let buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
  let filled = 0;
  while (true) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, null);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
    if (filled > maxBytes) return undefined;
    if (filled === buffer.length) {
      buffer = Buffer.concat([buffer], Math.min(Math.max(buffer.length * 2, 4096), maxBytes + 1));
    }
  }
}

function tooLarge(name: string, size: number | undefined, maxBytes: number): ReadProblem {
  const is = size === undefined ? 'is larger' : `has ${megabytes(size)}, more`;
  return { kind: 'too-large', message: `${name} ${is} than the ${megabytes(maxBytes)} that may be read.` };
}

function megabytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${round(kilo)} kB` : `${round(kilo / 1024)} MB`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function systemProblem(path: string, error: unknown): ReadProblem {
  const name = quotePath(path);
  const code = systemCode(error);
  if (code === 'ENOENT') return { kind: 'missing', message: `${name} does not exist.` };
  if (code === 'ENOTDIR') return { kind: 'missing', message: `${name} does not exist: a part of its path is a file.` };
  if (code === 'EISDIR') return { kind: 'directory', message: `${name} is a directory, not a file.` };
  if (code === 'EACCES' || code === 'EPERM') {
    return { kind: 'denied', message: `${name} may not be read: permission denied.` };
  }
  if (code === 'ELOOP') return { kind: 'other', message: `${name} cannot be read: its links lead in a circle.` };
  if (code === 'ENAMETOOLONG') return { kind: 'other', message: `${name} cannot be read: the path is too long.` };
  if (code === 'ERR_INVALID_ARG_VALUE') return { kind: 'other', message: `${name} is not a path.` };
  const reason = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/, 1)[0];
  return { kind: 'other', message: `${name} cannot be read: ${reason}.` };
}
