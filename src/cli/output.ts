/**
 * Standard output and error, as commands write to them.
 * 1. The first of what is written to a pipe or a file is written at once. To set up Node's streams takes a tenth of the time of a short
 *    command, and few say more than this.
 * 2. The rest goes through Node's stream, and so does all that goes to a terminal: whoever reads slowly holds up nobody. Even a small
 *    pipe has room for what was written before.
 * 3. All of it arrives, in the order in which it was written, or `onError` is told.
 */
import { writeSync } from 'node:fs';
import { wantsColor } from '../text/index.ts';
import type { Context, Output } from './context.ts';
import { kindOf } from './descriptor.ts';

export type StreamErrors = Readonly<Record<'stdout' | 'stderr', (error: NodeJS.ErrnoException) => void>>;

/** A page: what each pipe can hold, however many there are. */
const mostAtOnce = 4096;

export function processOutput(name: 'stdout' | 'stderr', env: Context['env'], onError: StreamErrors): Output {
  const fd = name === 'stdout' ? 1 : 2;
  const isTTY = kindOf(fd) === 'terminal';
  /** How much may still be written at once. On Windows Node's own way is the only sure one. */
  let room = isTTY || process.platform === 'win32' ? 0 : mostAtOnce;
  let opened: NodeJS.WriteStream | undefined;
  let isGone = false;

  const stream = () => {
    opened ??= process[name].on('error', (error: NodeJS.ErrnoException) => {
      isGone = true;
      onError[name](error);
    });
    return opened;
  };

  /** What is left to be written. */
  function writeFirst(text: string): string | Buffer {
    const bytes = Buffer.from(text);
    if (bytes.length > room) {
      room = 0;
      return text;
    }
    try {
      const count = writeSync(fd, bytes);
      room = count < bytes.length ? 0 : room - count;
      return bytes.subarray(count);
    } catch (error) {
      room = 0;
      // Somebody who has it too does not want to wait for it: Node's stream knows how.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return text;
      isGone = true;
      process.nextTick(onError[name], error);
      return '';
    }
  }

  return {
    write(text) {
      if (isGone) return;
      const rest = room > 0 ? writeFirst(text) : text;
      if (rest.length > 0) stream().write(rest);
    },
    async flush() {
      if (opened === undefined) return !isGone;
      const to = opened;
      if (to.writableNeedDrain && !isGone) {
        await new Promise<void>((done) => {
          const settle = () => {
            to.off('drain', settle).off('error', settle).off('close', settle);
            done();
          };
          to.on('drain', settle).on('error', settle).on('close', settle);
        });
      }
      return !isGone && !to.destroyed;
    },
    isTTY,
    color: wantsColor({ env, isTTY }),
    get columns() {
      const columns = isTTY ? stream().columns : 0;
      return columns > 0 ? columns : 80;
    },
  };
}
