/**
 * What a command used of the program's text when it ran before, and what V8 made of it: the next start reads that alone, and
 * compiles nothing. More than half of the time of a short command is otherwise spent on reading code.
 * 1. It lies beside the program, where only who may change the program can write; elsewhere it would be a way in.
 * 2. A file is for one build, one Node with its flags, one system and one command, which use different parts of the program.
 * 3. It is taken only whole, by its checksum: V8 crashes on what was damaged.
 * 4. Nothing depends on it. A module that it lacks is taken from the program's text, and then kept too; V8 refuses what does
 *    not fit; and where nothing can be written each start compiles what it needs.
 *
 * The first start of a command keeps the text, the second what V8 made of that: only what ran can be kept.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { WholeProgram } from './whole-program.ts';

export interface KeptProgram {
  /** A part of the program's text, ASCII. */
  readonly text: string;
  /** Not there before the command ran with just this text. */
  readonly code?: Buffer;
}

const keptMs = 30 * 24 * 3_600_000;
/** Each has one or two megabytes. */
const mostKept = 24;

/** The first line: the checksum of all behind it, and where V8's part begins. A comment, and always as long. */
const firstLine = /^\/\/ ([0-9a-f]{8}) (\d{11})\n$/;
const firstLength = 24;
const checkedFrom = '// 01234567 '.length;

/** @param dir beside the program. @param build names its text. */
export function keptProgramFile(dir: string, build: string, args: readonly string[]): string {
  const [first = ''] = args;
  const command = /^(?:--)?[a-z][a-z-]{0,30}$/.test(first) ? first : '_';
  // V8 refuses what it made under other flags.
  const flags = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').trim();
  const under = flags === '' ? '' : `-${crc32(flags).toString(16)}`;
  return join(dir, `${build}-${process.version}-${process.platform}-${process.arch}-${command}${under}`);
}

export function readKeptProgram(file: string): KeptProgram | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    // Not there yet, or not for us: it is made, if it can be.
    return undefined;
  }
  try {
    const head = Buffer.allocUnsafe(firstLength);
    readSync(fd, head, 0, firstLength, 0);
    const [, sum = '', end = ''] = firstLine.exec(head.toString('latin1')) ?? [];
    const textLength = Number(end) - firstLength;
    const codeLength = fstatSync(fd).size - Number(end);
    if (sum === '' || textLength < 0 || codeLength < 0) return undefined;
    // The same memory for both: what is touched for the first time takes longer than what is read.
    const bytes = Buffer.allocUnsafeSlow(Math.max(textLength, codeLength));
    const read = (length: number, at: number) => bytes.subarray(0, readSync(fd, bytes, 0, length, at));
    const written = read(textLength, firstLength);
    const text = written.toString('latin1');
    const checked = crc32(written, crc32(head.subarray(checkedFrom)));
    const code = read(codeLength, Number(end));
    if (crc32(code, checked) !== Number.parseInt(sum, 16)) return undefined;
    return { text, ...(code.length > 0 && { code }) };
  } catch {
    // What cannot be read is made again too.
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** The modules as a text of their own. */
export function partOfProgram(
  { open, close }: Pick<WholeProgram, 'open' | 'close'>,
  modules: ReadonlyMap<number, string>,
): string {
  const text = [open, ...[...modules].map(([i, code]) => `${i}: ${code},\n`), close].join('');
  // What lies behind it must begin where numbers may begin, or V8 copies it first.
  return text.padEnd(Math.ceil(text.length / 8) * 8, '\n');
}

/** For the exit of the process: by then it has used what the command needs. */
export function writeKeptProgram(dir: string, file: string, kept: KeptProgram): void {
  try {
    mkdirSync(dir, { recursive: true });
    const part = `${file}.${process.pid}.part`;
    try {
      writeDurably(part, bytesOf(kept));
      renameSync(part, file);
    } finally {
      rmSync(part, { force: true });
    }
    removeOld(dir);
  } catch {
    // A place that cannot be written, as of a program that somebody else installed: it works as well without.
  }
}

function bytesOf({ text, code = Buffer.alloc(0) }: KeptProgram): Buffer {
  const end = `${firstLength + text.length}`.padStart(11, '0');
  const checked = Buffer.concat([Buffer.from(`${end}\n`), Buffer.from(text, 'latin1'), code]);
  const sum = crc32(checked).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(`// ${sum} `), checked]);
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

/** Of other builds, versions and commands, what is old or too much: what is still used is made again by its next start. */
function removeOld(dir: string): void {
  const now = Date.now();
  const files = readdirSync(dir)
    .map((name) => ({ file: join(dir, name), at: statSync(join(dir, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const [i, { file, at }] of files.entries()) {
    if (i >= mostKept || now - at > keptMs) rmSync(file, { force: true });
  }
}
