/**
 * Standard input line by line, for a command that asks again and again: who stops waiting for a line loses nothing of it, and
 * whoever else is asked in between (may a tool do that?) reads on where the last one ended.
 */
import { decodeText, type ReadResult } from '../sys/index.ts';
import type { Context, Input } from './context.ts';

export interface LineInput extends Input {
  /** Without its end; undefined where there is nothing more. Rejects when it is stopped. */
  readonly line: (signal?: AbortSignal) => Promise<ReadResult | undefined>;
  /** Nothing is waited for any more. */
  readonly close: () => void;
}

const lineEnd = 0x0a;

export function lineInput(stdin: Context['stdin']): LineInput {
  const closed = new AbortController();
  let source: AsyncIterator<Uint8Array> | undefined;
  /** What was asked for and did not come yet: nobody else may ask. */
  let pending: Promise<IteratorResult<Uint8Array>> | undefined;
  /** Of a line whose end did not come yet, and what came behind the last one. */
  let parts: Uint8Array[] = [];
  let left: Uint8Array = new Uint8Array();
  let isOver = false;

  async function more(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    source ??= stdin.chunks(closed.signal)[Symbol.asyncIterator]();
    pending ??= source.next();
    const next = await (signal ? orAborted(pending, signal) : pending);
    pending = undefined;
    if (next.done) isOver = true;
    else left = next.value;
  }

  /** The next line with its end, or what is left. */
  async function bytes(signal: AbortSignal | undefined): Promise<Buffer | undefined> {
    for (;;) {
      const end = left.indexOf(lineEnd);
      parts.push(end === -1 ? left : left.subarray(0, end + 1));
      left = end === -1 ? new Uint8Array() : left.subarray(end + 1);
      if (end !== -1 || isOver) {
        const line = Buffer.concat(parts);
        parts = [];
        return line.length === 0 ? undefined : line;
      }
      await more(signal);
    }
  }

  return {
    isTTY: stdin.isTTY,
    read: stdin.read,
    async *chunks(signal) {
      for (let line = await bytes(signal); line !== undefined; line = await bytes(signal)) yield line;
    },
    async line(signal) {
      const line = await bytes(signal);
      if (line === undefined) return undefined;
      const read = decodeText(line, '<stdin>');
      return read.ok ? { ...read, text: read.text.replace(/\r?\n$/, '') } : read;
    },
    close() {
      // Whoever is still waited for is waited for by nobody.
      pending?.catch(() => {});
      closed.abort();
    },
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
