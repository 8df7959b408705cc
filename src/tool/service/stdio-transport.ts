/**
 * A server that is a child process: messages go to its standard input and come from its standard output, a line each.
 * 1. It leads a process group of its own, and is closed only when the whole group is gone; on Linux also what left the group.
 * 2. Closing asks first: its input is ended, then the group is told to end, then it is killed.
 * 3. What is no message on its output, and all that it writes to its error output, is kept as its last words, bounded.
 * 4. An answer that is too long becomes an error for whoever waits for it; the connection goes on.
 */
import { Buffer } from 'node:buffer';
import type { ChildProcess } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Clock, endGroup, killGroup, markedLine, markOfAny, processMark, spawnGroup } from '../../sys/index.ts';
import { createJsonLines } from './json-lines.ts';
import { tooLargeMessage } from './too-large.ts';
import { trouble } from './trouble.ts';

export interface StdioOptions {
  /** A path that `findCommand` found. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly messageBytes: number;
  readonly closeMs: number;
  readonly clock: Clock;
  readonly spawned?: ((pid: number) => void) | undefined;
  readonly ended?: ((pid: number) => void) | undefined;
}

export interface StdioTransport extends Transport {
  /** The client knows by these two that it talks to a child process. */
  readonly pid: number | null;
  readonly stderr: null;
  /** How it ended by itself, in words; undefined while it runs, and where it was told to end. */
  readonly end: string | undefined;
  /** Whether any message came from it. */
  readonly wasAnswered: boolean;
  /** What it wrote last. */
  lastWords(): string;
}

/** What is kept of what it says. */
const wordsKept = 4096;
/** How long its streams may stay open after it has ended: something outside of its group holds them. */
const drainMs = 500;

export function stdioTransport(options: StdioOptions): StdioTransport {
  const { clock, closeMs } = options;
  let child: ChildProcess | undefined;
  /** Of all that it starts. */
  let mark: string | undefined;
  let end: string | undefined;
  let isGone = false;
  let wasAnswered = false;
  let closing: Promise<void> | undefined;
  let gone: Promise<void> = Promise.resolve();
  let words = Buffer.alloc(0);

  const hear = (chunk: Uint8Array): void => {
    words = Buffer.concat([words, chunk.subarray(Math.max(0, chunk.length - wordsKept))]);
    if (words.length > wordsKept) words = Buffer.from(words.subarray(words.length - wordsKept));
  };
  const lines = createJsonLines(options.messageBytes, {
    line(text) {
      const message = messageIn(text);
      if (message) {
        wasAnswered = true;
        transport.onmessage?.(message);
      } else hear(Buffer.from(`${text}\n`));
    },
    tooLong(id, bytes) {
      if (id === undefined) hear(Buffer.from(`[a line of ${bytes} bytes that is no message]\n`));
      else transport.onmessage?.(tooLargeMessage(id, options.messageBytes));
    },
  });

  const transport: StdioTransport = {
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    get end() {
      return end;
    },
    get wasAnswered() {
      return wasAnswered;
    },
    lastWords: () =>
      words
        .toString('utf8')
        .replace(/^\ufffd+/, '')
        .trim(),
    async start() {
      const [file, ...args] = markedLine([options.file, ...options.args]);
      const started = spawnGroup(file, args, {
        cwd: options.cwd,
        env: { ...options.env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child = started;
      started.stdout?.on('data', (chunk: Buffer) => lines.push(chunk));
      started.stderr?.on('data', hear);
      // Who ends before it has read all is told by its end.
      started.stdin?.on('error', () => undefined);
      await spawnedOrFailed(started);
      const { pid } = started;
      if (pid === undefined) throw trouble('unavailable', 'its program could not be started');
      mark = processMark(pid) ?? markOfAny(pid);
      gone = leave(started, pid);
      gone.catch((error: Error) => transport.onerror?.(error));
      try {
        options.spawned?.(pid);
      } catch (error) {
        killGroup(pid, mark);
        await gone;
        throw error;
      }
    },
    async send(message) {
      const to = child?.stdin;
      if (!to?.writable || isGone) throw trouble('unavailable', 'the server has ended');
      const text = `${JSON.stringify(message)}\n`;
      if (to.write(text)) return;
      await new Promise<void>((resolve) => {
        const settle = () => {
          to.off('drain', settle).off('close', settle);
          resolve();
        };
        to.on('drain', settle).on('close', settle);
      });
    },
    close() {
      closing ??= (async () => {
        if (child?.pid === undefined) {
          transport.onclose?.();
          return;
        }
        child.stdin?.end();
        const waited = new AbortController();
        await Promise.race([gone, clock.sleep(closeMs, waited.signal).catch(() => undefined)]);
        waited.abort();
        if (!isGone) await endGroup(child.pid, { graceMs: closeMs, mark });
        await gone;
      })();
      return closing;
    },
  };

  /** Settles when it has ended with all that it started, and its streams are read to their ends. */
  async function leave(started: ChildProcess, pid: number): Promise<void> {
    const closed = new Promise<void>((resolve) => started.once('close', () => resolve()));
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      started.once('exit', (code, signal) => resolve([code, signal])),
    );
    isGone = true;
    if (closing === undefined) {
      end = signal === null ? `it ended with the exit code ${code}` : `it was ended by ${signal}`;
    }
    try {
      await endGroup(pid, { graceMs: closeMs, mark });
      const waited = new AbortController();
      await Promise.race([closed, clock.sleep(drainMs, waited.signal).catch(() => undefined)]);
      waited.abort();
      for (const stream of [started.stdin, started.stdout, started.stderr]) stream?.destroy();
    } finally {
      options.ended?.(pid);
      transport.onclose?.();
    }
  }

  return transport;
}

/** Undefined of what a server should not have written there: a log, a banner. */
function messageIn(line: string): JSONRPCMessage | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function spawnedOrFailed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      reject(trouble('unavailable', `its program could not be started: ${error.message}`, { cause: error }));
    });
  });
}
