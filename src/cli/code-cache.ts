/**
 * What V8 made of the program's text when a command ran before, so that the next start need not make it again: more than half
 * of the time of a short command is otherwise spent on reading code.
 * 1. It lies beside the program, where only who may change the program can write; elsewhere it would be a way in.
 * 2. A file is for one build, one Node, one system and one command: commands use different parts of the program.
 * 3. It is kept twice in its file, and taken only where both are the same: V8 crashes on what was damaged, and to load what
 *    computes hashes would take longer than to compare.
 * 4. Nothing depends on it. V8 refuses what does not fit, and where nothing can be written each start reads the code again.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';

const keptMs = 30 * 24 * 3_600_000;

/** @param dir of the cache, beside the program. @param build names its text. */
export function codeCacheFile(dir: string, build: string, args: readonly string[]): string {
  const [first = ''] = args;
  const command = /^(?:--)?[a-z][a-z-]{0,30}$/.test(first) ? first : '_';
  return join(dir, `${build}-${process.version}-${process.platform}-${process.arch}-${command}`);
}

export function readCodeCache(file: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    // Not there yet, or not for us: it is made, if it can be.
    return undefined;
  }
  const data = bytes.subarray(0, bytes.length / 2);
  return data.equals(bytes.subarray(data.length)) ? data : undefined;
}

/** For the exit of the process: by then it has used what the command needs. */
export function writeCodeCache(dir: string, file: string, script: Script): void {
  try {
    mkdirSync(dir, { recursive: true });
    const part = `${file}.${process.pid}.part`;
    try {
      const data = script.createCachedData();
      writeDurably(part, Buffer.concat([data, data]));
      renameSync(part, file);
    } finally {
      rmSync(part, { force: true });
    }
    removeOld(dir);
  } catch {
    // A place that cannot be written, as of a program that somebody else installed: it works as well without.
  }
}

/** A name for what is not on the disk yet would outlive a loss of power that the bytes do not. */
function writeDurably(file: string, bytes: Buffer): void {
  const fd = openSync(file, 'wx', 0o644);
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Of other builds and versions of Node: what is still used is made again by its next start. */
function removeOld(dir: string): void {
  const now = Date.now();
  for (const name of readdirSync(dir)) {
    const file = join(dir, name);
    if (now - statSync(file).mtimeMs > keptMs) rmSync(file, { force: true });
  }
}
