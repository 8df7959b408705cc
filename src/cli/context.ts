/** What a command may touch: its streams, its environment, its directory. Passed as an argument, so tests pass their own. */
import { fstatSync } from 'node:fs';
import type { Terminal } from '../chat/index.ts';
import type { ReadResult } from '../sys/index.ts';
import { UsageError } from './command.ts';
import { kindOf } from './descriptor.ts';
import { processOutput, type StreamErrors } from './output.ts';

export interface Output {
  readonly write: (text: string) => void;
  /** Waits until what was written is taken, for what may be endless; false when the reader is gone. */
  readonly flush: () => Promise<boolean>;
  readonly isTTY: boolean;
  readonly color: boolean;
  /** The width of the terminal; 80 where there is none. */
  readonly columns: number;
}

export interface Input {
  readonly isTTY: boolean;
  /** Nothing can come from it: it is `/dev/null`. */
  readonly isNothing?: boolean;
  /** Everything up to the end of the stream, or why it is not a text. */
  readonly read: () => Promise<ReadResult>;
  /** Its bytes as they come; who waits for them can be stopped, which then is the error. */
  readonly chunks: (signal?: AbortSignal) => AsyncIterable<Uint8Array>;
}

export interface Context {
  /** Results. */
  readonly stdout: Output;
  /** Progress, warnings and errors. */
  readonly stderr: Output;
  readonly stdin: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How the network is reached; as the platform does, where nothing is said. */
  readonly fetch?: typeof globalThis.fetch;
  /** Takes over what Ctrl-C, a kill and the end of a terminal do, until what it gives is called. */
  readonly onSignal?: (handler: (signal: StopSignal) => void) => () => void;
  /** Where what is typed can be read key by key, and drawn below what is printed; missing or undefined elsewhere. */
  readonly terminal?: () => Promise<Terminal | undefined>;
  /** The command line that starts this program again. */
  readonly self?: readonly string[];
  /** Flags that say where runs are, as they were given: commands about a run that are printed repeat them. */
  readonly places?: readonly string[];
}

export type StopSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

/** The context of this process; `onError` is told where its output fails. */
export function processContext(onError: StreamErrors): Context {
  const env = process.env;
  const input = kindOf(0);
  return {
    stdout: processOutput('stdout', env, onError),
    stderr: processOutput('stderr', env, onError),
    stdin: { isTTY: input === 'terminal', isNothing: input === 'nothing', read: readInput, chunks: readChunks },
    env,
    cwd: process.cwd(),
  };
}

/** The same context with the colours that `--color` or `--no-color` ask for. */
export function withColor(context: Context, flag: boolean | undefined): Context {
  if (flag === undefined) return context;
  const recolor = (output: Output): Output => ({
    write: output.write,
    flush: output.flush,
    isTTY: output.isTTY,
    color: flag,
    // Asked only when somebody wants to know: see `output.ts`.
    get columns() {
      return output.columns;
    },
  });
  return { ...context, stdout: recolor(context.stdout), stderr: recolor(context.stderr) };
}

const directory = 'standard input is a directory, not a text.';

async function* readChunks(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (isDirectory()) throw new UsageError(`${directory} (TOO5002)`);
  if (kindOf(0) === 'nothing') return;
  const { stdin } = process;
  if ('ref' in stdin) stdin.ref();
  try {
    // Who has heard enough may ask again later.
    const chunks = stdin.iterator({ destroyOnReturn: false });
    for (;;) {
      const { done, value } = await orAborted(chunks.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // And waits for nothing until then.
    if ('unref' in stdin) stdin.unref();
  }
}

/** What is waited for, or the reason why it is waited for no longer. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Node reads a directory as nothing at all, without a word. */
function isDirectory(): boolean {
  return fstatSync(0).isDirectory();
}

/** Loaded when it is used: few commands read what is typed or piped to them. */
async function readInput(): Promise<ReadResult> {
  if (isDirectory()) return { ok: false, problem: { kind: 'directory', message: directory } };
  const { readStdin } = await import('../sys/index.ts');
  return readStdin();
}
