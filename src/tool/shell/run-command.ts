/**
 * Runs one command to its end.
 * 1. It leads a group of its own; on Linux all that it starts carries its mark too, so that what left the group is found.
 * 2. Whatever ends it (itself, time, an abort, too much output), all that it started is ended before this settles.
 * 3. What it prints is handed on as it comes, and kept nowhere.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type Clock, endGroup, failure, markedLine, markOfAny, processMark, spawnGroup } from '../../sys/index.ts';
import type { ToolContext } from '../tool.ts';
import { endHolders } from './holders.ts';
import { openStreams, type Streams } from './streams.ts';

export interface Command {
  /** The program, as a path, and its arguments. */
  readonly line: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** It is ended when it has printed more. */
  readonly mostBytes: number;
}

export interface CommandEnd {
  readonly why: 'exit' | 'timeout' | 'output' | 'abort';
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Something that it started was still there when it had ended by itself. */
  readonly left: boolean;
  readonly bytes: number;
}

/** Some programs write a last line right after the shell that started them has ended, and a sandbox takes a moment to be gone. */
const lastMs = 300;

/** Throws what the system says where it cannot be started, or not be ended. */
export async function runCommand(
  command: Command,
  context: Pick<ToolContext, 'signal' | 'clock' | 'spawned' | 'ended'>,
  onOutput: (bytes: Uint8Array) => void,
): Promise<CommandEnd> {
  const { signal, clock } = context;
  const streams = process.platform === 'win32' ? undefined : await openStreams(command.stdin);
  try {
    const child = start(command, streams);
    const exit = exitOf(child);
    streams?.handedOver();
    const { pid } = child;
    if (pid === undefined) {
      await exit;
      throw failure('other', 'the command was not started.');
    }
    context.spawned?.(pid);
    const mark = processMark(pid) ?? markOfAny(pid);
    const output = readOutput(streams ? [streams.output] : [child.stdout, child.stderr], command.mostBytes, onOutput);
    const why = await firstOf(exit, output.tooMuch, command.timeoutMs, signal, clock);
    if (why !== 'exit') output.ignore();
    const ended = await endGroup(pid, { mark, clock, ...(why === 'exit' && { waitMs: lastMs }) });
    const { code, signal: endSignal } = await exit;
    let hidden = 0;
    if (!(await within(lastMs, output.closed, clock)) && streams) {
      hidden = endHolders(streams.identity);
      await within(lastMs, output.closed, clock);
    }
    context.ended?.(pid);
    const left = why === 'exit' && (ended !== 'gone' || hidden > 0);
    return { why, code, signal: endSignal, left, bytes: output.bytes() };
  } finally {
    streams?.close();
  }
}

function start({ line, cwd, env, stdin }: Command, streams: Streams | undefined): ChildProcess {
  const [file, ...args] = line;
  if (streams === undefined) {
    const child = spawnGroup(file, args, {
      cwd,
      env,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    // It may end before it has read all.
    child.stdin?.on('error', () => undefined).end(stdin);
    return child;
  }
  const [program, ...words] = markedLine(line);
  return spawnGroup(program, words, { cwd, env, stdio: streams.stdio });
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', reject);
  });
  // Whoever waits for it is told; nobody may be waiting yet.
  exit.catch(() => undefined);
  return exit;
}

interface Output {
  /** Nobody can write any more. */
  readonly closed: Promise<void>;
  readonly tooMuch: Promise<void>;
  readonly bytes: () => number;
  /** What still comes is taken, so that nobody waits for it, and forgotten. */
  readonly ignore: () => void;
}

function readOutput(
  streams: readonly (Readable | null)[],
  most: number,
  onOutput: (bytes: Uint8Array) => void,
): Output {
  let bytes = 0;
  let ignored = false;
  let over: () => void = () => undefined;
  const tooMuch = new Promise<void>((resolve) => {
    over = resolve;
  });
  const closed = streams.map(
    (stream) =>
      new Promise<void>((resolve) => {
        if (stream === null) return resolve();
        stream.on('data', (chunk: Uint8Array) => {
          if (ignored) return;
          const room = most - bytes;
          bytes += Math.min(chunk.length, room);
          onOutput(chunk.subarray(0, room));
          if (chunk.length <= room) return;
          ignored = true;
          over();
        });
        stream.once('close', resolve);
        // A pipe that breaks is closed next.
        stream.on('error', () => undefined);
      }),
  );
  return {
    closed: Promise.all(closed).then(() => undefined),
    tooMuch,
    bytes: () => bytes,
    ignore: () => {
      ignored = true;
    },
  };
}

async function firstOf(
  exit: Promise<Exit>,
  tooMuch: Promise<void>,
  timeoutMs: number,
  signal: AbortSignal,
  clock: Clock,
): Promise<CommandEnd['why']> {
  const done = new AbortController();
  const aborted = new Promise<'abort'>((resolve) => {
    if (signal.aborted) resolve('abort');
    else signal.addEventListener('abort', () => resolve('abort'), { once: true, signal: done.signal });
  });
  const timeout = clock.sleep(timeoutMs, done.signal).then(() => 'timeout' as const);
  timeout.catch(() => undefined);
  try {
    return await Promise.race([
      exit.then(() => 'exit' as const),
      tooMuch.then(() => 'output' as const),
      aborted,
      timeout,
    ]);
  } finally {
    done.abort();
  }
}

/** Whether it came in time. */
async function within(ms: number, promise: Promise<void>, clock: Clock): Promise<boolean> {
  const done = new AbortController();
  const late = clock.sleep(ms, done.signal).then(() => false);
  late.catch(() => undefined);
  const inTime = await Promise.race([promise.then(() => true), late]);
  done.abort();
  return inTime;
}
