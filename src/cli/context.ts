/** What a command may touch: its streams, its environment, its directory. Passed as an argument, so tests pass their own. */
import { fstatSync, type Stats, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import type { Terminal } from '../chat/index.ts';
import type { ReadResult } from '../sys/index.ts';
import { wantsColor } from '../text/index.ts';
import { UsageError } from './command.ts';

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

/**
 * The context of this process. Each of Node's streams takes a moment to set up, so each waits for its first use;
 * `onError` is told of its failures from then on.
 */
export function processContext(onError: StreamErrors): Context {
  const env = process.env;
  const input = kindOf(0);
  return {
    stdout: processOutput(env, 1, () => process.stdout.on('error', onError.stdout)),
    stderr: processOutput(env, 2, () => process.stderr.on('error', onError.stderr)),
    stdin: { isTTY: input === 'terminal', isNothing: input === 'nothing', read: readInput, chunks: readChunks },
    env,
    cwd: process.cwd(),
  };
}

export interface StreamErrors {
  readonly stdout: (error: NodeJS.ErrnoException) => void;
  readonly stderr: (error: NodeJS.ErrnoException) => void;
}

/** The same context with the colours that `--color` or `--no-color` ask for. */
export function withColor(context: Context, flag: boolean | undefined): Context {
  if (flag === undefined) return context;
  const recolor = (output: Output): Output => ({
    write: output.write,
    flush: output.flush,
    isTTY: output.isTTY,
    color: flag,
    // Asked only when somebody wants to know: see `processContext`.
    get columns() {
      return output.columns;
    },
  });
  return { ...context, stdout: recolor(context.stdout), stderr: recolor(context.stderr) };
}

function processOutput(env: Context['env'], fd: 1 | 2, open: () => NodeJS.WriteStream): Output {
  let opened: NodeJS.WriteStream | undefined;
  let isGone = false;
  const stream = () => {
    if (opened === undefined) {
      opened = open();
      opened.on('error', () => {
        isGone = true;
      });
    }
    return opened;
  };
  const isTTY = kindOf(fd) === 'terminal';
  return {
    write: (text) => void stream().write(text),
    async flush() {
      const to = stream();
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
      const { columns } = stream();
      return isTTY && columns > 0 ? columns : 80;
    },
  };
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

/**
 * Node's own answer comes with all that it has for the network: what is no device need not ask. `nothing` is `/dev/null`, which
 * programs give to others that they start.
 */
function kindOf(fd: number): 'terminal' | 'nothing' | 'other' {
  if (process.platform !== 'win32') {
    const stats = statsOf(fd);
    if (!stats?.isCharacterDevice()) return 'other';
    const nothing = statSync(devNull, { throwIfNoEntry: false });
    if (nothing?.dev === stats.dev && nothing.ino === stats.ino) return 'nothing';
  }
  return isatty(fd) ? 'terminal' : 'other';
}

function statsOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    // Closed.
    return undefined;
  }
}

/** Loaded when it is used: few commands read what is typed or piped to them. */
async function readInput(): Promise<ReadResult> {
  if (isDirectory()) return { ok: false, problem: { kind: 'directory', message: directory } };
  const { readStdin } = await import('../sys/index.ts');
  return readStdin();
}
