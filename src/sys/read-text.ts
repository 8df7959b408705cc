/** Reads a text file or stdin, or says in plain words why not. Never blocks on what is not a file. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
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

/** Of a file, whatever its path leads to: nothing is opened that is none. */
export async function readTextFile(path: string, options: ReadOptions = {}): Promise<ReadResult> {
  const read = await readBytesFile(path, options);
  return read.ok ? decodeText(read.bytes, path) : read;
}

/** The same of a file that may be no text. */
export async function readBytesFile(path: string, options: ReadOptions = {}): Promise<BytesResult> {
  try {
    // Asked before opening: to open a device can already do something. Asked again after: the path may have changed.
    const problem = refusal(path, statSync(path), options.maxBytes ?? defaultMaxBytes);
    if (problem) return { ok: false, problem };
  } catch (error) {
    return { ok: false, problem: systemProblem(path, error) };
  }
  return readBytes(path, options);
}

/** The same at once, for the many small files of a folder. What the path leads to must be known not to be a device. */
export function readTextFileSync(path: string, options: ReadOptions = {}): ReadResult {
  const read = readBytes(path, options);
  return read.ok ? decodeText(read.bytes, path) : read;
}

/** At once: files are small, and to hand each call of the system to another thread and back takes many times as long. */
function readBytes(path: string, { maxBytes = defaultMaxBytes }: ReadOptions): BytesResult {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    const problem = refusal(path, stats, maxBytes);
    if (problem) return { ok: false, problem };
    const bytes = readUpTo(file, stats.size, maxBytes);
    if (!bytes) return { ok: false, problem: tooLarge(quotePath(path), undefined, maxBytes) };
    return { ok: true, bytes };
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
  if (stats.isFile()) return stats.size > maxBytes ? tooLarge(quotePath(path), stats.size, maxBytes) : undefined;
  const name = quotePath(path);
  if (stats.isDirectory()) return { kind: 'directory', message: `${name} is a directory, not a file.` };
  const what = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
  return { kind: 'other', message: `${name} is ${what}, not a file; write "-" to read from stdin.` };
}

/** Files may grow while they are read, and those of /proc say 0: so the end is where reading ends. */
function readUpTo(file: number, size: number, maxBytes: number): Uint8Array | undefined {
  let buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
  let filled = 0;
  while (true) {
    const count = readSync(file, buffer, filled, buffer.length - filled, null);
    if (count === 0) return buffer.subarray(0, filled);
    filled += count;
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
