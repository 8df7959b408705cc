/**
 * Where a command reads and writes. On POSIX both its outputs are one pipe of the system, so what it prints comes in order, and
 * `/dev/stdout` can be opened, which the sockets that Node makes do not allow; what it reads is a file that has no name any
 * more, or nothing.
 */
import { execFile, type StdioOptions } from 'node:child_process';
import { closeSync, constants, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { failure } from '../../sys/index.ts';

export interface Streams {
  readonly stdio: StdioOptions;
  /** Ends when nobody can write any more. */
  readonly output: Readable;
  /** By which whoever else has the pipe open is found. */
  readonly identity: FileIdentity;
  /** Gives up our own ends of what the child has by now. */
  readonly handedOver: () => void;
  readonly close: () => void;
}

export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

export async function openStreams(stdin: string | undefined): Promise<Streams> {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-shell-'));
  const open: number[] = [];
  const handedOver = () => {
    for (const fd of open.splice(0)) closeSync(fd);
  };
  try {
    const pipe = join(dir, 'output');
    await makePipe(pipe);
    const reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const output = new Socket({ fd: reading, readable: true, writable: false });
    const writing = openSync(pipe, 'w');
    open.push(writing);
    let input: number | 'ignore' = 'ignore';
    if (stdin !== undefined) {
      const file = join(dir, 'input');
      writeFileSync(file, stdin, { mode: 0o600 });
      input = openSync(file, 'r');
      open.push(input);
    }
    const close = () => {
      handedOver();
      output.destroy();
    };
    return { stdio: [input, writing, writing], output, identity: fstatSync(writing), handedOver, close };
  } catch (error) {
    handedOver();
    throw error;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Node itself cannot make one. */
function makePipe(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('mkfifo', ['-m', '600', file], { env: { PATH: '/usr/bin:/bin:/usr/local/bin' } }, (error, _, said) => {
      if (error) reject(failure('other', `mkfifo could not make a pipe: ${said.trim() || error.message}`, error));
      else resolve();
    });
  });
}
