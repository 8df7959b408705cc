/** A context in memory, so that tests run commands in this process. */
import type { Terminal } from '../chat/index.ts';
import { decodeText } from '../sys/index.ts';
import type { Context } from './context.ts';

export interface MemoryContext extends Context {
  /** What was written so far. */
  readonly out: () => string;
  readonly err: () => string;
}

export interface MemoryOptions {
  readonly cwd?: string;
  readonly env?: Context['env'];
  /** Bytes, to try what is not a text. */
  readonly stdin?: string | Uint8Array;
  /** Whether standard input is a terminal. */
  readonly typed?: boolean;
  /** Nobody types anything: told when an answer is waited for. */
  readonly silent?: () => void;
  /** Whether the outputs are. */
  readonly shown?: boolean;
  readonly color?: boolean;
  readonly columns?: number;
  readonly onSignal?: NonNullable<Context['onSignal']>;
  /** One that tells every key. */
  readonly terminal?: Terminal;
  /** Without it nothing is reached, whatever listens on the machine of the test. */
  readonly fetch?: typeof globalThis.fetch;
}

export function memoryContext(options: MemoryOptions = {}): MemoryContext {
  const written = { out: '', err: '' };
  const output = (key: 'out' | 'err') => ({
    write: (text: string) => {
      written[key] += text;
    },
    flush: async () => true,
    isTTY: options.shown ?? false,
    color: options.color ?? false,
    columns: options.columns ?? 80,
  });
  return {
    stdout: output('out'),
    stderr: output('err'),
    stdin: {
      isTTY: options.typed ?? false,
      read: async () => decodeText(Buffer.from(options.stdin ?? ''), '<stdin>'),
      async *chunks(signal) {
        if (options.silent) {
          await new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
            options.silent?.();
          });
        }
        const bytes = Buffer.from(options.stdin ?? '');
        for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
      },
    },
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    fetch: options.fetch ?? unreachable,
    ...(options.onSignal && { onSignal: options.onSignal }),
    terminal: async () => options.terminal,
    out: () => written.out,
    err: () => written.err,
  };
}

async function unreachable(): Promise<Response> {
  throw new TypeError('fetch failed');
}
