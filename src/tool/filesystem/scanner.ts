/**
 * Looks for a text or a regular expression in the bytes of files.
 * 1. A regular expression may take for ever, and nothing in the language can stop one: so it runs in a thread of its own,
 *    which is ended when a file takes too long, or when the call is aborted.
 * 2. A plain text takes linear time, and needs no thread.
 * 3. The thread has no environment, a bound on its memory, and is gone when `close` has settled.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../sys/index.ts';
import { ToolFailure } from '../define-tool.ts';
import { type ScanLimits, type Scanned, scanText } from './scan-text.ts';

export interface Scanner {
  readonly scan: (bytes: Uint8Array, limits: ScanLimits) => Promise<Scanned>;
  readonly close: () => Promise<void>;
}

export interface ScannerOptions {
  readonly pattern: string;
  /** The pattern is a text, not a regular expression. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** How long a regular expression may look at one file. */
  readonly mostMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function createScanner(options: ScannerOptions): Scanner {
  const { pattern, ignoreCase } = options;
  const isLiteral = options.literal || !/[\\^$.*+?()[\]{}|]/.test(pattern);
  if (!isLiteral) return createThread(options);
  const wanted = ignoreCase ? pattern.toLowerCase() : pattern;
  const find = (line: string) => (ignoreCase ? line.toLowerCase() : line).indexOf(wanted);
  return {
    async scan(bytes, limits) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      // Most files hold nothing, and bytes are searched much faster than lines.
      if (!ignoreCase && !buffer.includes(pattern)) return { hits: 0, rows: [] };
      return scanText(buffer.toString('utf8'), find, limits);
    },
    close: () => Promise.resolve(),
  };
}

function createThread(options: ScannerOptions): Scanner {
  const regexp = compiled(options);
  let worker: Worker | undefined;
  return {
    scan(bytes, limits) {
      worker ??= startWorker(regexp);
      return ask(worker, new Uint8Array(bytes).buffer, limits, options);
    },
    async close() {
      await worker?.terminate();
    },
  };
}

function compiled({ pattern, ignoreCase }: ScannerOptions): RegExp {
  // Only with `u` are `\p{L}` and `\u{1f600}` what they say; without it more of what people write is allowed.
  const unicode = /\\[pP]\{|\\u\{/.test(pattern) ? 'u' : '';
  try {
    return new RegExp(pattern, unicode + (ignoreCase ? 'i' : ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
    throw new ToolFailure(
      'arguments',
      `"/pattern" is no regular expression of JavaScript: ${reason}. With literal=true it is looked for as it is written.`,
    );
  }
}

function startWorker(regexp: RegExp): Worker {
  const { source, flags } = regexp;
  const worker = new Worker(threadSource, {
    eval: true,
    workerData: { source, flags },
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // Nobody waits for it alone.
  worker.unref();
  return worker;
}

type Answer = { readonly ok: true; readonly scanned: Scanned } | { readonly ok: false; readonly problem: string };

/** The program of the thread: the same function as here, and a loop around it. */
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const scan = ${scanText.toString()};
const regexp = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ bytes, limits }) => {
  try {
    const text = Buffer.from(bytes).toString('utf8');
    parentPort.postMessage({ ok: true, scanned: scan(text, (line) => line.search(regexp), limits) });
  } catch (error) {
    parentPort.postMessage({ ok: false, problem: String(error) });
  }
});
`;

async function ask(worker: Worker, bytes: ArrayBuffer, limits: ScanLimits, options: ScannerOptions): Promise<Scanned> {
  const { clock, signal, mostMs } = options;
  signal.throwIfAborted();
  const done = new AbortController();
  let settle: (answer: Answer) => void = () => undefined;
  const answered = new Promise<Answer>((resolve) => {
    settle = resolve;
  });
  const onError = (error: Error) => settle({ ok: false, problem: error.message });
  worker.on('message', settle).on('error', onError);
  worker.postMessage({ bytes, limits }, [bytes]);
  try {
    const ends = AbortSignal.any([signal, done.signal]);
    const late = clock.sleep(mostMs, ends).then(
      () => 'late' as const,
      () => 'aborted' as const,
    );
    const first = await Promise.race([answered, late]);
    if (first === 'aborted') throw signal.reason;
    if (first === 'late') {
      throw new ToolFailure(
        'timeout',
        `the regular expression took more than ${mostMs / 1000} s for one file, and was ended: nested repetitions such as (a+)+ take for ever. Write a simpler one, or a text with literal=true.`,
      );
    }
    if (!first.ok) throw new ToolFailure('failed', `the search failed: ${first.problem}.`);
    return first.scanned;
  } finally {
    done.abort();
    worker.off('message', settle).off('error', onError);
  }
}
