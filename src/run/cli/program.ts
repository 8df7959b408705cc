/**
 * Runs the program of an agent to its end.
 * 1. It leads a group of its own; on Linux all that it starts carries its mark too, so that what left the group is found.
 * 2. Whatever ends it, all that it started is ended before this settles: attempts never overlap.
 * 3. What it prints is handed on as it comes, and kept nowhere.
 */
import type { ChildProcess } from 'node:child_process';
import {
  type Clock,
  endGroup,
  isFailure,
  killGroup,
  markedLine,
  markOfAny,
  processMark,
  spawnGroup,
} from '../../sys/index.ts';
import type { StepContext } from '../execute.ts';

export interface ProgramRun {
  /** A path that `findProgram` found. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly onOutput: (bytes: Uint8Array) => void;
  readonly onError: (bytes: Uint8Array) => void;
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it was not even started. */
  readonly problem?: string;
}

/** What was started may write a last line when the program itself has ended. */
const lastMs = 300;
/** How long a program may take to end when it is told to: it may keep what was said. */
const graceMs = 2000;
/** How long its streams may stay open: something that cannot be found holds them. */
const drainMs = 500;

export async function runProgram(
  run: ProgramRun,
  context: Pick<StepContext, 'spawned' | 'ended' | 'now'>,
  clock: Clock,
): Promise<ProgramEnd> {
  const { signal } = run;
  const child = start(run);
  if (typeof child === 'string') return { code: null, signal: null, problem: child };
  const exit = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { pid } = child;
  if (pid === undefined) {
    const { problem = 'it could not be started' } = await exit;
    return { code: null, signal: null, problem };
  }
  const mark = processMark(pid) ?? markOfAny(pid);
  try {
    context.spawned(pid);
  } catch (error) {
    killGroup(pid, mark);
    await exit;
    throw error;
  }
  child.stdout?.on('data', run.onOutput);
  child.stderr?.on('data', run.onError);
  child.stdin?.end(run.stdin);
  const isTold = await firstOf(exit, signal);
  if (context.now?.aborted) killGroup(pid, mark);
  await endGroup(pid, { mark, clock, graceMs, ...(!isTold && { waitMs: lastMs }) });
  const end = await exit;
  await within(drainMs, closed, clock);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  context.ended(pid);
  return end;
}

/** The child, or why there is none. */
function start({ file, argv, cwd, env }: ProgramRun): ChildProcess | string {
  const [program, ...words] = markedLine([file, ...argv]);
  try {
    const child = spawnGroup(program, words, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    // It may end before it has read all.
    child.stdin?.on('error', () => undefined);
    return child;
  } catch (error) {
    // Arguments that no program can be given.
    if (isFailure(error) || (error instanceof Error && 'code' in error)) return error.message;
    throw error;
  }
}

function exitOf(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: null, signal: null, problem: error.message }));
  });
}

/** Whether it was told to end, and has not by itself. */
async function firstOf(exit: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const done = new AbortController();
  const aborted = new Promise<true>((resolve) => {
    if (signal.aborted) resolve(true);
    else signal.addEventListener('abort', () => resolve(true), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([exit.then(() => false), aborted]);
  } finally {
    done.abort();
  }
}

async function within(ms: number, promise: Promise<void>, clock: Clock): Promise<void> {
  const done = new AbortController();
  await Promise.race([promise, clock.sleep(ms, done.signal).catch(() => undefined)]);
  done.abort();
}
